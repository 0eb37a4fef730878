// Made by zoo.py.
module @jit_decode attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<11x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<8x11xf32>, %arg5: tensor<5xi32>) -> (tensor<5x9xi32> {jax.result_info = "result[0]"}, tensor<5x9x8xf32> {jax.result_info = "result[1]"}, tensor<5x9x8xf32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x9x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x9xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2:10 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg2, %iterArg_2 = %arg3, %iterArg_3 = %arg1, %iterArg_4 = %arg4, %iterArg_5 = %c_0, %iterArg_6 = %arg5, %iterArg_7 = %0, %iterArg_8 = %0, %iterArg_9 = %1) : tensor<11x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x11xf32>, tensor<i32>, tensor<5xi32>, tensor<5x9x8xf32>, tensor<5x9x8xf32>, tensor<5x9xi32>
    cond {
      %c_10 = stablehlo.constant dense<9> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_5, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %c_10 = stablehlo.constant dense<0> : tensor<i32>
      %3 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<5xi32>
      %4 = stablehlo.compare LT, %iterArg_6, %3, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
      %c_11 = stablehlo.constant dense<11> : tensor<i32>
      %5 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<5xi32>
      %6 = stablehlo.add %iterArg_6, %5 : tensor<5xi32>
      %7 = stablehlo.select %4, %6, %iterArg_6 : tensor<5xi1>, tensor<5xi32>
      %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
      %9 = "stablehlo.gather"(%iterArg, %8) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<11x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
      %10 = stablehlo.dot_general %9, %iterArg_1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [0, 2] : (tensor<5x8xf32>) -> tensor<5x1x8xf32>
      %c_12 = stablehlo.constant dense<0> : tensor<i32>
      %12 = stablehlo.compare LT, %iterArg_5, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_13 = stablehlo.constant dense<9> : tensor<i32>
      %13 = stablehlo.add %iterArg_5, %c_13 : tensor<i32>
      %14 = stablehlo.select %12, %13, %iterArg_5 : tensor<i1>, tensor<i32>
      %c_14 = stablehlo.constant dense<0> : tensor<i32>
      %c_15 = stablehlo.constant dense<0> : tensor<i32>
      %15 = stablehlo.dynamic_update_slice %iterArg_7, %11, %c_14, %14, %c_15 : (tensor<5x9x8xf32>, tensor<5x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x9x8xf32>
      %16 = stablehlo.dot_general %9, %iterArg_2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
      %17 = stablehlo.broadcast_in_dim %16, dims = [0, 2] : (tensor<5x8xf32>) -> tensor<5x1x8xf32>
      %c_16 = stablehlo.constant dense<0> : tensor<i32>
      %18 = stablehlo.compare LT, %iterArg_5, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_17 = stablehlo.constant dense<9> : tensor<i32>
      %19 = stablehlo.add %iterArg_5, %c_17 : tensor<i32>
      %20 = stablehlo.select %18, %19, %iterArg_5 : tensor<i1>, tensor<i32>
      %c_18 = stablehlo.constant dense<0> : tensor<i32>
      %c_19 = stablehlo.constant dense<0> : tensor<i32>
      %21 = stablehlo.dynamic_update_slice %iterArg_8, %17, %c_18, %20, %c_19 : (tensor<5x9x8xf32>, tensor<5x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x9x8xf32>
      %22 = stablehlo.dot_general %9, %iterArg_3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
      %23 = stablehlo.dot_general %22, %15, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<5x8xf32>, tensor<5x9x8xf32>) -> tensor<5x9xf32>
      %cst_20 = stablehlo.constant dense<2.82842708> : tensor<f32>
      %24 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<5x9xf32>
      %25 = stablehlo.divide %23, %24 : tensor<5x9xf32>
      %26 = stablehlo.iota dim = 0 : tensor<9xi32>
      %27 = stablehlo.broadcast_in_dim %iterArg_5, dims = [] : (tensor<i32>) -> tensor<9xi32>
      %28 = stablehlo.compare LE, %26, %27, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
      %cst_21 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %29 = func.call @_where(%28, %25, %cst_21) : (tensor<9xi1>, tensor<5x9xf32>, tensor<f32>) -> tensor<5x9xf32>
      %cst_22 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %30 = stablehlo.reduce(%29 init: %cst_22) applies stablehlo.maximum across dimensions = [1] : (tensor<5x9xf32>, tensor<f32>) -> tensor<5xf32>
      %cst_23 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %31 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %32 = stablehlo.maximum %31, %30 : tensor<5xf32>
      %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
      %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x9xf32>
      %35 = stablehlo.subtract %29, %34 : tensor<5x9xf32>
      %36 = stablehlo.exponential %35 : tensor<5x9xf32>
      %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %37 = stablehlo.reduce(%36 init: %cst_24) applies stablehlo.add across dimensions = [1] : (tensor<5x9xf32>, tensor<f32>) -> tensor<5xf32>
      %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
      %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x9xf32>
      %40 = stablehlo.divide %36, %39 : tensor<5x9xf32>
      %41 = stablehlo.dot_general %40, %21, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<5x9xf32>, tensor<5x9x8xf32>) -> tensor<5x8xf32>
      %42 = stablehlo.add %9, %41 : tensor<5x8xf32>
      %43 = stablehlo.dot_general %42, %iterArg_4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x8xf32>, tensor<8x11xf32>) -> tensor<5x11xf32>
      %44 = func.call @argmax(%43) : (tensor<5x11xf32>) -> tensor<5xi32>
      %c_25 = stablehlo.constant dense<1> : tensor<i32>
      %45 = stablehlo.add %iterArg_5, %c_25 : tensor<i32>
      %46 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
      %c_26 = stablehlo.constant dense<0> : tensor<i32>
      %47 = stablehlo.compare LT, %iterArg_5, %c_26, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_27 = stablehlo.constant dense<9> : tensor<i32>
      %48 = stablehlo.add %iterArg_5, %c_27 : tensor<i32>
      %49 = stablehlo.select %47, %48, %iterArg_5 : tensor<i1>, tensor<i32>
      %c_28 = stablehlo.constant dense<0> : tensor<i32>
      %50 = stablehlo.dynamic_update_slice %iterArg_9, %46, %c_28, %49 : (tensor<5x9xi32>, tensor<5x1xi32>, tensor<i32>, tensor<i32>) -> tensor<5x9xi32>
      stablehlo.return %iterArg, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4, %45, %44, %15, %21, %50 : tensor<11x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x11xf32>, tensor<i32>, tensor<5xi32>, tensor<5x9x8xf32>, tensor<5x9x8xf32>, tensor<5x9xi32>
    }
    return %2#9, %2#7, %2#8 : tensor<5x9xi32>, tensor<5x9x8xf32>, tensor<5x9x8xf32>
  }
  func.func private @_where(%arg0: tensor<9xi1>, %arg1: tensor<5x9xf32>, %arg2: tensor<f32>) -> tensor<5x9xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<9xi1>) -> tensor<5x9xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<5x9xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<5x9xi1>, tensor<5x9xf32>
    return %3 : tensor<5x9xf32>
  }
  func.func private @argmax(%arg0: tensor<5x11xf32>) -> tensor<5xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<5x11xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<5x11xf32>, tensor<5x11xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<5xi32>
  }
}
