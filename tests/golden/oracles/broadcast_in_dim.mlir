// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @broadcast_scalar_f32() {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<3x5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  return
}

// -----

func.func @broadcast_scalar_i8() {
  %c = stablehlo.constant dense<0> : tensor<i8>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i8>) -> tensor<3x5xi8>
  %c_0 = stablehlo.constant dense<0> : tensor<3x5xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<3x5xi8>, tensor<3x5xi8>) -> ()
  return
}

// -----

func.func @broadcast_row_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00]> : tensor<5xf32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<5xf32>) -> tensor<3x5xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00]]> : tensor<3x5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  return
}

// -----

func.func @broadcast_row_i8() {
  %c = stablehlo.constant dense<[0, 0, 2, 4, -4]> : tensor<5xi8>
  %0 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<5xi8>) -> tensor<3x5xi8>
  %c_0 = stablehlo.constant dense<[[0, 0, 2, 4, -4], [0, 0, 2, 4, -4], [0, 0, 2, 4, -4]]> : tensor<3x5xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<3x5xi8>, tensor<3x5xi8>) -> ()
  return
}

// -----

func.func @broadcast_column_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 2.000000e+00]> : tensor<3xf32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [0] : (tensor<3xf32>) -> tensor<3x5xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [2.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00]]> : tensor<3x5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  return
}

// -----

func.func @broadcast_column_i8() {
  %c = stablehlo.constant dense<[0, 0, 2]> : tensor<3xi8>
  %0 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<3xi8>) -> tensor<3x5xi8>
  %c_0 = stablehlo.constant dense<[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [2, 2, 2, 2, 2]]> : tensor<3x5xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<3x5xi8>, tensor<3x5xi8>) -> ()
  return
}

// -----

func.func @broadcast_ones_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00], [0.000000e+00], [2.000000e+00]]> : tensor<3x1xf32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x7xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [2.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00]]> : tensor<3x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x7xf32>, tensor<3x7xf32>) -> ()
  return
}

// -----

func.func @broadcast_ones_i8() {
  %c = stablehlo.constant dense<[[0], [0], [2]]> : tensor<3x1xi8>
  %0 = stablehlo.broadcast_in_dim %c, dims = [0, 1] : (tensor<3x1xi8>) -> tensor<3x7xi8>
  %c_0 = stablehlo.constant dense<[[0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0], [2, 2, 2, 2, 2, 2, 2]]> : tensor<3x7xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<3x7xi8>, tensor<3x7xi8>) -> ()
  return
}

// -----

func.func @broadcast_inner_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00]]> : tensor<2x3xf32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x5x3xf32>
  %cst_0 = stablehlo.constant dense<[[[0.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 2.000000e+00]], [[4.000000e+00, -4.000000e+00, -3.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00]]]> : tensor<2x5x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<2x5x3xf32>, tensor<2x5x3xf32>) -> ()
  return
}

// -----

func.func @broadcast_inner_i8() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3]]> : tensor<2x3xi8>
  %0 = stablehlo.broadcast_in_dim %c, dims = [0, 2] : (tensor<2x3xi8>) -> tensor<2x5x3xi8>
  %c_0 = stablehlo.constant dense<[[[0, 0, 2], [0, 0, 2], [0, 0, 2], [0, 0, 2], [0, 0, 2]], [[4, -4, -3], [4, -4, -3], [4, -4, -3], [4, -4, -3], [4, -4, -3]]]> : tensor<2x5x3xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<2x5x3xi8>, tensor<2x5x3xi8>) -> ()
  return
}

// -----

func.func @broadcast_swap_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00]]> : tensor<2x3xf32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x5x2xf32>
  %cst_0 = stablehlo.constant dense<[[[0.000000e+00, 4.000000e+00], [0.000000e+00, 4.000000e+00], [0.000000e+00, 4.000000e+00], [0.000000e+00, 4.000000e+00], [0.000000e+00, 4.000000e+00]], [[0.000000e+00, -4.000000e+00], [0.000000e+00, -4.000000e+00], [0.000000e+00, -4.000000e+00], [0.000000e+00, -4.000000e+00], [0.000000e+00, -4.000000e+00]], [[2.000000e+00, -3.000000e+00], [2.000000e+00, -3.000000e+00], [2.000000e+00, -3.000000e+00], [2.000000e+00, -3.000000e+00], [2.000000e+00, -3.000000e+00]]]> : tensor<3x5x2xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x5x2xf32>, tensor<3x5x2xf32>) -> ()
  return
}

// -----

func.func @broadcast_swap_i8() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3]]> : tensor<2x3xi8>
  %0 = stablehlo.broadcast_in_dim %c, dims = [2, 0] : (tensor<2x3xi8>) -> tensor<3x5x2xi8>
  %c_0 = stablehlo.constant dense<[[[0, 4], [0, 4], [0, 4], [0, 4], [0, 4]], [[0, -4], [0, -4], [0, -4], [0, -4], [0, -4]], [[2, -3], [2, -3], [2, -3], [2, -3], [2, -3]]]> : tensor<3x5x2xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<3x5x2xi8>, tensor<3x5x2xi8>) -> ()
  return
}
