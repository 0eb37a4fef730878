// Made by zoo.py.
module @jit_expert_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8x12xf32>, %arg2: tensor<8x12x8xf32>, %arg3: tensor<8x6x8xf32>, %arg4: tensor<8x6x8xf32>) -> (tensor<8x8xf32> {jax.result_info = "result[0]"}, tensor<8x8x12xf32> {jax.result_info = "result[1]"}, tensor<8x12x8xf32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6x8xf32>, tensor<8x8xf32>) -> tensor<8x6x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<8x6x8xf32>, tensor<f32>) -> tensor<8x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<8x6xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x8xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<8x6x8xf32>
    %7 = stablehlo.exponential %6 : tensor<8x6x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x6x8xf32>, tensor<f32>) -> tensor<8x6xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x8xf32>
    %11 = stablehlo.divide %7, %10 : tensor<8x6x8xf32>
    %12 = stablehlo.multiply %9, %9 : tensor<8x6x1xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %14 = stablehlo.divide %13, %12 : tensor<8x6x1xf32>
    %15 = call @argmax(%11) : (tensor<8x6x8xf32>) -> tensor<8x6xi32>
    %16 = call @_one_hot(%15) : (tensor<8x6xi32>) -> tensor<8x6x8xf32>
    %17 = call @cumsum(%16) : (tensor<8x6x8xf32>) -> tensor<8x6x8xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<8x6x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x6x8xf32>
    %20 = stablehlo.subtract %18, %19 : tensor<8x6x8xf32>
    %21 = stablehlo.convert %20 : (tensor<8x6x8xf32>) -> tensor<8x6x8xi32>
    %22 = call @_one_hot_1(%21) : (tensor<8x6x8xi32>) -> tensor<8x6x8x3xf32>
    %23 = stablehlo.multiply %11, %16 : tensor<8x6x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<8x6x8xf32>, tensor<f32>) -> tensor<8x6xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x1x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<8x6x1x1xf32>) -> tensor<8x6x8x3xf32>
    %27 = stablehlo.multiply %22, %26 : tensor<8x6x8x3xf32>
    %28 = stablehlo.dot_general %arg3, %22, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x8xf32>, tensor<8x6x8x3xf32>) -> tensor<8x8x8x3xf32>
    %29 = stablehlo.transpose %28, dims = [2, 0, 3, 1] : (tensor<8x8x8x3xf32>) -> tensor<8x8x3x8xf32>
    %30 = stablehlo.dot_general %29, %arg1, batching_dims = [0] x [0], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x3x8xf32>, tensor<8x8x12xf32>) -> tensor<8x8x3x12xf32>
    %31 = stablehlo.multiply %30, %30 : tensor<8x8x3x12xf32>
    %32 = stablehlo.multiply %31, %30 : tensor<8x8x3x12xf32>
    %33 = stablehlo.multiply %30, %30 : tensor<8x8x3x12xf32>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x8x3x12xf32>
    %35 = stablehlo.multiply %34, %33 : tensor<8x8x3x12xf32>
    %cst_6 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x8x3x12xf32>
    %37 = stablehlo.multiply %36, %32 : tensor<8x8x3x12xf32>
    %38 = stablehlo.add %30, %37 : tensor<8x8x3x12xf32>
    %cst_7 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x8x3x12xf32>
    %40 = stablehlo.multiply %39, %38 : tensor<8x8x3x12xf32>
    %41 = stablehlo.tanh %40 : tensor<8x8x3x12xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x8x3x12xf32>
    %43 = stablehlo.subtract %42, %41 : tensor<8x8x3x12xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x8x3x12xf32>
    %45 = stablehlo.add %44, %41 : tensor<8x8x3x12xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x8x3x12xf32>
    %47 = stablehlo.multiply %46, %45 : tensor<8x8x3x12xf32>
    %48 = stablehlo.multiply %30, %47 : tensor<8x8x3x12xf32>
    %49 = stablehlo.dot_general %48, %arg2, batching_dims = [0] x [0], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x3x12xf32>, tensor<8x12x8xf32>) -> tensor<8x8x3x8xf32>
    %50 = stablehlo.dot_general %27, %49, batching_dims = [0] x [1], contracting_dims = [3, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<8x6x8x3xf32>, tensor<8x8x3x8xf32>) -> tensor<8x6x8xf32>
    %51 = stablehlo.subtract %50, %arg4 : tensor<8x6x8xf32>
    %52 = stablehlo.multiply %51, %51 : tensor<8x6x8xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x6x8xf32>
    %54 = stablehlo.multiply %53, %51 : tensor<8x6x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%52 init: %cst_12) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<3.840000e+02> : tensor<f32>
    %56 = stablehlo.divide %55, %cst_13 : tensor<f32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_15 = stablehlo.constant dense<3.840000e+02> : tensor<f32>
    %57 = stablehlo.divide %cst_14, %cst_15 : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [] : (tensor<f32>) -> tensor<8x6x8xf32>
    %59 = stablehlo.multiply %58, %54 : tensor<8x6x8xf32>
    %60 = stablehlo.dot_general %59, %27, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x8xf32>, tensor<8x6x8x3xf32>) -> tensor<8x8x8x3xf32>
    %61 = stablehlo.transpose %60, dims = [2, 0, 3, 1] : (tensor<8x8x8x3xf32>) -> tensor<8x8x3x8xf32>
    %62 = stablehlo.dot_general %59, %49, batching_dims = [0] x [1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x6x8xf32>, tensor<8x8x3x8xf32>) -> tensor<8x6x8x3xf32>
    %63 = stablehlo.dot_general %61, %48, batching_dims = [0] x [0], contracting_dims = [1, 2] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x3x8xf32>, tensor<8x8x3x12xf32>) -> tensor<8x8x12xf32>
    %64 = stablehlo.transpose %63, dims = [0, 2, 1] : (tensor<8x8x12xf32>) -> tensor<8x12x8xf32>
    %65 = stablehlo.dot_general %61, %arg2, batching_dims = [0] x [0], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x3x8xf32>, tensor<8x12x8xf32>) -> tensor<8x8x3x12xf32>
    %66 = stablehlo.multiply %30, %65 : tensor<8x8x3x12xf32>
    %67 = stablehlo.multiply %65, %47 : tensor<8x8x3x12xf32>
    %cst_16 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x8x3x12xf32>
    %69 = stablehlo.multiply %68, %66 : tensor<8x8x3x12xf32>
    %70 = stablehlo.multiply %69, %43 : tensor<8x8x3x12xf32>
    %71 = stablehlo.multiply %70, %41 : tensor<8x8x3x12xf32>
    %72 = stablehlo.add %70, %71 : tensor<8x8x3x12xf32>
    %cst_17 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x8x3x12xf32>
    %74 = stablehlo.multiply %73, %72 : tensor<8x8x3x12xf32>
    %75 = stablehlo.add %67, %74 : tensor<8x8x3x12xf32>
    %cst_18 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x8x3x12xf32>
    %77 = stablehlo.multiply %76, %74 : tensor<8x8x3x12xf32>
    %78 = stablehlo.multiply %77, %35 : tensor<8x8x3x12xf32>
    %79 = stablehlo.add %75, %78 : tensor<8x8x3x12xf32>
    %80 = stablehlo.dot_general %79, %29, batching_dims = [0] x [0], contracting_dims = [1, 2] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x3x12xf32>, tensor<8x8x3x8xf32>) -> tensor<8x12x8xf32>
    %81 = stablehlo.transpose %80, dims = [0, 2, 1] : (tensor<8x12x8xf32>) -> tensor<8x8x12xf32>
    %82 = stablehlo.multiply %22, %62 : tensor<8x6x8x3xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %83 = stablehlo.reduce(%82 init: %cst_19) applies stablehlo.add across dimensions = [2, 3] : (tensor<8x6x8x3xf32>, tensor<f32>) -> tensor<8x6xf32>
    %84 = stablehlo.reshape %83 : (tensor<8x6xf32>) -> tensor<8x6x1x1xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.reduce(%84 init: %cst_20) applies stablehlo.add across dimensions = [2, 3] : (tensor<8x6x1x1xf32>, tensor<f32>) -> tensor<8x6xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x8xf32>
    %87 = stablehlo.multiply %86, %16 : tensor<8x6x8xf32>
    %88 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x8xf32>
    %89 = stablehlo.multiply %87, %88 : tensor<8x6x8xf32>
    %90 = stablehlo.multiply %89, %7 : tensor<8x6x8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.reduce(%90 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<8x6x8xf32>, tensor<f32>) -> tensor<8x6xf32>
    %92 = stablehlo.reshape %91 : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %93 = stablehlo.negate %92 : tensor<8x6x1xf32>
    %94 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x8xf32>
    %95 = stablehlo.divide %87, %94 : tensor<8x6x8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.reduce(%93 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<8x6x1xf32>, tensor<f32>) -> tensor<8x6xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x8xf32>
    %98 = stablehlo.add %95, %97 : tensor<8x6x8xf32>
    %99 = stablehlo.multiply %98, %7 : tensor<8x6x8xf32>
    %100 = stablehlo.dot_general %99, %arg3, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x8xf32>, tensor<8x6x8xf32>) -> tensor<8x8xf32>
    %101 = stablehlo.transpose %100, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %cst_23 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %103 = stablehlo.multiply %102, %101 : tensor<8x8xf32>
    %104 = stablehlo.subtract %arg0, %103 : tensor<8x8xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x8x12xf32>
    %106 = stablehlo.multiply %105, %81 : tensor<8x8x12xf32>
    %107 = stablehlo.subtract %arg1, %106 : tensor<8x8x12xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x12x8xf32>
    %109 = stablehlo.multiply %108, %64 : tensor<8x12x8xf32>
    %110 = stablehlo.subtract %arg2, %109 : tensor<8x12x8xf32>
    return %104, %107, %110, %56 : tensor<8x8xf32>, tensor<8x8x12xf32>, tensor<8x12x8xf32>, tensor<f32>
  }
  func.func private @argmax(%arg0: tensor<8x6x8xf32>) -> tensor<8x6xi32> {
    %0 = stablehlo.iota dim = 2 : tensor<8x6x8xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [2] : (tensor<8x6x8xf32>, tensor<8x6x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x6xf32>, tensor<8x6xi32>)
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
    return %1#1 : tensor<8x6xi32>
  }
  func.func private @_one_hot(%arg0: tensor<8x6xi32>) -> tensor<8x6x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x6xi32>) -> tensor<8x6x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x8xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<8x6x1xi32>) -> tensor<8x6x8xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x8xi32>) -> tensor<8x6x8xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x6x8xi32>, tensor<8x6x8xi32>) -> tensor<8x6x8xi1>
    %5 = stablehlo.convert %4 : (tensor<8x6x8xi1>) -> tensor<8x6x8xf32>
    return %5 : tensor<8x6x8xf32>
  }
  func.func private @cumsum(%arg0: tensor<8x6x8xf32>) -> tensor<8x6x8xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<8x6x8xf32>) -> tensor<8x6x8xf32>
    return %0 : tensor<8x6x8xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<8x6x8xf32>) -> tensor<8x6x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [5, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 6, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x6x8xf32>, tensor<f32>) -> tensor<8x6x8xf32>
    return %1 : tensor<8x6x8xf32>
  }
  func.func private @_one_hot_1(%arg0: tensor<8x6x8xi32>) -> tensor<8x6x8x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<8x6x8xi32>) -> tensor<8x6x8x1xi32>
    %1 = stablehlo.iota dim = 3 : tensor<1x1x1x3xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<8x6x8x1xi32>) -> tensor<8x6x8x3xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x3xi32>) -> tensor<8x6x8x3xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x6x8x3xi32>, tensor<8x6x8x3xi32>) -> tensor<8x6x8x3xi1>
    %5 = stablehlo.convert %4 : (tensor<8x6x8x3xi1>) -> tensor<8x6x8x3xf32>
    return %5 : tensor<8x6x8x3xf32>
  }
}
