// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @negate_i8() {
  %c = stablehlo.constant dense<[-128, -127, 127, 126, 0, 1, 2, 63, 42, 7, 5]> : tensor<11xi8>
  %0 = stablehlo.negate %c : tensor<11xi8>
  %c_0 = stablehlo.constant dense<[-128, 127, -127, -126, 0, -1, -2, -63, -42, -7, -5]> : tensor<11xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xi8>, tensor<11xi8>) -> ()
  return
}

// -----

func.func @negate_i16() {
  %c = stablehlo.constant dense<[-32768, -32767, 32767, 32766, 0, 1, 2, 16383, 10922, 7, 5]> : tensor<11xi16>
  %0 = stablehlo.negate %c : tensor<11xi16>
  %c_0 = stablehlo.constant dense<[-32768, 32767, -32767, -32766, 0, -1, -2, -16383, -10922, -7, -5]> : tensor<11xi16>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xi16>, tensor<11xi16>) -> ()
  return
}

// -----

func.func @negate_i32() {
  %c = stablehlo.constant dense<[-2147483648, -2147483647, 2147483647, 2147483646, 0, 1, 2, 1073741823, 715827882, 7, 5]> : tensor<11xi32>
  %0 = stablehlo.negate %c : tensor<11xi32>
  %c_0 = stablehlo.constant dense<[-2147483648, 2147483647, -2147483647, -2147483646, 0, -1, -2, -1073741823, -715827882, -7, -5]> : tensor<11xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xi32>, tensor<11xi32>) -> ()
  return
}

// -----

func.func @negate_i64() {
  %c = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, 9223372036854775807, 9223372036854775806, 0, 1, 2, 4611686018427387903, 3074457345618258602, 7, 5]> : tensor<11xi64>
  %0 = stablehlo.negate %c : tensor<11xi64>
  %c_0 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, -9223372036854775807, -9223372036854775806, 0, -1, -2, -4611686018427387903, -3074457345618258602, -7, -5]> : tensor<11xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xi64>, tensor<11xi64>) -> ()
  return
}

// -----

func.func @negate_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 1.500000e+00, -1.500000e+00, 2.500000e+00, -2.500000e+00, 3.750000e+00, -3.750000e+00, 1.000000e+02, -1.000000e+02, 0x7C00, 0xFC00, 1.890870e-01, 7.207030e+00, -5.695310e+00, 7.179680e+00, -3.009770e+00, -1.226560e+00, 5.242190e+00, -1.453130e+00, 7.934570e-01, -7.558590e+00, 4.054690e+00, 6.103520e-01]> : tensor<28xf16>
  %0 = stablehlo.negate %cst : tensor<28xf16>
  %cst_0 = stablehlo.constant dense<[-0.000000e+00, 0.000000e+00, -1.000000e+00, 1.000000e+00, -5.000000e-01, 5.000000e-01, -1.500000e+00, 1.500000e+00, -2.500000e+00, 2.500000e+00, -3.750000e+00, 3.750000e+00, -1.000000e+02, 1.000000e+02, 0xFC00, 0x7C00, -1.890870e-01, -7.207030e+00, 5.695310e+00, -7.179680e+00, 3.009770e+00, 1.226560e+00, -5.242190e+00, 1.453130e+00, -7.934570e-01, 7.558590e+00, -4.054690e+00, -6.103520e-01]> : tensor<28xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<28xf16>, tensor<28xf16>) -> ()
  return
}

// -----

func.func @negate_f16_nan() {
  %cst = stablehlo.constant dense<0x7E00> : tensor<1xf16>
  %0 = stablehlo.negate %cst : tensor<1xf16>
  %cst_0 = stablehlo.constant dense<0xFE00> : tensor<1xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 0 : i64} : (tensor<1xf16>, tensor<1xf16>) -> ()
  return
}

// -----

func.func @negate_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 1.500000e+00, -1.500000e+00, 2.500000e+00, -2.500000e+00, 3.750000e+00, -3.750000e+00, 1.000000e+02, -1.000000e+02, 0x7F80, 0xFF80, 1.894530e-01, 7.218750e+00, -5.687500e+00, 7.187500e+00, -3.015630e+00, -1.226560e+00, 5.250000e+00, -1.453130e+00, 7.929680e-01, -7.562500e+00, 4.062500e+00, 6.093750e-01]> : tensor<28xbf16>
  %0 = stablehlo.negate %cst : tensor<28xbf16>
  %cst_0 = stablehlo.constant dense<[-0.000000e+00, 0.000000e+00, -1.000000e+00, 1.000000e+00, -5.000000e-01, 5.000000e-01, -1.500000e+00, 1.500000e+00, -2.500000e+00, 2.500000e+00, -3.750000e+00, 3.750000e+00, -1.000000e+02, 1.000000e+02, 0xFF80, 0x7F80, -1.894530e-01, -7.218750e+00, 5.687500e+00, -7.187500e+00, 3.015630e+00, 1.226560e+00, -5.250000e+00, 1.453130e+00, -7.929680e-01, 7.562500e+00, -4.062500e+00, -6.093750e-01]> : tensor<28xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<28xbf16>, tensor<28xbf16>) -> ()
  return
}

// -----

func.func @negate_bf16_nan() {
  %cst = stablehlo.constant dense<0x7FC0> : tensor<1xbf16>
  %0 = stablehlo.negate %cst : tensor<1xbf16>
  %cst_0 = stablehlo.constant dense<0xFFC0> : tensor<1xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 0 : i64} : (tensor<1xbf16>, tensor<1xbf16>) -> ()
  return
}

// -----

func.func @negate_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 1.500000e+00, -1.500000e+00, 2.500000e+00, -2.500000e+00, 3.750000e+00, -3.750000e+00, 1.000000e+02, -1.000000e+02, 0x7F800000, 0xFF800000, 1.891460e-01, 7.20741892, -5.69344616, 7.17839098, -3.01069665, -1.22677684, 5.24324131, -1.45281386, 0.793498992, -7.55905437, 4.05620956, 0.610293031]> : tensor<28xf32>
  %0 = stablehlo.negate %cst : tensor<28xf32>
  %cst_0 = stablehlo.constant dense<[-0.000000e+00, 0.000000e+00, -1.000000e+00, 1.000000e+00, -5.000000e-01, 5.000000e-01, -1.500000e+00, 1.500000e+00, -2.500000e+00, 2.500000e+00, -3.750000e+00, 3.750000e+00, -1.000000e+02, 1.000000e+02, 0xFF800000, 0x7F800000, -1.891460e-01, -7.20741892, 5.69344616, -7.17839098, 3.01069665, 1.22677684, -5.24324131, 1.45281386, -0.793498992, 7.55905437, -4.05620956, -0.610293031]> : tensor<28xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<28xf32>, tensor<28xf32>) -> ()
  return
}

// -----

func.func @negate_f32_nan() {
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<1xf32>
  %0 = stablehlo.negate %cst : tensor<1xf32>
  %cst_0 = stablehlo.constant dense<0xFFC00000> : tensor<1xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 0 : i64} : (tensor<1xf32>, tensor<1xf32>) -> ()
  return
}

// -----

func.func @negate_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 1.500000e+00, -1.500000e+00, 2.500000e+00, -2.500000e+00, 3.750000e+00, -3.750000e+00, 1.000000e+02, -1.000000e+02, 0x7FF0000000000000, 0xFFF0000000000000, 0.18914599520410746, 7.2074191412149649, -5.6934461964858603, 7.1783911541959018, -3.0106967678322327, -1.2267768164387896, 5.2432415011270681, -1.4528138180934196, 0.79349900276895191, -7.5590541881109061, 4.0562097387969054, 0.6102930115084515]> : tensor<28xf64>
  %0 = stablehlo.negate %cst : tensor<28xf64>
  %cst_0 = stablehlo.constant dense<[-0.000000e+00, 0.000000e+00, -1.000000e+00, 1.000000e+00, -5.000000e-01, 5.000000e-01, -1.500000e+00, 1.500000e+00, -2.500000e+00, 2.500000e+00, -3.750000e+00, 3.750000e+00, -1.000000e+02, 1.000000e+02, 0xFFF0000000000000, 0x7FF0000000000000, -0.18914599520410746, -7.2074191412149649, 5.6934461964858603, -7.1783911541959018, 3.0106967678322327, 1.2267768164387896, -5.2432415011270681, 1.4528138180934196, -0.79349900276895191, 7.5590541881109061, -4.0562097387969054, -0.6102930115084515]> : tensor<28xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<28xf64>, tensor<28xf64>) -> ()
  return
}

// -----

func.func @negate_f64_nan() {
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<1xf64>
  %0 = stablehlo.negate %cst : tensor<1xf64>
  %cst_0 = stablehlo.constant dense<0xFFF8000000000000> : tensor<1xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 0 : i64} : (tensor<1xf64>, tensor<1xf64>) -> ()
  return
}

// -----

func.func @negate_cf32() {
  %cst = stablehlo.constant dense<[[(0.000000e+00,-1.000000e+00), (0.000000e+00,1.000000e+00), (2.000000e+00,0.000000e+00), (4.000000e+00,-4.000000e+00), (-4.000000e+00,-4.000000e+00)], [(-3.000000e+00,3.000000e+00), (3.000000e+00,2.000000e+00), (4.000000e+00,3.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00)], [(3.000000e+00,-2.000000e+00), (-1.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)]]> : tensor<3x5xcomplex<f32>>
  %0 = stablehlo.negate %cst : tensor<3x5xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[[(-0.000000e+00,1.000000e+00), (-0.000000e+00,-1.000000e+00), (-2.000000e+00,-0.000000e+00), (-4.000000e+00,4.000000e+00), (4.000000e+00,4.000000e+00)], [(3.000000e+00,-3.000000e+00), (-3.000000e+00,-2.000000e+00), (-4.000000e+00,-3.000000e+00), (2.000000e+00,-0.000000e+00), (2.000000e+00,-3.000000e+00)], [(-3.000000e+00,2.000000e+00), (1.000000e+00,-0.000000e+00), (2.000000e+00,-3.000000e+00), (-3.000000e+00,3.000000e+00), (2.000000e+00,2.000000e+00)]]> : tensor<3x5xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>) -> ()
  return
}

// -----

func.func @negate_cf64() {
  %cst = stablehlo.constant dense<[[(0.000000e+00,-1.000000e+00), (0.000000e+00,1.000000e+00), (2.000000e+00,0.000000e+00), (4.000000e+00,-4.000000e+00), (-4.000000e+00,-4.000000e+00)], [(-3.000000e+00,3.000000e+00), (3.000000e+00,2.000000e+00), (4.000000e+00,3.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00)], [(3.000000e+00,-2.000000e+00), (-1.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)]]> : tensor<3x5xcomplex<f64>>
  %0 = stablehlo.negate %cst : tensor<3x5xcomplex<f64>>
  %cst_0 = stablehlo.constant dense<[[(-0.000000e+00,1.000000e+00), (-0.000000e+00,-1.000000e+00), (-2.000000e+00,-0.000000e+00), (-4.000000e+00,4.000000e+00), (4.000000e+00,4.000000e+00)], [(3.000000e+00,-3.000000e+00), (-3.000000e+00,-2.000000e+00), (-4.000000e+00,-3.000000e+00), (2.000000e+00,-0.000000e+00), (2.000000e+00,-3.000000e+00)], [(-3.000000e+00,2.000000e+00), (1.000000e+00,-0.000000e+00), (2.000000e+00,-3.000000e+00), (-3.000000e+00,3.000000e+00), (2.000000e+00,2.000000e+00)]]> : tensor<3x5xcomplex<f64>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x5xcomplex<f64>>, tensor<3x5xcomplex<f64>>) -> ()
  return
}
