// Made by zoo.py.
module @jit_lstm_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x32xf32>, %arg1: tensor<8x32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<8x3xf32>, %arg4: tensor<7x6x6xf32>, %arg5: tensor<7x6x3xf32>) -> (tensor<6x32xf32> {jax.result_info = "result[0]"}, tensor<8x32xf32> {jax.result_info = "result[1]"}, tensor<32xf32> {jax.result_info = "result[2]"}, tensor<8x3xf32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<7x6x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<7x6x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<7x6x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<7x6x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<7x6x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<7x6x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<7x6x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<7x6x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<7x6x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<7x6x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<7x6x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<7x6x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<7x6x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %15:20 = stablehlo.while(%iterArg = %arg4, %iterArg_28 = %arg0, %iterArg_29 = %arg1, %iterArg_30 = %1, %iterArg_31 = %c, %iterArg_32 = %0, %iterArg_33 = %0, %iterArg_34 = %2, %iterArg_35 = %3, %iterArg_36 = %4, %iterArg_37 = %5, %iterArg_38 = %6, %iterArg_39 = %7, %iterArg_40 = %8, %iterArg_41 = %9, %iterArg_42 = %10, %iterArg_43 = %11, %iterArg_44 = %12, %iterArg_45 = %13, %iterArg_46 = %14) : tensor<7x6x6xf32>, tensor<6x32xf32>, tensor<8x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>
    cond {
      %c_47 = stablehlo.constant dense<7> : tensor<i32>
      %47 = stablehlo.compare LT, %iterArg_31, %c_47, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %47 : tensor<i1>
    } do {
      %47 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_31) : (tensor<7x6x6xf32>, tensor<i32>) -> tensor<6x6xf32>
      %48:15 = func.call @closed_call(%iterArg_28, %iterArg_29, %iterArg_30, %iterArg_32, %iterArg_33, %47) : (tensor<6x32xf32>, tensor<8x32xf32>, tensor<1x32xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x6xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>)
      %49 = func.call @dynamic_update_index_in_dim(%iterArg_34, %48#2, %iterArg_31) : (tensor<7x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<7x6x8xf32>
      %50 = func.call @dynamic_update_index_in_dim(%iterArg_35, %48#3, %iterArg_31) : (tensor<7x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<7x6x8xf32>
      %51 = func.call @dynamic_update_index_in_dim(%iterArg_36, %48#4, %iterArg_31) : (tensor<7x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<7x6x8xf32>
      %52 = func.call @dynamic_update_index_in_dim(%iterArg_37, %48#5, %iterArg_31) : (tensor<7x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<7x6x8xf32>
      %53 = func.call @dynamic_update_index_in_dim(%iterArg_38, %48#6, %iterArg_31) : (tensor<7x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<7x6x8xf32>
      %54 = func.call @dynamic_update_index_in_dim(%iterArg_39, %48#7, %iterArg_31) : (tensor<7x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<7x6x8xf32>
      %55 = func.call @dynamic_update_index_in_dim(%iterArg_40, %48#8, %iterArg_31) : (tensor<7x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<7x6x8xf32>
      %56 = func.call @dynamic_update_index_in_dim(%iterArg_41, %48#9, %iterArg_31) : (tensor<7x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<7x6x8xf32>
      %57 = func.call @dynamic_update_index_in_dim(%iterArg_42, %48#10, %iterArg_31) : (tensor<7x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<7x6x8xf32>
      %58 = func.call @dynamic_update_index_in_dim(%iterArg_43, %48#11, %iterArg_31) : (tensor<7x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<7x6x8xf32>
      %59 = func.call @dynamic_update_index_in_dim(%iterArg_44, %48#12, %iterArg_31) : (tensor<7x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<7x6x8xf32>
      %60 = func.call @dynamic_update_index_in_dim(%iterArg_45, %48#13, %iterArg_31) : (tensor<7x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<7x6x8xf32>
      %61 = func.call @dynamic_update_index_in_dim(%iterArg_46, %48#14, %iterArg_31) : (tensor<7x6x8xf32>, tensor<6x8xf32>, tensor<i32>) -> tensor<7x6x8xf32>
      %c_47 = stablehlo.constant dense<1> : tensor<i32>
      %62 = stablehlo.add %iterArg_31, %c_47 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_28, %iterArg_29, %iterArg_30, %62, %48#0, %48#1, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61 : tensor<7x6x6xf32>, tensor<6x32xf32>, tensor<8x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>
    }
    %16 = stablehlo.dot_general %15#7, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7x6x8xf32>, tensor<8x3xf32>) -> tensor<7x6x3xf32>
    %17 = stablehlo.subtract %16, %arg5 : tensor<7x6x3xf32>
    %18 = stablehlo.multiply %17, %17 : tensor<7x6x3xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<7x6x3xf32>
    %20 = stablehlo.multiply %19, %17 : tensor<7x6x3xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%18 init: %cst_14) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x6x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_15 = stablehlo.constant dense<1.260000e+02> : tensor<f32>
    %22 = stablehlo.divide %21, %cst_15 : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_17 = stablehlo.constant dense<1.260000e+02> : tensor<f32>
    %23 = stablehlo.divide %cst_16, %cst_17 : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [] : (tensor<f32>) -> tensor<7x6x3xf32>
    %25 = stablehlo.multiply %24, %20 : tensor<7x6x3xf32>
    %26 = stablehlo.dot_general %25, %15#7, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<7x6x3xf32>, tensor<7x6x8xf32>) -> tensor<3x8xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>
    %28 = stablehlo.dot_general %25, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<7x6x3xf32>, tensor<8x3xf32>) -> tensor<7x6x8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6x32xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %34:21 = stablehlo.while(%iterArg = %28, %iterArg_28 = %arg4, %iterArg_29 = %15#8, %iterArg_30 = %15#9, %iterArg_31 = %15#10, %iterArg_32 = %15#11, %iterArg_33 = %15#12, %iterArg_34 = %15#13, %iterArg_35 = %15#14, %iterArg_36 = %15#15, %iterArg_37 = %15#16, %iterArg_38 = %15#17, %iterArg_39 = %15#18, %iterArg_40 = %15#19, %iterArg_41 = %arg1, %iterArg_42 = %c_23, %iterArg_43 = %31, %iterArg_44 = %32, %iterArg_45 = %33, %iterArg_46 = %29, %iterArg_47 = %30) : tensor<7x6x8xf32>, tensor<7x6x6xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<8x32xf32>, tensor<i32>, tensor<6x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<6x8xf32>, tensor<6x8xf32>
    cond {
      %c_48 = stablehlo.constant dense<7> : tensor<i32>
      %47 = stablehlo.compare LT, %iterArg_42, %c_48, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %47 : tensor<i1>
    } do {
      %c_48 = stablehlo.constant dense<7> : tensor<i32>
      %47 = stablehlo.subtract %c_48, %iterArg_42 : tensor<i32>
      %c_49 = stablehlo.constant dense<1> : tensor<i32>
      %48 = stablehlo.subtract %47, %c_49 : tensor<i32>
      %49 = func.call @dynamic_index_in_dim_0(%iterArg, %48) : (tensor<7x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %50 = func.call @dynamic_index_in_dim(%iterArg_28, %48) : (tensor<7x6x6xf32>, tensor<i32>) -> tensor<6x6xf32>
      %51 = func.call @dynamic_index_in_dim_0(%iterArg_29, %48) : (tensor<7x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %52 = func.call @dynamic_index_in_dim_0(%iterArg_30, %48) : (tensor<7x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %53 = func.call @dynamic_index_in_dim_0(%iterArg_31, %48) : (tensor<7x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %54 = func.call @dynamic_index_in_dim_0(%iterArg_32, %48) : (tensor<7x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %55 = func.call @dynamic_index_in_dim_0(%iterArg_33, %48) : (tensor<7x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %56 = func.call @dynamic_index_in_dim_0(%iterArg_34, %48) : (tensor<7x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %57 = func.call @dynamic_index_in_dim_0(%iterArg_35, %48) : (tensor<7x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %58 = func.call @dynamic_index_in_dim_0(%iterArg_36, %48) : (tensor<7x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %59 = func.call @dynamic_index_in_dim_0(%iterArg_37, %48) : (tensor<7x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %60 = func.call @dynamic_index_in_dim_0(%iterArg_38, %48) : (tensor<7x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %61 = func.call @dynamic_index_in_dim_0(%iterArg_39, %48) : (tensor<7x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %62 = func.call @dynamic_index_in_dim_0(%iterArg_40, %48) : (tensor<7x6x8xf32>, tensor<i32>) -> tensor<6x8xf32>
      %63:5 = func.call @closed_call_1(%iterArg_41, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62) : (tensor<8x32xf32>, tensor<6x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x6xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) -> (tensor<6x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<6x8xf32>, tensor<6x8xf32>)
      %c_50 = stablehlo.constant dense<1> : tensor<i32>
      %64 = stablehlo.add %iterArg_42, %c_50 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %64, %63#0, %63#1, %63#2, %63#3, %63#4 : tensor<7x6x8xf32>, tensor<7x6x6xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<7x6x8xf32>, tensor<8x32xf32>, tensor<i32>, tensor<6x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<6x8xf32>, tensor<6x8xf32>
    }
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<6x32xf32>
    %36 = stablehlo.multiply %35, %34#16 : tensor<6x32xf32>
    %37 = stablehlo.subtract %arg0, %36 : tensor<6x32xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %39 = stablehlo.multiply %38, %34#17 : tensor<8x32xf32>
    %40 = stablehlo.subtract %arg1, %39 : tensor<8x32xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %42 = stablehlo.multiply %41, %34#18 : tensor<32xf32>
    %43 = stablehlo.subtract %arg2, %42 : tensor<32xf32>
    %cst_27 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
    %45 = stablehlo.multiply %44, %27 : tensor<8x3xf32>
    %46 = stablehlo.subtract %arg3, %45 : tensor<8x3xf32>
    return %37, %40, %43, %46, %22 : tensor<6x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<8x3xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<7x6x6xf32>, %arg1: tensor<i32>) -> tensor<6x6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 6, 6] : (tensor<7x6x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
    return %1 : tensor<6x6xf32>
  }
  func.func private @closed_call(%arg0: tensor<6x32xf32>, %arg1: tensor<8x32xf32>, %arg2: tensor<1x32xf32>, %arg3: tensor<6x8xf32>, %arg4: tensor<6x8xf32>, %arg5: tensor<6x6xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x6xf32>, tensor<6x32xf32>) -> tensor<6x32xf32>
    %1 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x8xf32>, tensor<8x32xf32>) -> tensor<6x32xf32>
    %2 = stablehlo.add %0, %1 : tensor<6x32xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<6x32xf32>
    %4 = stablehlo.add %2, %3 : tensor<6x32xf32>
    %5 = stablehlo.slice %4 [0:6, 0:8] : (tensor<6x32xf32>) -> tensor<6x8xf32>
    %6 = stablehlo.slice %4 [0:6, 8:16] : (tensor<6x32xf32>) -> tensor<6x8xf32>
    %7 = stablehlo.slice %4 [0:6, 16:24] : (tensor<6x32xf32>) -> tensor<6x8xf32>
    %8 = stablehlo.slice %4 [0:6, 24:32] : (tensor<6x32xf32>) -> tensor<6x8xf32>
    %9 = stablehlo.negate %6 : tensor<6x8xf32>
    %10 = stablehlo.exponential %9 : tensor<6x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %12 = stablehlo.add %11, %10 : tensor<6x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %14 = stablehlo.divide %13, %12 : tensor<6x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %16 = stablehlo.subtract %15, %14 : tensor<6x8xf32>
    %17 = stablehlo.multiply %14, %16 : tensor<6x8xf32>
    %18 = stablehlo.multiply %14, %arg4 : tensor<6x8xf32>
    %19 = stablehlo.negate %5 : tensor<6x8xf32>
    %20 = stablehlo.exponential %19 : tensor<6x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %22 = stablehlo.add %21, %20 : tensor<6x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %24 = stablehlo.divide %23, %22 : tensor<6x8xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %26 = stablehlo.subtract %25, %24 : tensor<6x8xf32>
    %27 = stablehlo.multiply %24, %26 : tensor<6x8xf32>
    %28 = stablehlo.tanh %7 : tensor<6x8xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %30 = stablehlo.subtract %29, %28 : tensor<6x8xf32>
    %31 = stablehlo.multiply %24, %28 : tensor<6x8xf32>
    %32 = stablehlo.add %18, %31 : tensor<6x8xf32>
    %33 = stablehlo.negate %8 : tensor<6x8xf32>
    %34 = stablehlo.exponential %33 : tensor<6x8xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %36 = stablehlo.add %35, %34 : tensor<6x8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %38 = stablehlo.divide %37, %36 : tensor<6x8xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %40 = stablehlo.subtract %39, %38 : tensor<6x8xf32>
    %41 = stablehlo.multiply %38, %40 : tensor<6x8xf32>
    %42 = stablehlo.tanh %32 : tensor<6x8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %44 = stablehlo.subtract %43, %42 : tensor<6x8xf32>
    %45 = stablehlo.multiply %38, %42 : tensor<6x8xf32>
    return %45, %32, %45, %arg3, %17, %arg4, %14, %27, %28, %30, %24, %41, %42, %44, %38 : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<7x6x8xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<i32>) -> tensor<7x6x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<6x8xf32>) -> tensor<1x6x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<7x6x8xf32>, tensor<1x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<7x6x8xf32>
    return %1 : tensor<7x6x8xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<7x6x8xf32>, %arg1: tensor<i32>) -> tensor<6x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 6, 8] : (tensor<7x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
    return %1 : tensor<6x8xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<8x32xf32>, %arg1: tensor<6x32xf32>, %arg2: tensor<8x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<6x8xf32>, %arg5: tensor<6x8xf32>, %arg6: tensor<6x8xf32>, %arg7: tensor<6x6xf32>, %arg8: tensor<6x8xf32>, %arg9: tensor<6x8xf32>, %arg10: tensor<6x8xf32>, %arg11: tensor<6x8xf32>, %arg12: tensor<6x8xf32>, %arg13: tensor<6x8xf32>, %arg14: tensor<6x8xf32>, %arg15: tensor<6x8xf32>, %arg16: tensor<6x8xf32>, %arg17: tensor<6x8xf32>, %arg18: tensor<6x8xf32>, %arg19: tensor<6x8xf32>) -> (tensor<6x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<6x8xf32>, tensor<6x8xf32>) {
    %0 = stablehlo.add %arg4, %arg6 : tensor<6x8xf32>
    %1 = stablehlo.multiply %arg19, %0 : tensor<6x8xf32>
    %2 = stablehlo.multiply %0, %arg17 : tensor<6x8xf32>
    %3 = stablehlo.multiply %1, %arg18 : tensor<6x8xf32>
    %4 = stablehlo.add %arg5, %3 : tensor<6x8xf32>
    %5 = stablehlo.multiply %3, %arg17 : tensor<6x8xf32>
    %6 = stablehlo.add %4, %5 : tensor<6x8xf32>
    %7 = stablehlo.multiply %2, %arg16 : tensor<6x8xf32>
    %8 = stablehlo.multiply %arg15, %6 : tensor<6x8xf32>
    %9 = stablehlo.multiply %6, %arg13 : tensor<6x8xf32>
    %10 = stablehlo.multiply %8, %arg14 : tensor<6x8xf32>
    %11 = stablehlo.multiply %10, %arg13 : tensor<6x8xf32>
    %12 = stablehlo.add %10, %11 : tensor<6x8xf32>
    %13 = stablehlo.multiply %9, %arg12 : tensor<6x8xf32>
    %14 = stablehlo.multiply %arg11, %6 : tensor<6x8xf32>
    %15 = stablehlo.multiply %6, %arg10 : tensor<6x8xf32>
    %16 = stablehlo.multiply %15, %arg9 : tensor<6x8xf32>
    %17 = stablehlo.concatenate %13, %16, %12, %7, dim = 1 : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<6x32xf32>, tensor<f32>) -> tensor<32xf32>
    %19 = stablehlo.reshape %18 : (tensor<32xf32>) -> tensor<1x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %21 = stablehlo.add %arg3, %20 : tensor<32xf32>
    %22 = stablehlo.dot_general %17, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x32xf32>, tensor<6x8xf32>) -> tensor<32x8xf32>
    %23 = stablehlo.transpose %22, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %24 = stablehlo.add %arg2, %23 : tensor<8x32xf32>
    %25 = stablehlo.dot_general %17, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x32xf32>, tensor<8x32xf32>) -> tensor<6x8xf32>
    %26 = stablehlo.dot_general %17, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x32xf32>, tensor<6x6xf32>) -> tensor<32x6xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<32x6xf32>) -> tensor<6x32xf32>
    %28 = stablehlo.add %arg1, %27 : tensor<6x32xf32>
    return %28, %24, %21, %25, %14 : tensor<6x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<6x8xf32>, tensor<6x8xf32>
  }
}
