// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @f32_left_lower_plain() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00], [2.000000e+00, -2.000000e+00, 2.000000e+00, 2.000000e+00]]> : tensor<4x4xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00, -4.000000e+00], [-4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<4x3xf32>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %cst_1 = stablehlo.constant dense<[[1.500000e+00, -2.000000e+00, -1.500000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [6.500000e+00, 2.000000e+00, -8.500000e+00], [-1.200000e+01, -4.000000e+00, 1.250000e+01]]> : tensor<4x3xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-03 : f64} : (tensor<4x3xf32>, tensor<4x3xf32>) -> ()
  return
}

// -----

func.func @f32_left_lower_transposed() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00], [2.000000e+00, -2.000000e+00, 2.000000e+00, 2.000000e+00]]> : tensor<4x4xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00, -4.000000e+00], [-4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<4x3xf32>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %cst_1 = stablehlo.constant dense<[[7.000000e+00, 5.000000e-01, -2.500000e+00], [-1.300000e+01, -8.000000e+00, 5.000000e+00], [7.000000e+00, 3.000000e+00, -3.000000e+00], [-2.000000e+00, -1.000000e+00, -5.000000e-01]]> : tensor<4x3xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-03 : f64} : (tensor<4x3xf32>, tensor<4x3xf32>) -> ()
  return
}

// -----

func.func @f32_left_upper_plain() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 1.000000e+00, -2.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00]]> : tensor<4x4xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00, -4.000000e+00], [-4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<4x3xf32>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %cst_1 = stablehlo.constant dense<[[7.000000e+00, 5.000000e-01, -2.500000e+00], [-1.300000e+01, -8.000000e+00, 5.000000e+00], [7.000000e+00, 3.000000e+00, -3.000000e+00], [-2.000000e+00, -1.000000e+00, -5.000000e-01]]> : tensor<4x3xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-03 : f64} : (tensor<4x3xf32>, tensor<4x3xf32>) -> ()
  return
}

// -----

func.func @f32_left_upper_transposed() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 1.000000e+00, -2.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00]]> : tensor<4x4xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00, -4.000000e+00], [-4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<4x3xf32>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %cst_1 = stablehlo.constant dense<[[1.500000e+00, -2.000000e+00, -1.500000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [6.500000e+00, 2.000000e+00, -8.500000e+00], [-1.200000e+01, -4.000000e+00, 1.250000e+01]]> : tensor<4x3xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-03 : f64} : (tensor<4x3xf32>, tensor<4x3xf32>) -> ()
  return
}

// -----

func.func @f32_right_lower_plain() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00], [2.000000e+00, -2.000000e+00, 2.000000e+00, 2.000000e+00]]> : tensor<4x4xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00], [-3.000000e+00, 3.000000e+00, 3.000000e+00, 1.000000e+00], [-4.000000e+00, -4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<3x4xf32>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %cst_1 = stablehlo.constant dense<[[2.000000e+00, -5.000000e+00, -1.000000e+00, -1.000000e+00], [-1.000000e+00, 2.000000e+00, 2.000000e+00, 5.000000e-01], [-2.000000e+00, -4.000000e+00, -1.000000e+00, -5.000000e-01]]> : tensor<3x4xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-03 : f64} : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
  return
}

// -----

func.func @f32_right_lower_transposed() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00], [2.000000e+00, -2.000000e+00, 2.000000e+00, 2.000000e+00]]> : tensor<4x4xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00], [-3.000000e+00, 3.000000e+00, 3.000000e+00, 1.000000e+00], [-4.000000e+00, -4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<3x4xf32>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %cst_1 = stablehlo.constant dense<[[1.500000e+00, -4.000000e+00, 2.500000e+00, -9.000000e+00], [-1.500000e+00, 3.000000e+00, -1.500000e+00, 6.500000e+00], [-2.000000e+00, -4.000000e+00, 0.000000e+00, -2.500000e+00]]> : tensor<3x4xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-03 : f64} : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
  return
}

// -----

func.func @f32_right_upper_plain() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 1.000000e+00, -2.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00]]> : tensor<4x4xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00], [-3.000000e+00, 3.000000e+00, 3.000000e+00, 1.000000e+00], [-4.000000e+00, -4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<3x4xf32>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %cst_1 = stablehlo.constant dense<[[1.500000e+00, -4.000000e+00, 2.500000e+00, -9.000000e+00], [-1.500000e+00, 3.000000e+00, -1.500000e+00, 6.500000e+00], [-2.000000e+00, -4.000000e+00, 0.000000e+00, -2.500000e+00]]> : tensor<3x4xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-03 : f64} : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
  return
}

// -----

func.func @f32_right_upper_transposed() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 1.000000e+00, -2.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00]]> : tensor<4x4xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00], [-3.000000e+00, 3.000000e+00, 3.000000e+00, 1.000000e+00], [-4.000000e+00, -4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<3x4xf32>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %cst_1 = stablehlo.constant dense<[[2.000000e+00, -5.000000e+00, -1.000000e+00, -1.000000e+00], [-1.000000e+00, 2.000000e+00, 2.000000e+00, 5.000000e-01], [-2.000000e+00, -4.000000e+00, -1.000000e+00, -5.000000e-01]]> : tensor<3x4xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-03 : f64} : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
  return
}

// -----

func.func @f64_left_lower_plain() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00], [2.000000e+00, -2.000000e+00, 2.000000e+00, 2.000000e+00]]> : tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00, -4.000000e+00], [-4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<4x3xf64>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  %cst_1 = stablehlo.constant dense<[[1.500000e+00, -2.000000e+00, -1.500000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [6.500000e+00, 2.000000e+00, -8.500000e+00], [-1.200000e+01, -4.000000e+00, 1.250000e+01]]> : tensor<4x3xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-10 : f64} : (tensor<4x3xf64>, tensor<4x3xf64>) -> ()
  return
}

// -----

func.func @f64_left_lower_transposed() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00], [2.000000e+00, -2.000000e+00, 2.000000e+00, 2.000000e+00]]> : tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00, -4.000000e+00], [-4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<4x3xf64>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  %cst_1 = stablehlo.constant dense<[[7.000000e+00, 5.000000e-01, -2.500000e+00], [-1.300000e+01, -8.000000e+00, 5.000000e+00], [7.000000e+00, 3.000000e+00, -3.000000e+00], [-2.000000e+00, -1.000000e+00, -5.000000e-01]]> : tensor<4x3xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-10 : f64} : (tensor<4x3xf64>, tensor<4x3xf64>) -> ()
  return
}

// -----

func.func @f64_left_upper_plain() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 1.000000e+00, -2.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00]]> : tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00, -4.000000e+00], [-4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<4x3xf64>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  %cst_1 = stablehlo.constant dense<[[7.000000e+00, 5.000000e-01, -2.500000e+00], [-1.300000e+01, -8.000000e+00, 5.000000e+00], [7.000000e+00, 3.000000e+00, -3.000000e+00], [-2.000000e+00, -1.000000e+00, -5.000000e-01]]> : tensor<4x3xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-10 : f64} : (tensor<4x3xf64>, tensor<4x3xf64>) -> ()
  return
}

// -----

func.func @f64_left_upper_transposed() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 1.000000e+00, -2.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00]]> : tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00, -4.000000e+00], [-4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<4x3xf64>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  %cst_1 = stablehlo.constant dense<[[1.500000e+00, -2.000000e+00, -1.500000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [6.500000e+00, 2.000000e+00, -8.500000e+00], [-1.200000e+01, -4.000000e+00, 1.250000e+01]]> : tensor<4x3xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-10 : f64} : (tensor<4x3xf64>, tensor<4x3xf64>) -> ()
  return
}

// -----

func.func @f64_right_lower_plain() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00], [2.000000e+00, -2.000000e+00, 2.000000e+00, 2.000000e+00]]> : tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00], [-3.000000e+00, 3.000000e+00, 3.000000e+00, 1.000000e+00], [-4.000000e+00, -4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<3x4xf64>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  %cst_1 = stablehlo.constant dense<[[2.000000e+00, -5.000000e+00, -1.000000e+00, -1.000000e+00], [-1.000000e+00, 2.000000e+00, 2.000000e+00, 5.000000e-01], [-2.000000e+00, -4.000000e+00, -1.000000e+00, -5.000000e-01]]> : tensor<3x4xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-10 : f64} : (tensor<3x4xf64>, tensor<3x4xf64>) -> ()
  return
}

// -----

func.func @f64_right_lower_transposed() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00], [2.000000e+00, -2.000000e+00, 2.000000e+00, 2.000000e+00]]> : tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00], [-3.000000e+00, 3.000000e+00, 3.000000e+00, 1.000000e+00], [-4.000000e+00, -4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<3x4xf64>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  %cst_1 = stablehlo.constant dense<[[1.500000e+00, -4.000000e+00, 2.500000e+00, -9.000000e+00], [-1.500000e+00, 3.000000e+00, -1.500000e+00, 6.500000e+00], [-2.000000e+00, -4.000000e+00, 0.000000e+00, -2.500000e+00]]> : tensor<3x4xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-10 : f64} : (tensor<3x4xf64>, tensor<3x4xf64>) -> ()
  return
}

// -----

func.func @f64_right_upper_plain() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 1.000000e+00, -2.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00]]> : tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00], [-3.000000e+00, 3.000000e+00, 3.000000e+00, 1.000000e+00], [-4.000000e+00, -4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<3x4xf64>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  %cst_1 = stablehlo.constant dense<[[1.500000e+00, -4.000000e+00, 2.500000e+00, -9.000000e+00], [-1.500000e+00, 3.000000e+00, -1.500000e+00, 6.500000e+00], [-2.000000e+00, -4.000000e+00, 0.000000e+00, -2.500000e+00]]> : tensor<3x4xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-10 : f64} : (tensor<3x4xf64>, tensor<3x4xf64>) -> ()
  return
}

// -----

func.func @f64_right_upper_transposed() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 1.000000e+00, -2.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00]]> : tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00], [-3.000000e+00, 3.000000e+00, 3.000000e+00, 1.000000e+00], [-4.000000e+00, -4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<3x4xf64>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  %cst_1 = stablehlo.constant dense<[[2.000000e+00, -5.000000e+00, -1.000000e+00, -1.000000e+00], [-1.000000e+00, 2.000000e+00, 2.000000e+00, 5.000000e-01], [-2.000000e+00, -4.000000e+00, -1.000000e+00, -5.000000e-01]]> : tensor<3x4xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-10 : f64} : (tensor<3x4xf64>, tensor<3x4xf64>) -> ()
  return
}

// -----

func.func @unit_diagonal() {
  %cst = stablehlo.constant dense<[[2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00], [2.000000e+00, -2.000000e+00, 2.000000e+00, 2.000000e+00]]> : tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00, -4.000000e+00], [-4.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<4x3xf64>
  %0 = "stablehlo.triangular_solve"(%cst, %cst_0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<4x4xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  %cst_1 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [8.000000e+00, 0.000000e+00, -1.000000e+01], [-3.000000e+01, 0.000000e+00, 3.100000e+01]]> : tensor<4x3xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 1.000000e-10 : f64} : (tensor<4x3xf64>, tensor<4x3xf64>) -> ()
  return
}
