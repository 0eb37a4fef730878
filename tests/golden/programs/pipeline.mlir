// SPDX-License-Identifier: Apache-2.0
// A pipeline of two stages in a loop, with weights cut along another axis too.
module @jit_fn attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["stage"=2, "d"=2]> {stablehlo.mesh = {axes = [{name = "stage", size = 2 : i64}, {name = "d", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x3x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"stage"}, {}, {}]>}, %arg1: tensor<6x3x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg2: tensor<4x5x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) -> (tensor<4x3x5xf32> {jax.result_info = "result[0]"}, tensor<6x3x5xf32> {jax.result_info = "result[1]"}) {
    %0 = sdy.sharding_constraint %arg2 <@mesh, [{"stage"}, {}, {"d"}]> : tensor<4x5x5xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x3x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:5 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %0, %iterArg_1 = %c, %iterArg_2 = %arg0, %iterArg_3 = %1) : tensor<6x3x5xf32>, tensor<4x5x5xf32>, tensor<i32>, tensor<4x3x5xf32>, tensor<6x3x5xf32>
    cond {
      %c_4 = stablehlo.constant dense<6> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) : (tensor<6x3x5xf32>, tensor<i32>) -> tensor<3x5xf32>
      %4:2 = func.call @closed_call(%iterArg_0, %iterArg_2, %3) : (tensor<4x5x5xf32>, tensor<4x3x5xf32>, tensor<3x5xf32>) -> (tensor<4x3x5xf32>, tensor<3x5xf32>)
      %5 = func.call @dynamic_update_index_in_dim(%iterArg_3, %4#1, %iterArg_1) : (tensor<6x3x5xf32>, tensor<3x5xf32>, tensor<i32>) -> tensor<6x3x5xf32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %6, %4#0, %5 : tensor<6x3x5xf32>, tensor<4x5x5xf32>, tensor<i32>, tensor<4x3x5xf32>, tensor<6x3x5xf32>
    }
    return %2#3, %2#4 : tensor<4x3x5xf32>, tensor<6x3x5xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x3x5xf32>, %arg1: tensor<i32>) -> tensor<3x5xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 3, 5] : (tensor<6x3x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x5xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3x5xf32>) -> tensor<3x5xf32>
    return %1 : tensor<3x5xf32>
  }
  func.func private @closed_call(%arg0: tensor<4x5x5xf32>, %arg1: tensor<4x3x5xf32>, %arg2: tensor<3x5xf32>) -> (tensor<4x3x5xf32>, tensor<3x5xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1 = "stablehlo.scatter"(%arg1, %0, %arg2) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<4x3x5xf32>, tensor<1xi32>, tensor<3x5xf32>) -> tensor<4x3x5xf32>
    %2 = stablehlo.dot_general %1, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x3x5xf32>, tensor<4x5x5xf32>) -> tensor<4x3x5xf32>
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x3x5xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<4x3x5xf32>
    %5 = stablehlo.tanh %4 : tensor<4x3x5xf32>
    %6 = sdy.sharding_constraint %5 <@mesh, [{"stage"}, {}, {}]> : tensor<4x3x5xf32>
    %7 = stablehlo.slice %6 [3:4, 0:3, 0:5] : (tensor<4x3x5xf32>) -> tensor<1x3x5xf32>
    %8 = stablehlo.slice %6 [0:3, 0:3, 0:5] : (tensor<4x3x5xf32>) -> tensor<3x3x5xf32>
    %9 = stablehlo.concatenate %7, %8, dim = 0 : (tensor<1x3x5xf32>, tensor<3x3x5xf32>) -> tensor<4x3x5xf32>
    %10 = stablehlo.slice %6 [3:4, 0:3, 0:5] : (tensor<4x3x5xf32>) -> tensor<1x3x5xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x3x5xf32>) -> tensor<3x5xf32>
    return %9, %11 : tensor<4x3x5xf32>, tensor<3x5xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x3x5xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<i32>) -> tensor<6x3x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<3x5xf32>) -> tensor<1x3x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x3x5xf32>, tensor<1x3x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x3x5xf32>
    return %1 : tensor<6x3x5xf32>
  }
}
