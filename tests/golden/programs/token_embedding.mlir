// SPDX-License-Identifier: Apache-2.0
// Tokens that are looked up in a table, and a product behind.
func.func @main(%tokens: tensor<16x32xi32>, %table: tensor<8192x512xf32>, %w: tensor<512x512xf32>) -> tensor<16x32x512xf32> {
  %0 = stablehlo.reshape %tokens : (tensor<16x32xi32>) -> tensor<16x32x1xi32>
  %1 = "stablehlo.gather"(%table, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 512>}> : (tensor<8192x512xf32>, tensor<16x32x1xi32>) -> tensor<16x32x512xf32>
  %2 = stablehlo.tanh %1 : tensor<16x32x512xf32>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [2] x [0] : (tensor<16x32x512xf32>, tensor<512x512xf32>) -> tensor<16x32x512xf32>
  return %3 : tensor<16x32x512xf32>
}
