// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @maximum_f32() {
  %cst = stablehlo.constant dense<[[-3.000000e+00, 1.000000e+00, 2.500000e+01, 4.500000e+01, -4.700000e+01, -3.600000e+01, 3.200000e+01, 4.400000e+01, -2.600000e+01], [-1.900000e+01, 3.600000e+01, -8.000000e+00, -2.300000e+01, 3.200000e+01, -2.500000e+01, -1.000000e+01, 1.400000e+01, 4.000000e+00], [-4.200000e+01, -4.800000e+01, 3.600000e+01, 2.500000e+01, 3.300000e+01, 3.000000e+00, 3.100000e+01, -1.800000e+01, -5.000000e+00], [2.800000e+01, -3.800000e+01, -2.000000e+01, -3.800000e+01, -5.000000e+00, 4.700000e+01, -3.700000e+01, -1.200000e+01, -1.000000e+01], [4.000000e+01, -3.000000e+01, 0.000000e+00, -2.400000e+01, -4.900000e+01, 2.500000e+01, -4.400000e+01, -2.200000e+01, -1.000000e+00], [-2.000000e+00, -3.900000e+01, 4.800000e+01, 2.400000e+01, 4.600000e+01, -4.100000e+01, 2.200000e+01, -2.100000e+01, 4.000000e+00]]> : tensor<6x9xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00, -2.000000e+00], [-1.000000e+00, 3.000000e+00, 0.000000e+00, -4.000000e+00], [-1.000000e+00, 1.000000e+00, 3.000000e+00, 2.000000e+00]]> : tensor<3x4xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%cst, %cst_0, %cst_1) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.compare GE, %arg0, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<3x4xf32>, tensor<f32>) -> tensor<6x9xf32>
  %cst_2 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, -2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, 3.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 3.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, 3.000000e+00, 0.000000e+00, 2.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<6x9xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<6x9xf32>, tensor<6x9xf32>) -> ()
  return
}

// -----

func.func @maximum_i32() {
  %c = stablehlo.constant dense<[[-3, 1, 25, 45, -47, -36, 32, 44, -26], [-19, 36, -8, -23, 32, -25, -10, 14, 4], [-42, -48, 36, 25, 33, 3, 31, -18, -5], [28, -38, -20, -38, -5, 47, -37, -12, -10], [40, -30, 0, -24, -49, 25, -44, -22, -1], [-2, -39, 48, 24, 46, -41, 22, -21, 4]]> : tensor<6x9xi32>
  %c_0 = stablehlo.constant dense<[[3, -2, -4, -2], [-1, 3, 0, -4], [-1, 1, 3, 2]]> : tensor<3x4xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%c, %c_0, %c_1) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.compare GE, %arg0, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<6x9xi32>, tensor<3x4xi32>, tensor<i32>) -> tensor<6x9xi32>
  %c_2 = stablehlo.constant dense<[[0, 0, 0, -2, 0, 0, 0, -2, 0], [0, 3, 0, 0, -4, 0, 0, 0, 0], [0, 0, 3, 0, 0, 0, -4, 0, 0], [-1, 0, 0, 0, 0, 0, 0, 0, 0], [-1, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 3, 0, 2, 0, 0]]> : tensor<6x9xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<6x9xi32>, tensor<6x9xi32>) -> ()
  return
}

// -----

func.func @minimum_f32() {
  %cst = stablehlo.constant dense<[[-3.000000e+00, 1.000000e+00, 2.500000e+01, 4.500000e+01, -4.700000e+01, -3.600000e+01, 3.200000e+01, 4.400000e+01, -2.600000e+01], [-1.900000e+01, 3.600000e+01, -8.000000e+00, -2.300000e+01, 3.200000e+01, -2.500000e+01, -1.000000e+01, 1.400000e+01, 4.000000e+00], [-4.200000e+01, -4.800000e+01, 3.600000e+01, 2.500000e+01, 3.300000e+01, 3.000000e+00, 3.100000e+01, -1.800000e+01, -5.000000e+00], [2.800000e+01, -3.800000e+01, -2.000000e+01, -3.800000e+01, -5.000000e+00, 4.700000e+01, -3.700000e+01, -1.200000e+01, -1.000000e+01], [4.000000e+01, -3.000000e+01, 0.000000e+00, -2.400000e+01, -4.900000e+01, 2.500000e+01, -4.400000e+01, -2.200000e+01, -1.000000e+00], [-2.000000e+00, -3.900000e+01, 4.800000e+01, 2.400000e+01, 4.600000e+01, -4.100000e+01, 2.200000e+01, -2.100000e+01, 4.000000e+00]]> : tensor<6x9xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -1.000000e+00]]> : tensor<3x3xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%cst, %cst_0, %cst_1) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.compare LE, %arg0, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<3x3xf32>, tensor<f32>) -> tensor<6x9xf32>
  %cst_2 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00], [3.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, -2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, -1.000000e+00, 0.000000e+00, 0.000000e+00, 3.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, 0.000000e+00, -1.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<6x9xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<6x9xf32>, tensor<6x9xf32>) -> ()
  return
}

// -----

func.func @minimum_i32() {
  %c = stablehlo.constant dense<[[-3, 1, 25, 45, -47, -36, 32, 44, -26], [-19, 36, -8, -23, 32, -25, -10, 14, 4], [-42, -48, 36, 25, 33, 3, 31, -18, -5], [28, -38, -20, -38, -5, 47, -37, -12, -10], [40, -30, 0, -24, -49, 25, -44, -22, -1], [-2, -39, 48, 24, 46, -41, 22, -21, 4]]> : tensor<6x9xi32>
  %c_0 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3], [0, -4, -1]]> : tensor<3x3xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%c, %c_0, %c_1) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.compare LE, %arg0, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<6x9xi32>, tensor<3x3xi32>, tensor<i32>) -> tensor<6x9xi32>
  %c_2 = stablehlo.constant dense<[[0, 0, 0, 0, -2, 0, 0, 0, -4], [3, 0, 0, 0, 0, 0, 0, 0, 0], [0, -2, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, -1, 0, 0, 3, 0, 0], [0, 0, 0, 0, -4, 0, -1, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<6x9xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<6x9xi32>, tensor<6x9xi32>) -> ()
  return
}

// -----

func.func @padded_f32() {
  %cst = stablehlo.constant dense<[[-3.000000e+00, 1.000000e+00, 2.500000e+01, 4.500000e+01, -4.700000e+01, -3.600000e+01, 3.200000e+01, 4.400000e+01, -2.600000e+01], [-1.900000e+01, 3.600000e+01, -8.000000e+00, -2.300000e+01, 3.200000e+01, -2.500000e+01, -1.000000e+01, 1.400000e+01, 4.000000e+00], [-4.200000e+01, -4.800000e+01, 3.600000e+01, 2.500000e+01, 3.300000e+01, 3.000000e+00, 3.100000e+01, -1.800000e+01, -5.000000e+00], [2.800000e+01, -3.800000e+01, -2.000000e+01, -3.800000e+01, -5.000000e+00, 4.700000e+01, -3.700000e+01, -1.200000e+01, -1.000000e+01], [4.000000e+01, -3.000000e+01, 0.000000e+00, -2.400000e+01, -4.900000e+01, 2.500000e+01, -4.400000e+01, -2.200000e+01, -1.000000e+00], [-2.000000e+00, -3.900000e+01, 4.800000e+01, 2.400000e+01, 4.600000e+01, -4.100000e+01, 2.200000e+01, -2.100000e+01, 4.000000e+00]]> : tensor<6x9xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00, -2.000000e+00], [-1.000000e+00, 3.000000e+00, 0.000000e+00, -4.000000e+00], [-1.000000e+00, 1.000000e+00, 3.000000e+00, 2.000000e+00]]> : tensor<3x4xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%cst, %cst_0, %cst_1) <{padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.compare GE, %arg0, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<3x4xf32>, tensor<f32>) -> tensor<6x9xf32>
  %cst_2 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, -2.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00], [0.000000e+00, 2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 3.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 3.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<6x9xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<6x9xf32>, tensor<6x9xf32>) -> ()
  return
}

// -----

func.func @padded_i32() {
  %c = stablehlo.constant dense<[[-3, 1, 25, 45, -47, -36, 32, 44, -26], [-19, 36, -8, -23, 32, -25, -10, 14, 4], [-42, -48, 36, 25, 33, 3, 31, -18, -5], [28, -38, -20, -38, -5, 47, -37, -12, -10], [40, -30, 0, -24, -49, 25, -44, -22, -1], [-2, -39, 48, 24, 46, -41, 22, -21, 4]]> : tensor<6x9xi32>
  %c_0 = stablehlo.constant dense<[[3, -2, -4, -2], [-1, 3, 0, -4], [-1, 1, 3, 2]]> : tensor<3x4xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%c, %c_0, %c_1) <{padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.compare GE, %arg0, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<6x9xi32>, tensor<3x4xi32>, tensor<i32>) -> tensor<6x9xi32>
  %c_2 = stablehlo.constant dense<[[0, 0, 0, -2, 0, 0, -4, -2, 0], [0, 2, 0, 0, 0, 0, 0, 0, 0], [0, 0, 3, 0, 0, 0, -4, 0, 0], [0, 0, 0, 0, 0, 3, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 2, 0, 0]]> : tensor<6x9xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<6x9xi32>, tensor<6x9xi32>) -> ()
  return
}

// -----

func.func @overlapping_f32() {
  %cst = stablehlo.constant dense<[[-3.000000e+00, 1.000000e+00, 2.500000e+01, 4.500000e+01, -4.700000e+01, -3.600000e+01, 3.200000e+01, 4.400000e+01, -2.600000e+01], [-1.900000e+01, 3.600000e+01, -8.000000e+00, -2.300000e+01, 3.200000e+01, -2.500000e+01, -1.000000e+01, 1.400000e+01, 4.000000e+00], [-4.200000e+01, -4.800000e+01, 3.600000e+01, 2.500000e+01, 3.300000e+01, 3.000000e+00, 3.100000e+01, -1.800000e+01, -5.000000e+00], [2.800000e+01, -3.800000e+01, -2.000000e+01, -3.800000e+01, -5.000000e+00, 4.700000e+01, -3.700000e+01, -1.200000e+01, -1.000000e+01], [4.000000e+01, -3.000000e+01, 0.000000e+00, -2.400000e+01, -4.900000e+01, 2.500000e+01, -4.400000e+01, -2.200000e+01, -1.000000e+00], [-2.000000e+00, -3.900000e+01, 4.800000e+01, 2.400000e+01, 4.600000e+01, -4.100000e+01, 2.200000e+01, -2.100000e+01, 4.000000e+00]]> : tensor<6x9xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00, -2.000000e+00, -1.000000e+00, 3.000000e+00, 0.000000e+00, -4.000000e+00], [-1.000000e+00, 1.000000e+00, 3.000000e+00, 2.000000e+00, 4.000000e+00, -3.000000e+00, 3.000000e+00, -4.000000e+00], [1.000000e+00, -2.000000e+00, -3.000000e+00, 1.000000e+00, -2.000000e+00, 1.000000e+00, -2.000000e+00, -3.000000e+00], [2.000000e+00, -1.000000e+00, 2.000000e+00, 2.000000e+00, 4.000000e+00, -1.000000e+00, -3.000000e+00, 1.000000e+00]]> : tensor<4x8xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%cst, %cst_0, %cst_1) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.compare GE, %arg0, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<6x9xf32>
  %cst_2 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, -6.000000e+00, 0.000000e+00, 0.000000e+00, 3.000000e+00, -4.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, -2.000000e+00, 0.000000e+00, 2.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 3.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [3.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00, 2.000000e+00, 0.000000e+00, -3.000000e+00, 0.000000e+00, 1.000000e+00]]> : tensor<6x9xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_2) {has_side_effect = true} : (tensor<6x9xf32>, tensor<6x9xf32>) -> ()
  return
}

// -----

func.func @overlapping_i32() {
  %c = stablehlo.constant dense<[[-3, 1, 25, 45, -47, -36, 32, 44, -26], [-19, 36, -8, -23, 32, -25, -10, 14, 4], [-42, -48, 36, 25, 33, 3, 31, -18, -5], [28, -38, -20, -38, -5, 47, -37, -12, -10], [40, -30, 0, -24, -49, 25, -44, -22, -1], [-2, -39, 48, 24, 46, -41, 22, -21, 4]]> : tensor<6x9xi32>
  %c_0 = stablehlo.constant dense<[[3, -2, -4, -2, -1, 3, 0, -4], [-1, 1, 3, 2, 4, -3, 3, -4], [1, -2, -3, 1, -2, 1, -2, -3], [2, -1, 2, 2, 4, -1, -3, 1]]> : tensor<4x8xi32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%c, %c_0, %c_1) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.compare GE, %arg0, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<6x9xi32>, tensor<4x8xi32>, tensor<i32>) -> tensor<6x9xi32>
  %c_2 = stablehlo.constant dense<[[0, 0, 0, -6, 0, 0, 3, -4, 0], [0, 1, 0, 0, 0, 0, 0, -4, 0], [0, 0, -2, 0, 2, 0, 1, 0, 0], [0, 0, 0, 0, 0, 3, 0, 0, 0], [3, 0, 0, 0, 0, 0, 0, 0, -3], [0, 0, 1, 0, 2, 0, -3, 0, 1]]> : tensor<6x9xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<6x9xi32>, tensor<6x9xi32>) -> ()
  return
}
