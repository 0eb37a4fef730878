// SPDX-License-Identifier: Apache-2.0
// An embedding lookup and its gradient: a gather of rows, and a scatter-add of their gradients into a zero table.
// Row numbers repeat, so the order in which a split scatter adds its parts shows in the last bits.
module @embedding_grad {
  func.func public @main(%table: tensor<12x6xf32>, %tokens: tensor<5x7xi32>, %gradient: tensor<5x7x6xf32>) -> (tensor<5x7x6xf32>, tensor<12x6xf32>) {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %tokens, dims = [0, 1] : (tensor<5x7xi32>) -> tensor<5x7x1xi32>
    %1 = "stablehlo.gather"(%table, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<12x6xf32>, tensor<5x7x1xi32>) -> tensor<5x7x6xf32>
    %2 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<12x6xf32>
    %3 = "stablehlo.scatter"(%2, %0, %gradient) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%old: tensor<f32>, %new: tensor<f32>):
      %sum = stablehlo.add %old, %new : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<12x6xf32>, tensor<5x7x1xi32>, tensor<5x7x6xf32>) -> tensor<12x6xf32>
    return %1, %3 : tensor<5x7x6xf32>, tensor<12x6xf32>
  }
}
