// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @and_i8() {
  %c = stablehlo.constant dense<[-128, -127, 127, 126, 0, 1, 2, 63, 42, 7, 5]> : tensor<11xi8>
  %c_0 = stablehlo.constant dense<[42, 7, 5, -128, -127, 127, 126, 0, 1, 2, 63]> : tensor<11xi8>
  %0 = stablehlo.and %c, %c_0 : tensor<11xi8>
  %c_1 = stablehlo.constant dense<[0, 1, 5, 0, 0, 1, 2, 0, 0, 2, 5]> : tensor<11xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi8>, tensor<11xi8>) -> ()
  return
}

// -----

func.func @and_ui16() {
  %c = stablehlo.constant dense<[0, 1, 65535, 65534, 0, 1, 2, 32767, 21845, 7, 5]> : tensor<11xui16>
  %c_0 = stablehlo.constant dense<[21845, 7, 5, 0, 1, 65535, 65534, 0, 1, 2, 32767]> : tensor<11xui16>
  %0 = stablehlo.and %c, %c_0 : tensor<11xui16>
  %c_1 = stablehlo.constant dense<[0, 1, 5, 0, 0, 1, 2, 0, 1, 2, 5]> : tensor<11xui16>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xui16>, tensor<11xui16>) -> ()
  return
}

// -----

func.func @and_i32() {
  %c = stablehlo.constant dense<[-2147483648, -2147483647, 2147483647, 2147483646, 0, 1, 2, 1073741823, 715827882, 7, 5]> : tensor<11xi32>
  %c_0 = stablehlo.constant dense<[715827882, 7, 5, -2147483648, -2147483647, 2147483647, 2147483646, 0, 1, 2, 1073741823]> : tensor<11xi32>
  %0 = stablehlo.and %c, %c_0 : tensor<11xi32>
  %c_1 = stablehlo.constant dense<[0, 1, 5, 0, 0, 1, 2, 0, 0, 2, 5]> : tensor<11xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi32>, tensor<11xi32>) -> ()
  return
}

// -----

func.func @and_ui64() {
  %c = stablehlo.constant dense<[0, 1, 0, 0, 0, 1, 2, 9223372036854775808, 6148914691236516864, 7, 5]> : tensor<11xui64>
  %c_0 = stablehlo.constant dense<[6148914691236516864, 7, 5, 0, 1, 0, 0, 0, 1, 2, 9223372036854775808]> : tensor<11xui64>
  %0 = stablehlo.and %c, %c_0 : tensor<11xui64>
  %c_1 = stablehlo.constant dense<[0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0]> : tensor<11xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xui64>, tensor<11xui64>) -> ()
  return
}

// -----

func.func @and_i1() {
  %c = stablehlo.constant dense<[[false, true, true, true, false, false, true], [true, false, false, true, false, false, true], [false, false, true, true, false, false, true]]> : tensor<3x7xi1>
  %c_0 = stablehlo.constant dense<[[true, false, false, false, false, true, false], [false, false, true, true, true, true, false], [true, false, true, false, false, true, false]]> : tensor<3x7xi1>
  %0 = stablehlo.and %c, %c_0 : tensor<3x7xi1>
  %c_1 = stablehlo.constant dense<[[false, false, false, false, false, false, false], [false, false, false, true, false, false, false], [false, false, true, false, false, false, false]]> : tensor<3x7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<3x7xi1>, tensor<3x7xi1>) -> ()
  return
}

// -----

func.func @or_i8() {
  %c = stablehlo.constant dense<[-128, -127, 127, 126, 0, 1, 2, 63, 42, 7, 5]> : tensor<11xi8>
  %c_0 = stablehlo.constant dense<[42, 7, 5, -128, -127, 127, 126, 0, 1, 2, 63]> : tensor<11xi8>
  %0 = stablehlo.or %c, %c_0 : tensor<11xi8>
  %c_1 = stablehlo.constant dense<[-86, -121, 127, -2, -127, 127, 126, 63, 43, 7, 63]> : tensor<11xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi8>, tensor<11xi8>) -> ()
  return
}

// -----

func.func @or_ui16() {
  %c = stablehlo.constant dense<[0, 1, 65535, 65534, 0, 1, 2, 32767, 21845, 7, 5]> : tensor<11xui16>
  %c_0 = stablehlo.constant dense<[21845, 7, 5, 0, 1, 65535, 65534, 0, 1, 2, 32767]> : tensor<11xui16>
  %0 = stablehlo.or %c, %c_0 : tensor<11xui16>
  %c_1 = stablehlo.constant dense<[21845, 7, 65535, 65534, 1, 65535, 65534, 32767, 21845, 7, 32767]> : tensor<11xui16>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xui16>, tensor<11xui16>) -> ()
  return
}

// -----

func.func @or_i32() {
  %c = stablehlo.constant dense<[-2147483648, -2147483647, 2147483647, 2147483646, 0, 1, 2, 1073741823, 715827882, 7, 5]> : tensor<11xi32>
  %c_0 = stablehlo.constant dense<[715827882, 7, 5, -2147483648, -2147483647, 2147483647, 2147483646, 0, 1, 2, 1073741823]> : tensor<11xi32>
  %0 = stablehlo.or %c, %c_0 : tensor<11xi32>
  %c_1 = stablehlo.constant dense<[-1431655766, -2147483641, 2147483647, -2, -2147483647, 2147483647, 2147483646, 1073741823, 715827883, 7, 1073741823]> : tensor<11xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi32>, tensor<11xi32>) -> ()
  return
}

// -----

func.func @or_ui64() {
  %c = stablehlo.constant dense<[0, 1, 0, 0, 0, 1, 2, 9223372036854775808, 6148914691236516864, 7, 5]> : tensor<11xui64>
  %c_0 = stablehlo.constant dense<[6148914691236516864, 7, 5, 0, 1, 0, 0, 0, 1, 2, 9223372036854775808]> : tensor<11xui64>
  %0 = stablehlo.or %c, %c_0 : tensor<11xui64>
  %c_1 = stablehlo.constant dense<[6148914691236516864, 7, 5, 0, 1, 1, 2, 9223372036854775808, 6148914691236516865, 7, 9223372036854775813]> : tensor<11xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xui64>, tensor<11xui64>) -> ()
  return
}

// -----

func.func @or_i1() {
  %c = stablehlo.constant dense<[[false, true, true, true, false, false, true], [true, false, false, true, false, false, true], [false, false, true, true, false, false, true]]> : tensor<3x7xi1>
  %c_0 = stablehlo.constant dense<[[true, false, false, false, false, true, false], [false, false, true, true, true, true, false], [true, false, true, false, false, true, false]]> : tensor<3x7xi1>
  %0 = stablehlo.or %c, %c_0 : tensor<3x7xi1>
  %c_1 = stablehlo.constant dense<[[true, true, true, true, false, true, true], [true, false, true, true, true, true, true], [true, false, true, true, false, true, true]]> : tensor<3x7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<3x7xi1>, tensor<3x7xi1>) -> ()
  return
}

// -----

func.func @xor_i8() {
  %c = stablehlo.constant dense<[-128, -127, 127, 126, 0, 1, 2, 63, 42, 7, 5]> : tensor<11xi8>
  %c_0 = stablehlo.constant dense<[42, 7, 5, -128, -127, 127, 126, 0, 1, 2, 63]> : tensor<11xi8>
  %0 = stablehlo.xor %c, %c_0 : tensor<11xi8>
  %c_1 = stablehlo.constant dense<[-86, -122, 122, -2, -127, 126, 124, 63, 43, 5, 58]> : tensor<11xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi8>, tensor<11xi8>) -> ()
  return
}

// -----

func.func @xor_ui16() {
  %c = stablehlo.constant dense<[0, 1, 65535, 65534, 0, 1, 2, 32767, 21845, 7, 5]> : tensor<11xui16>
  %c_0 = stablehlo.constant dense<[21845, 7, 5, 0, 1, 65535, 65534, 0, 1, 2, 32767]> : tensor<11xui16>
  %0 = stablehlo.xor %c, %c_0 : tensor<11xui16>
  %c_1 = stablehlo.constant dense<[21845, 6, 65530, 65534, 1, 65534, 65532, 32767, 21844, 5, 32762]> : tensor<11xui16>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xui16>, tensor<11xui16>) -> ()
  return
}

// -----

func.func @xor_i32() {
  %c = stablehlo.constant dense<[-2147483648, -2147483647, 2147483647, 2147483646, 0, 1, 2, 1073741823, 715827882, 7, 5]> : tensor<11xi32>
  %c_0 = stablehlo.constant dense<[715827882, 7, 5, -2147483648, -2147483647, 2147483647, 2147483646, 0, 1, 2, 1073741823]> : tensor<11xi32>
  %0 = stablehlo.xor %c, %c_0 : tensor<11xi32>
  %c_1 = stablehlo.constant dense<[-1431655766, -2147483642, 2147483642, -2, -2147483647, 2147483646, 2147483644, 1073741823, 715827883, 5, 1073741818]> : tensor<11xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi32>, tensor<11xi32>) -> ()
  return
}

// -----

func.func @xor_ui64() {
  %c = stablehlo.constant dense<[0, 1, 0, 0, 0, 1, 2, 9223372036854775808, 6148914691236516864, 7, 5]> : tensor<11xui64>
  %c_0 = stablehlo.constant dense<[6148914691236516864, 7, 5, 0, 1, 0, 0, 0, 1, 2, 9223372036854775808]> : tensor<11xui64>
  %0 = stablehlo.xor %c, %c_0 : tensor<11xui64>
  %c_1 = stablehlo.constant dense<[6148914691236516864, 6, 5, 0, 1, 1, 2, 9223372036854775808, 6148914691236516865, 5, 9223372036854775813]> : tensor<11xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xui64>, tensor<11xui64>) -> ()
  return
}

// -----

func.func @xor_i1() {
  %c = stablehlo.constant dense<[[false, true, true, true, false, false, true], [true, false, false, true, false, false, true], [false, false, true, true, false, false, true]]> : tensor<3x7xi1>
  %c_0 = stablehlo.constant dense<[[true, false, false, false, false, true, false], [false, false, true, true, true, true, false], [true, false, true, false, false, true, false]]> : tensor<3x7xi1>
  %0 = stablehlo.xor %c, %c_0 : tensor<3x7xi1>
  %c_1 = stablehlo.constant dense<[[true, true, true, true, false, true, true], [true, false, true, false, true, true, true], [true, false, false, true, false, true, true]]> : tensor<3x7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<3x7xi1>, tensor<3x7xi1>) -> ()
  return
}

// -----

func.func @not_i8() {
  %c = stablehlo.constant dense<[-128, -127, 127, 126, 0, 1, 2, 63, 42, 7, 5]> : tensor<11xi8>
  %0 = stablehlo.not %c : tensor<11xi8>
  %c_0 = stablehlo.constant dense<[127, 126, -128, -127, -1, -2, -3, -64, -43, -8, -6]> : tensor<11xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xi8>, tensor<11xi8>) -> ()
  return
}

// -----

func.func @not_ui16() {
  %c = stablehlo.constant dense<[0, 1, 65535, 65534, 0, 1, 2, 32767, 21845, 7, 5]> : tensor<11xui16>
  %0 = stablehlo.not %c : tensor<11xui16>
  %c_0 = stablehlo.constant dense<[65535, 65534, 0, 1, 65535, 65534, 65533, 32768, 43690, 65528, 65530]> : tensor<11xui16>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xui16>, tensor<11xui16>) -> ()
  return
}

// -----

func.func @not_i32() {
  %c = stablehlo.constant dense<[-2147483648, -2147483647, 2147483647, 2147483646, 0, 1, 2, 1073741823, 715827882, 7, 5]> : tensor<11xi32>
  %0 = stablehlo.not %c : tensor<11xi32>
  %c_0 = stablehlo.constant dense<[2147483647, 2147483646, -2147483648, -2147483647, -1, -2, -3, -1073741824, -715827883, -8, -6]> : tensor<11xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xi32>, tensor<11xi32>) -> ()
  return
}

// -----

func.func @not_ui64() {
  %c = stablehlo.constant dense<[0, 1, 0, 0, 0, 1, 2, 9223372036854775808, 6148914691236516864, 7, 5]> : tensor<11xui64>
  %0 = stablehlo.not %c : tensor<11xui64>
  %c_0 = stablehlo.constant dense<[18446744073709551615, 18446744073709551614, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551614, 18446744073709551613, 9223372036854775807, 12297829382473034751, 18446744073709551608, 18446744073709551610]> : tensor<11xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xui64>, tensor<11xui64>) -> ()
  return
}

// -----

func.func @not_i1() {
  %c = stablehlo.constant dense<[true, false, false, false, false, true, true]> : tensor<7xi1>
  %0 = stablehlo.not %c : tensor<7xi1>
  %c_0 = stablehlo.constant dense<[false, true, true, true, true, false, false]> : tensor<7xi1>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<7xi1>, tensor<7xi1>) -> ()
  return
}
