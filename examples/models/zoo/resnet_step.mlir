// Made by zoo.py.
module @jit_resnet_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x3x8xf32>, %arg1: tensor<3x3x8x8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<3x3x8x8xf32>, %arg5: tensor<8xf32>, %arg6: tensor<8xf32>, %arg7: tensor<8x5xf32>, %arg8: tensor<8x12x12x3xf32>, %arg9: tensor<8xi32>) -> (tensor<3x3x3x8xf32> {jax.result_info = "result[0]"}, tensor<3x3x8x8xf32> {jax.result_info = "result[1]"}, tensor<8xf32> {jax.result_info = "result[2]"}, tensor<8xf32> {jax.result_info = "result[3]"}, tensor<3x3x8x8xf32> {jax.result_info = "result[4]"}, tensor<8xf32> {jax.result_info = "result[5]"}, tensor<8xf32> {jax.result_info = "result[6]"}, tensor<8x5xf32> {jax.result_info = "result[7]"}, tensor<f32> {jax.result_info = "result[8]"}) {
    %0 = stablehlo.convolution(%arg8, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x12x12x3xf32>, tensor<3x3x3x8xf32>) -> tensor<8x12x12x8xf32>
    %1 = call @relu(%0) : (tensor<8x12x12x8xf32>) -> tensor<8x12x12x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x12x12x8xf32>
    %3 = stablehlo.compare GT, %0, %2, FLOAT : (tensor<8x12x12x8xf32>, tensor<8x12x12x8xf32>) -> tensor<8x12x12x8xi1>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.reduce_window"(%1, %4) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %198 = stablehlo.maximum %arg10, %arg11 : tensor<f32>
      stablehlo.return %198 : tensor<f32>
    }) : (tensor<8x12x12x8xf32>, tensor<f32>) -> tensor<8x6x6x8xf32>
    %6 = stablehlo.convolution(%5, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x6x6x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x6x6x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_2 = stablehlo.constant dense<2.880000e+02> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %9 = stablehlo.divide %7, %8 : tensor<8xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x6x6x8xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<8x6x6x8xf32>
    %13 = stablehlo.multiply %12, %12 : tensor<8x6x6x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_4 = stablehlo.constant dense<2.880000e+02> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %16 = stablehlo.divide %14, %15 : tensor<8xf32>
    %cst_5 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %18 = stablehlo.add %16, %17 : tensor<8xf32>
    %19 = stablehlo.rsqrt %18 : tensor<8xf32>
    %20 = stablehlo.divide %19, %18 : tensor<8xf32>
    %cst_6 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %22 = stablehlo.multiply %21, %20 : tensor<8xf32>
    %23 = stablehlo.broadcast_in_dim %19, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x6x6x8xf32>
    %25 = stablehlo.multiply %12, %24 : tensor<8x6x6x8xf32>
    %26 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x6x6x8xf32>
    %28 = stablehlo.multiply %25, %27 : tensor<8x6x6x8xf32>
    %29 = stablehlo.broadcast_in_dim %arg3, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x6x6x8xf32>
    %31 = stablehlo.add %28, %30 : tensor<8x6x6x8xf32>
    %32 = call @relu_0(%31) : (tensor<8x6x6x8xf32>) -> tensor<8x6x6x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x6x6x8xf32>
    %34 = stablehlo.compare GT, %31, %33, FLOAT : (tensor<8x6x6x8xf32>, tensor<8x6x6x8xf32>) -> tensor<8x6x6x8xi1>
    %35 = stablehlo.convolution(%32, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x6x6x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x6x6x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_8) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_9 = stablehlo.constant dense<2.880000e+02> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %38 = stablehlo.divide %36, %37 : tensor<8xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x6x6x8xf32>
    %41 = stablehlo.subtract %35, %40 : tensor<8x6x6x8xf32>
    %42 = stablehlo.multiply %41, %41 : tensor<8x6x6x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_10) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_11 = stablehlo.constant dense<2.880000e+02> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %45 = stablehlo.divide %43, %44 : tensor<8xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %47 = stablehlo.add %45, %46 : tensor<8xf32>
    %48 = stablehlo.rsqrt %47 : tensor<8xf32>
    %49 = stablehlo.divide %48, %47 : tensor<8xf32>
    %cst_13 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<8xf32>
    %52 = stablehlo.broadcast_in_dim %48, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x6x6x8xf32>
    %54 = stablehlo.multiply %41, %53 : tensor<8x6x6x8xf32>
    %55 = stablehlo.broadcast_in_dim %arg5, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x6x6x8xf32>
    %57 = stablehlo.multiply %54, %56 : tensor<8x6x6x8xf32>
    %58 = stablehlo.broadcast_in_dim %arg6, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x6x6x8xf32>
    %60 = stablehlo.add %57, %59 : tensor<8x6x6x8xf32>
    %61 = stablehlo.add %5, %60 : tensor<8x6x6x8xf32>
    %62 = call @relu_0(%61) : (tensor<8x6x6x8xf32>) -> tensor<8x6x6x8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x6x6x8xf32>
    %64 = stablehlo.compare GT, %61, %63, FLOAT : (tensor<8x6x6x8xf32>, tensor<8x6x6x8xf32>) -> tensor<8x6x6x8xi1>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<f32>
    %66 = "stablehlo.reduce_window"(%62, %65) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %198 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %198 : tensor<f32>
    }) : (tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8x3x3x8xf32>
    %cst_16 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x3x3x8xf32>
    %68 = stablehlo.divide %66, %67 : tensor<8x3x3x8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%68 init: %cst_17) applies stablehlo.add across dimensions = [1, 2] : (tensor<8x3x3x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %cst_18 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %71 = stablehlo.divide %69, %70 : tensor<8x8xf32>
    %72 = stablehlo.dot_general %71, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %73:3 = call @log_softmax(%72) : (tensor<8x5xf32>) -> (tensor<8x5xf32>, tensor<8x5xf32>, tensor<8x1xf32>)
    %74 = stablehlo.broadcast_in_dim %arg9, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %75:2 = call @take_along_axis(%73#0, %74) : (tensor<8x5xf32>, tensor<8x1xi32>) -> (tensor<8x1xf32>, tensor<8x1x1xi32>)
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.reduce(%75#0 init: %cst_19) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_20 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %77 = stablehlo.divide %76, %cst_20 : tensor<f32>
    %78 = stablehlo.negate %77 : tensor<f32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %79 = stablehlo.negate %cst_21 : tensor<f32>
    %cst_22 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %80 = stablehlo.divide %79, %cst_22 : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %82 = call @take_along_axis_1(%75#1, %81) : (tensor<8x1x1xi32>, tensor<8x1xf32>) -> tensor<8x5xf32>
    %83 = call @log_softmax_2(%73#1, %73#2, %82) : (tensor<8x5xf32>, tensor<8x1xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %84 = stablehlo.dot_general %83, %71, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x5xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
    %85 = stablehlo.transpose %84, dims = [1, 0] : (tensor<5x8xf32>) -> tensor<8x5xf32>
    %86 = stablehlo.dot_general %83, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x8xf32>
    %cst_23 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %88 = stablehlo.divide %86, %87 : tensor<8x8xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 3] : (tensor<8x8xf32>) -> tensor<8x3x3x8xf32>
    %cst_24 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x3x3x8xf32>
    %91 = stablehlo.divide %89, %90 : tensor<8x3x3x8xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.pad %91, %cst_25, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 1, 1, 0] : (tensor<8x3x3x8xf32>, tensor<f32>) -> tensor<8x7x7x8xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<f32>
    %94 = "stablehlo.reduce_window"(%92, %93) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %198 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %198 : tensor<f32>
    }) : (tensor<8x7x7x8xf32>, tensor<f32>) -> tensor<8x6x6x8xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x6x6x8xf32>
    %96 = stablehlo.select %64, %94, %95 : tensor<8x6x6x8xi1>, tensor<8x6x6x8xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.reduce(%96 init: %cst_28) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %98 = stablehlo.reshape %97 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.reduce(%98 init: %cst_29) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %100 = stablehlo.multiply %54, %96 : tensor<8x6x6x8xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %101 = stablehlo.reduce(%100 init: %cst_30) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %102 = stablehlo.reshape %101 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %103 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x6x6x8xf32>
    %104 = stablehlo.multiply %96, %103 : tensor<8x6x6x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.reduce(%102 init: %cst_31) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %106 = stablehlo.multiply %41, %104 : tensor<8x6x6x8xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.reduce(%106 init: %cst_32) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %108 = stablehlo.reshape %107 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %109 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x6x6x8xf32>
    %110 = stablehlo.multiply %104, %109 : tensor<8x6x6x8xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.reduce(%108 init: %cst_33) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %112 = stablehlo.multiply %111, %51 : tensor<8xf32>
    %cst_34 = stablehlo.constant dense<2.880000e+02> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %114 = stablehlo.divide %112, %113 : tensor<8xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [3] : (tensor<8xf32>) -> tensor<8x6x6x8xf32>
    %116 = stablehlo.multiply %41, %115 : tensor<8x6x6x8xf32>
    %117 = stablehlo.add %110, %116 : tensor<8x6x6x8xf32>
    %118 = stablehlo.multiply %115, %41 : tensor<8x6x6x8xf32>
    %119 = stablehlo.add %117, %118 : tensor<8x6x6x8xf32>
    %120 = stablehlo.negate %119 : tensor<8x6x6x8xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.reduce(%120 init: %cst_35) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %122 = stablehlo.reshape %121 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %123 = stablehlo.reduce(%122 init: %cst_36) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_37 = stablehlo.constant dense<2.880000e+02> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %125 = stablehlo.divide %123, %124 : tensor<8xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [3] : (tensor<8xf32>) -> tensor<8x6x6x8xf32>
    %127 = stablehlo.add %119, %126 : tensor<8x6x6x8xf32>
    %128 = stablehlo.convolution(%32, %127) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x6x6x8xf32>, tensor<8x6x6x8xf32>) -> tensor<3x3x8x8xf32>
    %129 = stablehlo.reverse %arg4, dims = [0, 1] : tensor<3x3x8x8xf32>
    %130 = stablehlo.convolution(%127, %129) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x6x6x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x6x6x8xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8x6x6x8xf32>
    %132 = stablehlo.select %34, %130, %131 : tensor<8x6x6x8xi1>, tensor<8x6x6x8xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %133 = stablehlo.reduce(%132 init: %cst_39) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %134 = stablehlo.reshape %133 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %135 = stablehlo.reduce(%134 init: %cst_40) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %136 = stablehlo.multiply %25, %132 : tensor<8x6x6x8xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %137 = stablehlo.reduce(%136 init: %cst_41) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %138 = stablehlo.reshape %137 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %139 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x6x6x8xf32>
    %140 = stablehlo.multiply %132, %139 : tensor<8x6x6x8xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %141 = stablehlo.reduce(%138 init: %cst_42) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %142 = stablehlo.multiply %12, %140 : tensor<8x6x6x8xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %143 = stablehlo.reduce(%142 init: %cst_43) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %144 = stablehlo.reshape %143 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %145 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x6x6x8xf32>
    %146 = stablehlo.multiply %140, %145 : tensor<8x6x6x8xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.reduce(%144 init: %cst_44) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %148 = stablehlo.multiply %147, %22 : tensor<8xf32>
    %cst_45 = stablehlo.constant dense<2.880000e+02> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %150 = stablehlo.divide %148, %149 : tensor<8xf32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [3] : (tensor<8xf32>) -> tensor<8x6x6x8xf32>
    %152 = stablehlo.multiply %12, %151 : tensor<8x6x6x8xf32>
    %153 = stablehlo.add %146, %152 : tensor<8x6x6x8xf32>
    %154 = stablehlo.multiply %151, %12 : tensor<8x6x6x8xf32>
    %155 = stablehlo.add %153, %154 : tensor<8x6x6x8xf32>
    %156 = stablehlo.negate %155 : tensor<8x6x6x8xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %157 = stablehlo.reduce(%156 init: %cst_46) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %158 = stablehlo.reshape %157 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %159 = stablehlo.reduce(%158 init: %cst_47) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_48 = stablehlo.constant dense<2.880000e+02> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %161 = stablehlo.divide %159, %160 : tensor<8xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [3] : (tensor<8xf32>) -> tensor<8x6x6x8xf32>
    %163 = stablehlo.add %155, %162 : tensor<8x6x6x8xf32>
    %164 = stablehlo.convolution(%5, %163) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x6x6x8xf32>, tensor<8x6x6x8xf32>) -> tensor<3x3x8x8xf32>
    %165 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<3x3x8x8xf32>
    %166 = stablehlo.convolution(%163, %165) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x6x6x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x6x6x8xf32>
    %167 = stablehlo.add %96, %166 : tensor<8x6x6x8xf32>
    %cst_49 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %168 = stablehlo.pad %1, %cst_49, low = [0, 0, 0, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<8x12x12x8xf32>, tensor<f32>) -> tensor<8x13x13x8xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %169 = "stablehlo.select_and_scatter"(%168, %167, %cst_50) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %198 = stablehlo.compare GE, %arg10, %arg11, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %198 : tensor<i1>
    }, {
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %198 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %198 : tensor<f32>
    }) : (tensor<8x13x13x8xf32>, tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8x13x13x8xf32>
    %170 = stablehlo.slice %169 [0:8, 0:12, 0:12, 0:8] : (tensor<8x13x13x8xf32>) -> tensor<8x12x12x8xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x12x12x8xf32>
    %172 = stablehlo.select %3, %170, %171 : tensor<8x12x12x8xi1>, tensor<8x12x12x8xf32>
    %173 = stablehlo.convolution(%arg8, %172) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x12x12x3xf32>, tensor<8x12x12x8xf32>) -> tensor<3x3x3x8xf32>
    %cst_52 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<3x3x3x8xf32>
    %175 = stablehlo.multiply %174, %173 : tensor<3x3x3x8xf32>
    %176 = stablehlo.subtract %arg0, %175 : tensor<3x3x3x8xf32>
    %cst_53 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %178 = stablehlo.multiply %177, %164 : tensor<3x3x8x8xf32>
    %179 = stablehlo.subtract %arg1, %178 : tensor<3x3x8x8xf32>
    %cst_54 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %181 = stablehlo.multiply %180, %141 : tensor<8xf32>
    %182 = stablehlo.subtract %arg2, %181 : tensor<8xf32>
    %cst_55 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %184 = stablehlo.multiply %183, %135 : tensor<8xf32>
    %185 = stablehlo.subtract %arg3, %184 : tensor<8xf32>
    %cst_56 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %187 = stablehlo.multiply %186, %128 : tensor<3x3x8x8xf32>
    %188 = stablehlo.subtract %arg4, %187 : tensor<3x3x8x8xf32>
    %cst_57 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %190 = stablehlo.multiply %189, %105 : tensor<8xf32>
    %191 = stablehlo.subtract %arg5, %190 : tensor<8xf32>
    %cst_58 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %193 = stablehlo.multiply %192, %99 : tensor<8xf32>
    %194 = stablehlo.subtract %arg6, %193 : tensor<8xf32>
    %cst_59 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8x5xf32>
    %196 = stablehlo.multiply %195, %85 : tensor<8x5xf32>
    %197 = stablehlo.subtract %arg7, %196 : tensor<8x5xf32>
    return %176, %179, %182, %185, %188, %191, %194, %197, %78 : tensor<3x3x3x8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x5xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<8x12x12x8xf32>) -> tensor<8x12x12x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x12x12x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x12x12x8xf32>
    return %1 : tensor<8x12x12x8xf32>
  }
  func.func private @relu_0(%arg0: tensor<8x6x6x8xf32>) -> tensor<8x6x6x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x6x6x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x6x6x8xf32>
    return %1 : tensor<8x6x6x8xf32>
  }
  func.func private @log_softmax(%arg0: tensor<8x5xf32>) -> (tensor<8x5xf32>, tensor<8x5xf32>, tensor<8x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x5xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x5xf32>
    %6 = stablehlo.exponential %5 : tensor<8x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %9 = stablehlo.log %8 : tensor<8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x5xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<8x5xf32>
    return %11, %6, %8 : tensor<8x5xf32>, tensor<8x5xf32>, tensor<8x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<8x5xf32>, %arg1: tensor<8x1xi32>) -> (tensor<8x1xf32>, tensor<8x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x1xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<8x1xi1>, tensor<8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<8x1xi32>) -> tensor<8x1x1xi32>
    %c_1 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x1x1xi32>, tensor<8x1x1xi32>) -> tensor<8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x1x1xi32>, tensor<8x1x1xi32>) -> tensor<8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<8x1x1xi1>, tensor<i1>) -> tensor<8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x5xf32>, tensor<8x1x1xi32>) -> tensor<8x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<8x1xi1>, tensor<8x1xf32>
    return %15, %5 : tensor<8x1xf32>, tensor<8x1x1xi32>
  }
  func.func private @take_along_axis_1(%arg0: tensor<8x1x1xi32>, %arg1: tensor<8x1xf32>) -> tensor<8x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x5xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x5xf32>, tensor<8x1x1xi32>, tensor<8x1xf32>) -> tensor<8x5xf32>
    return %1 : tensor<8x5xf32>
  }
  func.func private @log_softmax_2(%arg0: tensor<8x5xf32>, %arg1: tensor<8x1xf32>, %arg2: tensor<8x5xf32>) -> tensor<8x5xf32> {
    %0 = stablehlo.negate %arg2 : tensor<8x5xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.reshape %1 : (tensor<8xf32>) -> tensor<8x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<8x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xf32>) -> tensor<8x5xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<8x5xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<8x5xf32>
    return %7 : tensor<8x5xf32>
  }
}
