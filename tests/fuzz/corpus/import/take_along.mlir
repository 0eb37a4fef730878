// SPDX-License-Identifier: Apache-2.0
// One element of each row, and the gradient that puts it back: gather and scatter with batching dimensions.
module @take_along {
  func.func public @main(%rows: tensor<4x6x9xf32>, %columns: tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6x9xf32>) {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %columns : (tensor<4x6xi32>) -> tensor<4x6x1xi32>
    %1 = "stablehlo.gather"(%rows, %0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x6x9xf32>, tensor<4x6x1xi32>) -> tensor<4x6xf32>
    %2 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<4x6x9xf32>
    %3 = "stablehlo.scatter"(%2, %0, %1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>, unique_indices = true}> ({
    ^bb0(%old: tensor<f32>, %new: tensor<f32>):
      %sum = stablehlo.add %old, %new : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<4x6x9xf32>, tensor<4x6x1xi32>, tensor<4x6xf32>) -> tensor<4x6x9xf32>
    return %1, %3 : tensor<4x6xf32>, tensor<4x6x9xf32>
  }
}
