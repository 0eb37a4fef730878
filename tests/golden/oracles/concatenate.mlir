// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @concatenate_rows_f32() {
  %cst = stablehlo.constant dense<[[3.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00], [-2.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00]]> : tensor<2x4xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00], [-4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00]]> : tensor<3x4xf32>
  %cst_1 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00, -2.000000e+00]]> : tensor<1x4xf32>
  %0 = stablehlo.concatenate %cst, %cst_0, %cst_1, dim = 0 : (tensor<2x4xf32>, tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<6x4xf32>
  %cst_2 = stablehlo.constant dense<[[3.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00], [-2.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00], [0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00], [-4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00], [3.000000e+00, -2.000000e+00, -4.000000e+00, -2.000000e+00]]> : tensor<6x4xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<6x4xf32>, tensor<6x4xf32>) -> ()
  return
}

// -----

func.func @concatenate_rows_i8() {
  %c = stablehlo.constant dense<[[3, 1, 0, -2], [-2, -4, -4, -4]]> : tensor<2x4xi8>
  %c_0 = stablehlo.constant dense<[[0, 0, 2, 4], [-4, -3, 3, 4], [-2, -2, 3, -1]]> : tensor<3x4xi8>
  %c_1 = stablehlo.constant dense<[[3, -2, -4, -2]]> : tensor<1x4xi8>
  %0 = stablehlo.concatenate %c, %c_0, %c_1, dim = 0 : (tensor<2x4xi8>, tensor<3x4xi8>, tensor<1x4xi8>) -> tensor<6x4xi8>
  %c_2 = stablehlo.constant dense<[[3, 1, 0, -2], [-2, -4, -4, -4], [0, 0, 2, 4], [-4, -3, 3, 4], [-2, -2, 3, -1], [3, -2, -4, -2]]> : tensor<6x4xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<6x4xi8>, tensor<6x4xi8>) -> ()
  return
}

// -----

func.func @concatenate_columns_f32() {
  %cst = stablehlo.constant dense<[[3.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00], [-2.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 1.000000e+00, 4.000000e+00]]> : tensor<3x4xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00], [0.000000e+00], [2.000000e+00]]> : tensor<3x1xf32>
  %0 = stablehlo.concatenate %cst, %cst_0, dim = 1 : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x5xf32>
  %cst_1 = stablehlo.constant dense<[[3.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, 0.000000e+00], [-2.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, 0.000000e+00], [-3.000000e+00, 3.000000e+00, 1.000000e+00, 4.000000e+00, 2.000000e+00]]> : tensor<3x5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  return
}

// -----

func.func @concatenate_columns_i8() {
  %c = stablehlo.constant dense<[[3, 1, 0, -2], [-2, -4, -4, -4], [-3, 3, 1, 4]]> : tensor<3x4xi8>
  %c_0 = stablehlo.constant dense<[[0], [0], [2]]> : tensor<3x1xi8>
  %0 = stablehlo.concatenate %c, %c_0, dim = 1 : (tensor<3x4xi8>, tensor<3x1xi8>) -> tensor<3x5xi8>
  %c_1 = stablehlo.constant dense<[[3, 1, 0, -2, 0], [-2, -4, -4, -4, 0], [-3, 3, 1, 4, 2]]> : tensor<3x5xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<3x5xi8>, tensor<3x5xi8>) -> ()
  return
}

// -----

func.func @concatenate_one_f32() {
  %cst = stablehlo.constant dense<[[3.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00], [-2.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 1.000000e+00, 4.000000e+00], [0.000000e+00, 1.000000e+00, 4.000000e+00, 2.000000e+00], [1.000000e+00, 0.000000e+00, 1.000000e+00, 4.000000e+00]]> : tensor<5x4xf32>
  %0 = stablehlo.concatenate %cst, dim = 0 : (tensor<5x4xf32>) -> tensor<5x4xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00], [-2.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 1.000000e+00, 4.000000e+00], [0.000000e+00, 1.000000e+00, 4.000000e+00, 2.000000e+00], [1.000000e+00, 0.000000e+00, 1.000000e+00, 4.000000e+00]]> : tensor<5x4xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x4xf32>, tensor<5x4xf32>) -> ()
  return
}

// -----

func.func @concatenate_one_i8() {
  %c = stablehlo.constant dense<[[3, 1, 0, -2], [-2, -4, -4, -4], [-3, 3, 1, 4], [0, 1, 4, 2], [1, 0, 1, 4]]> : tensor<5x4xi8>
  %0 = stablehlo.concatenate %c, dim = 0 : (tensor<5x4xi8>) -> tensor<5x4xi8>
  %c_0 = stablehlo.constant dense<[[3, 1, 0, -2], [-2, -4, -4, -4], [-3, 3, 1, 4], [0, 1, 4, 2], [1, 0, 1, 4]]> : tensor<5x4xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<5x4xi8>, tensor<5x4xi8>) -> ()
  return
}

// -----

func.func @concatenate_empty_f32() {
  %cst = stablehlo.constant dense<[[3.000000e+00, 1.000000e+00, 0.000000e+00], [-2.000000e+00, -2.000000e+00, -4.000000e+00], [-4.000000e+00, -4.000000e+00, -3.000000e+00]]> : tensor<3x3xf32>
  %cst_0 = stablehlo.constant dense<> : tensor<3x0xf32>
  %cst_1 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00], [-4.000000e+00, -2.000000e+00], [-1.000000e+00, 3.000000e+00]]> : tensor<3x2xf32>
  %0 = stablehlo.concatenate %cst, %cst_0, %cst_1, dim = 1 : (tensor<3x3xf32>, tensor<3x0xf32>, tensor<3x2xf32>) -> tensor<3x5xf32>
  %cst_2 = stablehlo.constant dense<[[3.000000e+00, 1.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00], [-2.000000e+00, -2.000000e+00, -4.000000e+00, -4.000000e+00, -2.000000e+00], [-4.000000e+00, -4.000000e+00, -3.000000e+00, -1.000000e+00, 3.000000e+00]]> : tensor<3x5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  return
}

// -----

func.func @concatenate_empty_i8() {
  %c = stablehlo.constant dense<[[3, 1, 0], [-2, -2, -4], [-4, -4, -3]]> : tensor<3x3xi8>
  %c_0 = stablehlo.constant dense<> : tensor<3x0xi8>
  %c_1 = stablehlo.constant dense<[[3, -2], [-4, -2], [-1, 3]]> : tensor<3x2xi8>
  %0 = stablehlo.concatenate %c, %c_0, %c_1, dim = 1 : (tensor<3x3xi8>, tensor<3x0xi8>, tensor<3x2xi8>) -> tensor<3x5xi8>
  %c_2 = stablehlo.constant dense<[[3, 1, 0, 3, -2], [-2, -2, -4, -4, -2], [-4, -4, -3, -1, 3]]> : tensor<3x5xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<3x5xi8>, tensor<3x5xi8>) -> ()
  return
}

// -----

func.func @concatenate_many_f32() {
  %cst = stablehlo.constant dense<[[3.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<1x4xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00]]> : tensor<1x4xf32>
  %cst_1 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00, -2.000000e+00]]> : tensor<1x4xf32>
  %cst_2 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00]]> : tensor<1x4xf32>
  %cst_3 = stablehlo.constant dense<[[2.000000e+00, 4.000000e+00, 3.000000e+00, 0.000000e+00]]> : tensor<1x4xf32>
  %0 = stablehlo.concatenate %cst, %cst_0, %cst_1, %cst_2, %cst_3, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<5x4xf32>
  %cst_4 = stablehlo.constant dense<[[3.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00], [0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00], [3.000000e+00, -2.000000e+00, -4.000000e+00, -2.000000e+00], [3.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00], [2.000000e+00, 4.000000e+00, 3.000000e+00, 0.000000e+00]]> : tensor<5x4xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_4) {has_side_effect = true} : (tensor<5x4xf32>, tensor<5x4xf32>) -> ()
  return
}

// -----

func.func @concatenate_many_i8() {
  %c = stablehlo.constant dense<[[3, 1, 0, -2]]> : tensor<1x4xi8>
  %c_0 = stablehlo.constant dense<[[0, 0, 2, 4]]> : tensor<1x4xi8>
  %c_1 = stablehlo.constant dense<[[3, -2, -4, -2]]> : tensor<1x4xi8>
  %c_2 = stablehlo.constant dense<[[3, -4, -3, -2]]> : tensor<1x4xi8>
  %c_3 = stablehlo.constant dense<[[2, 4, 3, 0]]> : tensor<1x4xi8>
  %0 = stablehlo.concatenate %c, %c_0, %c_1, %c_2, %c_3, dim = 0 : (tensor<1x4xi8>, tensor<1x4xi8>, tensor<1x4xi8>, tensor<1x4xi8>, tensor<1x4xi8>) -> tensor<5x4xi8>
  %c_4 = stablehlo.constant dense<[[3, 1, 0, -2], [0, 0, 2, 4], [3, -2, -4, -2], [3, -4, -3, -2], [2, 4, 3, 0]]> : tensor<5x4xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_4) {has_side_effect = true} : (tensor<5x4xi8>, tensor<5x4xi8>) -> ()
  return
}

// -----

func.func @concatenate_itself() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00]]> : tensor<1x4xf32>
  %0 = stablehlo.concatenate %cst, %cst, %cst, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00], [0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00], [0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00]]> : tensor<3x4xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
  return
}
