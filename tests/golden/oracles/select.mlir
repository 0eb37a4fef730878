// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @select_i1() {
  %c = stablehlo.constant dense<[[false, true, true], [true, false, false], [true, true, false], [false, true, false], [false, true, false]]> : tensor<5x3xi1>
  %c_0 = stablehlo.constant dense<[[true, false, false], [false, false, true], [false, false, false], [true, true, true], [true, false, true]]> : tensor<5x3xi1>
  %c_1 = stablehlo.constant dense<[[true, false, false], [false, false, true], [true, true, false], [false, false, false], [true, false, false]]> : tensor<5x3xi1>
  %0 = stablehlo.select %c, %c_0, %c_1 : tensor<5x3xi1>, tensor<5x3xi1>
  %c_2 = stablehlo.constant dense<[[true, false, false], [false, false, true], [false, false, false], [false, true, false], [true, false, false]]> : tensor<5x3xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<5x3xi1>, tensor<5x3xi1>) -> ()
  return
}

// -----

func.func @select_i8() {
  %c = stablehlo.constant dense<[[false, true, true], [true, false, false], [true, true, false], [false, true, false], [false, true, false]]> : tensor<5x3xi1>
  %c_0 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3], [0, -4, -1], [1, 3, 2], [4, -3, 3]]> : tensor<5x3xi8>
  %c_1 = stablehlo.constant dense<[[3, -4, -3], [-2, -3, 3], [3, 1, -4], [-4, -2, -1], [1, 0, -2]]> : tensor<5x3xi8>
  %0 = stablehlo.select %c, %c_0, %c_1 : tensor<5x3xi1>, tensor<5x3xi8>
  %c_2 = stablehlo.constant dense<[[3, -2, -4], [-2, -3, 3], [0, -4, -4], [-4, 3, -1], [1, -3, -2]]> : tensor<5x3xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<5x3xi8>, tensor<5x3xi8>) -> ()
  return
}

// -----

func.func @select_ui32() {
  %c = stablehlo.constant dense<[[false, true, true], [true, false, false], [true, true, false], [false, true, false], [false, true, false]]> : tensor<5x3xi1>
  %c_0 = stablehlo.constant dense<[[4, 1, 0], [1, 2, 4], [2, 0, 1], [3, 4, 3], [4, 0, 4]]> : tensor<5x3xui32>
  %c_1 = stablehlo.constant dense<[[4, 0, 0], [1, 0, 4], [4, 2, 0], [0, 1, 2], [3, 2, 1]]> : tensor<5x3xui32>
  %0 = stablehlo.select %c, %c_0, %c_1 : tensor<5x3xi1>, tensor<5x3xui32>
  %c_2 = stablehlo.constant dense<[[4, 1, 0], [1, 0, 4], [2, 0, 0], [0, 4, 2], [3, 0, 1]]> : tensor<5x3xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<5x3xui32>, tensor<5x3xui32>) -> ()
  return
}

// -----

func.func @select_i64() {
  %c = stablehlo.constant dense<[[false, true, true], [true, false, false], [true, true, false], [false, true, false], [false, true, false]]> : tensor<5x3xi1>
  %c_0 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3], [0, -4, -1], [1, 3, 2], [4, -3, 3]]> : tensor<5x3xi64>
  %c_1 = stablehlo.constant dense<[[3, -4, -3], [-2, -3, 3], [3, 1, -4], [-4, -2, -1], [1, 0, -2]]> : tensor<5x3xi64>
  %0 = stablehlo.select %c, %c_0, %c_1 : tensor<5x3xi1>, tensor<5x3xi64>
  %c_2 = stablehlo.constant dense<[[3, -2, -4], [-2, -3, 3], [0, -4, -4], [-4, 3, -1], [1, -3, -2]]> : tensor<5x3xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<5x3xi64>, tensor<5x3xi64>) -> ()
  return
}

// -----

func.func @select_bf16() {
  %c = stablehlo.constant dense<[[false, true, true], [true, false, false], [true, true, false], [false, true, false], [false, true, false]]> : tensor<5x3xi1>
  %cst = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -1.000000e+00], [1.000000e+00, 3.000000e+00, 2.000000e+00], [4.000000e+00, -3.000000e+00, 3.000000e+00]]> : tensor<5x3xbf16>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00, -4.000000e+00], [-4.000000e+00, -2.000000e+00, -1.000000e+00], [1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<5x3xbf16>
  %0 = stablehlo.select %c, %cst, %cst_0 : tensor<5x3xi1>, tensor<5x3xbf16>
  %cst_1 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -4.000000e+00], [-4.000000e+00, 3.000000e+00, -1.000000e+00], [1.000000e+00, -3.000000e+00, -2.000000e+00]]> : tensor<5x3xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x3xbf16>, tensor<5x3xbf16>) -> ()
  return
}

// -----

func.func @select_f32() {
  %c = stablehlo.constant dense<[[false, true, true], [true, false, false], [true, true, false], [false, true, false], [false, true, false]]> : tensor<5x3xi1>
  %cst = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -1.000000e+00], [1.000000e+00, 3.000000e+00, 2.000000e+00], [4.000000e+00, -3.000000e+00, 3.000000e+00]]> : tensor<5x3xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00, -4.000000e+00], [-4.000000e+00, -2.000000e+00, -1.000000e+00], [1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  %0 = stablehlo.select %c, %cst, %cst_0 : tensor<5x3xi1>, tensor<5x3xf32>
  %cst_1 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -4.000000e+00], [-4.000000e+00, 3.000000e+00, -1.000000e+00], [1.000000e+00, -3.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
  return
}

// -----

func.func @select_cf64() {
  %c = stablehlo.constant dense<[[false, true, true], [true, false, false], [true, true, false], [false, true, false], [false, true, false]]> : tensor<5x3xi1>
  %cst = stablehlo.constant dense<[[(3.000000e+00,-4.000000e+00), (-2.000000e+00,1.000000e+00), (-4.000000e+00,-2.000000e+00)], [(-2.000000e+00,-3.000000e+00), (-1.000000e+00,1.000000e+00), (3.000000e+00,-2.000000e+00)], [(0.000000e+00,1.000000e+00), (-4.000000e+00,-2.000000e+00), (-1.000000e+00,-3.000000e+00)], [(1.000000e+00,2.000000e+00), (3.000000e+00,-1.000000e+00), (2.000000e+00,2.000000e+00)], [(4.000000e+00,2.000000e+00), (-3.000000e+00,4.000000e+00), (3.000000e+00,-1.000000e+00)]]> : tensor<5x3xcomplex<f64>>
  %cst_0 = stablehlo.constant dense<[[(3.000000e+00,-3.000000e+00), (-4.000000e+00,2.000000e+00), (-3.000000e+00,2.000000e+00)], [(-2.000000e+00,-4.000000e+00), (-3.000000e+00,-3.000000e+00), (3.000000e+00,0.000000e+00)], [(3.000000e+00,-1.000000e+00), (1.000000e+00,3.000000e+00), (-4.000000e+00,0.000000e+00)], [(-4.000000e+00,-1.000000e+00), (-2.000000e+00,-1.000000e+00), (-1.000000e+00,1.000000e+00)], [(1.000000e+00,1.000000e+00), (0.000000e+00,-3.000000e+00), (-2.000000e+00,2.000000e+00)]]> : tensor<5x3xcomplex<f64>>
  %0 = stablehlo.select %c, %cst, %cst_0 : tensor<5x3xi1>, tensor<5x3xcomplex<f64>>
  %cst_1 = stablehlo.constant dense<[[(3.000000e+00,-3.000000e+00), (-2.000000e+00,1.000000e+00), (-4.000000e+00,-2.000000e+00)], [(-2.000000e+00,-3.000000e+00), (-3.000000e+00,-3.000000e+00), (3.000000e+00,0.000000e+00)], [(0.000000e+00,1.000000e+00), (-4.000000e+00,-2.000000e+00), (-4.000000e+00,0.000000e+00)], [(-4.000000e+00,-1.000000e+00), (3.000000e+00,-1.000000e+00), (-1.000000e+00,1.000000e+00)], [(1.000000e+00,1.000000e+00), (-3.000000e+00,4.000000e+00), (-2.000000e+00,2.000000e+00)]]> : tensor<5x3xcomplex<f64>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x3xcomplex<f64>>, tensor<5x3xcomplex<f64>>) -> ()
  return
}

// -----

func.func @select_scalar_predicate() {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %cst = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -1.000000e+00], [1.000000e+00, 3.000000e+00, 2.000000e+00], [4.000000e+00, -3.000000e+00, 3.000000e+00]]> : tensor<5x3xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00], [-2.000000e+00, -3.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00, -4.000000e+00], [-4.000000e+00, -2.000000e+00, -1.000000e+00], [1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  %0 = stablehlo.select %c, %cst, %cst_0 : tensor<i1>, tensor<5x3xf32>
  %cst_1 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -1.000000e+00], [1.000000e+00, 3.000000e+00, 2.000000e+00], [4.000000e+00, -3.000000e+00, 3.000000e+00]]> : tensor<5x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
  return
}
