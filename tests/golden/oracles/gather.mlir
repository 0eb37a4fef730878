// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @rows_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  %c = stablehlo.constant dense<[[2], [6], [0], [2]]> : tensor<4x1xi32>
  %0 = "stablehlo.gather"(%cst, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<7x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, 4.000000e+00, -2.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00], [0.000000e+00, 0.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00]]> : tensor<4x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<4x3xf32>, tensor<4x3xf32>) -> ()
  return
}

// -----

func.func @rows_i8() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, 3, -1], [-2, 3, -2], [-1, 1, 0], [-4, -4, 3]]> : tensor<7x3xi8>
  %c_0 = stablehlo.constant dense<[[2], [6], [0], [2]]> : tensor<4x1xi32>
  %0 = "stablehlo.gather"(%c, %c_0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<7x3xi8>, tensor<4x1xi32>) -> tensor<4x3xi8>
  %c_1 = stablehlo.constant dense<[[3, 4, -2], [-4, -4, 3], [0, 0, 2], [3, 4, -2]]> : tensor<4x3xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<4x3xi8>, tensor<4x3xi8>) -> ()
  return
}

// -----

func.func @rows_i1() {
  %c = stablehlo.constant dense<[[false, true, true], [true, false, false], [true, true, false], [false, true, false], [false, true, false], [false, true, true], [false, false, true]]> : tensor<7x3xi1>
  %c_0 = stablehlo.constant dense<[[2], [6], [0], [2]]> : tensor<4x1xi32>
  %0 = "stablehlo.gather"(%c, %c_0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<7x3xi1>, tensor<4x1xi32>) -> tensor<4x3xi1>
  %c_1 = stablehlo.constant dense<[[true, true, false], [false, false, true], [false, true, true], [true, true, false]]> : tensor<4x3xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<4x3xi1>, tensor<4x3xi1>) -> ()
  return
}

// -----

func.func @rows_comp() {
  %cst = stablehlo.constant dense<[[(0.000000e+00,2.000000e+00), (0.000000e+00,3.000000e+00), (2.000000e+00,0.000000e+00)], [(4.000000e+00,3.000000e+00), (-4.000000e+00,-2.000000e+00), (-3.000000e+00,0.000000e+00)], [(3.000000e+00,3.000000e+00), (4.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)], [(-2.000000e+00,-3.000000e+00), (3.000000e+00,0.000000e+00), (-1.000000e+00,4.000000e+00)], [(-2.000000e+00,-3.000000e+00), (3.000000e+00,-1.000000e+00), (-2.000000e+00,-1.000000e+00)], [(-1.000000e+00,4.000000e+00), (1.000000e+00,-3.000000e+00), (0.000000e+00,0.000000e+00)], [(-4.000000e+00,-2.000000e+00), (-4.000000e+00,-4.000000e+00), (3.000000e+00,2.000000e+00)]]> : tensor<7x3xcomplex<f32>>
  %c = stablehlo.constant dense<[[2], [6], [0], [2]]> : tensor<4x1xi32>
  %0 = "stablehlo.gather"(%cst, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<7x3xcomplex<f32>>, tensor<4x1xi32>) -> tensor<4x3xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[[(3.000000e+00,3.000000e+00), (4.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)], [(-4.000000e+00,-2.000000e+00), (-4.000000e+00,-4.000000e+00), (3.000000e+00,2.000000e+00)], [(0.000000e+00,2.000000e+00), (0.000000e+00,3.000000e+00), (2.000000e+00,0.000000e+00)], [(3.000000e+00,3.000000e+00), (4.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)]]> : tensor<4x3xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<4x3xcomplex<f32>>, tensor<4x3xcomplex<f32>>) -> ()
  return
}

// -----

func.func @rows_clamped() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  %c = stablehlo.constant dense<[[-5], [6], [99], [1]]> : tensor<4x1xi32>
  %0 = "stablehlo.gather"(%cst, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<7x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00]]> : tensor<4x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<4x3xf32>, tensor<4x3xf32>) -> ()
  return
}

// -----

func.func @rows_sorted() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  %c = stablehlo.constant dense<[[0], [1], [6]]> : tensor<3x1xi64>
  %0 = "stablehlo.gather"(%cst, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 3>}> : (tensor<7x3xf32>, tensor<3x1xi64>) -> tensor<3x3xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<3x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x3xf32>, tensor<3x3xf32>) -> ()
  return
}

// -----

func.func @columns() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<3x7xf32>
  %c = stablehlo.constant dense<[[2], [5]]> : tensor<2x1xi32>
  %0 = "stablehlo.gather"(%cst, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 3, 1>}> : (tensor<3x7xf32>, tensor<2x1xi32>) -> tensor<3x2xf32>
  %cst_0 = stablehlo.constant dense<[[2.000000e+00, -3.000000e+00], [-2.000000e+00, -2.000000e+00], [1.000000e+00, -4.000000e+00]]> : tensor<3x2xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x2xf32>, tensor<3x2xf32>) -> ()
  return
}

// -----

func.func @elements() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<3x7xf32>
  %c = stablehlo.constant dense<[[2, 5], [0, 0], [1, 6]]> : tensor<3x2xi32>
  %0 = "stablehlo.gather"(%cst, %c) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x7xf32>, tensor<3x2xi32>) -> tensor<3xf32>
  %cst_0 = stablehlo.constant dense<[-4.000000e+00, 0.000000e+00, 3.000000e+00]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @elements_swapped() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<3x7xf32>
  %c = stablehlo.constant dense<[[5, 2], [0, 0], [6, 1]]> : tensor<3x2xi32>
  %0 = "stablehlo.gather"(%cst, %c) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x7xf32>, tensor<3x2xi32>) -> tensor<3xf32>
  %cst_0 = stablehlo.constant dense<[-4.000000e+00, 0.000000e+00, 3.000000e+00]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @windows() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %c = stablehlo.constant dense<[[1, 2], [3, 9]]> : tensor<2x2xi32>
  %0 = "stablehlo.gather"(%cst, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 3>}> : (tensor<5x7xf32>, tensor<2x2xi32>) -> tensor<2x2x3xf32>
  %cst_0 = stablehlo.constant dense<[[[-2.000000e+00, 3.000000e+00, -1.000000e+00], [1.000000e+00, 0.000000e+00, -4.000000e+00]], [[-2.000000e+00, 0.000000e+00, 3.000000e+00], [4.000000e+00, -3.000000e+00, -1.000000e+00]]]> : tensor<2x2x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> ()
  return
}

// -----

func.func @vector_first() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %c = stablehlo.constant dense<[[1, 3, 0], [2, 0, 6]]> : tensor<2x3xi32>
  %0 = "stablehlo.gather"(%cst, %c) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<5x7xf32>, tensor<2x3xi32>) -> tensor<3xf32>
  %cst_0 = stablehlo.constant dense<[-2.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @scalar_indices() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  %c = stablehlo.constant dense<[2, 0, 5]> : tensor<3xi32>
  %0 = "stablehlo.gather"(%cst, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<7x3xf32>, tensor<3xi32>) -> tensor<3x3xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, 4.000000e+00, -2.000000e+00], [0.000000e+00, 0.000000e+00, 2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00]]> : tensor<3x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x3xf32>, tensor<3x3xf32>) -> ()
  return
}

// -----

func.func @batched() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4], [-3, 3, 4, -2, -2], [3, -1, -2, 3, -2], [-1, 1, 0, -4, -4]]> : tensor<4x5xi32>
  %c_0 = stablehlo.constant dense<[[1], [0], [4], [9]]> : tensor<4x1xi32>
  %0 = "stablehlo.gather"(%c, %c_0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x5xi32>, tensor<4x1xi32>) -> tensor<4xi32>
  %c_1 = stablehlo.constant dense<[0, -3, -2, -4]> : tensor<4xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>) -> ()
  return
}

// -----

func.func @batched_rows() {
  %cst = stablehlo.constant dense<[[[0.000000e+00, 0.000000e+00], [2.000000e+00, 4.000000e+00], [-4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00], [-2.000000e+00, -2.000000e+00]], [[3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00], [1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00]], [[3.000000e+00, 2.000000e+00], [3.000000e+00, 0.000000e+00], [3.000000e+00, -2.000000e+00], [0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00]]]> : tensor<3x5x2xf32>
  %c = stablehlo.constant dense<[[[1], [0]], [[4], [2]], [[3], [9]]]> : tensor<3x2x1xi32>
  %0 = "stablehlo.gather"(%cst, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 2>}> : (tensor<3x5x2xf32>, tensor<3x2x1xi32>) -> tensor<3x2x2xf32>
  %cst_0 = stablehlo.constant dense<[[[2.000000e+00, 4.000000e+00], [0.000000e+00, 0.000000e+00]], [[-4.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00]], [[0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00]]]> : tensor<3x2x2xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x2x2xf32>, tensor<3x2x2xf32>) -> ()
  return
}

// -----

func.func @matrix_of_rows() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xbf16>
  %c = stablehlo.constant dense<[[[2], [6]], [[0], [1]]]> : tensor<2x2x1xi32>
  %0 = "stablehlo.gather"(%cst, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<7x3xbf16>, tensor<2x2x1xi32>) -> tensor<2x2x3xbf16>
  %cst_0 = stablehlo.constant dense<[[[3.000000e+00, 4.000000e+00, -2.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]], [[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00]]]> : tensor<2x2x3xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<2x2x3xbf16>, tensor<2x2x3xbf16>) -> ()
  return
}
