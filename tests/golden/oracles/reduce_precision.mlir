// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @reduce_precision_e5m10_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7F800000, 0xFF800000, 5.500000e+00]> : tensor<11xf32>
  %0 = stablehlo.reduce_precision %cst, format = e5m10 : tensor<11xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.09960938, -3.30078125, 0.300048828, 1.000500e+03, 0x7F800000, 0x7F800000, 0xFF800000, 5.500000e+00]> : tensor<11xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf32>, tensor<11xf32>) -> ()
  return
}

// -----

func.func @reduce_precision_e5m10_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7FF0000000000000, 0xFFF0000000000000, 5.500000e+00]> : tensor<11xf64>
  %0 = stablehlo.reduce_precision %cst, format = e5m10 : tensor<11xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.099609375, -3.30078125, 0.300048828125, 1.000500e+03, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 5.500000e+00]> : tensor<11xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf64>, tensor<11xf64>) -> ()
  return
}

// -----

func.func @reduce_precision_e5m10_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.101560e+00, -3.296880e+00, 3.007810e-01, 1.000000e+03, 7.014400e+04, 0x7F80, 0xFF80, 5.500000e+00]> : tensor<11xbf16>
  %0 = stablehlo.reduce_precision %cst, format = e5m10 : tensor<11xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.101560e+00, -3.296880e+00, 3.007810e-01, 1.000000e+03, 0x7F80, 0x7F80, 0xFF80, 5.500000e+00]> : tensor<11xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xbf16>, tensor<11xbf16>) -> ()
  return
}

// -----

func.func @reduce_precision_e8m7_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7F800000, 0xFF800000, 5.500000e+00]> : tensor<11xf32>
  %0 = stablehlo.reduce_precision %cst, format = e8m7 : tensor<11xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.1015625, -3.296875, 0.30078125, 1.000000e+03, 7.014400e+04, 0x7F800000, 0xFF800000, 5.500000e+00]> : tensor<11xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf32>, tensor<11xf32>) -> ()
  return
}

// -----

func.func @reduce_precision_e8m7_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7FF0000000000000, 0xFFF0000000000000, 5.500000e+00]> : tensor<11xf64>
  %0 = stablehlo.reduce_precision %cst, format = e8m7 : tensor<11xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.1015625, -3.296875, 0.30078125, 1.000000e+03, 7.014400e+04, 0x7FF0000000000000, 0xFFF0000000000000, 5.500000e+00]> : tensor<11xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf64>, tensor<11xf64>) -> ()
  return
}

// -----

func.func @reduce_precision_e8m7_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.101560e+00, -3.296880e+00, 3.007810e-01, 1.000000e+03, 7.014400e+04, 0x7F80, 0xFF80, 5.500000e+00]> : tensor<11xbf16>
  %0 = stablehlo.reduce_precision %cst, format = e8m7 : tensor<11xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.101560e+00, -3.296880e+00, 3.007810e-01, 1.000000e+03, 7.014400e+04, 0x7F80, 0xFF80, 5.500000e+00]> : tensor<11xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xbf16>, tensor<11xbf16>) -> ()
  return
}

// -----

func.func @reduce_precision_e4m3_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7F800000, 0xFF800000, 5.500000e+00]> : tensor<11xf32>
  %0 = stablehlo.reduce_precision %cst, format = e4m3 : tensor<11xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.125000e+00, -3.250000e+00, 3.125000e-01, 0x7F800000, 0x7F800000, 0x7F800000, 0xFF800000, 5.500000e+00]> : tensor<11xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf32>, tensor<11xf32>) -> ()
  return
}

// -----

func.func @reduce_precision_e4m3_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7FF0000000000000, 0xFFF0000000000000, 5.500000e+00]> : tensor<11xf64>
  %0 = stablehlo.reduce_precision %cst, format = e4m3 : tensor<11xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.125000e+00, -3.250000e+00, 3.125000e-01, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 5.500000e+00]> : tensor<11xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf64>, tensor<11xf64>) -> ()
  return
}

// -----

func.func @reduce_precision_e4m3_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.101560e+00, -3.296880e+00, 3.007810e-01, 1.000000e+03, 7.014400e+04, 0x7F80, 0xFF80, 5.500000e+00]> : tensor<11xbf16>
  %0 = stablehlo.reduce_precision %cst, format = e4m3 : tensor<11xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.125000e+00, -3.250000e+00, 3.125000e-01, 0x7F80, 0x7F80, 0x7F80, 0xFF80, 5.500000e+00]> : tensor<11xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xbf16>, tensor<11xbf16>) -> ()
  return
}

// -----

func.func @reduce_precision_e5m2_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7F800000, 0xFF800000, 5.500000e+00]> : tensor<11xf32>
  %0 = stablehlo.reduce_precision %cst, format = e5m2 : tensor<11xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.000000e+00, -3.500000e+00, 3.125000e-01, 1.024000e+03, 0x7F800000, 0x7F800000, 0xFF800000, 6.000000e+00]> : tensor<11xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf32>, tensor<11xf32>) -> ()
  return
}

// -----

func.func @reduce_precision_e5m2_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7FF0000000000000, 0xFFF0000000000000, 5.500000e+00]> : tensor<11xf64>
  %0 = stablehlo.reduce_precision %cst, format = e5m2 : tensor<11xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.000000e+00, -3.500000e+00, 3.125000e-01, 1.024000e+03, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 6.000000e+00]> : tensor<11xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf64>, tensor<11xf64>) -> ()
  return
}

// -----

func.func @reduce_precision_e5m2_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.101560e+00, -3.296880e+00, 3.007810e-01, 1.000000e+03, 7.014400e+04, 0x7F80, 0xFF80, 5.500000e+00]> : tensor<11xbf16>
  %0 = stablehlo.reduce_precision %cst, format = e5m2 : tensor<11xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.000000e+00, -3.500000e+00, 3.125000e-01, 1.024000e+03, 0x7F80, 0x7F80, 0xFF80, 6.000000e+00]> : tensor<11xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xbf16>, tensor<11xbf16>) -> ()
  return
}

// -----

func.func @reduce_precision_e8m23_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7F800000, 0xFF800000, 5.500000e+00]> : tensor<11xf32>
  %0 = stablehlo.reduce_precision %cst, format = e8m23 : tensor<11xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7F800000, 0xFF800000, 5.500000e+00]> : tensor<11xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf32>, tensor<11xf32>) -> ()
  return
}

// -----

func.func @reduce_precision_e8m23_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7FF0000000000000, 0xFFF0000000000000, 5.500000e+00]> : tensor<11xf64>
  %0 = stablehlo.reduce_precision %cst, format = e8m23 : tensor<11xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.1000000238418579, -3.2999999523162842, 0.30000001192092896, 1000.7000122070313, 7.000000e+04, 0x7FF0000000000000, 0xFFF0000000000000, 5.500000e+00]> : tensor<11xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf64>, tensor<11xf64>) -> ()
  return
}

// -----

func.func @reduce_precision_e8m23_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.101560e+00, -3.296880e+00, 3.007810e-01, 1.000000e+03, 7.014400e+04, 0x7F80, 0xFF80, 5.500000e+00]> : tensor<11xbf16>
  %0 = stablehlo.reduce_precision %cst, format = e8m23 : tensor<11xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.101560e+00, -3.296880e+00, 3.007810e-01, 1.000000e+03, 7.014400e+04, 0x7F80, 0xFF80, 5.500000e+00]> : tensor<11xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xbf16>, tensor<11xbf16>) -> ()
  return
}

// -----

func.func @reduce_precision_e11m52_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7F800000, 0xFF800000, 5.500000e+00]> : tensor<11xf32>
  %0 = stablehlo.reduce_precision %cst, format = e11m52 : tensor<11xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7F800000, 0xFF800000, 5.500000e+00]> : tensor<11xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf32>, tensor<11xf32>) -> ()
  return
}

// -----

func.func @reduce_precision_e11m52_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7FF0000000000000, 0xFFF0000000000000, 5.500000e+00]> : tensor<11xf64>
  %0 = stablehlo.reduce_precision %cst, format = e11m52 : tensor<11xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7FF0000000000000, 0xFFF0000000000000, 5.500000e+00]> : tensor<11xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf64>, tensor<11xf64>) -> ()
  return
}

// -----

func.func @reduce_precision_e11m52_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.101560e+00, -3.296880e+00, 3.007810e-01, 1.000000e+03, 7.014400e+04, 0x7F80, 0xFF80, 5.500000e+00]> : tensor<11xbf16>
  %0 = stablehlo.reduce_precision %cst, format = e11m52 : tensor<11xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.101560e+00, -3.296880e+00, 3.007810e-01, 1.000000e+03, 7.014400e+04, 0x7F80, 0xFF80, 5.500000e+00]> : tensor<11xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xbf16>, tensor<11xbf16>) -> ()
  return
}

// -----

func.func @reduce_precision_e3m1_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7F800000, 0xFF800000, 5.500000e+00]> : tensor<11xf32>
  %0 = stablehlo.reduce_precision %cst, format = e3m1 : tensor<11xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.000000e+00, -3.000000e+00, 2.500000e-01, 0x7F800000, 0x7F800000, 0x7F800000, 0xFF800000, 6.000000e+00]> : tensor<11xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf32>, tensor<11xf32>) -> ()
  return
}

// -----

func.func @reduce_precision_e3m1_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7FF0000000000000, 0xFFF0000000000000, 5.500000e+00]> : tensor<11xf64>
  %0 = stablehlo.reduce_precision %cst, format = e3m1 : tensor<11xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.000000e+00, -3.000000e+00, 2.500000e-01, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 6.000000e+00]> : tensor<11xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf64>, tensor<11xf64>) -> ()
  return
}

// -----

func.func @reduce_precision_e3m1_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.101560e+00, -3.296880e+00, 3.007810e-01, 1.000000e+03, 7.014400e+04, 0x7F80, 0xFF80, 5.500000e+00]> : tensor<11xbf16>
  %0 = stablehlo.reduce_precision %cst, format = e3m1 : tensor<11xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.000000e+00, -3.000000e+00, 2.500000e-01, 0x7F80, 0x7F80, 0x7F80, 0xFF80, 6.000000e+00]> : tensor<11xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xbf16>, tensor<11xbf16>) -> ()
  return
}

// -----

func.func @reduce_precision_e2m5_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7F800000, 0xFF800000, 5.500000e+00]> : tensor<11xf32>
  %0 = stablehlo.reduce_precision %cst, format = e2m5 : tensor<11xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.093750e+00, -3.312500e+00, 0.000000e+00, 0x7F800000, 0x7F800000, 0x7F800000, 0xFF800000, 0x7F800000]> : tensor<11xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf32>, tensor<11xf32>) -> ()
  return
}

// -----

func.func @reduce_precision_e2m5_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.100000e+00, -3.300000e+00, 3.000000e-01, 1.000700e+03, 7.000000e+04, 0x7FF0000000000000, 0xFFF0000000000000, 5.500000e+00]> : tensor<11xf64>
  %0 = stablehlo.reduce_precision %cst, format = e2m5 : tensor<11xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.093750e+00, -3.312500e+00, 0.000000e+00, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000]> : tensor<11xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xf64>, tensor<11xf64>) -> ()
  return
}

// -----

func.func @reduce_precision_e2m5_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.101560e+00, -3.296880e+00, 3.007810e-01, 1.000000e+03, 7.014400e+04, 0x7F80, 0xFF80, 5.500000e+00]> : tensor<11xbf16>
  %0 = stablehlo.reduce_precision %cst, format = e2m5 : tensor<11xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.093750e+00, -3.312500e+00, 0.000000e+00, 0x7F80, 0x7F80, 0x7F80, 0xFF80, 0x7F80]> : tensor<11xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<11xbf16>, tensor<11xbf16>) -> ()
  return
}
