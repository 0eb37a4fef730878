// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @constant_i1() {
  %c = stablehlo.constant dense<[[false, true, true, true, false], [false, true, true, false, false], [true, false, false, true, false]]> : tensor<3x5xi1>
  %0 = stablehlo.reshape %c : (tensor<3x5xi1>) -> tensor<15xi1>
  %c_0 = stablehlo.constant dense<[false, true, true, true, false, false, true, true, false, false, true, false, false, true, false]> : tensor<15xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<15xi1>, tensor<15xi1>) -> ()
  return
}

// -----

func.func @constant_i4() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4], [-3, 3, 4, -2, -2], [3, -1, -2, 3, -2]]> : tensor<3x5xi4>
  %0 = stablehlo.reshape %c : (tensor<3x5xi4>) -> tensor<15xi4>
  %c_0 = stablehlo.constant dense<[0, 0, 2, 4, -4, -3, 3, 4, -2, -2, 3, -1, -2, 3, -2]> : tensor<15xi4>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<15xi4>, tensor<15xi4>) -> ()
  return
}

// -----

func.func @constant_ui4() {
  %c = stablehlo.constant dense<[[2, 2, 3, 4, 0], [0, 4, 4, 1, 1], [4, 2, 1, 4, 1]]> : tensor<3x5xui4>
  %0 = stablehlo.reshape %c : (tensor<3x5xui4>) -> tensor<15xui4>
  %c_0 = stablehlo.constant dense<[2, 2, 3, 4, 0, 0, 4, 4, 1, 1, 4, 2, 1, 4, 1]> : tensor<15xui4>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<15xui4>, tensor<15xui4>) -> ()
  return
}

// -----

func.func @constant_i8() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4], [-3, 3, 4, -2, -2], [3, -1, -2, 3, -2]]> : tensor<3x5xi8>
  %0 = stablehlo.reshape %c : (tensor<3x5xi8>) -> tensor<15xi8>
  %c_0 = stablehlo.constant dense<[0, 0, 2, 4, -4, -3, 3, 4, -2, -2, 3, -1, -2, 3, -2]> : tensor<15xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<15xi8>, tensor<15xi8>) -> ()
  return
}

// -----

func.func @constant_ui16() {
  %c = stablehlo.constant dense<[[2, 2, 3, 4, 0], [0, 4, 4, 1, 1], [4, 2, 1, 4, 1]]> : tensor<3x5xui16>
  %0 = stablehlo.reshape %c : (tensor<3x5xui16>) -> tensor<15xui16>
  %c_0 = stablehlo.constant dense<[2, 2, 3, 4, 0, 0, 4, 4, 1, 1, 4, 2, 1, 4, 1]> : tensor<15xui16>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<15xui16>, tensor<15xui16>) -> ()
  return
}

// -----

func.func @constant_i32() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4], [-3, 3, 4, -2, -2], [3, -1, -2, 3, -2]]> : tensor<3x5xi32>
  %0 = stablehlo.reshape %c : (tensor<3x5xi32>) -> tensor<15xi32>
  %c_0 = stablehlo.constant dense<[0, 0, 2, 4, -4, -3, 3, 4, -2, -2, 3, -1, -2, 3, -2]> : tensor<15xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<15xi32>, tensor<15xi32>) -> ()
  return
}

// -----

func.func @constant_ui64() {
  %c = stablehlo.constant dense<[[2, 2, 3, 4, 0], [0, 4, 4, 1, 1], [4, 2, 1, 4, 1]]> : tensor<3x5xui64>
  %0 = stablehlo.reshape %c : (tensor<3x5xui64>) -> tensor<15xui64>
  %c_0 = stablehlo.constant dense<[2, 2, 3, 4, 0, 0, 4, 4, 1, 1, 4, 2, 1, 4, 1]> : tensor<15xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<15xui64>, tensor<15xui64>) -> ()
  return
}

// -----

func.func @constant_f8e4m3fn() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xf8E4M3FN>
  %0 = stablehlo.reshape %cst : (tensor<3x5xf8E4M3FN>) -> tensor<15xf8E4M3FN>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]> : tensor<15xf8E4M3FN>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<15xf8E4M3FN>, tensor<15xf8E4M3FN>) -> ()
  return
}

// -----

func.func @constant_f8e5m2() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xf8E5M2>
  %0 = stablehlo.reshape %cst : (tensor<3x5xf8E5M2>) -> tensor<15xf8E5M2>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]> : tensor<15xf8E5M2>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<15xf8E5M2>, tensor<15xf8E5M2>) -> ()
  return
}

// -----

func.func @constant_f16() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xf16>
  %0 = stablehlo.reshape %cst : (tensor<3x5xf16>) -> tensor<15xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]> : tensor<15xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<15xf16>, tensor<15xf16>) -> ()
  return
}

// -----

func.func @constant_bf16() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xbf16>
  %0 = stablehlo.reshape %cst : (tensor<3x5xbf16>) -> tensor<15xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]> : tensor<15xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<15xbf16>, tensor<15xbf16>) -> ()
  return
}

// -----

func.func @constant_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xf32>
  %0 = stablehlo.reshape %cst : (tensor<3x5xf32>) -> tensor<15xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]> : tensor<15xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<15xf32>, tensor<15xf32>) -> ()
  return
}

// -----

func.func @constant_f64() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xf64>
  %0 = stablehlo.reshape %cst : (tensor<3x5xf64>) -> tensor<15xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]> : tensor<15xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<15xf64>, tensor<15xf64>) -> ()
  return
}

// -----

func.func @constant_complexf32() {
  %cst = stablehlo.constant dense<[[(0.000000e+00,-1.000000e+00), (0.000000e+00,1.000000e+00), (2.000000e+00,0.000000e+00), (4.000000e+00,-4.000000e+00), (-4.000000e+00,-4.000000e+00)], [(-3.000000e+00,3.000000e+00), (3.000000e+00,2.000000e+00), (4.000000e+00,3.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00)], [(3.000000e+00,-2.000000e+00), (-1.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)]]> : tensor<3x5xcomplex<f32>>
  %0 = stablehlo.reshape %cst : (tensor<3x5xcomplex<f32>>) -> tensor<15xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[(0.000000e+00,-1.000000e+00), (0.000000e+00,1.000000e+00), (2.000000e+00,0.000000e+00), (4.000000e+00,-4.000000e+00), (-4.000000e+00,-4.000000e+00), (-3.000000e+00,3.000000e+00), (3.000000e+00,2.000000e+00), (4.000000e+00,3.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-2.000000e+00), (-1.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)]> : tensor<15xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<15xcomplex<f32>>, tensor<15xcomplex<f32>>) -> ()
  return
}

// -----

func.func @constant_complexf64() {
  %cst = stablehlo.constant dense<[[(0.000000e+00,-1.000000e+00), (0.000000e+00,1.000000e+00), (2.000000e+00,0.000000e+00), (4.000000e+00,-4.000000e+00), (-4.000000e+00,-4.000000e+00)], [(-3.000000e+00,3.000000e+00), (3.000000e+00,2.000000e+00), (4.000000e+00,3.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00)], [(3.000000e+00,-2.000000e+00), (-1.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)]]> : tensor<3x5xcomplex<f64>>
  %0 = stablehlo.reshape %cst : (tensor<3x5xcomplex<f64>>) -> tensor<15xcomplex<f64>>
  %cst_0 = stablehlo.constant dense<[(0.000000e+00,-1.000000e+00), (0.000000e+00,1.000000e+00), (2.000000e+00,0.000000e+00), (4.000000e+00,-4.000000e+00), (-4.000000e+00,-4.000000e+00), (-3.000000e+00,3.000000e+00), (3.000000e+00,2.000000e+00), (4.000000e+00,3.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-2.000000e+00), (-1.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)]> : tensor<15xcomplex<f64>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<15xcomplex<f64>>, tensor<15xcomplex<f64>>) -> ()
  return
}
