// Made by zoo.py.
module @jit_moe_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4xf32>, %arg1: tensor<4x8x12xf32>, %arg2: tensor<4x12x8xf32>, %arg3: tensor<24x8xf32>, %arg4: tensor<24x8xf32>) -> (tensor<8x4xf32> {jax.result_info = "result[0]"}, tensor<4x8x12xf32> {jax.result_info = "result[1]"}, tensor<4x12x8xf32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x8xf32>, tensor<8x4xf32>) -> tensor<24x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<24x4xf32>, tensor<f32>) -> tensor<24xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<24xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<24xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x4xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<24x4xf32>
    %7 = stablehlo.exponential %6 : tensor<24x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<24x4xf32>, tensor<f32>) -> tensor<24xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x4xf32>
    %11 = stablehlo.divide %7, %10 : tensor<24x4xf32>
    %12 = stablehlo.multiply %9, %9 : tensor<24x1xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %14 = stablehlo.divide %13, %12 : tensor<24x1xf32>
    %values, %indices = chlo.top_k(%11, k = 2) : tensor<24x4xf32> -> (tensor<24x2xf32>, tensor<24x2xi32>)
    %15 = stablehlo.reshape %indices : (tensor<24x2xi32>) -> tensor<24x2x1xi32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%values init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<24x2xf32>, tensor<f32>) -> tensor<24xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x2xf32>
    %19 = stablehlo.divide %values, %18 : tensor<24x2xf32>
    %20 = stablehlo.multiply %17, %17 : tensor<24x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %22 = stablehlo.divide %21, %20 : tensor<24x1xf32>
    %23 = call @_one_hot(%indices) : (tensor<24x2xi32>) -> tensor<24x2x4xf32>
    %24 = stablehlo.dot_general %19, %23, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<24x2xf32>, tensor<24x2x4xf32>) -> tensor<24x4xf32>
    %25 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<24x8xf32>, tensor<4x8x12xf32>) -> tensor<24x4x12xf32>
    %26 = stablehlo.multiply %25, %25 : tensor<24x4x12xf32>
    %27 = stablehlo.multiply %26, %25 : tensor<24x4x12xf32>
    %28 = stablehlo.multiply %25, %25 : tensor<24x4x12xf32>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<24x4x12xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<24x4x12xf32>
    %cst_6 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<24x4x12xf32>
    %32 = stablehlo.multiply %31, %27 : tensor<24x4x12xf32>
    %33 = stablehlo.add %25, %32 : tensor<24x4x12xf32>
    %cst_7 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<24x4x12xf32>
    %35 = stablehlo.multiply %34, %33 : tensor<24x4x12xf32>
    %36 = stablehlo.tanh %35 : tensor<24x4x12xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<24x4x12xf32>
    %38 = stablehlo.subtract %37, %36 : tensor<24x4x12xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<24x4x12xf32>
    %40 = stablehlo.add %39, %36 : tensor<24x4x12xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<24x4x12xf32>
    %42 = stablehlo.multiply %41, %40 : tensor<24x4x12xf32>
    %43 = stablehlo.multiply %25, %42 : tensor<24x4x12xf32>
    %44 = stablehlo.dot_general %24, %43, batching_dims = [0, 1] x [0, 1], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<24x4xf32>, tensor<24x4x12xf32>) -> tensor<24x4x12xf32>
    %45 = stablehlo.dot_general %44, %arg2, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<24x4x12xf32>, tensor<4x12x8xf32>) -> tensor<24x8xf32>
    %46 = stablehlo.subtract %45, %arg4 : tensor<24x8xf32>
    %47 = stablehlo.multiply %46, %46 : tensor<24x8xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %49 = stablehlo.multiply %48, %46 : tensor<24x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%47 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<24x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %51 = stablehlo.divide %50, %cst_13 : tensor<f32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_15 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %52 = stablehlo.divide %cst_14, %cst_15 : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %54 = stablehlo.multiply %53, %49 : tensor<24x8xf32>
    %55 = stablehlo.dot_general %54, %44, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x8xf32>, tensor<24x4x12xf32>) -> tensor<8x4x12xf32>
    %56 = stablehlo.transpose %55, dims = [1, 2, 0] : (tensor<8x4x12xf32>) -> tensor<4x12x8xf32>
    %57 = stablehlo.dot_general %54, %arg2, contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<24x8xf32>, tensor<4x12x8xf32>) -> tensor<24x4x12xf32>
    %58 = stablehlo.dot_general %57, %24, batching_dims = [0, 1] x [0, 1], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<24x4x12xf32>, tensor<24x4xf32>) -> tensor<24x4x12xf32>
    %59 = stablehlo.dot_general %57, %43, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<24x4x12xf32>, tensor<24x4x12xf32>) -> tensor<24x4xf32>
    %60 = stablehlo.multiply %25, %58 : tensor<24x4x12xf32>
    %61 = stablehlo.multiply %58, %42 : tensor<24x4x12xf32>
    %cst_16 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<24x4x12xf32>
    %63 = stablehlo.multiply %62, %60 : tensor<24x4x12xf32>
    %64 = stablehlo.multiply %63, %38 : tensor<24x4x12xf32>
    %65 = stablehlo.multiply %64, %36 : tensor<24x4x12xf32>
    %66 = stablehlo.add %64, %65 : tensor<24x4x12xf32>
    %cst_17 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<24x4x12xf32>
    %68 = stablehlo.multiply %67, %66 : tensor<24x4x12xf32>
    %69 = stablehlo.add %61, %68 : tensor<24x4x12xf32>
    %cst_18 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<24x4x12xf32>
    %71 = stablehlo.multiply %70, %68 : tensor<24x4x12xf32>
    %72 = stablehlo.multiply %71, %30 : tensor<24x4x12xf32>
    %73 = stablehlo.add %69, %72 : tensor<24x4x12xf32>
    %74 = stablehlo.dot_general %73, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x4x12xf32>, tensor<24x8xf32>) -> tensor<4x12x8xf32>
    %75 = stablehlo.transpose %74, dims = [0, 2, 1] : (tensor<4x12x8xf32>) -> tensor<4x8x12xf32>
    %76 = stablehlo.dot_general %59, %23, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<24x4xf32>, tensor<24x2x4xf32>) -> tensor<24x2xf32>
    %77 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x2xf32>
    %78 = stablehlo.multiply %76, %77 : tensor<24x2xf32>
    %79 = stablehlo.multiply %78, %values : tensor<24x2xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<24x2xf32>, tensor<f32>) -> tensor<24xf32>
    %81 = stablehlo.reshape %80 : (tensor<24xf32>) -> tensor<24x1xf32>
    %82 = stablehlo.negate %81 : tensor<24x1xf32>
    %83 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x2xf32>
    %84 = stablehlo.divide %76, %83 : tensor<24x2xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.reduce(%82 init: %cst_20) applies stablehlo.add across dimensions = [1] : (tensor<24x1xf32>, tensor<f32>) -> tensor<24xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0] : (tensor<24xf32>) -> tensor<24x2xf32>
    %87 = stablehlo.add %84, %86 : tensor<24x2xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<24x4xf32>
    %89 = "stablehlo.scatter"(%88, %15, %87) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %113 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %113 : tensor<f32>
    }) : (tensor<24x4xf32>, tensor<24x2x1xi32>, tensor<24x2xf32>) -> tensor<24x4xf32>
    %90 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x4xf32>
    %91 = stablehlo.multiply %89, %90 : tensor<24x4xf32>
    %92 = stablehlo.multiply %91, %7 : tensor<24x4xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.reduce(%92 init: %cst_22) applies stablehlo.add across dimensions = [1] : (tensor<24x4xf32>, tensor<f32>) -> tensor<24xf32>
    %94 = stablehlo.reshape %93 : (tensor<24xf32>) -> tensor<24x1xf32>
    %95 = stablehlo.negate %94 : tensor<24x1xf32>
    %96 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x4xf32>
    %97 = stablehlo.divide %89, %96 : tensor<24x4xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.reduce(%95 init: %cst_23) applies stablehlo.add across dimensions = [1] : (tensor<24x1xf32>, tensor<f32>) -> tensor<24xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0] : (tensor<24xf32>) -> tensor<24x4xf32>
    %100 = stablehlo.add %97, %99 : tensor<24x4xf32>
    %101 = stablehlo.multiply %100, %7 : tensor<24x4xf32>
    %102 = stablehlo.dot_general %101, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x4xf32>, tensor<24x8xf32>) -> tensor<4x8xf32>
    %103 = stablehlo.transpose %102, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %105 = stablehlo.multiply %104, %103 : tensor<8x4xf32>
    %106 = stablehlo.subtract %arg0, %105 : tensor<8x4xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x8x12xf32>
    %108 = stablehlo.multiply %107, %75 : tensor<4x8x12xf32>
    %109 = stablehlo.subtract %arg1, %108 : tensor<4x8x12xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x12x8xf32>
    %111 = stablehlo.multiply %110, %56 : tensor<4x12x8xf32>
    %112 = stablehlo.subtract %arg2, %111 : tensor<4x12x8xf32>
    return %106, %109, %112, %51 : tensor<8x4xf32>, tensor<4x8x12xf32>, tensor<4x12x8xf32>, tensor<f32>
  }
  func.func private @_one_hot(%arg0: tensor<24x2xi32>) -> tensor<24x2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<24x2xi32>) -> tensor<24x2x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<24x2x1xi32>) -> tensor<24x2x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x4xi32>) -> tensor<24x2x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<24x2x4xi32>, tensor<24x2x4xi32>) -> tensor<24x2x4xi1>
    %5 = stablehlo.convert %4 : (tensor<24x2x4xi1>) -> tensor<24x2x4xf32>
    return %5 : tensor<24x2x4xf32>
  }
}
