// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @shift_left_i8() {
  %c = stablehlo.constant dense<[-128, -127, 127, 126, 0, 1, 2, 63, 42, 7, 5]> : tensor<11xi8>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 4, 8, 9, 1, 2, 100]> : tensor<11xi8>
  %0 = stablehlo.shift_left %c, %c_0 : tensor<11xi8>
  %c_1 = stablehlo.constant dense<[-128, 2, -4, -16, 0, 16, 0, 0, 84, 28, 0]> : tensor<11xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi8>, tensor<11xi8>) -> ()
  return
}

// -----

func.func @shift_left_i32() {
  %c = stablehlo.constant dense<[-2147483648, -2147483647, 2147483647, 2147483646, 0, 1, 2, 1073741823, 715827882, 7, 5]> : tensor<11xi32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 31, 16, 32, 33, 1, 2, 100]> : tensor<11xi32>
  %0 = stablehlo.shift_left %c, %c_0 : tensor<11xi32>
  %c_1 = stablehlo.constant dense<[-2147483648, 2, -4, -16, 0, 65536, 0, 0, 1431655764, 28, 0]> : tensor<11xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi32>, tensor<11xi32>) -> ()
  return
}

// -----

func.func @shift_left_i64() {
  %c = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, 9223372036854775807, 9223372036854775806, 0, 1, 2, 4611686018427387903, 3074457345618258602, 7, 5]> : tensor<11xi64>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 63, 32, 64, 65, 1, 2, 100]> : tensor<11xi64>
  %0 = stablehlo.shift_left %c, %c_0 : tensor<11xi64>
  %c_1 = stablehlo.constant dense<[-9223372036854775808, 2, -4, -16, 0, 4294967296, 0, 0, 6148914691236517204, 28, 0]> : tensor<11xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi64>, tensor<11xi64>) -> ()
  return
}

// -----

func.func @shift_left_ui16() {
  %c = stablehlo.constant dense<[0, 1, 65535, 65534, 0, 1, 2, 32767, 21845, 7, 5]> : tensor<11xui16>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 15, 8, 16, 17, 1, 2, 100]> : tensor<11xui16>
  %0 = stablehlo.shift_left %c, %c_0 : tensor<11xui16>
  %c_1 = stablehlo.constant dense<[0, 2, 65532, 65520, 0, 256, 0, 0, 43690, 28, 0]> : tensor<11xui16>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xui16>, tensor<11xui16>) -> ()
  return
}

// -----

func.func @shift_left_ui32() {
  %c = stablehlo.constant dense<[0, 1, 4294967295, 4294967294, 0, 1, 2, 2147483647, 1431655765, 7, 5]> : tensor<11xui32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 31, 16, 32, 33, 1, 2, 100]> : tensor<11xui32>
  %0 = stablehlo.shift_left %c, %c_0 : tensor<11xui32>
  %c_1 = stablehlo.constant dense<[0, 2, 4294967292, 4294967280, 0, 65536, 0, 0, 2863311530, 28, 0]> : tensor<11xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xui32>, tensor<11xui32>) -> ()
  return
}

// -----

func.func @shift_right_arithmetic_i8() {
  %c = stablehlo.constant dense<[-128, -127, 127, 126, 0, 1, 2, 63, 42, 7, 5]> : tensor<11xi8>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 4, 8, 9, 1, 2, 100]> : tensor<11xi8>
  %0 = stablehlo.shift_right_arithmetic %c, %c_0 : tensor<11xi8>
  %c_1 = stablehlo.constant dense<[-128, -64, 31, 15, 0, 0, 0, 0, 21, 1, 0]> : tensor<11xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi8>, tensor<11xi8>) -> ()
  return
}

// -----

func.func @shift_right_arithmetic_i32() {
  %c = stablehlo.constant dense<[-2147483648, -2147483647, 2147483647, 2147483646, 0, 1, 2, 1073741823, 715827882, 7, 5]> : tensor<11xi32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 31, 16, 32, 33, 1, 2, 100]> : tensor<11xi32>
  %0 = stablehlo.shift_right_arithmetic %c, %c_0 : tensor<11xi32>
  %c_1 = stablehlo.constant dense<[-2147483648, -1073741824, 536870911, 268435455, 0, 0, 0, 0, 357913941, 1, 0]> : tensor<11xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi32>, tensor<11xi32>) -> ()
  return
}

// -----

func.func @shift_right_arithmetic_i64() {
  %c = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, 9223372036854775807, 9223372036854775806, 0, 1, 2, 4611686018427387903, 3074457345618258602, 7, 5]> : tensor<11xi64>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 63, 32, 64, 65, 1, 2, 100]> : tensor<11xi64>
  %0 = stablehlo.shift_right_arithmetic %c, %c_0 : tensor<11xi64>
  %c_1 = stablehlo.constant dense<[-9223372036854775808, -4611686018427387904, 2305843009213693951, 1152921504606846975, 0, 0, 0, 0, 1537228672809129301, 1, 0]> : tensor<11xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi64>, tensor<11xi64>) -> ()
  return
}

// -----

func.func @shift_right_arithmetic_ui16() {
  %c = stablehlo.constant dense<[0, 1, 65535, 65534, 0, 1, 2, 32767, 21845, 7, 5]> : tensor<11xui16>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 15, 8, 16, 17, 1, 2, 100]> : tensor<11xui16>
  %0 = stablehlo.shift_right_arithmetic %c, %c_0 : tensor<11xui16>
  %c_1 = stablehlo.constant dense<[0, 0, 65535, 65535, 0, 0, 0, 0, 10922, 1, 0]> : tensor<11xui16>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xui16>, tensor<11xui16>) -> ()
  return
}

// -----

func.func @shift_right_arithmetic_ui32() {
  %c = stablehlo.constant dense<[0, 1, 4294967295, 4294967294, 0, 1, 2, 2147483647, 1431655765, 7, 5]> : tensor<11xui32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 31, 16, 32, 33, 1, 2, 100]> : tensor<11xui32>
  %0 = stablehlo.shift_right_arithmetic %c, %c_0 : tensor<11xui32>
  %c_1 = stablehlo.constant dense<[0, 0, 4294967295, 4294967295, 0, 0, 0, 0, 715827882, 1, 0]> : tensor<11xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xui32>, tensor<11xui32>) -> ()
  return
}

// -----

func.func @shift_right_logical_i8() {
  %c = stablehlo.constant dense<[-128, -127, 127, 126, 0, 1, 2, 63, 42, 7, 5]> : tensor<11xi8>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 7, 4, 8, 9, 1, 2, 100]> : tensor<11xi8>
  %0 = stablehlo.shift_right_logical %c, %c_0 : tensor<11xi8>
  %c_1 = stablehlo.constant dense<[-128, 64, 31, 15, 0, 0, 0, 0, 21, 1, 0]> : tensor<11xi8>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi8>, tensor<11xi8>) -> ()
  return
}

// -----

func.func @shift_right_logical_i32() {
  %c = stablehlo.constant dense<[-2147483648, -2147483647, 2147483647, 2147483646, 0, 1, 2, 1073741823, 715827882, 7, 5]> : tensor<11xi32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 31, 16, 32, 33, 1, 2, 100]> : tensor<11xi32>
  %0 = stablehlo.shift_right_logical %c, %c_0 : tensor<11xi32>
  %c_1 = stablehlo.constant dense<[-2147483648, 1073741824, 536870911, 268435455, 0, 0, 0, 0, 357913941, 1, 0]> : tensor<11xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi32>, tensor<11xi32>) -> ()
  return
}

// -----

func.func @shift_right_logical_i64() {
  %c = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, 9223372036854775807, 9223372036854775806, 0, 1, 2, 4611686018427387903, 3074457345618258602, 7, 5]> : tensor<11xi64>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 63, 32, 64, 65, 1, 2, 100]> : tensor<11xi64>
  %0 = stablehlo.shift_right_logical %c, %c_0 : tensor<11xi64>
  %c_1 = stablehlo.constant dense<[-9223372036854775808, 4611686018427387904, 2305843009213693951, 1152921504606846975, 0, 0, 0, 0, 1537228672809129301, 1, 0]> : tensor<11xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xi64>, tensor<11xi64>) -> ()
  return
}

// -----

func.func @shift_right_logical_ui16() {
  %c = stablehlo.constant dense<[0, 1, 65535, 65534, 0, 1, 2, 32767, 21845, 7, 5]> : tensor<11xui16>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 15, 8, 16, 17, 1, 2, 100]> : tensor<11xui16>
  %0 = stablehlo.shift_right_logical %c, %c_0 : tensor<11xui16>
  %c_1 = stablehlo.constant dense<[0, 0, 16383, 8191, 0, 0, 0, 0, 10922, 1, 0]> : tensor<11xui16>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xui16>, tensor<11xui16>) -> ()
  return
}

// -----

func.func @shift_right_logical_ui32() {
  %c = stablehlo.constant dense<[0, 1, 4294967295, 4294967294, 0, 1, 2, 2147483647, 1431655765, 7, 5]> : tensor<11xui32>
  %c_0 = stablehlo.constant dense<[0, 1, 2, 3, 31, 16, 32, 33, 1, 2, 100]> : tensor<11xui32>
  %0 = stablehlo.shift_right_logical %c, %c_0 : tensor<11xui32>
  %c_1 = stablehlo.constant dense<[0, 0, 1073741823, 536870911, 0, 0, 0, 0, 715827882, 1, 0]> : tensor<11xui32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<11xui32>, tensor<11xui32>) -> ()
  return
}
