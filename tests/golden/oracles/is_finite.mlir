// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @is_finite_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 1.500000e+00, -1.500000e+00, 2.500000e+00, -2.500000e+00, 3.750000e+00, -3.750000e+00, 1.000000e+02, -1.000000e+02, 0x7C00, 0xFC00, 0x7E00]> : tensor<17xf16>
  %0 = stablehlo.is_finite %cst : (tensor<17xf16>) -> tensor<17xi1>
  %c = stablehlo.constant dense<[true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false]> : tensor<17xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<17xi1>, tensor<17xi1>) -> ()
  return
}

// -----

func.func @is_finite_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 1.500000e+00, -1.500000e+00, 2.500000e+00, -2.500000e+00, 3.750000e+00, -3.750000e+00, 1.000000e+02, -1.000000e+02, 0x7F80, 0xFF80, 0x7FC0]> : tensor<17xbf16>
  %0 = stablehlo.is_finite %cst : (tensor<17xbf16>) -> tensor<17xi1>
  %c = stablehlo.constant dense<[true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false]> : tensor<17xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<17xi1>, tensor<17xi1>) -> ()
  return
}

// -----

func.func @is_finite_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 1.500000e+00, -1.500000e+00, 2.500000e+00, -2.500000e+00, 3.750000e+00, -3.750000e+00, 1.000000e+02, -1.000000e+02, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<17xf32>
  %0 = stablehlo.is_finite %cst : (tensor<17xf32>) -> tensor<17xi1>
  %c = stablehlo.constant dense<[true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false]> : tensor<17xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<17xi1>, tensor<17xi1>) -> ()
  return
}

// -----

func.func @is_finite_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 1.500000e+00, -1.500000e+00, 2.500000e+00, -2.500000e+00, 3.750000e+00, -3.750000e+00, 1.000000e+02, -1.000000e+02, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<17xf64>
  %0 = stablehlo.is_finite %cst : (tensor<17xf64>) -> tensor<17xi1>
  %c = stablehlo.constant dense<[true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false]> : tensor<17xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<17xi1>, tensor<17xi1>) -> ()
  return
}

// -----

func.func @is_inf_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 1.500000e+00, -1.500000e+00, 2.500000e+00, -2.500000e+00, 3.750000e+00, -3.750000e+00, 1.000000e+02, -1.000000e+02, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<17xf32>
  %0 = chlo.is_inf %cst : tensor<17xf32> -> tensor<17xi1>
  %c = stablehlo.constant dense<[false, false, false, false, false, false, false, false, false, false, false, false, false, false, true, true, false]> : tensor<17xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<17xi1>, tensor<17xi1>) -> ()
  return
}

// -----

func.func @is_neg_inf_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 1.500000e+00, -1.500000e+00, 2.500000e+00, -2.500000e+00, 3.750000e+00, -3.750000e+00, 1.000000e+02, -1.000000e+02, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<17xf32>
  %0 = chlo.is_neg_inf %cst : tensor<17xf32> -> tensor<17xi1>
  %c = stablehlo.constant dense<[false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, true, false]> : tensor<17xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<17xi1>, tensor<17xi1>) -> ()
  return
}

// -----

func.func @is_pos_inf_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 1.500000e+00, -1.500000e+00, 2.500000e+00, -2.500000e+00, 3.750000e+00, -3.750000e+00, 1.000000e+02, -1.000000e+02, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<17xf32>
  %0 = chlo.is_pos_inf %cst : tensor<17xf32> -> tensor<17xi1>
  %c = stablehlo.constant dense<[false, false, false, false, false, false, false, false, false, false, false, false, false, false, true, false, false]> : tensor<17xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<17xi1>, tensor<17xi1>) -> ()
  return
}
