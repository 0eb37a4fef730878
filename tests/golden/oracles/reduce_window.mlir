// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @add_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<5x8xf32>
  %cst_1 = stablehlo.constant dense<[[-7.000000e+00, 3.000000e+00, 8.000000e+00, 6.000000e+00, -3.000000e+00, 0.000000e+00, 8.000000e+00, 1.000000e+00], [-7.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 8.000000e+00, 1.000000e+00, -3.000000e+00, -3.000000e+00], [-7.000000e+00, -9.000000e+00, -2.000000e+00, -4.000000e+00, 5.000000e+00, 2.000000e+00, -9.000000e+00, -6.000000e+00], [-2.000000e+00, -7.000000e+00, -1.000000e+00, -3.000000e+00, 2.000000e+00, -3.000000e+00, -1.000000e+01, -6.000000e+00], [0.000000e+00, -2.000000e+00, 3.000000e+00, -5.000000e+00, 0.000000e+00, -1.000000e+00, -7.000000e+00, -6.000000e+00]]> : tensor<5x8xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x8xf32>, tensor<5x8xf32>) -> ()
  return
}

// -----

func.func @add_i32() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3, 4, -2], [-2, 3, -1, -2, 3, -2, -1, 1, 0], [-4, -4, 3, 2, 3, 0, 3, -2, 0], [3, -3, -2, -3, 0, 4, -3, -1, -1], [4, -3, 0, -2, -4, 2, -4, -2, 0], [0, -3, 4, 2, 4, -4, 2, -2, 0], [4, -2, 2, -3, -2, 4, -1, 0, -2]]> : tensor<7x9xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%c, %c_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<7x9xi32>, tensor<i32>) -> tensor<5x8xi32>
  %c_1 = stablehlo.constant dense<[[-7, 3, 8, 6, -3, 0, 8, 1], [-7, -4, -3, 3, 8, 1, -3, -3], [-7, -9, -2, -4, 5, 2, -9, -6], [-2, -7, -1, -3, 2, -3, -10, -6], [0, -2, 3, -5, 0, -1, -7, -6]]> : tensor<5x8xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5x8xi32>, tensor<5x8xi32>) -> ()
  return
}

// -----

func.func @add_bf16() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xbf16>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<bf16>, %arg1: tensor<bf16>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<bf16>
    stablehlo.return %1 : tensor<bf16>
  }) : (tensor<7x9xbf16>, tensor<bf16>) -> tensor<5x8xbf16>
  %cst_1 = stablehlo.constant dense<[[-7.000000e+00, 3.000000e+00, 8.000000e+00, 6.000000e+00, -3.000000e+00, 0.000000e+00, 8.000000e+00, 1.000000e+00], [-7.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 8.000000e+00, 1.000000e+00, -3.000000e+00, -3.000000e+00], [-7.000000e+00, -9.000000e+00, -2.000000e+00, -4.000000e+00, 5.000000e+00, 2.000000e+00, -9.000000e+00, -6.000000e+00], [-2.000000e+00, -7.000000e+00, -1.000000e+00, -3.000000e+00, 2.000000e+00, -3.000000e+00, -1.000000e+01, -6.000000e+00], [0.000000e+00, -2.000000e+00, 3.000000e+00, -5.000000e+00, 0.000000e+00, -1.000000e+00, -7.000000e+00, -6.000000e+00]]> : tensor<5x8xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x8xbf16>, tensor<5x8xbf16>) -> ()
  return
}

// -----

func.func @add_strided() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 3>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<3x3xf32>
  %cst_1 = stablehlo.constant dense<[[-7.000000e+00, 6.000000e+00, 8.000000e+00], [-7.000000e+00, -4.000000e+00, -9.000000e+00], [0.000000e+00, -5.000000e+00, -7.000000e+00]]> : tensor<3x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x3xf32>, tensor<3x3xf32>) -> ()
  return
}

// -----

func.func @add_padded() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [2, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<7x9xf32>
  %cst_1 = stablehlo.constant dense<[[-2.000000e+00, 1.000000e+00, 2.000000e+00, 6.000000e+00, 2.000000e+00, -4.000000e+00, -4.000000e+00, 2.000000e+00, 5.000000e+00], [-6.000000e+00, -7.000000e+00, -3.000000e+00, 7.000000e+00, 1.000000e+01, 1.000000e+00, 2.000000e+00, 3.000000e+00, 6.000000e+00], [-3.000000e+00, -7.000000e+00, -7.000000e+00, -7.000000e+00, 3.000000e+00, 5.000000e+00, 7.000000e+00, -1.000000e+00, -4.000000e+00], [3.000000e+00, -7.000000e+00, -6.000000e+00, -1.200000e+01, -3.000000e+00, 2.000000e+00, 1.000000e+00, -3.000000e+00, -1.000000e+01], [7.000000e+00, -2.000000e+00, 0.000000e+00, -1.000000e+01, -1.000000e+00, -1.000000e+00, -3.000000e+00, -8.000000e+00, -1.100000e+01], [8.000000e+00, 0.000000e+00, 6.000000e+00, -5.000000e+00, 1.000000e+00, -3.000000e+00, -3.000000e+00, -5.000000e+00, -9.000000e+00], [4.000000e+00, -1.000000e+00, 5.000000e+00, 0.000000e+00, 7.000000e+00, 1.000000e+00, 3.000000e+00, -1.000000e+00, -3.000000e+00]]> : tensor<7x9xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7x9xf32>, tensor<7x9xf32>) -> ()
  return
}

// -----

func.func @add_dilated() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 3, 2>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<4x5xf32>
  %cst_1 = stablehlo.constant dense<[[-1.000000e+00, -1.000000e+00, -4.000000e+00, 5.000000e+00, -7.000000e+00], [0.000000e+00, -4.000000e+00, -7.000000e+00, -5.000000e+00, -6.000000e+00], [1.000000e+01, -7.000000e+00, 1.900000e+01, -4.000000e+00, 1.200000e+01], [5.000000e+00, -3.000000e+00, -6.000000e+00, 1.000000e+00, -9.000000e+00]]> : tensor<4x5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<4x5xf32>, tensor<4x5xf32>) -> ()
  return
}

// -----

func.func @add_base() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00], [-4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00], [1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00]]> : tensor<5x4xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 2, 3>, padding = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x4xf32>, tensor<f32>) -> tensor<9x9xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00, 4.000000e+00], [-4.000000e+00, -4.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00], [-4.000000e+00, -4.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00], [-2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -1.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -1.000000e+00], [1.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00], [1.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00]]> : tensor<9x9xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<9x9xf32>, tensor<9x9xf32>) -> ()
  return
}

// -----

func.func @add_all() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%c, %c_0) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 2], [0, 3]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5x7xi32>, tensor<i32>) -> tensor<3x14xi32>
  %c_1 = stablehlo.constant dense<[[2, -2, -4, -2, 1, 3, 2, -1, -3, -2, 1, 3, 3, 0], [7, 1, -1, -2, 4, 6, 3, -3, -5, -2, 4, 6, 6, 0], [5, 3, 3, 0, 3, 3, 1, -2, -2, 0, 3, 3, 3, 0]]> : tensor<3x14xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<3x14xi32>, tensor<3x14xi32>) -> ()
  return
}

// -----

func.func @add_cumulative() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<3x7xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [6, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 7>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x7xf32>, tensor<f32>) -> tensor<3x7xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 6.000000e+00, 2.000000e+00, -1.000000e+00, 2.000000e+00], [4.000000e+00, 2.000000e+00, 0.000000e+00, 3.000000e+00, 2.000000e+00, 0.000000e+00, 3.000000e+00], [-2.000000e+00, -3.000000e+00, -2.000000e+00, -2.000000e+00, -6.000000e+00, -1.000000e+01, -7.000000e+00]]> : tensor<3x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x7xf32>, tensor<3x7xf32>) -> ()
  return
}

// -----

func.func @add_cumulative_reverse() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, 3, -1], [-2, 3, -2]]> : tensor<5x3xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%c, %c_0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 4], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 5, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5x3xi32>, tensor<i32>) -> tensor<5x3xi32>
  %c_1 = stablehlo.constant dense<[[3, 6, -6], [3, 6, -8], [-1, 10, -5], [-4, 6, -3], [-2, 3, -2]]> : tensor<5x3xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5x3xi32>, tensor<5x3xi32>) -> ()
  return
}

// -----

func.func @maximum_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xf32>
  %cst_0 = stablehlo.constant dense<-1.000000e+02> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<5x8xf32>
  %cst_1 = stablehlo.constant dense<[[3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00], [3.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00, 3.000000e+00, 1.000000e+00], [4.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00, 3.000000e+00, 0.000000e+00], [4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 2.000000e+00, 0.000000e+00], [4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 2.000000e+00, 0.000000e+00]]> : tensor<5x8xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x8xf32>, tensor<5x8xf32>) -> ()
  return
}

// -----

func.func @maximum_i32() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3, 4, -2], [-2, 3, -1, -2, 3, -2, -1, 1, 0], [-4, -4, 3, 2, 3, 0, 3, -2, 0], [3, -3, -2, -3, 0, 4, -3, -1, -1], [4, -3, 0, -2, -4, 2, -4, -2, 0], [0, -3, 4, 2, 4, -4, 2, -2, 0], [4, -2, 2, -3, -2, 4, -1, 0, -2]]> : tensor<7x9xi32>
  %c_0 = stablehlo.constant dense<-100> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%c, %c_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<7x9xi32>, tensor<i32>) -> tensor<5x8xi32>
  %c_1 = stablehlo.constant dense<[[3, 3, 4, 4, 3, 3, 4, 4], [3, 3, 3, 3, 4, 4, 3, 1], [4, 3, 3, 3, 4, 4, 3, 0], [4, 4, 4, 4, 4, 4, 2, 0], [4, 4, 4, 4, 4, 4, 2, 0]]> : tensor<5x8xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5x8xi32>, tensor<5x8xi32>) -> ()
  return
}

// -----

func.func @maximum_bf16() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xbf16>
  %cst_0 = stablehlo.constant dense<-1.000000e+02> : tensor<bf16>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<bf16>, %arg1: tensor<bf16>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<bf16>
    stablehlo.return %1 : tensor<bf16>
  }) : (tensor<7x9xbf16>, tensor<bf16>) -> tensor<5x8xbf16>
  %cst_1 = stablehlo.constant dense<[[3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00], [3.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00, 3.000000e+00, 1.000000e+00], [4.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00, 3.000000e+00, 0.000000e+00], [4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 2.000000e+00, 0.000000e+00], [4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 2.000000e+00, 0.000000e+00]]> : tensor<5x8xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x8xbf16>, tensor<5x8xbf16>) -> ()
  return
}

// -----

func.func @maximum_strided() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xf32>
  %cst_0 = stablehlo.constant dense<-1.000000e+02> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 3>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<3x3xf32>
  %cst_1 = stablehlo.constant dense<[[3.000000e+00, 4.000000e+00, 4.000000e+00], [4.000000e+00, 3.000000e+00, 3.000000e+00], [4.000000e+00, 4.000000e+00, 2.000000e+00]]> : tensor<3x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x3xf32>, tensor<3x3xf32>) -> ()
  return
}

// -----

func.func @maximum_padded() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xf32>
  %cst_0 = stablehlo.constant dense<-1.000000e+02> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [2, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<7x9xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00], [0.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00], [3.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 3.000000e+00], [4.000000e+00, 4.000000e+00, 4.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 3.000000e+00], [4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 2.000000e+00], [4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 2.000000e+00], [4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 2.000000e+00]]> : tensor<7x9xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7x9xf32>, tensor<7x9xf32>) -> ()
  return
}

// -----

func.func @maximum_dilated() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xf32>
  %cst_0 = stablehlo.constant dense<-1.000000e+02> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 3, 2>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<4x5xf32>
  %cst_1 = stablehlo.constant dense<[[3.000000e+00, 4.000000e+00, 3.000000e+00, 4.000000e+00, 3.000000e+00], [4.000000e+00, 3.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 2.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00], [4.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, 0.000000e+00]]> : tensor<4x5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<4x5xf32>, tensor<4x5xf32>) -> ()
  return
}

// -----

func.func @maximum_base() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00], [-4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00], [1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00]]> : tensor<5x4xf32>
  %cst_0 = stablehlo.constant dense<-1.000000e+02> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 2, 3>, padding = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x4xf32>, tensor<f32>) -> tensor<9x9xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00, 4.000000e+00], [-4.000000e+00, -4.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00], [-4.000000e+00, -4.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00], [-2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -1.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -1.000000e+00], [1.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00], [1.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00]]> : tensor<9x9xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<9x9xf32>, tensor<9x9xf32>) -> ()
  return
}

// -----

func.func @maximum_all() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<-100> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%c, %c_0) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 2], [0, 3]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5x7xi32>, tensor<i32>) -> tensor<3x14xi32>
  %c_1 = stablehlo.constant dense<[[4, -2, -2, -2, 3, 3, 3, -1, -1, -2, 3, 3, 3, -100], [4, 3, 3, 0, 3, 3, 3, -1, 0, 0, 3, 3, 3, -100], [3, 3, 3, 0, 3, 3, 3, -2, 0, 0, 3, 3, 3, -100]]> : tensor<3x14xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<3x14xi32>, tensor<3x14xi32>) -> ()
  return
}

// -----

func.func @maximum_cumulative() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<3x7xf32>
  %cst_0 = stablehlo.constant dense<-1.000000e+02> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [6, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 7>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x7xf32>, tensor<f32>) -> tensor<3x7xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00], [4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 3.000000e+00]]> : tensor<3x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x7xf32>, tensor<3x7xf32>) -> ()
  return
}

// -----

func.func @maximum_cumulative_reverse() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, 3, -1], [-2, 3, -2]]> : tensor<5x3xi32>
  %c_0 = stablehlo.constant dense<-100> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%c, %c_0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 4], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 5, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5x3xi32>, tensor<i32>) -> tensor<5x3xi32>
  %c_1 = stablehlo.constant dense<[[4, 4, 2], [4, 4, -1], [3, 4, -1], [-2, 3, -1], [-2, 3, -2]]> : tensor<5x3xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5x3xi32>, tensor<5x3xi32>) -> ()
  return
}

// -----

func.func @minimum_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<5x8xf32>
  %cst_1 = stablehlo.constant dense<[[-4.000000e+00, -4.000000e+00, -2.000000e+00, -4.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00, -2.000000e+00], [-4.000000e+00, -4.000000e+00, -3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, -3.000000e+00, -2.000000e+00], [-4.000000e+00, -4.000000e+00, -3.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -2.000000e+00], [-3.000000e+00, -3.000000e+00, -3.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -2.000000e+00], [-3.000000e+00, -3.000000e+00, -3.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -2.000000e+00]]> : tensor<5x8xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x8xf32>, tensor<5x8xf32>) -> ()
  return
}

// -----

func.func @minimum_i32() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3, 4, -2], [-2, 3, -1, -2, 3, -2, -1, 1, 0], [-4, -4, 3, 2, 3, 0, 3, -2, 0], [3, -3, -2, -3, 0, 4, -3, -1, -1], [4, -3, 0, -2, -4, 2, -4, -2, 0], [0, -3, 4, 2, 4, -4, 2, -2, 0], [4, -2, 2, -3, -2, 4, -1, 0, -2]]> : tensor<7x9xi32>
  %c_0 = stablehlo.constant dense<100> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%c, %c_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<7x9xi32>, tensor<i32>) -> tensor<5x8xi32>
  %c_1 = stablehlo.constant dense<[[-4, -4, -2, -4, -4, -3, -2, -2], [-4, -4, -3, -3, -2, -3, -3, -2], [-4, -4, -3, -4, -4, -4, -4, -2], [-3, -3, -3, -4, -4, -4, -4, -2], [-3, -3, -3, -4, -4, -4, -4, -2]]> : tensor<5x8xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5x8xi32>, tensor<5x8xi32>) -> ()
  return
}

// -----

func.func @minimum_bf16() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xbf16>
  %cst_0 = stablehlo.constant dense<1.000000e+02> : tensor<bf16>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<bf16>, %arg1: tensor<bf16>):
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<bf16>
    stablehlo.return %1 : tensor<bf16>
  }) : (tensor<7x9xbf16>, tensor<bf16>) -> tensor<5x8xbf16>
  %cst_1 = stablehlo.constant dense<[[-4.000000e+00, -4.000000e+00, -2.000000e+00, -4.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00, -2.000000e+00], [-4.000000e+00, -4.000000e+00, -3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, -3.000000e+00, -2.000000e+00], [-4.000000e+00, -4.000000e+00, -3.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -2.000000e+00], [-3.000000e+00, -3.000000e+00, -3.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -2.000000e+00], [-3.000000e+00, -3.000000e+00, -3.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -2.000000e+00]]> : tensor<5x8xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x8xbf16>, tensor<5x8xbf16>) -> ()
  return
}

// -----

func.func @minimum_strided() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 3>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<3x3xf32>
  %cst_1 = stablehlo.constant dense<[[-4.000000e+00, -4.000000e+00, -2.000000e+00], [-4.000000e+00, -4.000000e+00, -4.000000e+00], [-3.000000e+00, -4.000000e+00, -4.000000e+00]]> : tensor<3x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x3xf32>, tensor<3x3xf32>) -> ()
  return
}

// -----

func.func @minimum_padded() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [2, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<7x9xf32>
  %cst_1 = stablehlo.constant dense<[[-2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00], [-4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00], [-4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00], [-4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00], [0.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00], [0.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00], [0.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -2.000000e+00]]> : tensor<7x9xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7x9xf32>, tensor<7x9xf32>) -> ()
  return
}

// -----

func.func @minimum_dilated() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00, -1.000000e+00], [4.000000e+00, -3.000000e+00, 0.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, -3.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -2.000000e+00, 0.000000e+00], [4.000000e+00, -2.000000e+00, 2.000000e+00, -3.000000e+00, -2.000000e+00, 4.000000e+00, -1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<7x9xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 3, 2>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<4x5xf32>
  %cst_1 = stablehlo.constant dense<[[-4.000000e+00, -3.000000e+00, -4.000000e+00, -3.000000e+00, -4.000000e+00], [-4.000000e+00, -3.000000e+00, -4.000000e+00, -2.000000e+00, -4.000000e+00], [-4.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, 0.000000e+00], [-2.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00]]> : tensor<4x5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<4x5xf32>, tensor<4x5xf32>) -> ()
  return
}

// -----

func.func @minimum_base() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00], [-4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00, -1.000000e+00], [1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00]]> : tensor<5x4xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 2, 3>, padding = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x4xf32>, tensor<f32>) -> tensor<9x9xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00, 2.000000e+00, 2.000000e+00, 4.000000e+00], [-4.000000e+00, -4.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00], [-4.000000e+00, -4.000000e+00, -3.000000e+00, -3.000000e+00, -3.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, 4.000000e+00], [-2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -1.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, 3.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -1.000000e+00], [1.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00], [1.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00]]> : tensor<9x9xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<9x9xf32>, tensor<9x9xf32>) -> ()
  return
}

// -----

func.func @minimum_all() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4, -3, 3], [4, -2, -2, 3, -1, -2, 3], [-2, -1, 1, 0, -4, -4, 3], [2, 3, 0, 3, -2, 0, 3], [-3, -2, -3, 0, 4, -3, -1]]> : tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<100> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%c, %c_0) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 2], [0, 3]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5x7xi32>, tensor<i32>) -> tensor<3x14xi32>
  %c_1 = stablehlo.constant dense<[[-2, -2, -2, -2, -2, 3, -1, -1, -2, -2, -2, 3, 3, 100], [-2, -2, -2, -2, -2, 3, -2, -2, -2, -2, -2, 3, 3, 100], [2, 3, 0, 0, 0, 3, -2, -2, -2, 0, 0, 3, 3, 100]]> : tensor<3x14xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<3x14xi32>, tensor<3x14xi32>) -> ()
  return
}

// -----

func.func @minimum_cumulative() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<3x7xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [6, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 7>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x7xf32>, tensor<f32>) -> tensor<3x7xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00], [-2.000000e+00, -2.000000e+00, -2.000000e+00, -2.000000e+00, -4.000000e+00, -4.000000e+00, -4.000000e+00]]> : tensor<3x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x7xf32>, tensor<3x7xf32>) -> ()
  return
}

// -----

func.func @minimum_cumulative_reverse() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, 3, -1], [-2, 3, -2]]> : tensor<5x3xi32>
  %c_0 = stablehlo.constant dense<100> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%c, %c_0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 4], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 5, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5x3xi32>, tensor<i32>) -> tensor<5x3xi32>
  %c_1 = stablehlo.constant dense<[[-2, -4, -3], [-2, -4, -3], [-2, 3, -2], [-2, 3, -2], [-2, 3, -2]]> : tensor<5x3xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5x3xi32>, tensor<5x3xi32>) -> ()
  return
}

// -----

func.func @multiply() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x7xf32>, tensor<f32>) -> tensor<4x6xf32>
  %cst_1 = stablehlo.constant dense<[[-0.000000e+00, 0.000000e+00, -4.800000e+01, 4.800000e+01, 2.400000e+01, 5.400000e+01], [-1.600000e+01, -4.000000e+00, -0.000000e+00, 0.000000e+00, 3.200000e+01, 7.200000e+01], [1.200000e+01, -0.000000e+00, 0.000000e+00, 0.000000e+00, -0.000000e+00, -0.000000e+00], [3.600000e+01, 0.000000e+00, -0.000000e+00, -0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<4x6xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<4x6xf32>, tensor<4x6xf32>) -> ()
  return
}

// -----

func.func @one() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x7xf32>, tensor<f32>) -> tensor<3x4xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 2.000000e+00, -4.000000e+00, 3.000000e+00], [-2.000000e+00, 1.000000e+00, -4.000000e+00, 3.000000e+00], [-3.000000e+00, -3.000000e+00, 4.000000e+00, -1.000000e+00]]> : tensor<3x4xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
  return
}
