// A decoder block with its loss, in the spelling in which byteir prints a GPT: embeddings, layer_norm, attention of two heads, layer_norm, logits.
"builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: tensor<5x8xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<24x8xf32>, %arg5: tensor<5x8xf32>, %arg6: tensor<1x1x6x6xf32>, %arg7: tensor<4x6xi64>, %arg8: tensor<4x6xi64>):
    %0 = "mhlo.constant"() {value = dense<0xFF800000> : tensor<4x2x6x6xf32>} : () -> tensor<4x2x6x6xf32>
    %1 = "mhlo.constant"() {value = dense<5.000000e-01> : tensor<4x2x6x6xf32>} : () -> tensor<4x2x6x6xf32>
    %2 = "mhlo.constant"() {value = dense<0.000000e+00> : tensor<1x1x6x6xf32>} : () -> tensor<1x1x6x6xf32>
    %3 = "mhlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<6xi64>
    %4 = "mhlo.reshape"(%3) : (tensor<6xi64>) -> tensor<1x6xi64>
    %5 = "mhlo.gather"(%arg0, %arg7) {dimension_numbers = #mhlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = dense<[1, 8]> : tensor<2xi64>} : (tensor<5x8xf32>, tensor<4x6xi64>) -> tensor<4x6x8xf32>
    %6 = "mhlo.gather"(%arg1, %4) {dimension_numbers = #mhlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = dense<[1, 8]> : tensor<2xi64>} : (tensor<6x8xf32>, tensor<1x6xi64>) -> tensor<1x6x8xf32>
    %7 = "mhlo.broadcast_in_dim"(%6) {broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>} : (tensor<1x6x8xf32>) -> tensor<4x6x8xf32>
    %8 = "mhlo.add"(%5, %7) : (tensor<4x6x8xf32>, tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
    %9:3 = "mhlo.custom_call"(%8, %arg2, %arg3) {api_version = 1 : i32, backend_config = "", byteir_attrs = {axis = [2], epsilon = 1.000000e-05 : f64}, call_target_name = "byteir.layer_norm", called_computations = [], has_side_effect = false} : (tensor<4x6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x6x8xf32>, tensor<4x6x1xf32>, tensor<4x6x1xf32>)
    %10 = "mhlo.transpose"(%arg4) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<24x8xf32>) -> tensor<8x24xf32>
    %11 = "mhlo.reshape"(%9#0) : (tensor<4x6x8xf32>) -> tensor<24x8xf32>
    %12 = "mhlo.dot"(%11, %10) : (tensor<24x8xf32>, tensor<8x24xf32>) -> tensor<24x24xf32>
    %13 = "mhlo.reshape"(%12) : (tensor<24x24xf32>) -> tensor<4x6x3x2x4xf32>
    %14 = "mhlo.transpose"(%13) {permutation = dense<[2, 0, 3, 1, 4]> : tensor<5xi64>} : (tensor<4x6x3x2x4xf32>) -> tensor<3x4x2x6x4xf32>
    %15 = "mhlo.slice"(%14) {limit_indices = dense<[1, 4, 2, 6, 4]> : tensor<5xi64>, start_indices = dense<0> : tensor<5xi64>, strides = dense<1> : tensor<5xi64>} : (tensor<3x4x2x6x4xf32>) -> tensor<1x4x2x6x4xf32>
    %16 = "mhlo.slice"(%14) {limit_indices = dense<[2, 4, 2, 6, 4]> : tensor<5xi64>, start_indices = dense<[1, 0, 0, 0, 0]> : tensor<5xi64>, strides = dense<1> : tensor<5xi64>} : (tensor<3x4x2x6x4xf32>) -> tensor<1x4x2x6x4xf32>
    %17 = "mhlo.slice"(%14) {limit_indices = dense<[3, 4, 2, 6, 4]> : tensor<5xi64>, start_indices = dense<[2, 0, 0, 0, 0]> : tensor<5xi64>, strides = dense<1> : tensor<5xi64>} : (tensor<3x4x2x6x4xf32>) -> tensor<1x4x2x6x4xf32>
    %18 = "mhlo.reshape"(%15) : (tensor<1x4x2x6x4xf32>) -> tensor<4x2x6x4xf32>
    %19 = "mhlo.reshape"(%16) : (tensor<1x4x2x6x4xf32>) -> tensor<4x2x6x4xf32>
    %20 = "mhlo.reshape"(%17) : (tensor<1x4x2x6x4xf32>) -> tensor<4x2x6x4xf32>
    %21 = "mhlo.dot_general"(%18, %19) {dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>} : (tensor<4x2x6x4xf32>, tensor<4x2x6x4xf32>) -> tensor<4x2x6x6xf32>
    %22 = "mhlo.multiply"(%21, %1) : (tensor<4x2x6x6xf32>, tensor<4x2x6x6xf32>) -> tensor<4x2x6x6xf32>
    %23 = "mhlo.compare"(%arg6, %2) {compare_type = #mhlo<comparison_type FLOAT>, comparison_direction = #mhlo<comparison_direction EQ>} : (tensor<1x1x6x6xf32>, tensor<1x1x6x6xf32>) -> tensor<1x1x6x6xi1>
    %24 = "mhlo.broadcast_in_dim"(%23) {broadcast_dimensions = dense<[0, 1, 2, 3]> : tensor<4xi64>} : (tensor<1x1x6x6xi1>) -> tensor<4x2x6x6xi1>
    %25 = "mhlo.select"(%24, %0, %22) : (tensor<4x2x6x6xi1>, tensor<4x2x6x6xf32>, tensor<4x2x6x6xf32>) -> tensor<4x2x6x6xf32>
    %26 = "mhlo.custom_call"(%25) {api_version = 1 : i32, backend_config = "", byteir_attrs = {axis = 3 : i64}, call_target_name = "byteir.softmax", called_computations = [], has_side_effect = false} : (tensor<4x2x6x6xf32>) -> tensor<4x2x6x6xf32>
    %27 = "mhlo.dot_general"(%26, %20) {dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>} : (tensor<4x2x6x6xf32>, tensor<4x2x6x4xf32>) -> tensor<4x2x6x4xf32>
    %28 = "mhlo.transpose"(%27) {permutation = dense<[0, 2, 1, 3]> : tensor<4xi64>} : (tensor<4x2x6x4xf32>) -> tensor<4x6x2x4xf32>
    %29 = "mhlo.reshape"(%28) : (tensor<4x6x2x4xf32>) -> tensor<4x6x8xf32>
    %30 = "mhlo.add"(%8, %29) : (tensor<4x6x8xf32>, tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
    %31:3 = "mhlo.custom_call"(%30, %arg2, %arg3) {api_version = 1 : i32, backend_config = "", byteir_attrs = {axis = [2], epsilon = 1.000000e-05 : f64}, call_target_name = "byteir.layer_norm", called_computations = [], has_side_effect = false} : (tensor<4x6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x6x8xf32>, tensor<4x6x1xf32>, tensor<4x6x1xf32>)
    %32 = "mhlo.transpose"(%arg5) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<5x8xf32>) -> tensor<8x5xf32>
    %33 = "mhlo.reshape"(%31#0) : (tensor<4x6x8xf32>) -> tensor<24x8xf32>
    %34 = "mhlo.dot"(%33, %32) : (tensor<24x8xf32>, tensor<8x5xf32>) -> tensor<24x5xf32>
    %35 = "mhlo.reshape"(%arg8) : (tensor<4x6xi64>) -> tensor<24xi64>
    %36 = "mhlo.custom_call"(%34) {api_version = 1 : i32, backend_config = "", byteir_attrs = {axis = 1 : i64}, call_target_name = "byteir.log_softmax", called_computations = [], has_side_effect = false} : (tensor<24x5xf32>) -> tensor<24x5xf32>
    %37:2 = "mhlo.custom_call"(%36, %35) {api_version = 1 : i32, backend_config = "", byteir_attrs = {ignore_index = -1 : i64, reduction = 1 : i64}, call_target_name = "byteir.nll_loss_forward", called_computations = [], has_side_effect = false} : (tensor<24x5xf32>, tensor<24xi64>) -> (tensor<f32>, tensor<f32>)
    "func.return"(%37#0, %37#1, %34, %31#1, %31#2) : (tensor<f32>, tensor<f32>, tensor<24x5xf32>, tensor<4x6x1xf32>, tensor<4x6x1xf32>) -> ()
  }) {function_type = (tensor<5x8xf32>, tensor<6x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<24x8xf32>, tensor<5x8xf32>, tensor<1x1x6x6xf32>, tensor<4x6xi64>, tensor<4x6xi64>) -> (tensor<f32>, tensor<f32>, tensor<24x5xf32>, tensor<4x6x1xf32>, tensor<4x6x1xf32>), sym_name = "forward"} : () -> ()
}) : () -> ()
