// Made by zoo.py.
module @jit_stencil attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17x23xf32>, %arg1: tensor<17x23xf32>) -> (tensor<17x23xf32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %c, %iterArg_1 = %arg0) : tensor<17x23xf32>, tensor<i32>, tensor<17x23xf32>
    cond {
      %c_2 = stablehlo.constant dense<12> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = func.call @closed_call(%iterArg, %iterArg_1) : (tensor<17x23xf32>, tensor<17x23xf32>) -> tensor<17x23xf32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      stablehlo.return %iterArg, %3, %2 : tensor<17x23xf32>, tensor<i32>, tensor<17x23xf32>
    }
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0#2 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<17x23xf32>, tensor<f32>) -> tensor<f32>
    return %0#2, %1 : tensor<17x23xf32>, tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<17x23xf32>, %arg1: tensor<17x23xf32>) -> tensor<17x23xf32> {
    %0 = call @_pad(%arg1) : (tensor<17x23xf32>) -> tensor<19x25xf32>
    %1 = stablehlo.slice %0 [0:17, 1:24] : (tensor<19x25xf32>) -> tensor<17x23xf32>
    %2 = stablehlo.slice %0 [2:19, 1:24] : (tensor<19x25xf32>) -> tensor<17x23xf32>
    %3 = stablehlo.add %1, %2 : tensor<17x23xf32>
    %4 = stablehlo.slice %0 [1:18, 0:23] : (tensor<19x25xf32>) -> tensor<17x23xf32>
    %5 = stablehlo.add %3, %4 : tensor<17x23xf32>
    %6 = stablehlo.slice %0 [1:18, 2:25] : (tensor<19x25xf32>) -> tensor<17x23xf32>
    %7 = stablehlo.add %5, %6 : tensor<17x23xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17x23xf32>
    %9 = stablehlo.multiply %8, %arg1 : tensor<17x23xf32>
    %10 = stablehlo.subtract %7, %9 : tensor<17x23xf32>
    %11 = stablehlo.multiply %arg0, %10 : tensor<17x23xf32>
    %12 = stablehlo.add %arg1, %11 : tensor<17x23xf32>
    return %12 : tensor<17x23xf32>
  }
  func.func private @_pad(%arg0: tensor<17x23xf32>) -> tensor<19x25xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:23] : (tensor<17x23xf32>) -> tensor<1x23xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<1x23xf32>) -> tensor<1x1x23xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x1x23xf32>) -> tensor<1x23xf32>
    %3 = stablehlo.slice %arg0 [16:17, 0:23] : (tensor<17x23xf32>) -> tensor<1x23xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 2] : (tensor<1x23xf32>) -> tensor<1x1x23xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x1x23xf32>) -> tensor<1x23xf32>
    %6 = stablehlo.concatenate %2, %arg0, %5, dim = 0 : (tensor<1x23xf32>, tensor<17x23xf32>, tensor<1x23xf32>) -> tensor<19x23xf32>
    %7 = stablehlo.slice %6 [0:19, 0:1] : (tensor<19x23xf32>) -> tensor<19x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<19x1xf32>) -> tensor<19x1x1xf32>
    %9 = stablehlo.reshape %8 : (tensor<19x1x1xf32>) -> tensor<19x1xf32>
    %10 = stablehlo.slice %6 [0:19, 22:23] : (tensor<19x23xf32>) -> tensor<19x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<19x1xf32>) -> tensor<19x1x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<19x1x1xf32>) -> tensor<19x1xf32>
    %13 = stablehlo.concatenate %9, %6, %12, dim = 1 : (tensor<19x1xf32>, tensor<19x23xf32>, tensor<19x1xf32>) -> tensor<19x25xf32>
    return %13 : tensor<19x25xf32>
  }
}
