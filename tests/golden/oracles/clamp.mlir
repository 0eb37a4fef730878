// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @clamp_i8() {
  %c = stablehlo.constant dense<1> : tensor<i8>
  %c_0 = stablehlo.constant dense<[[-1, 0, 5, 9, -9, -7, 6], [9, -5, -4, 7, -1, -4, 6], [-5, -2, 3, 1, -8, -9, 7]]> : tensor<3x7xi8>
  %c_1 = stablehlo.constant dense<4> : tensor<i8>
  %0 = stablehlo.clamp %c, %c_0, %c_1 : (tensor<i8>, tensor<3x7xi8>, tensor<i8>) -> tensor<3x7xi8>
  %c_2 = stablehlo.constant dense<[[1, 1, 4, 4, 1, 1, 4], [4, 1, 1, 4, 1, 1, 4], [1, 1, 3, 1, 1, 1, 4]]> : tensor<3x7xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<3x7xi8>, tensor<3x7xi8>) -> ()
  return
}

// -----

func.func @clamp_i32() {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %c_0 = stablehlo.constant dense<[[-1, 0, 5, 9, -9, -7, 6], [9, -5, -4, 7, -1, -4, 6], [-5, -2, 3, 1, -8, -9, 7]]> : tensor<3x7xi32>
  %c_1 = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.clamp %c, %c_0, %c_1 : (tensor<i32>, tensor<3x7xi32>, tensor<i32>) -> tensor<3x7xi32>
  %c_2 = stablehlo.constant dense<[[1, 1, 4, 4, 1, 1, 4], [4, 1, 1, 4, 1, 1, 4], [1, 1, 3, 1, 1, 1, 4]]> : tensor<3x7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<3x7xi32>, tensor<3x7xi32>) -> ()
  return
}

// -----

func.func @clamp_ui16() {
  %c = stablehlo.constant dense<1> : tensor<ui16>
  %c_0 = stablehlo.constant dense<[[4, 5, 7, 9, 0, 1, 8], [9, 2, 3, 8, 4, 2, 8], [2, 4, 6, 5, 0, 0, 8]]> : tensor<3x7xui16>
  %c_1 = stablehlo.constant dense<4> : tensor<ui16>
  %0 = stablehlo.clamp %c, %c_0, %c_1 : (tensor<ui16>, tensor<3x7xui16>, tensor<ui16>) -> tensor<3x7xui16>
  %c_2 = stablehlo.constant dense<[[4, 4, 4, 4, 1, 1, 4], [4, 2, 3, 4, 4, 2, 4], [2, 4, 4, 4, 1, 1, 4]]> : tensor<3x7xui16>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<3x7xui16>, tensor<3x7xui16>) -> ()
  return
}

// -----

func.func @clamp_f16() {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f16>
  %cst_0 = stablehlo.constant dense<[[-1.000000e+00, 0.000000e+00, 5.000000e+00, 9.000000e+00, -9.000000e+00, -7.000000e+00, 6.000000e+00], [9.000000e+00, -5.000000e+00, -4.000000e+00, 7.000000e+00, -1.000000e+00, -4.000000e+00, 6.000000e+00], [-5.000000e+00, -2.000000e+00, 3.000000e+00, 1.000000e+00, -8.000000e+00, -9.000000e+00, 7.000000e+00]]> : tensor<3x7xf16>
  %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f16>
  %0 = stablehlo.clamp %cst, %cst_0, %cst_1 : (tensor<f16>, tensor<3x7xf16>, tensor<f16>) -> tensor<3x7xf16>
  %cst_2 = stablehlo.constant dense<[[1.000000e+00, 1.000000e+00, 4.000000e+00, 4.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00], [4.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00], [1.000000e+00, 1.000000e+00, 3.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00]]> : tensor<3x7xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<3x7xf16>, tensor<3x7xf16>) -> ()
  return
}

// -----

func.func @clamp_bf16() {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
  %cst_0 = stablehlo.constant dense<[[-1.000000e+00, 0.000000e+00, 5.000000e+00, 9.000000e+00, -9.000000e+00, -7.000000e+00, 6.000000e+00], [9.000000e+00, -5.000000e+00, -4.000000e+00, 7.000000e+00, -1.000000e+00, -4.000000e+00, 6.000000e+00], [-5.000000e+00, -2.000000e+00, 3.000000e+00, 1.000000e+00, -8.000000e+00, -9.000000e+00, 7.000000e+00]]> : tensor<3x7xbf16>
  %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<bf16>
  %0 = stablehlo.clamp %cst, %cst_0, %cst_1 : (tensor<bf16>, tensor<3x7xbf16>, tensor<bf16>) -> tensor<3x7xbf16>
  %cst_2 = stablehlo.constant dense<[[1.000000e+00, 1.000000e+00, 4.000000e+00, 4.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00], [4.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00], [1.000000e+00, 1.000000e+00, 3.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00]]> : tensor<3x7xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<3x7xbf16>, tensor<3x7xbf16>) -> ()
  return
}

// -----

func.func @clamp_f32() {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<[[-1.000000e+00, 0.000000e+00, 5.000000e+00, 9.000000e+00, -9.000000e+00, -7.000000e+00, 6.000000e+00], [9.000000e+00, -5.000000e+00, -4.000000e+00, 7.000000e+00, -1.000000e+00, -4.000000e+00, 6.000000e+00], [-5.000000e+00, -2.000000e+00, 3.000000e+00, 1.000000e+00, -8.000000e+00, -9.000000e+00, 7.000000e+00]]> : tensor<3x7xf32>
  %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
  %0 = stablehlo.clamp %cst, %cst_0, %cst_1 : (tensor<f32>, tensor<3x7xf32>, tensor<f32>) -> tensor<3x7xf32>
  %cst_2 = stablehlo.constant dense<[[1.000000e+00, 1.000000e+00, 4.000000e+00, 4.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00], [4.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00], [1.000000e+00, 1.000000e+00, 3.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00]]> : tensor<3x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<3x7xf32>, tensor<3x7xf32>) -> ()
  return
}

// -----

func.func @clamp_f64() {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %cst_0 = stablehlo.constant dense<[[-1.000000e+00, 0.000000e+00, 5.000000e+00, 9.000000e+00, -9.000000e+00, -7.000000e+00, 6.000000e+00], [9.000000e+00, -5.000000e+00, -4.000000e+00, 7.000000e+00, -1.000000e+00, -4.000000e+00, 6.000000e+00], [-5.000000e+00, -2.000000e+00, 3.000000e+00, 1.000000e+00, -8.000000e+00, -9.000000e+00, 7.000000e+00]]> : tensor<3x7xf64>
  %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f64>
  %0 = stablehlo.clamp %cst, %cst_0, %cst_1 : (tensor<f64>, tensor<3x7xf64>, tensor<f64>) -> tensor<3x7xf64>
  %cst_2 = stablehlo.constant dense<[[1.000000e+00, 1.000000e+00, 4.000000e+00, 4.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00], [4.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00], [1.000000e+00, 1.000000e+00, 3.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 4.000000e+00]]> : tensor<3x7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<3x7xf64>, tensor<3x7xf64>) -> ()
  return
}

// -----

func.func @clamp_arrays() {
  %cst = stablehlo.constant dense<[-3.000000e+00, -2.000000e+00, -1.000000e+00, -1.000000e+00, -4.000000e+00, -4.000000e+00, -1.000000e+00]> : tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[6.000000e+00, -5.000000e+00, -7.000000e+00, -4.000000e+00, -2.000000e+00, 6.000000e+00, -1.000000e+00]> : tensor<7xf32>
  %cst_1 = stablehlo.constant dense<[4.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, 4.000000e+00, 4.000000e+00]> : tensor<7xf32>
  %0 = stablehlo.clamp %cst, %cst_0, %cst_1 : tensor<7xf32>
  %cst_2 = stablehlo.constant dense<[4.000000e+00, -2.000000e+00, -1.000000e+00, -1.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @clamp_special() {
  %cst = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, -0.000000e+00, 0.000000e+00]> : tensor<5xf32>
  %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = stablehlo.clamp %cst, %cst_0, %cst_1 : (tensor<f32>, tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %cst_2 = stablehlo.constant dense<[0x7FC00000, 2.000000e+00, -1.000000e+00, -0.000000e+00, 0.000000e+00]> : tensor<5xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_2) {has_side_effect = true, max_ulp_difference = 0 : i64} : (tensor<5xf32>, tensor<5xf32>) -> ()
  return
}
