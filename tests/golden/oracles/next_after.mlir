// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @next_after_f16() {
  %cst = stablehlo.constant dense<[1.000000e+00, 1.000000e+00, -1.000000e+00, -1.000000e+00, 1.000000e+02, -3.500000e+00, 2.000000e+00]> : tensor<7xf16>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, 0.000000e+00, -2.000000e+00, 0.000000e+00, 0x7C00, -3.500000e+00, 0xFC00]> : tensor<7xf16>
  %0 = chlo.next_after %cst, %cst_0 : tensor<7xf16>, tensor<7xf16> -> tensor<7xf16>
  %cst_1 = stablehlo.constant dense<[1.000980e+00, 9.995110e-01, -1.000980e+00, -9.995110e-01, 1.000630e+02, -3.500000e+00, 1.999020e+00]> : tensor<7xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xf16>, tensor<7xf16>) -> ()
  return
}

// -----

func.func @next_after_bf16() {
  %cst = stablehlo.constant dense<[1.000000e+00, 1.000000e+00, -1.000000e+00, -1.000000e+00, 1.000000e+02, -3.500000e+00, 2.000000e+00]> : tensor<7xbf16>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, 0.000000e+00, -2.000000e+00, 0.000000e+00, 0x7F80, -3.500000e+00, 0xFF80]> : tensor<7xbf16>
  %0 = chlo.next_after %cst, %cst_0 : tensor<7xbf16>, tensor<7xbf16> -> tensor<7xbf16>
  %cst_1 = stablehlo.constant dense<[1.007810e+00, 9.960930e-01, -1.007810e+00, -9.960930e-01, 1.005000e+02, -3.500000e+00, 1.992190e+00]> : tensor<7xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xbf16>, tensor<7xbf16>) -> ()
  return
}

// -----

func.func @next_after_f32() {
  %cst = stablehlo.constant dense<[1.000000e+00, 1.000000e+00, -1.000000e+00, -1.000000e+00, 1.000000e+02, -3.500000e+00, 2.000000e+00]> : tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, 0.000000e+00, -2.000000e+00, 0.000000e+00, 0x7F800000, -3.500000e+00, 0xFF800000]> : tensor<7xf32>
  %0 = chlo.next_after %cst, %cst_0 : tensor<7xf32>, tensor<7xf32> -> tensor<7xf32>
  %cst_1 = stablehlo.constant dense<[1.00000012, 0.99999994, -1.00000012, -0.99999994, 100.000008, -3.500000e+00, 1.99999988]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @next_after_f64() {
  %cst = stablehlo.constant dense<[1.000000e+00, 1.000000e+00, -1.000000e+00, -1.000000e+00, 1.000000e+02, -3.500000e+00, 2.000000e+00]> : tensor<7xf64>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, 0.000000e+00, -2.000000e+00, 0.000000e+00, 0x7FF0000000000000, -3.500000e+00, 0xFFF0000000000000]> : tensor<7xf64>
  %0 = chlo.next_after %cst, %cst_0 : tensor<7xf64>, tensor<7xf64> -> tensor<7xf64>
  %cst_1 = stablehlo.constant dense<[1.0000000000000002, 0.99999999999999988, -1.0000000000000002, -0.99999999999999988, 100.00000000000001, -3.500000e+00, 1.9999999999999998]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}
