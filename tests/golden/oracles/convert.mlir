// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @convert_i1_to_i8() {
  %c = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  %0 = stablehlo.convert %c : (tensor<4xi1>) -> tensor<4xi8>
  %c_0 = stablehlo.constant dense<[0, 1, 1, 0]> : tensor<4xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<4xi8>, tensor<4xi8>) -> ()
  return
}

// -----

func.func @convert_i1_to_ui8() {
  %c = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  %0 = stablehlo.convert %c : (tensor<4xi1>) -> tensor<4xui8>
  %c_0 = stablehlo.constant dense<[0, 1, 1, 0]> : tensor<4xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<4xui8>, tensor<4xui8>) -> ()
  return
}

// -----

func.func @convert_i1_to_i32() {
  %c = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  %0 = stablehlo.convert %c : (tensor<4xi1>) -> tensor<4xi32>
  %c_0 = stablehlo.constant dense<[0, 1, 1, 0]> : tensor<4xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>) -> ()
  return
}

// -----

func.func @convert_i1_to_ui32() {
  %c = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  %0 = stablehlo.convert %c : (tensor<4xi1>) -> tensor<4xui32>
  %c_0 = stablehlo.constant dense<[0, 1, 1, 0]> : tensor<4xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<4xui32>, tensor<4xui32>) -> ()
  return
}

// -----

func.func @convert_i1_to_i64() {
  %c = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  %0 = stablehlo.convert %c : (tensor<4xi1>) -> tensor<4xi64>
  %c_0 = stablehlo.constant dense<[0, 1, 1, 0]> : tensor<4xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<4xi64>, tensor<4xi64>) -> ()
  return
}

// -----

func.func @convert_i1_to_ui64() {
  %c = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  %0 = stablehlo.convert %c : (tensor<4xi1>) -> tensor<4xui64>
  %c_0 = stablehlo.constant dense<[0, 1, 1, 0]> : tensor<4xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<4xui64>, tensor<4xui64>) -> ()
  return
}

// -----

func.func @convert_i1_to_f16() {
  %c = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  %0 = stablehlo.convert %c : (tensor<4xi1>) -> tensor<4xf16>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00]> : tensor<4xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<4xf16>, tensor<4xf16>) -> ()
  return
}

// -----

func.func @convert_i1_to_bf16() {
  %c = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  %0 = stablehlo.convert %c : (tensor<4xi1>) -> tensor<4xbf16>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00]> : tensor<4xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<4xbf16>, tensor<4xbf16>) -> ()
  return
}

// -----

func.func @convert_i1_to_f32() {
  %c = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  %0 = stablehlo.convert %c : (tensor<4xi1>) -> tensor<4xf32>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00]> : tensor<4xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @convert_i1_to_f64() {
  %c = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  %0 = stablehlo.convert %c : (tensor<4xi1>) -> tensor<4xf64>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00]> : tensor<4xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<4xf64>, tensor<4xf64>) -> ()
  return
}

// -----

func.func @convert_i1_to_cf32() {
  %c = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  %0 = stablehlo.convert %c : (tensor<4xi1>) -> tensor<4xcomplex<f32>>
  %cst = stablehlo.constant dense<[(0.000000e+00,0.000000e+00), (1.000000e+00,0.000000e+00), (1.000000e+00,0.000000e+00), (0.000000e+00,0.000000e+00)]> : tensor<4xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> ()
  return
}

// -----

func.func @convert_i8_to_i1() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  %0 = stablehlo.convert %c : (tensor<7xi8>) -> tensor<7xi1>
  %c_0 = stablehlo.constant dense<[false, true, true, true, true, true, true]> : tensor<7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi1>, tensor<7xi1>) -> ()
  return
}

// -----

func.func @convert_i8_to_ui8() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  %0 = stablehlo.convert %c : (tensor<7xi8>) -> tensor<7xui8>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xui8>, tensor<7xui8>) -> ()
  return
}

// -----

func.func @convert_i8_to_i32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  %0 = stablehlo.convert %c : (tensor<7xi8>) -> tensor<7xi32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
  return
}

// -----

func.func @convert_i8_to_ui32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  %0 = stablehlo.convert %c : (tensor<7xi8>) -> tensor<7xui32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xui32>, tensor<7xui32>) -> ()
  return
}

// -----

func.func @convert_i8_to_i64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  %0 = stablehlo.convert %c : (tensor<7xi8>) -> tensor<7xi64>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi64>, tensor<7xi64>) -> ()
  return
}

// -----

func.func @convert_i8_to_ui64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  %0 = stablehlo.convert %c : (tensor<7xi8>) -> tensor<7xui64>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xui64>, tensor<7xui64>) -> ()
  return
}

// -----

func.func @convert_i8_to_f16() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  %0 = stablehlo.convert %c : (tensor<7xi8>) -> tensor<7xf16>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xf16>, tensor<7xf16>) -> ()
  return
}

// -----

func.func @convert_i8_to_bf16() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  %0 = stablehlo.convert %c : (tensor<7xi8>) -> tensor<7xbf16>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xbf16>, tensor<7xbf16>) -> ()
  return
}

// -----

func.func @convert_i8_to_f32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  %0 = stablehlo.convert %c : (tensor<7xi8>) -> tensor<7xf32>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_i8_to_f64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  %0 = stablehlo.convert %c : (tensor<7xi8>) -> tensor<7xf64>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @convert_i8_to_cf32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  %0 = stablehlo.convert %c : (tensor<7xi8>) -> tensor<7xcomplex<f32>>
  %cst = stablehlo.constant dense<[(0.000000e+00,0.000000e+00), (1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,0.000000e+00), (7.000000e+00,0.000000e+00), (1.000000e+02,0.000000e+00), (1.270000e+02,0.000000e+00)]> : tensor<7xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>) -> ()
  return
}

// -----

func.func @convert_ui8_to_i1() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  %0 = stablehlo.convert %c : (tensor<7xui8>) -> tensor<7xi1>
  %c_0 = stablehlo.constant dense<[false, true, true, true, true, true, true]> : tensor<7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi1>, tensor<7xi1>) -> ()
  return
}

// -----

func.func @convert_ui8_to_i8() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  %0 = stablehlo.convert %c : (tensor<7xui8>) -> tensor<7xi8>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi8>, tensor<7xi8>) -> ()
  return
}

// -----

func.func @convert_ui8_to_i32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  %0 = stablehlo.convert %c : (tensor<7xui8>) -> tensor<7xi32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
  return
}

// -----

func.func @convert_ui8_to_ui32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  %0 = stablehlo.convert %c : (tensor<7xui8>) -> tensor<7xui32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xui32>, tensor<7xui32>) -> ()
  return
}

// -----

func.func @convert_ui8_to_i64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  %0 = stablehlo.convert %c : (tensor<7xui8>) -> tensor<7xi64>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi64>, tensor<7xi64>) -> ()
  return
}

// -----

func.func @convert_ui8_to_ui64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  %0 = stablehlo.convert %c : (tensor<7xui8>) -> tensor<7xui64>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xui64>, tensor<7xui64>) -> ()
  return
}

// -----

func.func @convert_ui8_to_f16() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  %0 = stablehlo.convert %c : (tensor<7xui8>) -> tensor<7xf16>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xf16>, tensor<7xf16>) -> ()
  return
}

// -----

func.func @convert_ui8_to_bf16() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  %0 = stablehlo.convert %c : (tensor<7xui8>) -> tensor<7xbf16>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xbf16>, tensor<7xbf16>) -> ()
  return
}

// -----

func.func @convert_ui8_to_f32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  %0 = stablehlo.convert %c : (tensor<7xui8>) -> tensor<7xf32>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_ui8_to_f64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  %0 = stablehlo.convert %c : (tensor<7xui8>) -> tensor<7xf64>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @convert_ui8_to_cf32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  %0 = stablehlo.convert %c : (tensor<7xui8>) -> tensor<7xcomplex<f32>>
  %cst = stablehlo.constant dense<[(0.000000e+00,0.000000e+00), (1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,0.000000e+00), (7.000000e+00,0.000000e+00), (1.000000e+02,0.000000e+00), (1.270000e+02,0.000000e+00)]> : tensor<7xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>) -> ()
  return
}

// -----

func.func @convert_i32_to_i1() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi32>
  %0 = stablehlo.convert %c : (tensor<7xi32>) -> tensor<7xi1>
  %c_0 = stablehlo.constant dense<[false, true, true, true, true, true, true]> : tensor<7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi1>, tensor<7xi1>) -> ()
  return
}

// -----

func.func @convert_i32_to_i8() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi32>
  %0 = stablehlo.convert %c : (tensor<7xi32>) -> tensor<7xi8>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi8>, tensor<7xi8>) -> ()
  return
}

// -----

func.func @convert_i32_to_ui8() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi32>
  %0 = stablehlo.convert %c : (tensor<7xi32>) -> tensor<7xui8>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xui8>, tensor<7xui8>) -> ()
  return
}

// -----

func.func @convert_i32_to_ui32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi32>
  %0 = stablehlo.convert %c : (tensor<7xi32>) -> tensor<7xui32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xui32>, tensor<7xui32>) -> ()
  return
}

// -----

func.func @convert_i32_to_i64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi32>
  %0 = stablehlo.convert %c : (tensor<7xi32>) -> tensor<7xi64>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi64>, tensor<7xi64>) -> ()
  return
}

// -----

func.func @convert_i32_to_ui64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi32>
  %0 = stablehlo.convert %c : (tensor<7xi32>) -> tensor<7xui64>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xui64>, tensor<7xui64>) -> ()
  return
}

// -----

func.func @convert_i32_to_f16() {
  %c = stablehlo.constant dense<[0, 1, 257, 2049, 4099, 60000]> : tensor<6xi32>
  %0 = stablehlo.convert %c : (tensor<6xi32>) -> tensor<6xf16>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.570000e+02, 2.048000e+03, 4.100000e+03, 6.000000e+04]> : tensor<6xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<6xf16>, tensor<6xf16>) -> ()
  return
}

// -----

func.func @convert_i32_to_bf16() {
  %c = stablehlo.constant dense<[0, 1, 257, 2049, 4099, 60000]> : tensor<6xi32>
  %0 = stablehlo.convert %c : (tensor<6xi32>) -> tensor<6xbf16>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.560000e+02, 2.048000e+03, 4.096000e+03, 5.990400e+04]> : tensor<6xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<6xbf16>, tensor<6xbf16>) -> ()
  return
}

// -----

func.func @convert_i32_to_f32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi32>
  %0 = stablehlo.convert %c : (tensor<7xi32>) -> tensor<7xf32>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_i32_to_f64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi32>
  %0 = stablehlo.convert %c : (tensor<7xi32>) -> tensor<7xf64>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @convert_i32_to_cf32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi32>
  %0 = stablehlo.convert %c : (tensor<7xi32>) -> tensor<7xcomplex<f32>>
  %cst = stablehlo.constant dense<[(0.000000e+00,0.000000e+00), (1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,0.000000e+00), (7.000000e+00,0.000000e+00), (1.000000e+02,0.000000e+00), (1.270000e+02,0.000000e+00)]> : tensor<7xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>) -> ()
  return
}

// -----

func.func @convert_ui32_to_i1() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  %0 = stablehlo.convert %c : (tensor<7xui32>) -> tensor<7xi1>
  %c_0 = stablehlo.constant dense<[false, true, true, true, true, true, true]> : tensor<7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi1>, tensor<7xi1>) -> ()
  return
}

// -----

func.func @convert_ui32_to_i8() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  %0 = stablehlo.convert %c : (tensor<7xui32>) -> tensor<7xi8>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi8>, tensor<7xi8>) -> ()
  return
}

// -----

func.func @convert_ui32_to_ui8() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  %0 = stablehlo.convert %c : (tensor<7xui32>) -> tensor<7xui8>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xui8>, tensor<7xui8>) -> ()
  return
}

// -----

func.func @convert_ui32_to_i32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  %0 = stablehlo.convert %c : (tensor<7xui32>) -> tensor<7xi32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
  return
}

// -----

func.func @convert_ui32_to_i64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  %0 = stablehlo.convert %c : (tensor<7xui32>) -> tensor<7xi64>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi64>, tensor<7xi64>) -> ()
  return
}

// -----

func.func @convert_ui32_to_ui64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  %0 = stablehlo.convert %c : (tensor<7xui32>) -> tensor<7xui64>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xui64>, tensor<7xui64>) -> ()
  return
}

// -----

func.func @convert_ui32_to_f16() {
  %c = stablehlo.constant dense<[0, 1, 257, 2049, 4099, 60000]> : tensor<6xui32>
  %0 = stablehlo.convert %c : (tensor<6xui32>) -> tensor<6xf16>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.570000e+02, 2.048000e+03, 4.100000e+03, 6.000000e+04]> : tensor<6xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<6xf16>, tensor<6xf16>) -> ()
  return
}

// -----

func.func @convert_ui32_to_bf16() {
  %c = stablehlo.constant dense<[0, 1, 257, 2049, 4099, 60000]> : tensor<6xui32>
  %0 = stablehlo.convert %c : (tensor<6xui32>) -> tensor<6xbf16>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.560000e+02, 2.048000e+03, 4.096000e+03, 5.990400e+04]> : tensor<6xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<6xbf16>, tensor<6xbf16>) -> ()
  return
}

// -----

func.func @convert_ui32_to_f32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  %0 = stablehlo.convert %c : (tensor<7xui32>) -> tensor<7xf32>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_ui32_to_f64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  %0 = stablehlo.convert %c : (tensor<7xui32>) -> tensor<7xf64>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @convert_ui32_to_cf32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  %0 = stablehlo.convert %c : (tensor<7xui32>) -> tensor<7xcomplex<f32>>
  %cst = stablehlo.constant dense<[(0.000000e+00,0.000000e+00), (1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,0.000000e+00), (7.000000e+00,0.000000e+00), (1.000000e+02,0.000000e+00), (1.270000e+02,0.000000e+00)]> : tensor<7xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>) -> ()
  return
}

// -----

func.func @convert_i64_to_i1() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi64>
  %0 = stablehlo.convert %c : (tensor<7xi64>) -> tensor<7xi1>
  %c_0 = stablehlo.constant dense<[false, true, true, true, true, true, true]> : tensor<7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi1>, tensor<7xi1>) -> ()
  return
}

// -----

func.func @convert_i64_to_i8() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi64>
  %0 = stablehlo.convert %c : (tensor<7xi64>) -> tensor<7xi8>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi8>, tensor<7xi8>) -> ()
  return
}

// -----

func.func @convert_i64_to_ui8() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi64>
  %0 = stablehlo.convert %c : (tensor<7xi64>) -> tensor<7xui8>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xui8>, tensor<7xui8>) -> ()
  return
}

// -----

func.func @convert_i64_to_i32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi64>
  %0 = stablehlo.convert %c : (tensor<7xi64>) -> tensor<7xi32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
  return
}

// -----

func.func @convert_i64_to_ui32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi64>
  %0 = stablehlo.convert %c : (tensor<7xi64>) -> tensor<7xui32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xui32>, tensor<7xui32>) -> ()
  return
}

// -----

func.func @convert_i64_to_ui64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi64>
  %0 = stablehlo.convert %c : (tensor<7xi64>) -> tensor<7xui64>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xui64>, tensor<7xui64>) -> ()
  return
}

// -----

func.func @convert_i64_to_f16() {
  %c = stablehlo.constant dense<[0, 1, 257, 2049, 4099, 60000]> : tensor<6xi64>
  %0 = stablehlo.convert %c : (tensor<6xi64>) -> tensor<6xf16>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.570000e+02, 2.048000e+03, 4.100000e+03, 6.000000e+04]> : tensor<6xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<6xf16>, tensor<6xf16>) -> ()
  return
}

// -----

func.func @convert_i64_to_bf16() {
  %c = stablehlo.constant dense<[0, 1, 257, 2049, 4099, 60000]> : tensor<6xi64>
  %0 = stablehlo.convert %c : (tensor<6xi64>) -> tensor<6xbf16>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.560000e+02, 2.048000e+03, 4.096000e+03, 5.990400e+04]> : tensor<6xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<6xbf16>, tensor<6xbf16>) -> ()
  return
}

// -----

func.func @convert_i64_to_f32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi64>
  %0 = stablehlo.convert %c : (tensor<7xi64>) -> tensor<7xf32>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_i64_to_f64() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi64>
  %0 = stablehlo.convert %c : (tensor<7xi64>) -> tensor<7xf64>
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @convert_i64_to_cf32() {
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi64>
  %0 = stablehlo.convert %c : (tensor<7xi64>) -> tensor<7xcomplex<f32>>
  %cst = stablehlo.constant dense<[(0.000000e+00,0.000000e+00), (1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,0.000000e+00), (7.000000e+00,0.000000e+00), (1.000000e+02,0.000000e+00), (1.270000e+02,0.000000e+00)]> : tensor<7xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>) -> ()
  return
}

// -----

func.func @convert_f16_to_i1() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf16>
  %0 = stablehlo.convert %cst : (tensor<7xf16>) -> tensor<7xi1>
  %c = stablehlo.constant dense<[false, true, true, true, true, true, true]> : tensor<7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xi1>, tensor<7xi1>) -> ()
  return
}

// -----

func.func @convert_f16_to_i8() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf16>
  %0 = stablehlo.convert %cst : (tensor<7xf16>) -> tensor<7xi8>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xi8>, tensor<7xi8>) -> ()
  return
}

// -----

func.func @convert_f16_to_ui8() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf16>
  %0 = stablehlo.convert %cst : (tensor<7xf16>) -> tensor<7xui8>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xui8>, tensor<7xui8>) -> ()
  return
}

// -----

func.func @convert_f16_to_i32() {
  %cst = stablehlo.constant dense<[5.000000e-01, -5.000000e-01, 1.750000e+00, -1.750000e+00, 1.008750e+02, -1.008750e+02]> : tensor<6xf16>
  %0 = stablehlo.convert %cst : (tensor<6xf16>) -> tensor<6xi32>
  %c = stablehlo.constant dense<[0, 0, 1, -1, 100, -100]> : tensor<6xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()
  return
}

// -----

func.func @convert_f16_to_ui32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf16>
  %0 = stablehlo.convert %cst : (tensor<7xf16>) -> tensor<7xui32>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xui32>, tensor<7xui32>) -> ()
  return
}

// -----

func.func @convert_f16_to_i64() {
  %cst = stablehlo.constant dense<[5.000000e-01, -5.000000e-01, 1.750000e+00, -1.750000e+00, 1.008750e+02, -1.008750e+02]> : tensor<6xf16>
  %0 = stablehlo.convert %cst : (tensor<6xf16>) -> tensor<6xi64>
  %c = stablehlo.constant dense<[0, 0, 1, -1, 100, -100]> : tensor<6xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<6xi64>, tensor<6xi64>) -> ()
  return
}

// -----

func.func @convert_f16_to_ui64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf16>
  %0 = stablehlo.convert %cst : (tensor<7xf16>) -> tensor<7xui64>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xui64>, tensor<7xui64>) -> ()
  return
}

// -----

func.func @convert_f16_to_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.570000e+02, 2.048000e+03, 4.100000e+03, 6.000000e+04]> : tensor<6xf16>
  %0 = stablehlo.convert %cst : (tensor<6xf16>) -> tensor<6xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.560000e+02, 2.048000e+03, 4.096000e+03, 5.990400e+04]> : tensor<6xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<6xbf16>, tensor<6xbf16>) -> ()
  return
}

// -----

func.func @convert_f16_to_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf16>
  %0 = stablehlo.convert %cst : (tensor<7xf16>) -> tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_f16_to_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf16>
  %0 = stablehlo.convert %cst : (tensor<7xf16>) -> tensor<7xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @convert_f16_to_cf32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf16>
  %0 = stablehlo.convert %cst : (tensor<7xf16>) -> tensor<7xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[(0.000000e+00,0.000000e+00), (1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,0.000000e+00), (7.000000e+00,0.000000e+00), (1.000000e+02,0.000000e+00), (1.270000e+02,0.000000e+00)]> : tensor<7xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>) -> ()
  return
}

// -----

func.func @convert_bf16_to_i1() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xbf16>
  %0 = stablehlo.convert %cst : (tensor<7xbf16>) -> tensor<7xi1>
  %c = stablehlo.constant dense<[false, true, true, true, true, true, true]> : tensor<7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xi1>, tensor<7xi1>) -> ()
  return
}

// -----

func.func @convert_bf16_to_i8() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xbf16>
  %0 = stablehlo.convert %cst : (tensor<7xbf16>) -> tensor<7xi8>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xi8>, tensor<7xi8>) -> ()
  return
}

// -----

func.func @convert_bf16_to_ui8() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xbf16>
  %0 = stablehlo.convert %cst : (tensor<7xbf16>) -> tensor<7xui8>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xui8>, tensor<7xui8>) -> ()
  return
}

// -----

func.func @convert_bf16_to_i32() {
  %cst = stablehlo.constant dense<[5.000000e-01, -5.000000e-01, 1.750000e+00, -1.750000e+00, 1.010000e+02, -1.010000e+02]> : tensor<6xbf16>
  %0 = stablehlo.convert %cst : (tensor<6xbf16>) -> tensor<6xi32>
  %c = stablehlo.constant dense<[0, 0, 1, -1, 101, -101]> : tensor<6xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()
  return
}

// -----

func.func @convert_bf16_to_ui32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xbf16>
  %0 = stablehlo.convert %cst : (tensor<7xbf16>) -> tensor<7xui32>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xui32>, tensor<7xui32>) -> ()
  return
}

// -----

func.func @convert_bf16_to_i64() {
  %cst = stablehlo.constant dense<[5.000000e-01, -5.000000e-01, 1.750000e+00, -1.750000e+00, 1.010000e+02, -1.010000e+02]> : tensor<6xbf16>
  %0 = stablehlo.convert %cst : (tensor<6xbf16>) -> tensor<6xi64>
  %c = stablehlo.constant dense<[0, 0, 1, -1, 101, -101]> : tensor<6xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<6xi64>, tensor<6xi64>) -> ()
  return
}

// -----

func.func @convert_bf16_to_ui64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xbf16>
  %0 = stablehlo.convert %cst : (tensor<7xbf16>) -> tensor<7xui64>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xui64>, tensor<7xui64>) -> ()
  return
}

// -----

func.func @convert_bf16_to_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.560000e+02, 2.048000e+03, 4.096000e+03, 5.990400e+04]> : tensor<6xbf16>
  %0 = stablehlo.convert %cst : (tensor<6xbf16>) -> tensor<6xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.560000e+02, 2.048000e+03, 4.096000e+03, 5.990400e+04]> : tensor<6xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<6xf16>, tensor<6xf16>) -> ()
  return
}

// -----

func.func @convert_bf16_to_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xbf16>
  %0 = stablehlo.convert %cst : (tensor<7xbf16>) -> tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_bf16_to_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xbf16>
  %0 = stablehlo.convert %cst : (tensor<7xbf16>) -> tensor<7xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @convert_bf16_to_cf32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xbf16>
  %0 = stablehlo.convert %cst : (tensor<7xbf16>) -> tensor<7xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[(0.000000e+00,0.000000e+00), (1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,0.000000e+00), (7.000000e+00,0.000000e+00), (1.000000e+02,0.000000e+00), (1.270000e+02,0.000000e+00)]> : tensor<7xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>) -> ()
  return
}

// -----

func.func @convert_f32_to_i1() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  %0 = stablehlo.convert %cst : (tensor<7xf32>) -> tensor<7xi1>
  %c = stablehlo.constant dense<[false, true, true, true, true, true, true]> : tensor<7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xi1>, tensor<7xi1>) -> ()
  return
}

// -----

func.func @convert_f32_to_i8() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  %0 = stablehlo.convert %cst : (tensor<7xf32>) -> tensor<7xi8>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xi8>, tensor<7xi8>) -> ()
  return
}

// -----

func.func @convert_f32_to_ui8() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  %0 = stablehlo.convert %cst : (tensor<7xf32>) -> tensor<7xui8>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xui8>, tensor<7xui8>) -> ()
  return
}

// -----

func.func @convert_f32_to_i32() {
  %cst = stablehlo.constant dense<[5.000000e-01, -5.000000e-01, 1.750000e+00, -1.750000e+00, 1.009000e+02, -1.009000e+02]> : tensor<6xf32>
  %0 = stablehlo.convert %cst : (tensor<6xf32>) -> tensor<6xi32>
  %c = stablehlo.constant dense<[0, 0, 1, -1, 100, -100]> : tensor<6xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()
  return
}

// -----

func.func @convert_f32_to_ui32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  %0 = stablehlo.convert %cst : (tensor<7xf32>) -> tensor<7xui32>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xui32>, tensor<7xui32>) -> ()
  return
}

// -----

func.func @convert_f32_to_i64() {
  %cst = stablehlo.constant dense<[5.000000e-01, -5.000000e-01, 1.750000e+00, -1.750000e+00, 1.009000e+02, -1.009000e+02]> : tensor<6xf32>
  %0 = stablehlo.convert %cst : (tensor<6xf32>) -> tensor<6xi64>
  %c = stablehlo.constant dense<[0, 0, 1, -1, 100, -100]> : tensor<6xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<6xi64>, tensor<6xi64>) -> ()
  return
}

// -----

func.func @convert_f32_to_ui64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  %0 = stablehlo.convert %cst : (tensor<7xf32>) -> tensor<7xui64>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xui64>, tensor<7xui64>) -> ()
  return
}

// -----

func.func @convert_f32_to_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.570000e+02, 2.049000e+03, 4.099000e+03, 6.000000e+04]> : tensor<6xf32>
  %0 = stablehlo.convert %cst : (tensor<6xf32>) -> tensor<6xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.570000e+02, 2.048000e+03, 4.100000e+03, 6.000000e+04]> : tensor<6xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<6xf16>, tensor<6xf16>) -> ()
  return
}

// -----

func.func @convert_f32_to_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.570000e+02, 2.049000e+03, 4.099000e+03, 6.000000e+04]> : tensor<6xf32>
  %0 = stablehlo.convert %cst : (tensor<6xf32>) -> tensor<6xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.560000e+02, 2.048000e+03, 4.096000e+03, 5.990400e+04]> : tensor<6xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<6xbf16>, tensor<6xbf16>) -> ()
  return
}

// -----

func.func @convert_f32_to_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  %0 = stablehlo.convert %cst : (tensor<7xf32>) -> tensor<7xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @convert_f32_to_cf32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  %0 = stablehlo.convert %cst : (tensor<7xf32>) -> tensor<7xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[(0.000000e+00,0.000000e+00), (1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,0.000000e+00), (7.000000e+00,0.000000e+00), (1.000000e+02,0.000000e+00), (1.270000e+02,0.000000e+00)]> : tensor<7xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>) -> ()
  return
}

// -----

func.func @convert_f64_to_i1() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  %0 = stablehlo.convert %cst : (tensor<7xf64>) -> tensor<7xi1>
  %c = stablehlo.constant dense<[false, true, true, true, true, true, true]> : tensor<7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xi1>, tensor<7xi1>) -> ()
  return
}

// -----

func.func @convert_f64_to_i8() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  %0 = stablehlo.convert %cst : (tensor<7xf64>) -> tensor<7xi8>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xi8>, tensor<7xi8>) -> ()
  return
}

// -----

func.func @convert_f64_to_ui8() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  %0 = stablehlo.convert %cst : (tensor<7xf64>) -> tensor<7xui8>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xui8>, tensor<7xui8>) -> ()
  return
}

// -----

func.func @convert_f64_to_i32() {
  %cst = stablehlo.constant dense<[5.000000e-01, -5.000000e-01, 1.750000e+00, -1.750000e+00, 1.009000e+02, -1.009000e+02]> : tensor<6xf64>
  %0 = stablehlo.convert %cst : (tensor<6xf64>) -> tensor<6xi32>
  %c = stablehlo.constant dense<[0, 0, 1, -1, 100, -100]> : tensor<6xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()
  return
}

// -----

func.func @convert_f64_to_ui32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  %0 = stablehlo.convert %cst : (tensor<7xf64>) -> tensor<7xui32>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xui32>, tensor<7xui32>) -> ()
  return
}

// -----

func.func @convert_f64_to_i64() {
  %cst = stablehlo.constant dense<[5.000000e-01, -5.000000e-01, 1.750000e+00, -1.750000e+00, 1.009000e+02, -1.009000e+02]> : tensor<6xf64>
  %0 = stablehlo.convert %cst : (tensor<6xf64>) -> tensor<6xi64>
  %c = stablehlo.constant dense<[0, 0, 1, -1, 100, -100]> : tensor<6xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<6xi64>, tensor<6xi64>) -> ()
  return
}

// -----

func.func @convert_f64_to_ui64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  %0 = stablehlo.convert %cst : (tensor<7xf64>) -> tensor<7xui64>
  %c = stablehlo.constant dense<[0, 1, 2, 3, 7, 100, 127]> : tensor<7xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<7xui64>, tensor<7xui64>) -> ()
  return
}

// -----

func.func @convert_f64_to_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.570000e+02, 2.049000e+03, 4.099000e+03, 6.000000e+04]> : tensor<6xf64>
  %0 = stablehlo.convert %cst : (tensor<6xf64>) -> tensor<6xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.570000e+02, 2.048000e+03, 4.100000e+03, 6.000000e+04]> : tensor<6xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<6xf16>, tensor<6xf16>) -> ()
  return
}

// -----

func.func @convert_f64_to_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.570000e+02, 2.049000e+03, 4.099000e+03, 6.000000e+04]> : tensor<6xf64>
  %0 = stablehlo.convert %cst : (tensor<6xf64>) -> tensor<6xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.560000e+02, 2.048000e+03, 4.096000e+03, 5.990400e+04]> : tensor<6xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<6xbf16>, tensor<6xbf16>) -> ()
  return
}

// -----

func.func @convert_f64_to_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  %0 = stablehlo.convert %cst : (tensor<7xf64>) -> tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_f64_to_cf32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 7.000000e+00, 1.000000e+02, 1.270000e+02]> : tensor<7xf64>
  %0 = stablehlo.convert %cst : (tensor<7xf64>) -> tensor<7xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[(0.000000e+00,0.000000e+00), (1.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00), (3.000000e+00,0.000000e+00), (7.000000e+00,0.000000e+00), (1.000000e+02,0.000000e+00), (1.270000e+02,0.000000e+00)]> : tensor<7xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>) -> ()
  return
}

// -----

func.func @convert_f32_to_f8e4m3fn() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.062500e+00, 1.187500e+00, -3.300000e+00, 1.000000e-01, 7.000000e+00, 1.330000e+01]> : tensor<9xf32>
  %0 = stablehlo.convert %cst : (tensor<9xf32>) -> tensor<9xf8E4M3FN>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.000000e+00, 1.250000e+00, -3.250000e+00, 1.015630e-01, 7.000000e+00, 1.300000e+01]> : tensor<9xf8E4M3FN>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<9xf8E4M3FN>, tensor<9xf8E4M3FN>) -> ()
  return
}

// -----

func.func @convert_f8e4m3fn_to_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf8E4M3FN>
  %0 = stablehlo.convert %cst : (tensor<7xf8E4M3FN>) -> tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_f32_to_f8e5m2() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.062500e+00, 1.187500e+00, -3.300000e+00, 1.000000e-01, 7.000000e+00, 1.330000e+01]> : tensor<9xf32>
  %0 = stablehlo.convert %cst : (tensor<9xf32>) -> tensor<9xf8E5M2>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.000000e+00, 1.250000e+00, -3.500000e+00, 9.375000e-02, 7.000000e+00, 1.400000e+01]> : tensor<9xf8E5M2>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<9xf8E5M2>, tensor<9xf8E5M2>) -> ()
  return
}

// -----

func.func @convert_f8e5m2_to_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf8E5M2>
  %0 = stablehlo.convert %cst : (tensor<7xf8E5M2>) -> tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_f32_to_f8e4m3fnuz() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.062500e+00, 1.187500e+00, -3.300000e+00, 1.000000e-01, 7.000000e+00, 1.330000e+01]> : tensor<9xf32>
  %0 = stablehlo.convert %cst : (tensor<9xf32>) -> tensor<9xf8E4M3FNUZ>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00, 1.250000e+00, -3.250000e+00, 1.015630e-01, 7.000000e+00, 1.300000e+01]> : tensor<9xf8E4M3FNUZ>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<9xf8E4M3FNUZ>, tensor<9xf8E4M3FNUZ>) -> ()
  return
}

// -----

func.func @convert_f8e4m3fnuz_to_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf8E4M3FNUZ>
  %0 = stablehlo.convert %cst : (tensor<7xf8E4M3FNUZ>) -> tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_f32_to_f8e5m2fnuz() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.062500e+00, 1.187500e+00, -3.300000e+00, 1.000000e-01, 7.000000e+00, 1.330000e+01]> : tensor<9xf32>
  %0 = stablehlo.convert %cst : (tensor<9xf32>) -> tensor<9xf8E5M2FNUZ>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00, 1.250000e+00, -3.500000e+00, 9.375000e-02, 7.000000e+00, 1.400000e+01]> : tensor<9xf8E5M2FNUZ>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<9xf8E5M2FNUZ>, tensor<9xf8E5M2FNUZ>) -> ()
  return
}

// -----

func.func @convert_f8e5m2fnuz_to_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf8E5M2FNUZ>
  %0 = stablehlo.convert %cst : (tensor<7xf8E5M2FNUZ>) -> tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_f32_to_f8e4m3b11fnuz() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.062500e+00, 1.187500e+00, -3.300000e+00, 1.000000e-01, 7.000000e+00, 1.330000e+01]> : tensor<9xf32>
  %0 = stablehlo.convert %cst : (tensor<9xf32>) -> tensor<9xf8E4M3B11FNUZ>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00, 1.250000e+00, -3.250000e+00, 1.015630e-01, 7.000000e+00, 1.300000e+01]> : tensor<9xf8E4M3B11FNUZ>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<9xf8E4M3B11FNUZ>, tensor<9xf8E4M3B11FNUZ>) -> ()
  return
}

// -----

func.func @convert_f8e4m3b11fnuz_to_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf8E4M3B11FNUZ>
  %0 = stablehlo.convert %cst : (tensor<7xf8E4M3B11FNUZ>) -> tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_f32_to_f8e4m3() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.062500e+00, 1.187500e+00, -3.300000e+00, 1.000000e-01, 7.000000e+00, 1.330000e+01]> : tensor<9xf32>
  %0 = stablehlo.convert %cst : (tensor<9xf32>) -> tensor<9xf8E4M3>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.000000e+00, 1.250000e+00, -3.250000e+00, 1.015630e-01, 7.000000e+00, 1.300000e+01]> : tensor<9xf8E4M3>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<9xf8E4M3>, tensor<9xf8E4M3>) -> ()
  return
}

// -----

func.func @convert_f8e4m3_to_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf8E4M3>
  %0 = stablehlo.convert %cst : (tensor<7xf8E4M3>) -> tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @convert_f32_to_f8e3m4() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.062500e+00, 1.187500e+00, -3.300000e+00, 1.000000e-01, 7.000000e+00, 1.330000e+01]> : tensor<9xf32>
  %0 = stablehlo.convert %cst : (tensor<9xf32>) -> tensor<9xf8E3M4>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 1.062500e+00, 1.187500e+00, -3.250000e+00, 9.375000e-02, 7.000000e+00, 1.350000e+01]> : tensor<9xf8E3M4>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<9xf8E3M4>, tensor<9xf8E3M4>) -> ()
  return
}

// -----

func.func @convert_f8e3m4_to_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf8E3M4>
  %0 = stablehlo.convert %cst : (tensor<7xf8E3M4>) -> tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.500000e+00, 2.500000e-01, 7.000000e+00, 1.200000e+01, -1.250000e-01]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}
