// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @add_f32_0() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<5x7xf32>, tensor<f32>) -> tensor<7xf32>
  %cst_1 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, -1.000000e+00, 6.000000e+00, -3.000000e+00, -7.000000e+00, 6.000000e+00]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @add_f32_1() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %cst_1 = stablehlo.constant dense<[1.000000e+00, 3.000000e+00, -2.000000e+00, 5.000000e+00, -6.000000e+00]> : tensor<5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
  return
}

// -----

func.func @add_f32_01() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<f32>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
  return
}

// -----

func.func @add_bf16_0() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xbf16>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<5x7xbf16>, tensor<bf16>) -> tensor<7xbf16>
  %cst_1 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, -1.000000e+00, 6.000000e+00, -3.000000e+00, -7.000000e+00, 6.000000e+00]> : tensor<7xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xbf16>, tensor<7xbf16>) -> ()
  return
}

// -----

func.func @add_bf16_1() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xbf16>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<5x7xbf16>, tensor<bf16>) -> tensor<5xbf16>
  %cst_1 = stablehlo.constant dense<[1.000000e+00, 3.000000e+00, -2.000000e+00, 5.000000e+00, -6.000000e+00]> : tensor<5xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5xbf16>, tensor<5xbf16>) -> ()
  return
}

// -----

func.func @add_bf16_01() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xbf16>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x7xbf16>, tensor<bf16>) -> tensor<bf16>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<bf16>, tensor<bf16>) -> ()
  return
}

// -----

func.func @add_i32_0() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.add across dimensions = [0] : (tensor<5x7xi32>, tensor<i32>) -> tensor<7xi32>
  %c_1 = stablehlo.constant dense<[0, 0, -1, 6, -3, -7, 6]> : tensor<7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
  return
}

// -----

func.func @add_i32_1() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.add across dimensions = [1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<5xi32>
  %c_1 = stablehlo.constant dense<[1, 3, -2, 5, -6]> : tensor<5xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
  return
}

// -----

func.func @add_i32_01() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<i32>
  %c_1 = stablehlo.constant dense<1> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
  return
}

// -----

func.func @add_f64_0() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf64>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<5x7xf64>, tensor<f64>) -> tensor<7xf64>
  %cst_1 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, -1.000000e+00, 6.000000e+00, -3.000000e+00, -7.000000e+00, 6.000000e+00]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @add_f64_1() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf64>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<5x7xf64>, tensor<f64>) -> tensor<5xf64>
  %cst_1 = stablehlo.constant dense<[1.000000e+00, 3.000000e+00, -2.000000e+00, 5.000000e+00, -6.000000e+00]> : tensor<5xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5xf64>, tensor<5xf64>) -> ()
  return
}

// -----

func.func @add_f64_01() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf64>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x7xf64>, tensor<f64>) -> tensor<f64>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<f64>, tensor<f64>) -> ()
  return
}

// -----

func.func @multiply_f32_0() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.multiply across dimensions = [0] : (tensor<5x7xf32>, tensor<f32>) -> tensor<7xf32>
  %cst_1 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -0.000000e+00, 0.000000e+00, -8.000000e+00]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @multiply_f32_1() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.multiply across dimensions = [1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %cst_1 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, -0.000000e+00, -0.000000e+00, -0.000000e+00]> : tensor<5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
  return
}

// -----

func.func @multiply_f32_01() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.multiply across dimensions = [0, 1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<f32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
  return
}

// -----

func.func @multiply_i64_0() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi64>
  %c_0 = stablehlo.constant dense<1> : tensor<i64>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.multiply across dimensions = [0] : (tensor<5x7xi64>, tensor<i64>) -> tensor<7xi64>
  %c_1 = stablehlo.constant dense<[0, 0, 0, 0, 0, 0, -8]> : tensor<7xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xi64>, tensor<7xi64>) -> ()
  return
}

// -----

func.func @multiply_i64_1() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi64>
  %c_0 = stablehlo.constant dense<1> : tensor<i64>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.multiply across dimensions = [1] : (tensor<5x7xi64>, tensor<i64>) -> tensor<5xi64>
  %c_1 = stablehlo.constant dense<0> : tensor<5xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5xi64>, tensor<5xi64>) -> ()
  return
}

// -----

func.func @multiply_i64_01() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi64>
  %c_0 = stablehlo.constant dense<1> : tensor<i64>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.multiply across dimensions = [0, 1] : (tensor<5x7xi64>, tensor<i64>) -> tensor<i64>
  %c_1 = stablehlo.constant dense<0> : tensor<i64>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<i64>, tensor<i64>) -> ()
  return
}

// -----

func.func @maximum_f32_0() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<-3.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.maximum across dimensions = [0] : (tensor<5x7xf32>, tensor<f32>) -> tensor<7xf32>
  %cst_1 = stablehlo.constant dense<[2.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @maximum_f32_1() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<-3.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
  return
}

// -----

func.func @maximum_f32_01() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<-3.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<f32>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
  return
}

// -----

func.func @maximum_bf16_0() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xbf16>
  %cst_0 = stablehlo.constant dense<-3.000000e+00> : tensor<bf16>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.maximum across dimensions = [0] : (tensor<5x7xbf16>, tensor<bf16>) -> tensor<7xbf16>
  %cst_1 = stablehlo.constant dense<[2.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00]> : tensor<7xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xbf16>, tensor<7xbf16>) -> ()
  return
}

// -----

func.func @maximum_bf16_1() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xbf16>
  %cst_0 = stablehlo.constant dense<-3.000000e+00> : tensor<bf16>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<5x7xbf16>, tensor<bf16>) -> tensor<5xbf16>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<5xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5xbf16>, tensor<5xbf16>) -> ()
  return
}

// -----

func.func @maximum_bf16_01() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xbf16>
  %cst_0 = stablehlo.constant dense<-3.000000e+00> : tensor<bf16>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x7xbf16>, tensor<bf16>) -> tensor<bf16>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<bf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<bf16>, tensor<bf16>) -> ()
  return
}

// -----

func.func @maximum_i32_0() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<-3> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.maximum across dimensions = [0] : (tensor<5x7xi32>, tensor<i32>) -> tensor<7xi32>
  %c_1 = stablehlo.constant dense<[2, 2, 1, 2, 2, 0, 2]> : tensor<7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
  return
}

// -----

func.func @maximum_i32_1() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<-3> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.maximum across dimensions = [1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<5xi32>
  %c_1 = stablehlo.constant dense<2> : tensor<5xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
  return
}

// -----

func.func @maximum_i32_01() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<-3> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<i32>
  %c_1 = stablehlo.constant dense<2> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
  return
}

// -----

func.func @maximum_f64_0() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf64>
  %cst_0 = stablehlo.constant dense<-3.000000e+00> : tensor<f64>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.maximum across dimensions = [0] : (tensor<5x7xf64>, tensor<f64>) -> tensor<7xf64>
  %cst_1 = stablehlo.constant dense<[2.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @maximum_f64_1() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf64>
  %cst_0 = stablehlo.constant dense<-3.000000e+00> : tensor<f64>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<5x7xf64>, tensor<f64>) -> tensor<5xf64>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<5xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5xf64>, tensor<5xf64>) -> ()
  return
}

// -----

func.func @maximum_f64_01() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf64>
  %cst_0 = stablehlo.constant dense<-3.000000e+00> : tensor<f64>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<5x7xf64>, tensor<f64>) -> tensor<f64>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<f64>, tensor<f64>) -> ()
  return
}

// -----

func.func @minimum_f32_0() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.minimum across dimensions = [0] : (tensor<5x7xf32>, tensor<f32>) -> tensor<7xf32>
  %cst_1 = stablehlo.constant dense<[-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, -1.000000e+00]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @minimum_f32_1() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.minimum across dimensions = [1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
  %cst_1 = stablehlo.constant dense<[-2.000000e+00, -1.000000e+00, -2.000000e+00, -1.000000e+00, -2.000000e+00]> : tensor<5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
  return
}

// -----

func.func @minimum_f32_01() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<f32>
  %cst_1 = stablehlo.constant dense<-2.000000e+00> : tensor<f32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
  return
}

// -----

func.func @minimum_bf16_0() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xbf16>
  %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<bf16>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.minimum across dimensions = [0] : (tensor<5x7xbf16>, tensor<bf16>) -> tensor<7xbf16>
  %cst_1 = stablehlo.constant dense<[-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, -1.000000e+00]> : tensor<7xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xbf16>, tensor<7xbf16>) -> ()
  return
}

// -----

func.func @minimum_bf16_1() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xbf16>
  %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<bf16>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.minimum across dimensions = [1] : (tensor<5x7xbf16>, tensor<bf16>) -> tensor<5xbf16>
  %cst_1 = stablehlo.constant dense<[-2.000000e+00, -1.000000e+00, -2.000000e+00, -1.000000e+00, -2.000000e+00]> : tensor<5xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5xbf16>, tensor<5xbf16>) -> ()
  return
}

// -----

func.func @minimum_bf16_01() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xbf16>
  %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<bf16>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<5x7xbf16>, tensor<bf16>) -> tensor<bf16>
  %cst_1 = stablehlo.constant dense<-2.000000e+00> : tensor<bf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<bf16>, tensor<bf16>) -> ()
  return
}

// -----

func.func @minimum_i32_0() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.minimum across dimensions = [0] : (tensor<5x7xi32>, tensor<i32>) -> tensor<7xi32>
  %c_1 = stablehlo.constant dense<[-2, -1, -2, 0, -2, -2, -1]> : tensor<7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
  return
}

// -----

func.func @minimum_i32_1() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.minimum across dimensions = [1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<5xi32>
  %c_1 = stablehlo.constant dense<[-2, -1, -2, -1, -2]> : tensor<5xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
  return
}

// -----

func.func @minimum_i32_01() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<i32>
  %c_1 = stablehlo.constant dense<-2> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
  return
}

// -----

func.func @minimum_f64_0() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf64>
  %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f64>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.minimum across dimensions = [0] : (tensor<5x7xf64>, tensor<f64>) -> tensor<7xf64>
  %cst_1 = stablehlo.constant dense<[-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, -1.000000e+00]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @minimum_f64_1() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf64>
  %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f64>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.minimum across dimensions = [1] : (tensor<5x7xf64>, tensor<f64>) -> tensor<5xf64>
  %cst_1 = stablehlo.constant dense<[-2.000000e+00, -1.000000e+00, -2.000000e+00, -1.000000e+00, -2.000000e+00]> : tensor<5xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5xf64>, tensor<5xf64>) -> ()
  return
}

// -----

func.func @minimum_f64_01() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [2.000000e+00, -1.000000e+00, -1.000000e+00, 2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 0.000000e+00, 2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, -2.000000e+00, -1.000000e+00]]> : tensor<5x7xf64>
  %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f64>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<5x7xf64>, tensor<f64>) -> tensor<f64>
  %cst_1 = stablehlo.constant dense<-2.000000e+00> : tensor<f64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<f64>, tensor<f64>) -> ()
  return
}

// -----

func.func @and_i1_0() {
  %c = stablehlo.constant dense<[[false, true, true, true, false, false, true], [true, false, false, true, false, false, true], [false, false, true, true, false, false, true], [true, true, true, true, false, false, true], [false, false, false, false, true, false, false]]> : tensor<5x7xi1>
  %c_0 = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.and across dimensions = [0] : (tensor<5x7xi1>, tensor<i1>) -> tensor<7xi1>
  %c_1 = stablehlo.constant dense<false> : tensor<7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xi1>, tensor<7xi1>) -> ()
  return
}

// -----

func.func @and_i1_1() {
  %c = stablehlo.constant dense<[[false, true, true, true, false, false, true], [true, false, false, true, false, false, true], [false, false, true, true, false, false, true], [true, true, true, true, false, false, true], [false, false, false, false, true, false, false]]> : tensor<5x7xi1>
  %c_0 = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.and across dimensions = [1] : (tensor<5x7xi1>, tensor<i1>) -> tensor<5xi1>
  %c_1 = stablehlo.constant dense<false> : tensor<5xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5xi1>, tensor<5xi1>) -> ()
  return
}

// -----

func.func @and_i1_01() {
  %c = stablehlo.constant dense<[[false, true, true, true, false, false, true], [true, false, false, true, false, false, true], [false, false, true, true, false, false, true], [true, true, true, true, false, false, true], [false, false, false, false, true, false, false]]> : tensor<5x7xi1>
  %c_0 = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.and across dimensions = [0, 1] : (tensor<5x7xi1>, tensor<i1>) -> tensor<i1>
  %c_1 = stablehlo.constant dense<false> : tensor<i1>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<i1>, tensor<i1>) -> ()
  return
}

// -----

func.func @and_i32_0() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.and across dimensions = [0] : (tensor<5x7xi32>, tensor<i32>) -> tensor<7xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
  return
}

// -----

func.func @and_i32_1() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.and across dimensions = [1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<5xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<5xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
  return
}

// -----

func.func @and_i32_01() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.and across dimensions = [0, 1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<i32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
  return
}

// -----

func.func @and_ui8_0() {
  %c = stablehlo.constant dense<[[1, 1, 2, 2, 0, 0, 2], [2, 0, 0, 2, 1, 0, 2], [0, 1, 1, 1, 0, 0, 2], [2, 2, 1, 2, 0, 1, 2], [0, 0, 0, 1, 2, 0, 1]]> : tensor<5x7xui8>
  %c_0 = stablehlo.constant dense<1> : tensor<ui8>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.and across dimensions = [0] : (tensor<5x7xui8>, tensor<ui8>) -> tensor<7xui8>
  %c_1 = stablehlo.constant dense<0> : tensor<7xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xui8>, tensor<7xui8>) -> ()
  return
}

// -----

func.func @and_ui8_1() {
  %c = stablehlo.constant dense<[[1, 1, 2, 2, 0, 0, 2], [2, 0, 0, 2, 1, 0, 2], [0, 1, 1, 1, 0, 0, 2], [2, 2, 1, 2, 0, 1, 2], [0, 0, 0, 1, 2, 0, 1]]> : tensor<5x7xui8>
  %c_0 = stablehlo.constant dense<1> : tensor<ui8>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.and across dimensions = [1] : (tensor<5x7xui8>, tensor<ui8>) -> tensor<5xui8>
  %c_1 = stablehlo.constant dense<0> : tensor<5xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5xui8>, tensor<5xui8>) -> ()
  return
}

// -----

func.func @and_ui8_01() {
  %c = stablehlo.constant dense<[[1, 1, 2, 2, 0, 0, 2], [2, 0, 0, 2, 1, 0, 2], [0, 1, 1, 1, 0, 0, 2], [2, 2, 1, 2, 0, 1, 2], [0, 0, 0, 1, 2, 0, 1]]> : tensor<5x7xui8>
  %c_0 = stablehlo.constant dense<1> : tensor<ui8>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.and across dimensions = [0, 1] : (tensor<5x7xui8>, tensor<ui8>) -> tensor<ui8>
  %c_1 = stablehlo.constant dense<0> : tensor<ui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<ui8>, tensor<ui8>) -> ()
  return
}

// -----

func.func @or_i1_0() {
  %c = stablehlo.constant dense<[[false, true, true, true, false, false, true], [true, false, false, true, false, false, true], [false, false, true, true, false, false, true], [true, true, true, true, false, false, true], [false, false, false, false, true, false, false]]> : tensor<5x7xi1>
  %c_0 = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.or across dimensions = [0] : (tensor<5x7xi1>, tensor<i1>) -> tensor<7xi1>
  %c_1 = stablehlo.constant dense<[true, true, true, true, true, false, true]> : tensor<7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xi1>, tensor<7xi1>) -> ()
  return
}

// -----

func.func @or_i1_1() {
  %c = stablehlo.constant dense<[[false, true, true, true, false, false, true], [true, false, false, true, false, false, true], [false, false, true, true, false, false, true], [true, true, true, true, false, false, true], [false, false, false, false, true, false, false]]> : tensor<5x7xi1>
  %c_0 = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.or across dimensions = [1] : (tensor<5x7xi1>, tensor<i1>) -> tensor<5xi1>
  %c_1 = stablehlo.constant dense<true> : tensor<5xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5xi1>, tensor<5xi1>) -> ()
  return
}

// -----

func.func @or_i1_01() {
  %c = stablehlo.constant dense<[[false, true, true, true, false, false, true], [true, false, false, true, false, false, true], [false, false, true, true, false, false, true], [true, true, true, true, false, false, true], [false, false, false, false, true, false, false]]> : tensor<5x7xi1>
  %c_0 = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.or across dimensions = [0, 1] : (tensor<5x7xi1>, tensor<i1>) -> tensor<i1>
  %c_1 = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<i1>, tensor<i1>) -> ()
  return
}

// -----

func.func @or_i32_0() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.or across dimensions = [0] : (tensor<5x7xi32>, tensor<i32>) -> tensor<7xi32>
  %c_1 = stablehlo.constant dense<[-1, -1, -1, 2, -1, -1, -1]> : tensor<7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
  return
}

// -----

func.func @or_i32_1() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.or across dimensions = [1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<5xi32>
  %c_1 = stablehlo.constant dense<-1> : tensor<5xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
  return
}

// -----

func.func @or_i32_01() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.or across dimensions = [0, 1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<i32>
  %c_1 = stablehlo.constant dense<-1> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
  return
}

// -----

func.func @or_ui8_0() {
  %c = stablehlo.constant dense<[[1, 1, 2, 2, 0, 0, 2], [2, 0, 0, 2, 1, 0, 2], [0, 1, 1, 1, 0, 0, 2], [2, 2, 1, 2, 0, 1, 2], [0, 0, 0, 1, 2, 0, 1]]> : tensor<5x7xui8>
  %c_0 = stablehlo.constant dense<0> : tensor<ui8>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.or across dimensions = [0] : (tensor<5x7xui8>, tensor<ui8>) -> tensor<7xui8>
  %c_1 = stablehlo.constant dense<[3, 3, 3, 3, 3, 1, 3]> : tensor<7xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xui8>, tensor<7xui8>) -> ()
  return
}

// -----

func.func @or_ui8_1() {
  %c = stablehlo.constant dense<[[1, 1, 2, 2, 0, 0, 2], [2, 0, 0, 2, 1, 0, 2], [0, 1, 1, 1, 0, 0, 2], [2, 2, 1, 2, 0, 1, 2], [0, 0, 0, 1, 2, 0, 1]]> : tensor<5x7xui8>
  %c_0 = stablehlo.constant dense<0> : tensor<ui8>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.or across dimensions = [1] : (tensor<5x7xui8>, tensor<ui8>) -> tensor<5xui8>
  %c_1 = stablehlo.constant dense<3> : tensor<5xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5xui8>, tensor<5xui8>) -> ()
  return
}

// -----

func.func @or_ui8_01() {
  %c = stablehlo.constant dense<[[1, 1, 2, 2, 0, 0, 2], [2, 0, 0, 2, 1, 0, 2], [0, 1, 1, 1, 0, 0, 2], [2, 2, 1, 2, 0, 1, 2], [0, 0, 0, 1, 2, 0, 1]]> : tensor<5x7xui8>
  %c_0 = stablehlo.constant dense<0> : tensor<ui8>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.or across dimensions = [0, 1] : (tensor<5x7xui8>, tensor<ui8>) -> tensor<ui8>
  %c_1 = stablehlo.constant dense<3> : tensor<ui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<ui8>, tensor<ui8>) -> ()
  return
}

// -----

func.func @xor_i1_0() {
  %c = stablehlo.constant dense<[[false, true, true, true, false, false, true], [true, false, false, true, false, false, true], [false, false, true, true, false, false, true], [true, true, true, true, false, false, true], [false, false, false, false, true, false, false]]> : tensor<5x7xi1>
  %c_0 = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.xor across dimensions = [0] : (tensor<5x7xi1>, tensor<i1>) -> tensor<7xi1>
  %c_1 = stablehlo.constant dense<[true, true, false, true, false, true, true]> : tensor<7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xi1>, tensor<7xi1>) -> ()
  return
}

// -----

func.func @xor_i1_1() {
  %c = stablehlo.constant dense<[[false, true, true, true, false, false, true], [true, false, false, true, false, false, true], [false, false, true, true, false, false, true], [true, true, true, true, false, false, true], [false, false, false, false, true, false, false]]> : tensor<5x7xi1>
  %c_0 = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.xor across dimensions = [1] : (tensor<5x7xi1>, tensor<i1>) -> tensor<5xi1>
  %c_1 = stablehlo.constant dense<[true, false, false, false, false]> : tensor<5xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5xi1>, tensor<5xi1>) -> ()
  return
}

// -----

func.func @xor_i1_01() {
  %c = stablehlo.constant dense<[[false, true, true, true, false, false, true], [true, false, false, true, false, false, true], [false, false, true, true, false, false, true], [true, true, true, true, false, false, true], [false, false, false, false, true, false, false]]> : tensor<5x7xi1>
  %c_0 = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.xor across dimensions = [0, 1] : (tensor<5x7xi1>, tensor<i1>) -> tensor<i1>
  %c_1 = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<i1>, tensor<i1>) -> ()
  return
}

// -----

func.func @xor_i32_0() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.xor across dimensions = [0] : (tensor<5x7xi32>, tensor<i32>) -> tensor<7xi32>
  %c_1 = stablehlo.constant dense<[3, 3, 0, 3, -4, 0, -3]> : tensor<7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
  return
}

// -----

func.func @xor_i32_1() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.xor across dimensions = [1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<5xi32>
  %c_1 = stablehlo.constant dense<[0, -4, -3, -2, -3]> : tensor<5xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
  return
}

// -----

func.func @xor_i32_01() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.xor across dimensions = [0, 1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<i32>
  %c_1 = stablehlo.constant dense<2> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
  return
}

// -----

func.func @xor_ui8_0() {
  %c = stablehlo.constant dense<[[1, 1, 2, 2, 0, 0, 2], [2, 0, 0, 2, 1, 0, 2], [0, 1, 1, 1, 0, 0, 2], [2, 2, 1, 2, 0, 1, 2], [0, 0, 0, 1, 2, 0, 1]]> : tensor<5x7xui8>
  %c_0 = stablehlo.constant dense<1> : tensor<ui8>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.xor across dimensions = [0] : (tensor<5x7xui8>, tensor<ui8>) -> tensor<7xui8>
  %c_1 = stablehlo.constant dense<[0, 3, 3, 3, 2, 0, 0]> : tensor<7xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xui8>, tensor<7xui8>) -> ()
  return
}

// -----

func.func @xor_ui8_1() {
  %c = stablehlo.constant dense<[[1, 1, 2, 2, 0, 0, 2], [2, 0, 0, 2, 1, 0, 2], [0, 1, 1, 1, 0, 0, 2], [2, 2, 1, 2, 0, 1, 2], [0, 0, 0, 1, 2, 0, 1]]> : tensor<5x7xui8>
  %c_0 = stablehlo.constant dense<1> : tensor<ui8>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.xor across dimensions = [1] : (tensor<5x7xui8>, tensor<ui8>) -> tensor<5xui8>
  %c_1 = stablehlo.constant dense<[3, 2, 2, 1, 3]> : tensor<5xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5xui8>, tensor<5xui8>) -> ()
  return
}

// -----

func.func @xor_ui8_01() {
  %c = stablehlo.constant dense<[[1, 1, 2, 2, 0, 0, 2], [2, 0, 0, 2, 1, 0, 2], [0, 1, 1, 1, 0, 0, 2], [2, 2, 1, 2, 0, 1, 2], [0, 0, 0, 1, 2, 0, 1]]> : tensor<5x7xui8>
  %c_0 = stablehlo.constant dense<1> : tensor<ui8>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.xor across dimensions = [0, 1] : (tensor<5x7xui8>, tensor<ui8>) -> tensor<ui8>
  %c_1 = stablehlo.constant dense<1> : tensor<ui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<ui8>, tensor<ui8>) -> ()
  return
}

// -----

func.func @middle() {
  %cst = stablehlo.constant dense<[[[0.000000e+00, 0.000000e+00], [1.000000e+00, 2.000000e+00], [-2.000000e+00, -2.000000e+00], [2.000000e+00, 2.000000e+00], [-1.000000e+00, -1.000000e+00]], [[2.000000e+00, 0.000000e+00], [-1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00], [1.000000e+00, 0.000000e+00], [-2.000000e+00, -2.000000e+00]], [[2.000000e+00, 1.000000e+00], [2.000000e+00, 0.000000e+00], [2.000000e+00, -1.000000e+00], [0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00]]]> : tensor<3x5x2xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<3x5x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 1.000000e+00], [-1.000000e+00, 0.000000e+00], [4.000000e+00, 0.000000e+00]]> : tensor<3x2xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x2xf32>, tensor<3x2xf32>) -> ()
  return
}

// -----

func.func @outer_and_inner() {
  %cst = stablehlo.constant dense<[[[0.000000e+00, 0.000000e+00], [1.000000e+00, 2.000000e+00], [-2.000000e+00, -2.000000e+00], [2.000000e+00, 2.000000e+00], [-1.000000e+00, -1.000000e+00]], [[2.000000e+00, 0.000000e+00], [-1.000000e+00, 2.000000e+00], [-1.000000e+00, 0.000000e+00], [1.000000e+00, 0.000000e+00], [-2.000000e+00, -2.000000e+00]], [[2.000000e+00, 1.000000e+00], [2.000000e+00, 0.000000e+00], [2.000000e+00, -1.000000e+00], [0.000000e+00, 1.000000e+00], [-2.000000e+00, -1.000000e+00]]]> : tensor<3x5x2xf32>
  %cst_0 = stablehlo.constant dense<-3.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.maximum across dimensions = [0, 2] : (tensor<3x5x2xf32>, tensor<f32>) -> tensor<5xf32>
  %cst_1 = stablehlo.constant dense<[2.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00, -1.000000e+00]> : tensor<5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
  return
}

// -----

func.func @nothing() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00], [-2.000000e+00, 2.000000e+00, 2.000000e+00, -1.000000e+00, -1.000000e+00], [2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00, -1.000000e+00]]> : tensor<3x5xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [] : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, -2.000000e+00], [-2.000000e+00, 2.000000e+00, 2.000000e+00, -1.000000e+00, -1.000000e+00], [2.000000e+00, 0.000000e+00, -1.000000e+00, 2.000000e+00, -1.000000e+00]]> : tensor<3x5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  return
}

// -----

func.func @empty() {
  %cst = stablehlo.constant dense<> : tensor<3x0xf32>
  %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<3x0xf32>, tensor<f32>) -> tensor<3xf32>
  %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @large() {
  %cst = stablehlo.constant dense<"0x00000000000000000000803F00000040000000C0000000C00000004000000040000080BF000080BF0000004000000000000080BF00000040000080BF000000000000803F00000000000000C0000000C0000000400000803F000000400000000000000040000080BF000000000000803F000000C0000080BF000000C00000000000000040000000C0000080BF0000000000000040000080BF00000000000080BF000000C00000803F000000C0000080BF0000000000000000000000C0000000400000803F00000040000000C00000803F000080BF0000000000000040000080BF0000803F000000C0000080BF000000400000000000000000000080BF000000C0000000000000803F000000000000803F000080BF0000803F0000803F0000004000000000000000C00000803F000000000000004000000000000080BF000000C0000000000000803F0000803F00000040000080BF0000000000000040000080BF000080BF0000004000000000000000000000803F00000000000000400000803F000000C0000000C00000000000000040000000C00000803F0000803F0000803F00000040000000C00000000000000040000080BF000000C000000000000000C0000080BF000000400000803F000000400000004000000040000080BF000000000000803F000080BF00000040000000C0000000400000803F000080BF0000803F000000000000004000000040000080BF00000000000080BF0000803F0000803F0000004000000040000000400000004000000040000000C0000000C000000000000080BF000000400000803F00000000000000000000000000000040000000C0000000000000803F000000000000004000000040000000400000000000000040000000C00000803F000080BF000080BF0000803F0000803F00000040000080BF0000004000000040000080BF000000C00000803F0000004000000000000000C0000000C0000080BF0000803F000080BF000000C00000803F0000803F000000C000000000000080BF00000000000000C00000803F000080BF00000000000000000000803F000000C0000080BF0000803F0000803F000080BF000000C00000803F000000000000803F000000C0000000000000004000000040000080BF0000803F000000C000000040000080BF000080BF000000400000000000000040000000C00000803F00000040000000C0000080BF000000C0000080BF000080BF000000C000000040000080BF000000400000803F000000C00000803F0000803F000000C0000000C0000080BF000000C000000000000000000000803F0000000000000000000080BF0000000000000000000000400000803F0000803F00000000000080BF000080BF0000000000000000000080BF000000C0000000C0000000C0000080BF00000000000080BF000000C0000080BF0000803F000080BF0000004000000000000000C000000040000000400000803F000000C00000803F0000803F0000803F0000803F00000000000080BF00000040000000400000803F000080BF0000000000000000000000C0000000C00000000000000000000080BF000080BF000000C00000004000000000000080BF0000803F00000040000080BF000000400000803F0000803F0000000000000040000000C0000000C00000004000000000000000000000803F000080BF0000803F0000004000000040000000C0000000400000803F0000803F000000C000000040000080BF00000040000080BF000000C00000004000000000000080BF0000004000000040000000C00000803F000000400000803F0000803F0000000000000000000080BF000000C0000080BF0000803F0000004000000040000080BF000000C0000000400000803F0000803F00000040000080BF000000400000803F0000803F000080BF000080BF000080BF0000803F00000000000000C0000000C0000000C00000000000000000000000400000803F000080BF000000000000803F00000040000000000000803F000080BF0000000000000040000080BF000000C00000803F000080BF0000000000000040000080BF000080BF000080BF00000040000080BF0000803F000080BF000000400000803F0000803F00000000000080BF000000400000803F000080BF000000C0000000C00000000000000000000080BF00000040000000000000803F000000C0000080BF000080BF000000C000000000000000C0000080BF0000803F0000803F000000000000803F000080BF00000040000000C00000803F000000C00000803F000080BF000080BF000080BF0000803F0000803F000080BF00000000000000C00000004000000040000080BF00000000000000000000803F000000C000000000000000400000803F00000000000000C000000040000000C0000080BF0000803F000000000000000000000000000000C0000000C00000004000000040000000C00000803F000000000000803F000000C00000803F0000803F00000040000080BF00000000000000C0000000C0000000C000000000000000C00000803F000000C00000803F00000000000080BF000000000000004000000040000080BF00000040000080BF0000803F000080BF0000803F0000803F00000040000080BF0000004000000040000000C0000000C0000000C00000803F000080BF000000C0000000C00000004000000000000000C0000080BF0000803F000080BF0000803F000080BF0000803F000000C0000000400000803F000000000000803F000000C00000803F00000000000000C0000000C0000000000000803F0000803F000000C0000000C0000080BF000080BF000000C0000000C0000080BF000000C0000000C0000080BF000080BF00000000000000C0000000000000004000000040000000C0000080BF0000803F000000C000000000000000400000803F000000C0000080BF000000C000000000000000400000803F0000803F0000803F000080BF00000040000000C0000000C0000080BF00000000000080BF000000000000004000000000000000000000803F000000C00000004000000040000000C00000803F00000040000000C0000000C0000000C0000000400000000000000040000000C00000803F0000803F000000000000803F000000C0000000C00000803F00000040000000400000803F0000000000000040000000C00000803F000000000000803F00000040000000C00000803F000000C000000000000000C0000080BF00000040000000000000803F0000004000000040000000C0000080BF000000400000803F00000000000000C00000803F000000C000000040000080BF000000000000000000000000000000000000004000000000000080BF000000000000803F000000000000000000000040000080BF00000000000000400000004000000000000000C000000000000080BF0000004000000000000000000000803F00000000000080BF00000000000080BF0000004000000040000000000000803F000000C000000000000000C0000000C0000080BF000000C000000040000080BF00000040000000C00000803F00000040000000C0000000C0000080BF000080BF00000000000000C0000000C00000803F000000C0000000C0000080BF000000C0000000C0000000C000000000000080BF0000004000000000000080BF00000040000000C0000080BF000000C0000080BF0000000000000040000080BF0000803F00000040000000C00000803F00000040000080BF0000004000000040000000C0000000C00000803F00000000000000C000000040000080BF000000C000000000000080BF00000000000080BF00000000000000000000000000000040000080BF000000000000803F00000040000080BF0000004000000040000080BF000000000000803F000080BF000080BF000000C000000000000000000000803F000080BF000000000000803F0000803F00000000000000C0000000C0000000000000004000000000000000C0000000C000000040000080BF00000040000000C000000040000000C00000803F00000000000000C0000080BF00000000000080BF00000000000000C00000803F00000040000080BF000000000000803F00000040000080BF000000C0000080BF0000004000000000000000C00000000000000040000000C0000080BF00000040000000C00000803F000000000000004000000040000080BF000080BF000000400000803F00000040000000C00000004000000000000000C00000803F000000000000803F000080BF000080BF0000803F00000040000080BF0000803F000000C0000000C000000000000000C00000803F00000000000080BF0000803F0000004000000040000000000000803F000080BF000000C000000040000000000000000000000000000080BF0000803F000080BF000000C0000000400000803F00000040000000400000803F00000040000080BF000000C00000803F0000803F000080BF00000040000080BF0000004000000000000000C000000000000000C0000080BF000000000000004000000040000000C00000803F0000803F000080BF000000C000000000000000C000000040000080BF0000803F00000040000000000000803F00000000000000400000803F000000C0000080BF0000803F00000000000000000000000000000000000000000000803F000080BF000080BF000000000000000000000000000080BF0000803F000080BF0000803F000000000000803F000000C0000000C0000080BF0000004000000000000000C000000000000080BF00000040000000C00000803F000000C0000000000000803F00000040000000C0000000C0000000C0000000C0000000C0000080BF00000000000000C000000040000000000000803F0000000000000000000000C0000080BF0000803F000080BF000000000000803F0000000000000040000000400000803F000000400000803F000080BF000080BF000000C0000000C00000004000000000000000C0000080BF0000803F000080BF000080BF00000000000080BF0000000000000000000080BF000000400000803F000000C000000040000000C0000000000000803F000080BF000080BF00000040000080BF000000C000000040000080BF000080BF000000400000803F0000803F00000040000000C00000803F0000803F0000803F000000000000803F0000803F00000040000080BF000080BF000000000000803F000080BF000000400000803F000000400000803F0000004000000000000000400000803F000000C0000080BF000080BF0000803F00000000000080BF000000400000004000000000000080BF000080BF000080BF000000C000000000000080BF0000803F0000803F000080BF000000C000000000000000C00000803F000080BF00000040000000000000803F000080BF000000000000004000000000000080BF000000C000000000000000400000803F000000C0000000400000803F0000004000000040000000C0000000C00000803F000000400000803F000000400000000000000040000000C0000000C0000000C0000080BF0000803F000080BF000000C000000040000080BF00000040000080BF0000803F0000803F0000803F000080BF0000803F000000C0000080BF000080BF00000040000080BF000000C00000803F00000000000080BF000000400000803F000080BF000000000000004000000040000000400000803F0000803F00000000000000C0000000000000000000000000000000C000000040000000C0000000C0000080BF00000000000000C000000000000080BF00000000000000C0000000000000803F00000000000080BF00000000000000400000803F000000C0000080BF0000803F0000803F000000C00000803F000000C0000000C00000803F000080BF0000803F00000040000080BF0000004000000000000000400000803F000000C0000080BF000000400000803F000000400000004000000040000000C00000803F000080BF0000803F000000400000803F0000004000000000000000000000803F000080BF0000000000000040000080BF0000803F000000C00000004000000040000000000000803F00000000000000C00000000000000040000080BF000080BF0000803F0000803F00000000000080BF00000040000080BF000080BF000000C0000080BF000000C0000080BF000000C000000000000000C0000000C0000000C0000000C0000000400000803F00000000000080BF000000C0000000000000000000000000000000000000000000000000000000C0000080BF000000C000000000000000000000004000000000000080BF0000004000000000000080BF000000400000803F000080BF000000400000803F000000C000000000000000000000803F00000000000080BF000000000000000000000000000080BF000080BF000000400000004000000040000000C00000803F000080BF000000400000803F0000803F0000803F00000040000080BF00000040000080BF000080BF000080BF00000040000000C0000080BF0000004000000000000000C0000000C000000040000000400000803F000080BF000000C00000803F00000040000080BF000000C0000080BF000080BF000080BF00000000000080BF00000040000000C00000803F0000803F000000000000004000000040000080BF000000C0000000C0000000C0000080BF000080BF000000C0000000000000803F00000040000080BF000080BF0000000000000000000000400000000000000040000000C0000000400000000000000040000000C0000000000000000000000000000080BF000000C0000000C0000000C000000000000000000000000000000040000080BF00000000000000C0000000C000000040000080BF000000C00000803F00000040000000C000000000000000C000000000000080BF000080BF0000803F0000004000000040000000C0000080BF0000004000000000000080BF000000000000004000000000000000C00000000000000040000000400000803F000080BF00000000000000000000803F000000C0000000C000000000000000C00000803F0000000000000040000080BF0000000000000040000080BF000080BF000000000000803F000080BF00000040000000C00000803F00000000000000400000803F0000004000000040000000C000000040000000C0000080BF000080BF000080BF000000C0000000C0000080BF00000000000080BF00000040000000C0000080BF0000004000000040000000400000803F00000000000080BF000000400000803F00000040000000400000004000000040000000C0000000C00000000000000040000000400000803F00000040000080BF00000040000080BF000000C00000004000000000000080BF000080BF000080BF0000803F0000803F000080BF000000C0000080BF0000000000000040000080BF0000000000000000000000C00000803F000000000000803F0000803F00000000000080BF000000400000803F000000400000803F000000400000004000000000000000400000803F0000803F00000000000080BF000080BF000000C00000803F000000400000004000000000000000400000803F000080BF0000803F000080BF000000400000803F0000803F0000803F000000400000004000000000000000C000000040000000400000000000000000000080BF000080BF00000040000080BF000000C000000040000000400000004000000000000000C000000040000080BF0000803F0000803F00000040000000C000000040000000C0000000C0000000C0000080BF0000004000000040000080BF0000803F000080BF000000400000803F00000000000080BF000000C00000803F00000000000080BF00000040000080BF000000C0000080BF00000000000000C0000080BF000000C0000000400000004000000000000000400000004000000000000000400000803F0000803F00000040000080BF000080BF000000000000803F0000803F0000803F0000803F000000C0000080BF000000C0000000400000803F000000000000803F000000C0000000C00000803F000000400000803F0000004000000000000080BF00000000000080BF000080BF000000C0000000400000000000000000000000C00000004000000000000000000000803F000000C0000000000000803F000000C00000803F0000803F000000400000803F000080BF000000C000000040000000000000803F0000004000000000000000C00000000000000040000000C000000040000000C00000803F0000803F00000040000080BF000080BF000000C00000803F000080BF00000040000080BF000000C0000080BF00000040000000C0000080BF000000C0000000400000803F0000803F000080BF00000040000000C000000000000080BF00000000000080BF0000004000000000000000C0000080BF000000C00000803F00000040000080BF0000004000000040000000C0000000C00000004000000040000080BF000000C0000000400000803F00000040000000C0000000C000000000000000C0000080BF000080BF0000004000000040000080BF0000803F00000040000080BF00000040000000400000803F000080BF000080BF000080BF00000040000000C0000080BF000000400000803F00000040000000C0000000000000803F000080BF000000400000004000000000000080BF00000000000080BF000000C000000000000080BF0000803F000000C00000803F000000C0000000C00000004000000040000080BF0000803F000080BF000000C0000080BF000000400000004000000040000000400000004000000000000000C00000803F000000000000004000000000000080BF000000400000000000000000000080BF000000C0000000C000000040000000C000000040000000C00000000000000000000000C000000040000000400000803F0000803F000000000000004000000040000000C0000080BF000000000000803F000080BF00000000000000C00000803F0000803F0000803F000080BF000000C0000000C000000000000000C0000000C000000040000000400000803F000000C0000080BF000000400000803F000080BF000000C0000000000000803F0000803F0000803F000080BF000000C0000000C0000000000000803F0000803F000000000000803F000000000000803F000000C000000040000000400000803F0000004000000040000000000000000000000000000000C000000040000000C000000040000080BF00000000000000C0000000C0000000C0000000C000000000000000C0000080BF000080BF000080BF000000400000803F0000004000000040000080BF00000040000000C0000080BF000000C00000803F00000000000000400000803F000000C000000040000080BF000000400000803F000080BF000080BF000080BF000000C000000040000080BF00000040000000C00000803F0000000000000040000000C000000040000080BF000000C0000080BF000080BF000080BF000080BF000000C00000000000000000000000000000803F000000C0000080BF0000803F00000040000000C0000000400000803F000080BF00000040000000C0000000400000803F00000000000080BF000080BF000080BF0000000000000000000000400000004000000040000080BF00000040000000000000803F0000803F000000000000803F000080BF000080BF000000C0000000000000004000000000000000000000803F00000040000000C00000803F000000C00000803F00000040000000400000004000000040000000400000004000000040000080BF000000400000803F000080BF000000400000803F000000400000803F0000004000000000000000400000803F00000040000080BF0000004000000040000080BF000000000000803F000000C000000040000000C0000000C00000803F00000040000080BF0000803F00000040000000C0000000C0000080BF000080BF000000000000004000000040000000000000803F00000040000000400000803F0000803F000000C0000080BF000080BF00000040000080BF000000C00000004000000040000080BF0000004000000000000080BF0000000000000000000080BF0000803F0000803F00000040000000C0000080BF000080BF0000004000000040000080BF0000803F000080BF0000000000000040000080BF000080BF000000C0000080BF000000000000803F00000040000080BF00000000000000400000000000000000000000400000004000000040000000C0000000400000803F00000040000000000000803F00000040000080BF000000400000803F00000040000080BF000080BF00000040000000C0000000C0000000C000000000000080BF000000400000004000000000000000000000803F000080BF000000C000000040000080BF0000803F000000400000803F0000803F0000803F000080BF0000803F000000000000803F0000803F000000000000803F000000C00000004000000040000080BF00000000000080BF000000000000803F00000040000000000000803F0000000000000040000080BF000000C0000080BF000080BF0000803F000000C0000080BF000000C00000803F000080BF000000C00000803F00000040000080BF000080BF0000803F00000000000000C000000040000000C0000080BF000080BF000080BF00000000000000400000803F000000400000000000000000000080BF000000C00000803F0000803F000000C0000080BF000000C0000080BF0000803F000000400000803F0000803F000000400000000000000000000000C000000000000080BF0000000000000040000000C0000080BF000000C0000080BF000080BF0000803F0000803F000080BF000080BF000000000000803F0000803F000080BF000080BF000080BF00000000000000000000000000000040000080BF00000000000080BF00000000000000C00000000000000000000000C000000040000000C0000000C0000000C0000000400000803F000000400000803F00000000000080BF000000400000803F0000803F000000000000000000000040000000000000803F000000000000803F0000803F0000803F000080BF000080BF0000803F000080BF00000000000000000000803F000000C00000004000000000000080BF0000803F00000000000000C0000080BF00000000000000C0000000000000803F000080BF0000803F0000803F00000040000000000000803F0000803F000080BF000000C00000004000000000000000C0000000C0000080BF0000803F0000803F00000040000000C000000000000080BF000080BF000000400000803F000080BF000000C0000080BF000000000000004000000040000000C0000000C000000040000080BF000080BF0000803F000080BF0000803F00000000000000C00000000000000040000000400000803F0000803F000080BF00000000000080BF0000000000000000000080BF000000C0000000400000803F000080BF000080BF00000040000000C00000803F000000000000004000000040000080BF0000803F00000000000000C0000080BF00000000000000400000004000000040000000C000000040000080BF0000000000000000000000400000803F0000803F0000004000000000000000C0000000C000000040000080BF000080BF0000803F000080BF000000C0000080BF000000000000803F00000040000080BF0000803F000000400000803F0000803F000080BF00000040000000C00000803F000000C0000080BF000000C000000000000080BF000080BF000000000000803F00000000000000C0"> : tensor<33x65xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<33x65xf32>, tensor<f32>) -> tensor<33xf32>
  %cst_1 = stablehlo.constant dense<[-4.000000e+00, 2.000000e+01, 1.100000e+01, -1.600000e+01, 1.700000e+01, 1.100000e+01, -7.000000e+00, -2.600000e+01, 4.000000e+00, 1.000000e+00, -1.500000e+01, -1.000000e+00, 9.000000e+00, -1.600000e+01, 1.000000e+01, 1.000000e+01, 9.000000e+00, -1.400000e+01, -2.000000e+00, -1.000000e+00, 1.400000e+01, 2.100000e+01, 1.100000e+01, 0.000000e+00, 6.000000e+00, -1.000000e+01, 7.000000e+00, 3.800000e+01, 1.600000e+01, 4.000000e+00, -1.000000e+00, -3.000000e+00, 2.000000e+00]> : tensor<33xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<33xf32>, tensor<33xf32>) -> ()
  return
}

// -----

func.func @other_start() {
  %c = stablehlo.constant dense<[[0, 0, 1, 2, -2, -2, 2], [2, -1, -1, 2, 0, -1, 2], [-1, 0, 1, 0, -2, -2, 2], [1, 2, 0, 2, -1, 0, 1], [-2, -1, -2, 0, 2, -2, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<11> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %c_0) applies stablehlo.add across dimensions = [0] : (tensor<5x7xi32>, tensor<i32>) -> tensor<7xi32>
  %c_1 = stablehlo.constant dense<[11, 11, 10, 17, 8, 4, 17]> : tensor<7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
  return
}

// -----

func.func @complex() {
  %cst = stablehlo.constant dense<[[(0.000000e+00,0.000000e+00), (0.000000e+00,2.000000e+00), (1.000000e+00,-1.000000e+00), (2.000000e+00,0.000000e+00), (-2.000000e+00,-1.000000e+00), (-2.000000e+00,-2.000000e+00), (2.000000e+00,1.000000e+00)], [(2.000000e+00,-2.000000e+00), (-1.000000e+00,-1.000000e+00), (-1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (0.000000e+00,-2.000000e+00), (-1.000000e+00,2.000000e+00), (2.000000e+00,1.000000e+00)], [(-1.000000e+00,2.000000e+00), (0.000000e+00,-2.000000e+00), (1.000000e+00,1.000000e+00), (0.000000e+00,-1.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,2.000000e+00), (2.000000e+00,-1.000000e+00)], [(1.000000e+00,1.000000e+00), (2.000000e+00,-2.000000e+00), (0.000000e+00,-1.000000e+00), (2.000000e+00,2.000000e+00), (-1.000000e+00,0.000000e+00), (0.000000e+00,0.000000e+00), (1.000000e+00,-1.000000e+00)], [(-2.000000e+00,-2.000000e+00), (-1.000000e+00,0.000000e+00), (-2.000000e+00,1.000000e+00), (0.000000e+00,0.000000e+00), (2.000000e+00,1.000000e+00), (-2.000000e+00,-1.000000e+00), (-1.000000e+00,1.000000e+00)]]> : tensor<5x7xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
  %0 = stablehlo.reduce(%cst init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<5x7xcomplex<f32>>, tensor<complex<f32>>) -> tensor<5xcomplex<f32>>
  %cst_1 = stablehlo.constant dense<[(1.000000e+00,-1.000000e+00), (3.000000e+00,-2.000000e+00), (-2.000000e+00,1.000000e+00), (5.000000e+00,-1.000000e+00), (-6.000000e+00,0.000000e+00)]> : tensor<5xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> ()
  return
}

// -----

func.func @argmax_0() {
  %cst = stablehlo.constant dense<[[0.0709297508, 2.70278215, -2.13504243, 2.69189668, -1.12901127, -0.460041314, 1.96621561], [-0.544805169, 0.297562122, -2.83464527, 1.52107871, 0.228859887, -1.02160966, 1.73057222], [-1.18083107, -0.27901265, -2.19574976, -0.581322074, -1.7792685, -1.42611992, 1.50218809], [-1.31754744, -0.0888541564, 2.88442326, 2.76994324, 1.34873962, 0.247361138, -1.33865273], [-2.03608799, 2.81955242, 0.0964115113, -2.30480623, 0.740938544, 1.66009867, 0.678019821]]> : tensor<5x7xf32>
  %c = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6]]> : tensor<5x7xi32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%cst init: %cst_0), (%c init: %c_1) across dimensions = [0] : (tensor<5x7xf32>, tensor<5x7xi32>, tensor<f32>, tensor<i32>) -> (tensor<7xf32>, tensor<7xi32>)
   reducer(%arg0: tensor<f32>, %arg2: tensor<f32>) (%arg1: tensor<i32>, %arg3: tensor<i32>)  {
    %1 = stablehlo.compare GT, %arg0, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %arg0, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare LT, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    %5 = stablehlo.or %1, %4 : tensor<i1>
    %6 = stablehlo.select %5, %arg0, %arg2 : tensor<i1>, tensor<f32>
    %7 = stablehlo.select %5, %arg1, %arg3 : tensor<i1>, tensor<i32>
    stablehlo.return %6, %7 : tensor<f32>, tensor<i32>
  }
  %cst_2 = stablehlo.constant dense<[0.0709297508, 2.81955242, 2.88442326, 2.76994324, 1.34873962, 1.66009867, 1.96621561]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0#0, %cst_2) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  %c_3 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6]> : tensor<7xi32>
  stablehlo.custom_call @check.expect_eq(%0#1, %c_3) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
  return
}

// -----

func.func @argmax_1() {
  %cst = stablehlo.constant dense<[[0.0709297508, 2.70278215, -2.13504243, 2.69189668, -1.12901127, -0.460041314, 1.96621561], [-0.544805169, 0.297562122, -2.83464527, 1.52107871, 0.228859887, -1.02160966, 1.73057222], [-1.18083107, -0.27901265, -2.19574976, -0.581322074, -1.7792685, -1.42611992, 1.50218809], [-1.31754744, -0.0888541564, 2.88442326, 2.76994324, 1.34873962, 0.247361138, -1.33865273], [-2.03608799, 2.81955242, 0.0964115113, -2.30480623, 0.740938544, 1.66009867, 0.678019821]]> : tensor<5x7xf32>
  %c = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6]]> : tensor<5x7xi32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%cst init: %cst_0), (%c init: %c_1) across dimensions = [1] : (tensor<5x7xf32>, tensor<5x7xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>)
   reducer(%arg0: tensor<f32>, %arg2: tensor<f32>) (%arg1: tensor<i32>, %arg3: tensor<i32>)  {
    %1 = stablehlo.compare GT, %arg0, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %arg0, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare LT, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    %5 = stablehlo.or %1, %4 : tensor<i1>
    %6 = stablehlo.select %5, %arg0, %arg2 : tensor<i1>, tensor<f32>
    %7 = stablehlo.select %5, %arg1, %arg3 : tensor<i1>, tensor<i32>
    stablehlo.return %6, %7 : tensor<f32>, tensor<i32>
  }
  %cst_2 = stablehlo.constant dense<[2.70278215, 1.73057222, 1.50218809, 2.88442326, 2.81955242]> : tensor<5xf32>
  stablehlo.custom_call @check.expect_eq(%0#0, %cst_2) {has_side_effect = true} : (tensor<5xf32>, tensor<5xf32>) -> ()
  %c_3 = stablehlo.constant dense<[1, 6, 6, 2, 1]> : tensor<5xi32>
  stablehlo.custom_call @check.expect_eq(%0#1, %c_3) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
  return
}

// -----

func.func @sum_and_maximum() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<[[3, -2, -4, -2, -1, 3, 0], [-4, -1, 1, 3, 2, 4, -3], [3, -4, 1, -2, -3, 1, -2], [1, -2, -3, 2, -1, 2, 2], [4, -1, -3, 1, 4, 4, 3]]> : tensor<5x7xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %c_2 = stablehlo.constant dense<-9> : tensor<i32>
  %0:2 = stablehlo.reduce(%c init: %c_1), (%c_0 init: %c_2) across dimensions = [1] : (tensor<5x7xi32>, tensor<5x7xi32>, tensor<i32>, tensor<i32>) -> (tensor<5xi32>, tensor<5xi32>)
   reducer(%arg0: tensor<i32>, %arg2: tensor<i32>) (%arg1: tensor<i32>, %arg3: tensor<i32>)  {
    %1 = stablehlo.add %arg0, %arg2 : tensor<i32>
    %2 = stablehlo.maximum %arg1, %arg3 : tensor<i32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
  }
  %c_3 = stablehlo.constant dense<[2, 3, -7, 9, -8]> : tensor<5xi32>
  stablehlo.custom_call @check.expect_eq(%0#0, %c_3) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
  %c_4 = stablehlo.constant dense<[3, 4, 3, 2, 4]> : tensor<5xi32>
  stablehlo.custom_call @check.expect_eq(%0#1, %c_4) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
  return
}
