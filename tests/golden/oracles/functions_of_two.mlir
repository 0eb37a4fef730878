// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @power_f16() {
  %cst = stablehlo.constant dense<[5.000000e-01, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+01, 2.500000e-01, 1.500000e+00]> : tensor<7xf16>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, -1.000000e+00, 5.000000e-01, 3.000000e+00, -2.000000e+00, 0.000000e+00, 2.500000e+00]> : tensor<7xf16>
  %0 = stablehlo.power %cst, %cst_0 : tensor<7xf16>
  %cst_1 = stablehlo.constant dense<[2.500000e-01, 1.000000e+00, 1.414060e+00, 2.700000e+01, 1.000210e-02, 1.000000e+00, 2.755860e+00]> : tensor<7xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_1) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<7xf16>, tensor<7xf16>) -> ()
  return
}

// -----

func.func @atan2_f16() {
  %cst = stablehlo.constant dense<[2.000000e+00, -1.000000e+00, 5.000000e-01, 3.000000e+00, -2.000000e+00, 0.000000e+00, 2.500000e+00]> : tensor<7xf16>
  %cst_0 = stablehlo.constant dense<[5.000000e-01, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+01, 2.500000e-01, 1.500000e+00]> : tensor<7xf16>
  %0 = stablehlo.atan2 %cst, %cst_0 : tensor<7xf16>
  %cst_1 = stablehlo.constant dense<[1.326170e+00, -7.851560e-01, 2.449950e-01, 7.851560e-01, -1.973880e-01, 0.000000e+00, 1.030270e+00]> : tensor<7xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_1) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<7xf16>, tensor<7xf16>) -> ()
  return
}

// -----

func.func @power_bf16() {
  %cst = stablehlo.constant dense<[5.000000e-01, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+01, 2.500000e-01, 1.500000e+00]> : tensor<7xbf16>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, -1.000000e+00, 5.000000e-01, 3.000000e+00, -2.000000e+00, 0.000000e+00, 2.500000e+00]> : tensor<7xbf16>
  %0 = stablehlo.power %cst, %cst_0 : tensor<7xbf16>
  %cst_1 = stablehlo.constant dense<[2.500000e-01, 1.000000e+00, 1.414060e+00, 2.700000e+01, 1.000980e-02, 1.000000e+00, 2.750000e+00]> : tensor<7xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_1) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<7xbf16>, tensor<7xbf16>) -> ()
  return
}

// -----

func.func @atan2_bf16() {
  %cst = stablehlo.constant dense<[2.000000e+00, -1.000000e+00, 5.000000e-01, 3.000000e+00, -2.000000e+00, 0.000000e+00, 2.500000e+00]> : tensor<7xbf16>
  %cst_0 = stablehlo.constant dense<[5.000000e-01, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+01, 2.500000e-01, 1.500000e+00]> : tensor<7xbf16>
  %0 = stablehlo.atan2 %cst, %cst_0 : tensor<7xbf16>
  %cst_1 = stablehlo.constant dense<[1.328130e+00, -7.851560e-01, 2.451170e-01, 7.851560e-01, -1.972660e-01, 0.000000e+00, 1.031250e+00]> : tensor<7xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_1) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<7xbf16>, tensor<7xbf16>) -> ()
  return
}

// -----

func.func @power_f32() {
  %cst = stablehlo.constant dense<[5.000000e-01, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+01, 2.500000e-01, 1.500000e+00]> : tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, -1.000000e+00, 5.000000e-01, 3.000000e+00, -2.000000e+00, 0.000000e+00, 2.500000e+00]> : tensor<7xf32>
  %0 = stablehlo.power %cst, %cst_0 : tensor<7xf32>
  %cst_1 = stablehlo.constant dense<[2.500000e-01, 1.000000e+00, 1.41421354, 2.700000e+01, 0.00999999977, 1.000000e+00, 2.75567603]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_1) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @atan2_f32() {
  %cst = stablehlo.constant dense<[2.000000e+00, -1.000000e+00, 5.000000e-01, 3.000000e+00, -2.000000e+00, 0.000000e+00, 2.500000e+00]> : tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[5.000000e-01, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+01, 2.500000e-01, 1.500000e+00]> : tensor<7xf32>
  %0 = stablehlo.atan2 %cst, %cst_0 : tensor<7xf32>
  %cst_1 = stablehlo.constant dense<[1.3258177, -0.785398185, 0.244978666, 0.785398185, -0.197395563, 0.000000e+00, 1.03037679]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_1) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @power_f64() {
  %cst = stablehlo.constant dense<[5.000000e-01, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+01, 2.500000e-01, 1.500000e+00]> : tensor<7xf64>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, -1.000000e+00, 5.000000e-01, 3.000000e+00, -2.000000e+00, 0.000000e+00, 2.500000e+00]> : tensor<7xf64>
  %0 = stablehlo.power %cst, %cst_0 : tensor<7xf64>
  %cst_1 = stablehlo.constant dense<[2.500000e-01, 1.000000e+00, 1.4142135623730951, 2.700000e+01, 1.000000e-02, 1.000000e+00, 2.7556759606310752]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_1) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @atan2_f64() {
  %cst = stablehlo.constant dense<[2.000000e+00, -1.000000e+00, 5.000000e-01, 3.000000e+00, -2.000000e+00, 0.000000e+00, 2.500000e+00]> : tensor<7xf64>
  %cst_0 = stablehlo.constant dense<[5.000000e-01, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+01, 2.500000e-01, 1.500000e+00]> : tensor<7xf64>
  %0 = stablehlo.atan2 %cst, %cst_0 : tensor<7xf64>
  %cst_1 = stablehlo.constant dense<[1.3258176636680326, -0.78539816339744828, 0.24497866312686414, 0.78539816339744828, -0.19739555984988075, 0.000000e+00, 1.0303768265243125]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_1) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @power_i32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 5, 7]> : tensor<6xi32>
  %c_0 = stablehlo.constant dense<[0, 5, 6, 4, 3, 1]> : tensor<6xi32>
  %0 = stablehlo.power %c, %c_0 : tensor<6xi32>
  %c_1 = stablehlo.constant dense<[1, 1, 64, 81, 125, 7]> : tensor<6xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()
  return
}

// -----

func.func @power_i64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 5, 7]> : tensor<6xi64>
  %c_0 = stablehlo.constant dense<[0, 5, 6, 4, 3, 1]> : tensor<6xi64>
  %0 = stablehlo.power %c, %c_0 : tensor<6xi64>
  %c_1 = stablehlo.constant dense<[1, 1, 64, 81, 125, 7]> : tensor<6xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<6xi64>, tensor<6xi64>) -> ()
  return
}

// -----

func.func @power_ui8() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 5, 7]> : tensor<6xui8>
  %c_0 = stablehlo.constant dense<[0, 5, 6, 4, 3, 1]> : tensor<6xui8>
  %0 = stablehlo.power %c, %c_0 : tensor<6xui8>
  %c_1 = stablehlo.constant dense<[1, 1, 64, 81, 125, 7]> : tensor<6xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<6xui8>, tensor<6xui8>) -> ()
  return
}

// -----

func.func @polygamma_f64() {
  %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 0.000000e+00, 3.000000e+00]> : tensor<4xf64>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 2.500000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf64>
  %0 = chlo.polygamma %cst, %cst_0 : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  %cst_1 = stablehlo.constant dense<[1.6449340668482264, -0.23620405164172709, 0.92278433509846691, 0.044865328192755106]> : tensor<4xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 9.9999999999999995E-7 : f64} : (tensor<4xf64>, tensor<4xf64>) -> ()
  return
}

// -----

func.func @zeta_f64() {
  %cst = stablehlo.constant dense<[2.000000e+00, 3.000000e+00, 1.500000e+00, 4.000000e+00]> : tensor<4xf64>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 5.000000e-01, 3.250000e+00]> : tensor<4xf64>
  %0 = chlo.zeta %cst, %cst_0 : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  %cst_1 = stablehlo.constant dense<[1.6449340668482264, 0.20205690315959426, 4.7765379475548331, 0.015072225887442626]> : tensor<4xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_1) {has_side_effect = true, tolerance = 9.9999999999999995E-7 : f64} : (tensor<4xf64>, tensor<4xf64>) -> ()
  return
}
