// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @dynamic_slice_inside_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %c = stablehlo.constant dense<1> : tensor<i32>
  %c_0 = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.dynamic_slice %cst, %c, %c_0, sizes = [2, 3] : (tensor<5x7xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %cst_1 = stablehlo.constant dense<[[-2.000000e+00, 3.000000e+00, -1.000000e+00], [1.000000e+00, 0.000000e+00, -4.000000e+00]]> : tensor<2x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @dynamic_update_slice_inside_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %c = stablehlo.constant dense<1> : tensor<i32>
  %c_1 = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %cst, %cst_0, %c, %c_1 : (tensor<5x7xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<5x7xf32>
  %cst_2 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -4.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, -1.000000e+00, 3.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
  return
}

// -----

func.func @dynamic_slice_inside_i64() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi64>
  %c_0 = stablehlo.constant dense<1> : tensor<i64>
  %c_1 = stablehlo.constant dense<2> : tensor<i64>
  %0 = stablehlo.dynamic_slice %c, %c_0, %c_1, sizes = [2, 3] : (tensor<5x7xi64>, tensor<i64>, tensor<i64>) -> tensor<2x3xi64>
  %c_2 = stablehlo.constant dense<[[-2, 3, -1], [1, 0, -4]]> : tensor<2x3xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<2x3xi64>, tensor<2x3xi64>) -> ()
  return
}

// -----

func.func @dynamic_update_slice_inside_i64() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi64>
  %c_0 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3]]> : tensor<2x3xi64>
  %c_1 = stablehlo.constant dense<1> : tensor<i64>
  %c_2 = stablehlo.constant dense<2> : tensor<i64>
  %0 = stablehlo.dynamic_update_slice %c, %c_0, %c_1, %c_2 : (tensor<5x7xi64>, tensor<2x3xi64>, tensor<i64>, tensor<i64>) -> tensor<5x7xi64>
  %c_3 = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, 3, -2, -4, -2, 3], [-2, -1, -2, -1, 3, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_3) {has_side_effect = true} : (tensor<5x7xi64>, tensor<5x7xi64>) -> ()
  return
}

// -----

func.func @dynamic_slice_clamped_high_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %c = stablehlo.constant dense<9> : tensor<i32>
  %c_0 = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.dynamic_slice %cst, %c, %c_0, sizes = [2, 3] : (tensor<5x7xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %cst_1 = stablehlo.constant dense<[[-2.000000e+00, 0.000000e+00, 3.000000e+00], [4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<2x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @dynamic_update_slice_clamped_high_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %c = stablehlo.constant dense<9> : tensor<i32>
  %c_1 = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %cst, %cst_0, %c, %c_1 : (tensor<5x7xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<5x7xf32>
  %cst_2 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, 3.000000e+00, -2.000000e+00, -4.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -1.000000e+00, 3.000000e+00]]> : tensor<5x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
  return
}

// -----

func.func @dynamic_slice_clamped_high_i64() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi64>
  %c_0 = stablehlo.constant dense<9> : tensor<i64>
  %c_1 = stablehlo.constant dense<9> : tensor<i64>
  %0 = stablehlo.dynamic_slice %c, %c_0, %c_1, sizes = [2, 3] : (tensor<5x7xi64>, tensor<i64>, tensor<i64>) -> tensor<2x3xi64>
  %c_2 = stablehlo.constant dense<[[-2, 0, 3], [4, -3, -1]]> : tensor<2x3xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<2x3xi64>, tensor<2x3xi64>) -> ()
  return
}

// -----

func.func @dynamic_update_slice_clamped_high_i64() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi64>
  %c_0 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3]]> : tensor<2x3xi64>
  %c_1 = stablehlo.constant dense<9> : tensor<i64>
  %c_2 = stablehlo.constant dense<9> : tensor<i64>
  %0 = stablehlo.dynamic_update_slice %c, %c_0, %c_1, %c_2 : (tensor<5x7xi64>, tensor<2x3xi64>, tensor<i64>, tensor<i64>) -> tensor<5x7xi64>
  %c_3 = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, 3, -2, -4], [-3, -2, -3, 0, -2, -1, 3]]> : tensor<5x7xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_3) {has_side_effect = true} : (tensor<5x7xi64>, tensor<5x7xi64>) -> ()
  return
}

// -----

func.func @dynamic_slice_clamped_low_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %c = stablehlo.constant dense<-3> : tensor<i32>
  %c_0 = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %cst, %c, %c_0, sizes = [2, 3] : (tensor<5x7xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00]]> : tensor<2x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @dynamic_update_slice_clamped_low_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %c = stablehlo.constant dense<-3> : tensor<i32>
  %c_1 = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %cst, %cst_0, %c, %c_1 : (tensor<5x7xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<5x7xf32>
  %cst_2 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
  return
}

// -----

func.func @dynamic_slice_clamped_low_i64() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi64>
  %c_0 = stablehlo.constant dense<-3> : tensor<i64>
  %c_1 = stablehlo.constant dense<-1> : tensor<i64>
  %0 = stablehlo.dynamic_slice %c, %c_0, %c_1, sizes = [2, 3] : (tensor<5x7xi64>, tensor<i64>, tensor<i64>) -> tensor<2x3xi64>
  %c_2 = stablehlo.constant dense<[[0, 0, 2], [4, -2, -2]]> : tensor<2x3xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<2x3xi64>, tensor<2x3xi64>) -> ()
  return
}

// -----

func.func @dynamic_update_slice_clamped_low_i64() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi64>
  %c_0 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3]]> : tensor<2x3xi64>
  %c_1 = stablehlo.constant dense<-3> : tensor<i64>
  %c_2 = stablehlo.constant dense<-1> : tensor<i64>
  %0 = stablehlo.dynamic_update_slice %c, %c_0, %c_1, %c_2 : (tensor<5x7xi64>, tensor<2x3xi64>, tensor<i64>, tensor<i64>) -> tensor<5x7xi64>
  %c_3 = stablehlo.constant dense<[[3, -2, -4, 4, -4, -3, 3], [-2, -1, 3, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_3) {has_side_effect = true} : (tensor<5x7xi64>, tensor<5x7xi64>) -> ()
  return
}

// -----

func.func @dynamic_slice_begin_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %cst, %c, %c_0, sizes = [2, 3] : (tensor<5x7xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00]]> : tensor<2x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @dynamic_update_slice_begin_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %cst, %cst_0, %c, %c_1 : (tensor<5x7xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<5x7xf32>
  %cst_2 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
  return
}

// -----

func.func @dynamic_slice_begin_i64() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi64>
  %c_0 = stablehlo.constant dense<0> : tensor<i64>
  %c_1 = stablehlo.constant dense<0> : tensor<i64>
  %0 = stablehlo.dynamic_slice %c, %c_0, %c_1, sizes = [2, 3] : (tensor<5x7xi64>, tensor<i64>, tensor<i64>) -> tensor<2x3xi64>
  %c_2 = stablehlo.constant dense<[[0, 0, 2], [4, -2, -2]]> : tensor<2x3xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<2x3xi64>, tensor<2x3xi64>) -> ()
  return
}

// -----

func.func @dynamic_update_slice_begin_i64() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi64>
  %c_0 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3]]> : tensor<2x3xi64>
  %c_1 = stablehlo.constant dense<0> : tensor<i64>
  %c_2 = stablehlo.constant dense<0> : tensor<i64>
  %0 = stablehlo.dynamic_update_slice %c, %c_0, %c_1, %c_2 : (tensor<5x7xi64>, tensor<2x3xi64>, tensor<i64>, tensor<i64>) -> tensor<5x7xi64>
  %c_3 = stablehlo.constant dense<[[3, -2, -4, 4, -4, -3, 3], [-2, -1, 3, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c_3) {has_side_effect = true} : (tensor<5x7xi64>, tensor<5x7xi64>) -> ()
  return
}
