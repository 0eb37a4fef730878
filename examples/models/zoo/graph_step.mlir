// Made by zoo.py.
module @jit_graph_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x10xf32>, %arg1: tensor<10x6xf32>, %arg2: tensor<13x6xf32>, %arg3: tensor<40xi32>, %arg4: tensor<40xi32>, %arg5: tensor<13x6xf32>) -> (tensor<6x10xf32> {jax.result_info = "result[0]"}, tensor<10x6xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %1 = stablehlo.compare LT, %arg3, %0, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_0 = stablehlo.constant dense<13> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %3 = stablehlo.add %arg3, %2 : tensor<40xi32>
    %4 = stablehlo.select %1, %3, %arg3 : tensor<40xi1>, tensor<40xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %6 = "stablehlo.gather"(%arg2, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<13x6xf32>, tensor<40x1xi32>) -> tensor<40x6xf32>
    %7 = stablehlo.dot_general %6, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x6xf32>, tensor<6x10xf32>) -> tensor<40x10xf32>
    %8 = call @relu(%7) : (tensor<40x10xf32>) -> tensor<40x10xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x10xf32>
    %10 = stablehlo.compare GT, %7, %9, FLOAT : (tensor<40x10xf32>, tensor<40x10xf32>) -> tensor<40x10xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<13x10xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %13 = stablehlo.compare LT, %arg4, %12, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_3 = stablehlo.constant dense<13> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %15 = stablehlo.add %arg4, %14 : tensor<40xi32>
    %16 = stablehlo.select %13, %15, %arg4 : tensor<40xi1>, tensor<40xi32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %18 = "stablehlo.scatter"(%11, %17, %8) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %59 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %59 : tensor<f32>
    }) : (tensor<13x10xf32>, tensor<40x1xi32>, tensor<40x10xf32>) -> tensor<13x10xf32>
    %19 = stablehlo.dot_general %18, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<13x10xf32>, tensor<10x6xf32>) -> tensor<13x6xf32>
    %20 = stablehlo.tanh %19 : tensor<13x6xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<13x6xf32>
    %22 = stablehlo.subtract %21, %20 : tensor<13x6xf32>
    %23 = stablehlo.subtract %20, %arg5 : tensor<13x6xf32>
    %24 = stablehlo.multiply %23, %23 : tensor<13x6xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<13x6xf32>
    %26 = stablehlo.multiply %25, %23 : tensor<13x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%24 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<13x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<7.800000e+01> : tensor<f32>
    %28 = stablehlo.divide %27, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<7.800000e+01> : tensor<f32>
    %29 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [] : (tensor<f32>) -> tensor<13x6xf32>
    %31 = stablehlo.multiply %30, %26 : tensor<13x6xf32>
    %32 = stablehlo.multiply %31, %22 : tensor<13x6xf32>
    %33 = stablehlo.multiply %32, %20 : tensor<13x6xf32>
    %34 = stablehlo.add %32, %33 : tensor<13x6xf32>
    %35 = stablehlo.dot_general %34, %18, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<13x6xf32>, tensor<13x10xf32>) -> tensor<6x10xf32>
    %36 = stablehlo.transpose %35, dims = [1, 0] : (tensor<6x10xf32>) -> tensor<10x6xf32>
    %37 = stablehlo.dot_general %34, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<13x6xf32>, tensor<10x6xf32>) -> tensor<13x10xf32>
    %c_10 = stablehlo.constant dense<12> : tensor<1xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<40x1xi32>
    %39 = stablehlo.compare GE, %17, %38, SIGNED : (tensor<40x1xi32>, tensor<40x1xi32>) -> tensor<40x1xi1>
    %40 = stablehlo.broadcast_in_dim %c_10, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<40x1xi32>
    %42 = stablehlo.compare LE, %17, %41, SIGNED : (tensor<40x1xi32>, tensor<40x1xi32>) -> tensor<40x1xi1>
    %43 = stablehlo.and %39, %42 : tensor<40x1xi1>
    %c_12 = stablehlo.constant dense<true> : tensor<i1>
    %44 = stablehlo.reduce(%43 init: %c_12) applies stablehlo.and across dimensions = [1] : (tensor<40x1xi1>, tensor<i1>) -> tensor<40xi1>
    %45 = "stablehlo.gather"(%37, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 10>}> : (tensor<13x10xf32>, tensor<40x1xi32>) -> tensor<40x10xf32>
    %46 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<40xi1>) -> tensor<40x10xi1>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<40x10xf32>
    %48 = stablehlo.select %46, %45, %47 : tensor<40x10xi1>, tensor<40x10xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<40x10xf32>
    %50 = stablehlo.select %10, %48, %49 : tensor<40x10xi1>, tensor<40x10xf32>
    %51 = stablehlo.dot_general %50, %6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x10xf32>, tensor<40x6xf32>) -> tensor<10x6xf32>
    %52 = stablehlo.transpose %51, dims = [1, 0] : (tensor<10x6xf32>) -> tensor<6x10xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<6x10xf32>
    %54 = stablehlo.multiply %53, %52 : tensor<6x10xf32>
    %55 = stablehlo.subtract %arg0, %54 : tensor<6x10xf32>
    %cst_16 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<10x6xf32>
    %57 = stablehlo.multiply %56, %36 : tensor<10x6xf32>
    %58 = stablehlo.subtract %arg1, %57 : tensor<10x6xf32>
    return %55, %58, %28 : tensor<6x10xf32>, tensor<10x6xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<40x10xf32>) -> tensor<40x10xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x10xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<40x10xf32>
    return %1 : tensor<40x10xf32>
  }
}
