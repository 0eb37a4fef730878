// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @slice_inner_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %0 = stablehlo.slice %cst [1:4, 2:6] : (tensor<5x7xf32>) -> tensor<3x4xf32>
  %cst_0 = stablehlo.constant dense<[[-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00], [1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00], [0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00]]> : tensor<3x4xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
  return
}

// -----

func.func @slice_inner_i16() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi16>
  %0 = stablehlo.slice %c [1:4, 2:6] : (tensor<5x7xi16>) -> tensor<3x4xi16>
  %c_0 = stablehlo.constant dense<[[-2, 3, -1, -2], [1, 0, -4, -4], [0, 3, -2, 0]]> : tensor<3x4xi16>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<3x4xi16>, tensor<3x4xi16>) -> ()
  return
}

// -----

func.func @slice_strided_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %0 = stablehlo.slice %cst [0:5:2, 1:7:3] : (tensor<5x7xf32>) -> tensor<3x2xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, -4.000000e+00], [-1.000000e+00, -4.000000e+00], [-2.000000e+00, 4.000000e+00]]> : tensor<3x2xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x2xf32>, tensor<3x2xf32>) -> ()
  return
}

// -----

func.func @slice_strided_i16() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi16>
  %0 = stablehlo.slice %c [0:5:2, 1:7:3] : (tensor<5x7xi16>) -> tensor<3x2xi16>
  %c_0 = stablehlo.constant dense<[[0, -4], [-1, -4], [-2, 4]]> : tensor<3x2xi16>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<3x2xi16>, tensor<3x2xi16>) -> ()
  return
}

// -----

func.func @slice_row_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %0 = stablehlo.slice %cst [3:4, 0:7] : (tensor<5x7xf32>) -> tensor<1x7xf32>
  %cst_0 = stablehlo.constant dense<[[2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00]]> : tensor<1x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<1x7xf32>, tensor<1x7xf32>) -> ()
  return
}

// -----

func.func @slice_row_i16() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi16>
  %0 = stablehlo.slice %c [3:4, 0:7] : (tensor<5x7xi16>) -> tensor<1x7xi16>
  %c_0 = stablehlo.constant dense<[[2, 3, 0, 3, -2, 0, 3]]> : tensor<1x7xi16>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<1x7xi16>, tensor<1x7xi16>) -> ()
  return
}

// -----

func.func @slice_empty_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %0 = stablehlo.slice %cst [2:2, 3:7] : (tensor<5x7xf32>) -> tensor<0x4xf32>
  %cst_0 = stablehlo.constant dense<> : tensor<0x4xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<0x4xf32>, tensor<0x4xf32>) -> ()
  return
}

// -----

func.func @slice_empty_i16() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi16>
  %0 = stablehlo.slice %c [2:2, 3:7] : (tensor<5x7xi16>) -> tensor<0x4xi16>
  %c_0 = stablehlo.constant dense<> : tensor<0x4xi16>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<0x4xi16>, tensor<0x4xi16>) -> ()
  return
}

// -----

func.func @slice_whole_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %0 = stablehlo.slice %cst [0:5, 0:7] : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
  return
}

// -----

func.func @slice_whole_i16() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi16>
  %0 = stablehlo.slice %c [0:5, 0:7] : (tensor<5x7xi16>) -> tensor<5x7xi16>
  %c_0 = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi16>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<5x7xi16>, tensor<5x7xi16>) -> ()
  return
}
