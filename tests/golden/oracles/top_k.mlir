// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @top_1_f32() {
  %cst = stablehlo.constant dense<[[-3.000000e+00, 1.000000e+00, 2.500000e+01, 4.500000e+01, -4.700000e+01, -3.600000e+01, 3.200000e+01], [4.400000e+01, -2.600000e+01, -1.900000e+01, 3.600000e+01, -8.000000e+00, -2.300000e+01, 3.200000e+01], [-2.500000e+01, -1.000000e+01, 1.400000e+01, 4.000000e+00, -4.200000e+01, -4.800000e+01, 3.600000e+01], [2.500000e+01, 3.300000e+01, 3.000000e+00, 3.100000e+01, -1.800000e+01, -5.000000e+00, 2.800000e+01]]> : tensor<4x7xf32>
  %values, %indices = chlo.top_k(%cst, k = 1) : tensor<4x7xf32> -> (tensor<4x1xf32>, tensor<4x1xi32>)
  %cst_0 = stablehlo.constant dense<[[4.500000e+01], [4.400000e+01], [3.600000e+01], [3.300000e+01]]> : tensor<4x1xf32>
  stablehlo.custom_call @check.expect_eq(%values, %cst_0) {has_side_effect = true} : (tensor<4x1xf32>, tensor<4x1xf32>) -> ()
  %c = stablehlo.constant dense<[[3], [0], [6], [1]]> : tensor<4x1xi32>
  stablehlo.custom_call @check.expect_eq(%indices, %c) {has_side_effect = true} : (tensor<4x1xi32>, tensor<4x1xi32>) -> ()
  return
}

// -----

func.func @top_3_f32() {
  %cst = stablehlo.constant dense<[[3.100000e+01, -4.200000e+01, -3.300000e+01, -2.700000e+01, -3.200000e+01, 3.000000e+01, 3.600000e+01], [8.000000e+00, -4.700000e+01, -4.100000e+01, -1.700000e+01, -7.000000e+00, 1.200000e+01, -3.000000e+00], [-2.400000e+01, -3.500000e+01, 1.900000e+01, 2.300000e+01, -4.700000e+01, -3.900000e+01, -5.000000e+00], [-1.100000e+01, 3.800000e+01, 1.000000e+00, -8.000000e+00, -7.000000e+00, 1.600000e+01, 8.000000e+00]]> : tensor<4x7xf32>
  %values, %indices = chlo.top_k(%cst, k = 3) : tensor<4x7xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %cst_0 = stablehlo.constant dense<[[3.600000e+01, 3.100000e+01, 3.000000e+01], [1.200000e+01, 8.000000e+00, -3.000000e+00], [2.300000e+01, 1.900000e+01, -5.000000e+00], [3.800000e+01, 1.600000e+01, 8.000000e+00]]> : tensor<4x3xf32>
  stablehlo.custom_call @check.expect_eq(%values, %cst_0) {has_side_effect = true} : (tensor<4x3xf32>, tensor<4x3xf32>) -> ()
  %c = stablehlo.constant dense<[[6, 0, 5], [5, 0, 6], [3, 2, 6], [1, 5, 6]]> : tensor<4x3xi32>
  stablehlo.custom_call @check.expect_eq(%indices, %c) {has_side_effect = true} : (tensor<4x3xi32>, tensor<4x3xi32>) -> ()
  return
}

// -----

func.func @top_7_f32() {
  %cst = stablehlo.constant dense<[[4.400000e+01, 1.200000e+01, 1.800000e+01, 3.900000e+01, 7.000000e+00, 2.700000e+01, 3.300000e+01], [-2.800000e+01, -4.500000e+01, -2.000000e+01, -2.200000e+01, 3.700000e+01, 4.100000e+01, -5.000000e+01], [-1.000000e+00, 3.200000e+01, -3.700000e+01, 2.900000e+01, -3.900000e+01, -4.000000e+00, 3.100000e+01], [-2.000000e+01, -1.600000e+01, -2.300000e+01, 2.100000e+01, -2.500000e+01, 4.900000e+01, -6.000000e+00]]> : tensor<4x7xf32>
  %values, %indices = chlo.top_k(%cst, k = 7) : tensor<4x7xf32> -> (tensor<4x7xf32>, tensor<4x7xi32>)
  %cst_0 = stablehlo.constant dense<[[4.400000e+01, 3.900000e+01, 3.300000e+01, 2.700000e+01, 1.800000e+01, 1.200000e+01, 7.000000e+00], [4.100000e+01, 3.700000e+01, -2.000000e+01, -2.200000e+01, -2.800000e+01, -4.500000e+01, -5.000000e+01], [3.200000e+01, 3.100000e+01, 2.900000e+01, -1.000000e+00, -4.000000e+00, -3.700000e+01, -3.900000e+01], [4.900000e+01, 2.100000e+01, -6.000000e+00, -1.600000e+01, -2.000000e+01, -2.300000e+01, -2.500000e+01]]> : tensor<4x7xf32>
  stablehlo.custom_call @check.expect_eq(%values, %cst_0) {has_side_effect = true} : (tensor<4x7xf32>, tensor<4x7xf32>) -> ()
  %c = stablehlo.constant dense<[[0, 3, 6, 5, 2, 1, 4], [5, 4, 2, 3, 0, 1, 6], [1, 6, 3, 0, 5, 2, 4], [5, 3, 6, 1, 0, 2, 4]]> : tensor<4x7xi32>
  stablehlo.custom_call @check.expect_eq(%indices, %c) {has_side_effect = true} : (tensor<4x7xi32>, tensor<4x7xi32>) -> ()
  return
}

// -----

func.func @top_1_i32() {
  %c = stablehlo.constant dense<[[-3, 1, 25, 45, -47, -36, 32], [44, -26, -19, 36, -8, -23, 32], [-25, -10, 14, 4, -42, -48, 36], [25, 33, 3, 31, -18, -5, 28]]> : tensor<4x7xi32>
  %values, %indices = chlo.top_k(%c, k = 1) : tensor<4x7xi32> -> (tensor<4x1xi32>, tensor<4x1xi32>)
  %c_0 = stablehlo.constant dense<[[45], [44], [36], [33]]> : tensor<4x1xi32>
  stablehlo.custom_call @check.expect_eq(%values, %c_0) {has_side_effect = true} : (tensor<4x1xi32>, tensor<4x1xi32>) -> ()
  %c_1 = stablehlo.constant dense<[[3], [0], [6], [1]]> : tensor<4x1xi32>
  stablehlo.custom_call @check.expect_eq(%indices, %c_1) {has_side_effect = true} : (tensor<4x1xi32>, tensor<4x1xi32>) -> ()
  return
}

// -----

func.func @top_3_i32() {
  %c = stablehlo.constant dense<[[31, -42, -33, -27, -32, 30, 36], [8, -47, -41, -17, -7, 12, -3], [-24, -35, 19, 23, -47, -39, -5], [-11, 38, 1, -8, -7, 16, 8]]> : tensor<4x7xi32>
  %values, %indices = chlo.top_k(%c, k = 3) : tensor<4x7xi32> -> (tensor<4x3xi32>, tensor<4x3xi32>)
  %c_0 = stablehlo.constant dense<[[36, 31, 30], [12, 8, -3], [23, 19, -5], [38, 16, 8]]> : tensor<4x3xi32>
  stablehlo.custom_call @check.expect_eq(%values, %c_0) {has_side_effect = true} : (tensor<4x3xi32>, tensor<4x3xi32>) -> ()
  %c_1 = stablehlo.constant dense<[[6, 0, 5], [5, 0, 6], [3, 2, 6], [1, 5, 6]]> : tensor<4x3xi32>
  stablehlo.custom_call @check.expect_eq(%indices, %c_1) {has_side_effect = true} : (tensor<4x3xi32>, tensor<4x3xi32>) -> ()
  return
}

// -----

func.func @top_7_i32() {
  %c = stablehlo.constant dense<[[44, 12, 18, 39, 7, 27, 33], [-28, -45, -20, -22, 37, 41, -50], [-1, 32, -37, 29, -39, -4, 31], [-20, -16, -23, 21, -25, 49, -6]]> : tensor<4x7xi32>
  %values, %indices = chlo.top_k(%c, k = 7) : tensor<4x7xi32> -> (tensor<4x7xi32>, tensor<4x7xi32>)
  %c_0 = stablehlo.constant dense<[[44, 39, 33, 27, 18, 12, 7], [41, 37, -20, -22, -28, -45, -50], [32, 31, 29, -1, -4, -37, -39], [49, 21, -6, -16, -20, -23, -25]]> : tensor<4x7xi32>
  stablehlo.custom_call @check.expect_eq(%values, %c_0) {has_side_effect = true} : (tensor<4x7xi32>, tensor<4x7xi32>) -> ()
  %c_1 = stablehlo.constant dense<[[0, 3, 6, 5, 2, 1, 4], [5, 4, 2, 3, 0, 1, 6], [1, 6, 3, 0, 5, 2, 4], [5, 3, 6, 1, 0, 2, 4]]> : tensor<4x7xi32>
  stablehlo.custom_call @check.expect_eq(%indices, %c_1) {has_side_effect = true} : (tensor<4x7xi32>, tensor<4x7xi32>) -> ()
  return
}

// -----

func.func @top_1_bf16() {
  %cst = stablehlo.constant dense<[[-3.000000e+00, 1.000000e+00, 2.500000e+01, 4.500000e+01, -4.700000e+01, -3.600000e+01, 3.200000e+01], [4.400000e+01, -2.600000e+01, -1.900000e+01, 3.600000e+01, -8.000000e+00, -2.300000e+01, 3.200000e+01], [-2.500000e+01, -1.000000e+01, 1.400000e+01, 4.000000e+00, -4.200000e+01, -4.800000e+01, 3.600000e+01], [2.500000e+01, 3.300000e+01, 3.000000e+00, 3.100000e+01, -1.800000e+01, -5.000000e+00, 2.800000e+01]]> : tensor<4x7xbf16>
  %values, %indices = chlo.top_k(%cst, k = 1) : tensor<4x7xbf16> -> (tensor<4x1xbf16>, tensor<4x1xi32>)
  %cst_0 = stablehlo.constant dense<[[4.500000e+01], [4.400000e+01], [3.600000e+01], [3.300000e+01]]> : tensor<4x1xbf16>
  stablehlo.custom_call @check.expect_eq(%values, %cst_0) {has_side_effect = true} : (tensor<4x1xbf16>, tensor<4x1xbf16>) -> ()
  %c = stablehlo.constant dense<[[3], [0], [6], [1]]> : tensor<4x1xi32>
  stablehlo.custom_call @check.expect_eq(%indices, %c) {has_side_effect = true} : (tensor<4x1xi32>, tensor<4x1xi32>) -> ()
  return
}

// -----

func.func @top_3_bf16() {
  %cst = stablehlo.constant dense<[[3.100000e+01, -4.200000e+01, -3.300000e+01, -2.700000e+01, -3.200000e+01, 3.000000e+01, 3.600000e+01], [8.000000e+00, -4.700000e+01, -4.100000e+01, -1.700000e+01, -7.000000e+00, 1.200000e+01, -3.000000e+00], [-2.400000e+01, -3.500000e+01, 1.900000e+01, 2.300000e+01, -4.700000e+01, -3.900000e+01, -5.000000e+00], [-1.100000e+01, 3.800000e+01, 1.000000e+00, -8.000000e+00, -7.000000e+00, 1.600000e+01, 8.000000e+00]]> : tensor<4x7xbf16>
  %values, %indices = chlo.top_k(%cst, k = 3) : tensor<4x7xbf16> -> (tensor<4x3xbf16>, tensor<4x3xi32>)
  %cst_0 = stablehlo.constant dense<[[3.600000e+01, 3.100000e+01, 3.000000e+01], [1.200000e+01, 8.000000e+00, -3.000000e+00], [2.300000e+01, 1.900000e+01, -5.000000e+00], [3.800000e+01, 1.600000e+01, 8.000000e+00]]> : tensor<4x3xbf16>
  stablehlo.custom_call @check.expect_eq(%values, %cst_0) {has_side_effect = true} : (tensor<4x3xbf16>, tensor<4x3xbf16>) -> ()
  %c = stablehlo.constant dense<[[6, 0, 5], [5, 0, 6], [3, 2, 6], [1, 5, 6]]> : tensor<4x3xi32>
  stablehlo.custom_call @check.expect_eq(%indices, %c) {has_side_effect = true} : (tensor<4x3xi32>, tensor<4x3xi32>) -> ()
  return
}

// -----

func.func @top_7_bf16() {
  %cst = stablehlo.constant dense<[[4.400000e+01, 1.200000e+01, 1.800000e+01, 3.900000e+01, 7.000000e+00, 2.700000e+01, 3.300000e+01], [-2.800000e+01, -4.500000e+01, -2.000000e+01, -2.200000e+01, 3.700000e+01, 4.100000e+01, -5.000000e+01], [-1.000000e+00, 3.200000e+01, -3.700000e+01, 2.900000e+01, -3.900000e+01, -4.000000e+00, 3.100000e+01], [-2.000000e+01, -1.600000e+01, -2.300000e+01, 2.100000e+01, -2.500000e+01, 4.900000e+01, -6.000000e+00]]> : tensor<4x7xbf16>
  %values, %indices = chlo.top_k(%cst, k = 7) : tensor<4x7xbf16> -> (tensor<4x7xbf16>, tensor<4x7xi32>)
  %cst_0 = stablehlo.constant dense<[[4.400000e+01, 3.900000e+01, 3.300000e+01, 2.700000e+01, 1.800000e+01, 1.200000e+01, 7.000000e+00], [4.100000e+01, 3.700000e+01, -2.000000e+01, -2.200000e+01, -2.800000e+01, -4.500000e+01, -5.000000e+01], [3.200000e+01, 3.100000e+01, 2.900000e+01, -1.000000e+00, -4.000000e+00, -3.700000e+01, -3.900000e+01], [4.900000e+01, 2.100000e+01, -6.000000e+00, -1.600000e+01, -2.000000e+01, -2.300000e+01, -2.500000e+01]]> : tensor<4x7xbf16>
  stablehlo.custom_call @check.expect_eq(%values, %cst_0) {has_side_effect = true} : (tensor<4x7xbf16>, tensor<4x7xbf16>) -> ()
  %c = stablehlo.constant dense<[[0, 3, 6, 5, 2, 1, 4], [5, 4, 2, 3, 0, 1, 6], [1, 6, 3, 0, 5, 2, 4], [5, 3, 6, 1, 0, 2, 4]]> : tensor<4x7xi32>
  stablehlo.custom_call @check.expect_eq(%indices, %c) {has_side_effect = true} : (tensor<4x7xi32>, tensor<4x7xi32>) -> ()
  return
}

// -----

func.func @top_1_ui8() {
  %c = stablehlo.constant dense<[[23, 25, 37, 47, 1, 7, 41], [47, 12, 15, 43, 21, 13, 41], [12, 20, 32, 27, 4, 1, 43], [37, 41, 26, 40, 16, 22, 39]]> : tensor<4x7xui8>
  %values, %indices = chlo.top_k(%c, k = 1) : tensor<4x7xui8> -> (tensor<4x1xui8>, tensor<4x1xi32>)
  %c_0 = stablehlo.constant dense<[[47], [47], [43], [41]]> : tensor<4x1xui8>
  stablehlo.custom_call @check.expect_eq(%values, %c_0) {has_side_effect = true} : (tensor<4x1xui8>, tensor<4x1xui8>) -> ()
  %c_1 = stablehlo.constant dense<[[3], [0], [6], [1]]> : tensor<4x1xi32>
  stablehlo.custom_call @check.expect_eq(%indices, %c_1) {has_side_effect = true} : (tensor<4x1xi32>, tensor<4x1xi32>) -> ()
  return
}

// -----

func.func @top_3_ui8() {
  %c = stablehlo.constant dense<[[40, 4, 8, 11, 9, 40, 43], [29, 1, 4, 16, 21, 31, 23], [13, 7, 34, 36, 1, 5, 22], [19, 44, 25, 21, 21, 33, 29]]> : tensor<4x7xui8>
  %values, %indices = chlo.top_k(%c, k = 3) : tensor<4x7xui8> -> (tensor<4x3xui8>, tensor<4x3xi32>)
  %c_0 = stablehlo.constant dense<[[43, 40, 40], [31, 29, 23], [36, 34, 22], [44, 33, 29]]> : tensor<4x3xui8>
  stablehlo.custom_call @check.expect_eq(%values, %c_0) {has_side_effect = true} : (tensor<4x3xui8>, tensor<4x3xui8>) -> ()
  %c_1 = stablehlo.constant dense<[[6, 0, 5], [5, 0, 6], [3, 2, 6], [1, 5, 6]]> : tensor<4x3xi32>
  stablehlo.custom_call @check.expect_eq(%indices, %c_1) {has_side_effect = true} : (tensor<4x3xi32>, tensor<4x3xi32>) -> ()
  return
}

// -----

func.func @top_7_ui8() {
  %c = stablehlo.constant dense<[[47, 31, 34, 44, 28, 38, 41], [11, 2, 15, 14, 43, 45, 0], [24, 41, 6, 39, 5, 23, 40], [15, 17, 13, 35, 12, 49, 22]]> : tensor<4x7xui8>
  %values, %indices = chlo.top_k(%c, k = 7) : tensor<4x7xui8> -> (tensor<4x7xui8>, tensor<4x7xi32>)
  %c_0 = stablehlo.constant dense<[[47, 44, 41, 38, 34, 31, 28], [45, 43, 15, 14, 11, 2, 0], [41, 40, 39, 24, 23, 6, 5], [49, 35, 22, 17, 15, 13, 12]]> : tensor<4x7xui8>
  stablehlo.custom_call @check.expect_eq(%values, %c_0) {has_side_effect = true} : (tensor<4x7xui8>, tensor<4x7xui8>) -> ()
  %c_1 = stablehlo.constant dense<[[0, 3, 6, 5, 2, 1, 4], [5, 4, 2, 3, 0, 1, 6], [1, 6, 3, 0, 5, 2, 4], [5, 3, 6, 1, 0, 2, 4]]> : tensor<4x7xi32>
  stablehlo.custom_call @check.expect_eq(%indices, %c_1) {has_side_effect = true} : (tensor<4x7xi32>, tensor<4x7xi32>) -> ()
  return
}
