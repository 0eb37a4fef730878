// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @popcnt_i8() {
  %c = stablehlo.constant dense<[-128, -127, 127, 126, 0, 1, 2, 63, 42, 7, 5]> : tensor<11xi8>
  %0 = stablehlo.popcnt %c : tensor<11xi8>
  %c_0 = stablehlo.constant dense<[1, 2, 7, 6, 0, 1, 1, 6, 3, 3, 2]> : tensor<11xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xi8>, tensor<11xi8>) -> ()
  return
}

// -----

func.func @popcnt_i16() {
  %c = stablehlo.constant dense<[-32768, -32767, 32767, 32766, 0, 1, 2, 16383, 10922, 7, 5]> : tensor<11xi16>
  %0 = stablehlo.popcnt %c : tensor<11xi16>
  %c_0 = stablehlo.constant dense<[1, 2, 15, 14, 0, 1, 1, 14, 7, 3, 2]> : tensor<11xi16>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xi16>, tensor<11xi16>) -> ()
  return
}

// -----

func.func @popcnt_ui32() {
  %c = stablehlo.constant dense<[0, 1, 4294967295, 4294967294, 0, 1, 2, 2147483647, 1431655765, 7, 5]> : tensor<11xui32>
  %0 = stablehlo.popcnt %c : tensor<11xui32>
  %c_0 = stablehlo.constant dense<[0, 1, 32, 31, 0, 1, 1, 31, 16, 3, 2]> : tensor<11xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xui32>, tensor<11xui32>) -> ()
  return
}

// -----

func.func @popcnt_i64() {
  %c = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, 9223372036854775807, 9223372036854775806, 0, 1, 2, 4611686018427387903, 3074457345618258602, 7, 5]> : tensor<11xi64>
  %0 = stablehlo.popcnt %c : tensor<11xi64>
  %c_0 = stablehlo.constant dense<[1, 2, 63, 62, 0, 1, 1, 62, 31, 3, 2]> : tensor<11xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xi64>, tensor<11xi64>) -> ()
  return
}

// -----

func.func @popcnt_ui64() {
  %c = stablehlo.constant dense<[0, 1, 0, 0, 0, 1, 2, 9223372036854775808, 6148914691236516864, 7, 5]> : tensor<11xui64>
  %0 = stablehlo.popcnt %c : tensor<11xui64>
  %c_0 = stablehlo.constant dense<[0, 1, 0, 0, 0, 1, 1, 1, 27, 3, 2]> : tensor<11xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xui64>, tensor<11xui64>) -> ()
  return
}

// -----

func.func @count_leading_zeros_i8() {
  %c = stablehlo.constant dense<[-128, -127, 127, 126, 0, 1, 2, 63, 42, 7, 5]> : tensor<11xi8>
  %0 = stablehlo.count_leading_zeros %c : tensor<11xi8>
  %c_0 = stablehlo.constant dense<[0, 0, 1, 1, 8, 7, 6, 2, 2, 5, 5]> : tensor<11xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xi8>, tensor<11xi8>) -> ()
  return
}

// -----

func.func @count_leading_zeros_i16() {
  %c = stablehlo.constant dense<[-32768, -32767, 32767, 32766, 0, 1, 2, 16383, 10922, 7, 5]> : tensor<11xi16>
  %0 = stablehlo.count_leading_zeros %c : tensor<11xi16>
  %c_0 = stablehlo.constant dense<[0, 0, 1, 1, 16, 15, 14, 2, 2, 13, 13]> : tensor<11xi16>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xi16>, tensor<11xi16>) -> ()
  return
}

// -----

func.func @count_leading_zeros_ui32() {
  %c = stablehlo.constant dense<[0, 1, 4294967295, 4294967294, 0, 1, 2, 2147483647, 1431655765, 7, 5]> : tensor<11xui32>
  %0 = stablehlo.count_leading_zeros %c : tensor<11xui32>
  %c_0 = stablehlo.constant dense<[32, 31, 0, 0, 32, 31, 30, 1, 1, 29, 29]> : tensor<11xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xui32>, tensor<11xui32>) -> ()
  return
}

// -----

func.func @count_leading_zeros_i64() {
  %c = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, 9223372036854775807, 9223372036854775806, 0, 1, 2, 4611686018427387903, 3074457345618258602, 7, 5]> : tensor<11xi64>
  %0 = stablehlo.count_leading_zeros %c : tensor<11xi64>
  %c_0 = stablehlo.constant dense<[0, 0, 1, 1, 64, 63, 62, 2, 2, 61, 61]> : tensor<11xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xi64>, tensor<11xi64>) -> ()
  return
}

// -----

func.func @count_leading_zeros_ui64() {
  %c = stablehlo.constant dense<[0, 1, 0, 0, 0, 1, 2, 9223372036854775808, 6148914691236516864, 7, 5]> : tensor<11xui64>
  %0 = stablehlo.count_leading_zeros %c : tensor<11xui64>
  %c_0 = stablehlo.constant dense<[64, 63, 64, 64, 64, 63, 62, 0, 1, 61, 61]> : tensor<11xui64>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<11xui64>, tensor<11xui64>) -> ()
  return
}
