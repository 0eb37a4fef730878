// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @ascending_f32_0() {
  %cst = stablehlo.constant dense<[[3.500000e+01, 1.300000e+01, 1.000000e+00, -2.400000e+01, -2.000000e+01, -4.600000e+01, -4.300000e+01], [-4.900000e+01, -3.300000e+01, 3.100000e+01, 1.400000e+01, 4.100000e+01, 0.000000e+00, 1.000000e+01], [4.700000e+01, 2.200000e+01, 1.300000e+01, 4.000000e+00, 5.000000e+00, 4.300000e+01, -2.300000e+01], [3.100000e+01, 1.700000e+01, -5.000000e+01, -1.100000e+01, 3.500000e+01, 5.000000e+00, -4.700000e+01], [2.600000e+01, 2.200000e+01, 3.400000e+01, -3.300000e+01, -4.200000e+01, 3.600000e+01, -4.800000e+01]]> : tensor<5x7xf32>
  %0 = "stablehlo.sort"(%cst) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.compare LT, %arg0, %arg1, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<[[-4.900000e+01, -3.300000e+01, -5.000000e+01, -3.300000e+01, -4.200000e+01, -4.600000e+01, -4.800000e+01], [2.600000e+01, 1.300000e+01, 1.000000e+00, -2.400000e+01, -2.000000e+01, 0.000000e+00, -4.700000e+01], [3.100000e+01, 1.700000e+01, 1.300000e+01, -1.100000e+01, 5.000000e+00, 5.000000e+00, -4.300000e+01], [3.500000e+01, 2.200000e+01, 3.100000e+01, 4.000000e+00, 3.500000e+01, 3.600000e+01, -2.300000e+01], [4.700000e+01, 2.200000e+01, 3.400000e+01, 1.400000e+01, 4.100000e+01, 4.300000e+01, 1.000000e+01]]> : tensor<5x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
  return
}

// -----

func.func @ascending_i32_0() {
  %c = stablehlo.constant dense<[[35, 13, 1, -24, -20, -46, -43], [-49, -33, 31, 14, 41, 0, 10], [47, 22, 13, 4, 5, 43, -23], [31, 17, -50, -11, 35, 5, -47], [26, 22, 34, -33, -42, 36, -48]]> : tensor<5x7xi32>
  %0 = "stablehlo.sort"(%c) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.compare LT, %arg0, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x7xi32>) -> tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<[[-49, -33, -50, -33, -42, -46, -48], [26, 13, 1, -24, -20, 0, -47], [31, 17, 13, -11, 5, 5, -43], [35, 22, 31, 4, 35, 36, -23], [47, 22, 34, 14, 41, 43, 10]]> : tensor<5x7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<5x7xi32>, tensor<5x7xi32>) -> ()
  return
}

// -----

func.func @ascending_ui8_0() {
  %c = stablehlo.constant dense<[[42, 31, 25, 13, 15, 2, 3], [0, 8, 40, 32, 45, 25, 30], [48, 36, 31, 27, 27, 46, 13], [40, 33, 0, 19, 42, 27, 1], [38, 36, 42, 8, 4, 43, 1]]> : tensor<5x7xui8>
  %0 = "stablehlo.sort"(%c) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<ui8>, %arg1: tensor<ui8>):
    %1 = stablehlo.compare LT, %arg0, %arg1, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x7xui8>) -> tensor<5x7xui8>
  %c_0 = stablehlo.constant dense<[[0, 8, 0, 8, 4, 2, 1], [38, 31, 25, 13, 15, 25, 1], [40, 33, 31, 19, 27, 27, 3], [42, 36, 40, 27, 42, 43, 13], [48, 36, 42, 32, 45, 46, 30]]> : tensor<5x7xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<5x7xui8>, tensor<5x7xui8>) -> ()
  return
}

// -----

func.func @ascending_bf16_0() {
  %cst = stablehlo.constant dense<[[3.500000e+01, 1.300000e+01, 1.000000e+00, -2.400000e+01, -2.000000e+01, -4.600000e+01, -4.300000e+01], [-4.900000e+01, -3.300000e+01, 3.100000e+01, 1.400000e+01, 4.100000e+01, 0.000000e+00, 1.000000e+01], [4.700000e+01, 2.200000e+01, 1.300000e+01, 4.000000e+00, 5.000000e+00, 4.300000e+01, -2.300000e+01], [3.100000e+01, 1.700000e+01, -5.000000e+01, -1.100000e+01, 3.500000e+01, 5.000000e+00, -4.700000e+01], [2.600000e+01, 2.200000e+01, 3.400000e+01, -3.300000e+01, -4.200000e+01, 3.600000e+01, -4.800000e+01]]> : tensor<5x7xbf16>
  %0 = "stablehlo.sort"(%cst) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<bf16>, %arg1: tensor<bf16>):
    %1 = stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x7xbf16>) -> tensor<5x7xbf16>
  %cst_0 = stablehlo.constant dense<[[-4.900000e+01, -3.300000e+01, -5.000000e+01, -3.300000e+01, -4.200000e+01, -4.600000e+01, -4.800000e+01], [2.600000e+01, 1.300000e+01, 1.000000e+00, -2.400000e+01, -2.000000e+01, 0.000000e+00, -4.700000e+01], [3.100000e+01, 1.700000e+01, 1.300000e+01, -1.100000e+01, 5.000000e+00, 5.000000e+00, -4.300000e+01], [3.500000e+01, 2.200000e+01, 3.100000e+01, 4.000000e+00, 3.500000e+01, 3.600000e+01, -2.300000e+01], [4.700000e+01, 2.200000e+01, 3.400000e+01, 1.400000e+01, 4.100000e+01, 4.300000e+01, 1.000000e+01]]> : tensor<5x7xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x7xbf16>, tensor<5x7xbf16>) -> ()
  return
}

// -----

func.func @descending_0() {
  %cst = stablehlo.constant dense<[[3.500000e+01, 1.300000e+01, 1.000000e+00, -2.400000e+01, -2.000000e+01, -4.600000e+01, -4.300000e+01], [-4.900000e+01, -3.300000e+01, 3.100000e+01, 1.400000e+01, 4.100000e+01, 0.000000e+00, 1.000000e+01], [4.700000e+01, 2.200000e+01, 1.300000e+01, 4.000000e+00, 5.000000e+00, 4.300000e+01, -2.300000e+01], [3.100000e+01, 1.700000e+01, -5.000000e+01, -1.100000e+01, 3.500000e+01, 5.000000e+00, -4.700000e+01], [2.600000e+01, 2.200000e+01, 3.400000e+01, -3.300000e+01, -4.200000e+01, 3.600000e+01, -4.800000e+01]]> : tensor<5x7xf64>
  %0 = "stablehlo.sort"(%cst) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<f64>, %arg1: tensor<f64>):
    %1 = stablehlo.compare GT, %arg0, %arg1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x7xf64>) -> tensor<5x7xf64>
  %cst_0 = stablehlo.constant dense<[[4.700000e+01, 2.200000e+01, 3.400000e+01, 1.400000e+01, 4.100000e+01, 4.300000e+01, 1.000000e+01], [3.500000e+01, 2.200000e+01, 3.100000e+01, 4.000000e+00, 3.500000e+01, 3.600000e+01, -2.300000e+01], [3.100000e+01, 1.700000e+01, 1.300000e+01, -1.100000e+01, 5.000000e+00, 5.000000e+00, -4.300000e+01], [2.600000e+01, 1.300000e+01, 1.000000e+00, -2.400000e+01, -2.000000e+01, 0.000000e+00, -4.700000e+01], [-4.900000e+01, -3.300000e+01, -5.000000e+01, -3.300000e+01, -4.200000e+01, -4.600000e+01, -4.800000e+01]]> : tensor<5x7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x7xf64>, tensor<5x7xf64>) -> ()
  return
}

// -----

func.func @with_payload_0() {
  %c = stablehlo.constant dense<[[3, 2, 2, 1, 1, 0, 0], [0, 0, 3, 2, 3, 2, 2], [3, 2, 2, 2, 2, 3, 1], [3, 2, 0, 1, 3, 2, 0], [3, 2, 3, 0, 0, 3, 0]]> : tensor<5x7xi32>
  %cst = stablehlo.constant dense<[[-1.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -3.000000e+00, 1.000000e+00, 2.000000e+00], [2.000000e+00, 1.000000e+00, 2.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00, -1.000000e+00, 2.000000e+00], [0.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [-2.000000e+00, 4.000000e+00, -1.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, 4.000000e+00]]> : tensor<5x7xf32>
  %0:2 = "stablehlo.sort"(%c, %cst) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.compare LT, %arg0, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x7xi32>, tensor<5x7xf32>) -> (tensor<5x7xi32>, tensor<5x7xf32>)
  %c_0 = stablehlo.constant dense<[[0, 0, 0, 0, 0, 0, 0], [3, 2, 2, 1, 1, 2, 0], [3, 2, 2, 1, 2, 2, 0], [3, 2, 3, 2, 3, 3, 1], [3, 2, 3, 2, 3, 3, 2]]> : tensor<5x7xi32>
  stablehlo.custom_call @check.expect_eq(%0#0, %c_0) {has_side_effect = true} : (tensor<5x7xi32>, tensor<5x7xi32>) -> ()
  %cst_1 = stablehlo.constant dense<[[2.000000e+00, 1.000000e+00, -4.000000e+00, 3.000000e+00, 4.000000e+00, 1.000000e+00, 2.000000e+00], [-1.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -3.000000e+00, 4.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, 3.000000e+00, -3.000000e+00, 4.000000e+00], [0.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, 4.000000e+00, -1.000000e+00, 2.000000e+00], [-2.000000e+00, 4.000000e+00, -1.000000e+00, -4.000000e+00, -4.000000e+00, -2.000000e+00, 3.000000e+00]]> : tensor<5x7xf32>
  stablehlo.custom_call @check.expect_eq(%0#1, %cst_1) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
  return
}

// -----

func.func @ascending_f32_1() {
  %cst = stablehlo.constant dense<[[-3.000000e+00, 1.000000e+00, 2.500000e+01, 4.500000e+01, -4.700000e+01, -3.600000e+01, 3.200000e+01], [4.400000e+01, -2.600000e+01, -1.900000e+01, 3.600000e+01, -8.000000e+00, -2.300000e+01, 3.200000e+01], [-2.500000e+01, -1.000000e+01, 1.400000e+01, 4.000000e+00, -4.200000e+01, -4.800000e+01, 3.600000e+01], [2.500000e+01, 3.300000e+01, 3.000000e+00, 3.100000e+01, -1.800000e+01, -5.000000e+00, 2.800000e+01], [-3.800000e+01, -2.000000e+01, -3.800000e+01, -5.000000e+00, 4.700000e+01, -3.700000e+01, -1.200000e+01]]> : tensor<5x7xf32>
  %0 = "stablehlo.sort"(%cst) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.compare LT, %arg0, %arg1, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %cst_0 = stablehlo.constant dense<[[-4.700000e+01, -3.600000e+01, -3.000000e+00, 1.000000e+00, 2.500000e+01, 3.200000e+01, 4.500000e+01], [-2.600000e+01, -2.300000e+01, -1.900000e+01, -8.000000e+00, 3.200000e+01, 3.600000e+01, 4.400000e+01], [-4.800000e+01, -4.200000e+01, -2.500000e+01, -1.000000e+01, 4.000000e+00, 1.400000e+01, 3.600000e+01], [-1.800000e+01, -5.000000e+00, 3.000000e+00, 2.500000e+01, 2.800000e+01, 3.100000e+01, 3.300000e+01], [-3.800000e+01, -3.800000e+01, -3.700000e+01, -2.000000e+01, -1.200000e+01, -5.000000e+00, 4.700000e+01]]> : tensor<5x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
  return
}

// -----

func.func @ascending_i32_1() {
  %c = stablehlo.constant dense<[[-3, 1, 25, 45, -47, -36, 32], [44, -26, -19, 36, -8, -23, 32], [-25, -10, 14, 4, -42, -48, 36], [25, 33, 3, 31, -18, -5, 28], [-38, -20, -38, -5, 47, -37, -12]]> : tensor<5x7xi32>
  %0 = "stablehlo.sort"(%c) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.compare LT, %arg0, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x7xi32>) -> tensor<5x7xi32>
  %c_0 = stablehlo.constant dense<[[-47, -36, -3, 1, 25, 32, 45], [-26, -23, -19, -8, 32, 36, 44], [-48, -42, -25, -10, 4, 14, 36], [-18, -5, 3, 25, 28, 31, 33], [-38, -38, -37, -20, -12, -5, 47]]> : tensor<5x7xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<5x7xi32>, tensor<5x7xi32>) -> ()
  return
}

// -----

func.func @ascending_ui8_1() {
  %c = stablehlo.constant dense<[[23, 25, 37, 47, 1, 7, 41], [47, 12, 15, 43, 21, 13, 41], [12, 20, 32, 27, 4, 1, 43], [37, 41, 26, 40, 16, 22, 39], [6, 15, 6, 22, 48, 6, 19]]> : tensor<5x7xui8>
  %0 = "stablehlo.sort"(%c) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<ui8>, %arg1: tensor<ui8>):
    %1 = stablehlo.compare LT, %arg0, %arg1, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x7xui8>) -> tensor<5x7xui8>
  %c_0 = stablehlo.constant dense<[[1, 7, 23, 25, 37, 41, 47], [12, 13, 15, 21, 41, 43, 47], [1, 4, 12, 20, 27, 32, 43], [16, 22, 26, 37, 39, 40, 41], [6, 6, 6, 15, 19, 22, 48]]> : tensor<5x7xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<5x7xui8>, tensor<5x7xui8>) -> ()
  return
}

// -----

func.func @ascending_bf16_1() {
  %cst = stablehlo.constant dense<[[-3.000000e+00, 1.000000e+00, 2.500000e+01, 4.500000e+01, -4.700000e+01, -3.600000e+01, 3.200000e+01], [4.400000e+01, -2.600000e+01, -1.900000e+01, 3.600000e+01, -8.000000e+00, -2.300000e+01, 3.200000e+01], [-2.500000e+01, -1.000000e+01, 1.400000e+01, 4.000000e+00, -4.200000e+01, -4.800000e+01, 3.600000e+01], [2.500000e+01, 3.300000e+01, 3.000000e+00, 3.100000e+01, -1.800000e+01, -5.000000e+00, 2.800000e+01], [-3.800000e+01, -2.000000e+01, -3.800000e+01, -5.000000e+00, 4.700000e+01, -3.700000e+01, -1.200000e+01]]> : tensor<5x7xbf16>
  %0 = "stablehlo.sort"(%cst) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<bf16>, %arg1: tensor<bf16>):
    %1 = stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x7xbf16>) -> tensor<5x7xbf16>
  %cst_0 = stablehlo.constant dense<[[-4.700000e+01, -3.600000e+01, -3.000000e+00, 1.000000e+00, 2.500000e+01, 3.200000e+01, 4.500000e+01], [-2.600000e+01, -2.300000e+01, -1.900000e+01, -8.000000e+00, 3.200000e+01, 3.600000e+01, 4.400000e+01], [-4.800000e+01, -4.200000e+01, -2.500000e+01, -1.000000e+01, 4.000000e+00, 1.400000e+01, 3.600000e+01], [-1.800000e+01, -5.000000e+00, 3.000000e+00, 2.500000e+01, 2.800000e+01, 3.100000e+01, 3.300000e+01], [-3.800000e+01, -3.800000e+01, -3.700000e+01, -2.000000e+01, -1.200000e+01, -5.000000e+00, 4.700000e+01]]> : tensor<5x7xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x7xbf16>, tensor<5x7xbf16>) -> ()
  return
}

// -----

func.func @descending_1() {
  %cst = stablehlo.constant dense<[[-3.000000e+00, 1.000000e+00, 2.500000e+01, 4.500000e+01, -4.700000e+01, -3.600000e+01, 3.200000e+01], [4.400000e+01, -2.600000e+01, -1.900000e+01, 3.600000e+01, -8.000000e+00, -2.300000e+01, 3.200000e+01], [-2.500000e+01, -1.000000e+01, 1.400000e+01, 4.000000e+00, -4.200000e+01, -4.800000e+01, 3.600000e+01], [2.500000e+01, 3.300000e+01, 3.000000e+00, 3.100000e+01, -1.800000e+01, -5.000000e+00, 2.800000e+01], [-3.800000e+01, -2.000000e+01, -3.800000e+01, -5.000000e+00, 4.700000e+01, -3.700000e+01, -1.200000e+01]]> : tensor<5x7xf64>
  %0 = "stablehlo.sort"(%cst) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<f64>, %arg1: tensor<f64>):
    %1 = stablehlo.compare GT, %arg0, %arg1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x7xf64>) -> tensor<5x7xf64>
  %cst_0 = stablehlo.constant dense<[[4.500000e+01, 3.200000e+01, 2.500000e+01, 1.000000e+00, -3.000000e+00, -3.600000e+01, -4.700000e+01], [4.400000e+01, 3.600000e+01, 3.200000e+01, -8.000000e+00, -1.900000e+01, -2.300000e+01, -2.600000e+01], [3.600000e+01, 1.400000e+01, 4.000000e+00, -1.000000e+01, -2.500000e+01, -4.200000e+01, -4.800000e+01], [3.300000e+01, 3.100000e+01, 2.800000e+01, 2.500000e+01, 3.000000e+00, -5.000000e+00, -1.800000e+01], [4.700000e+01, -5.000000e+00, -1.200000e+01, -2.000000e+01, -3.700000e+01, -3.800000e+01, -3.800000e+01]]> : tensor<5x7xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x7xf64>, tensor<5x7xf64>) -> ()
  return
}

// -----

func.func @with_payload_1() {
  %c = stablehlo.constant dense<[[1, 2, 3, 3, 0, 0, 3], [3, 0, 1, 3, 1, 1, 3], [1, 1, 2, 2, 0, 0, 3], [3, 3, 2, 3, 1, 1, 3], [0, 1, 0, 1, 3, 0, 1]]> : tensor<5x7xi32>
  %cst = stablehlo.constant dense<[[-1.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -3.000000e+00, 1.000000e+00, 2.000000e+00], [2.000000e+00, 1.000000e+00, 2.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00, -1.000000e+00, 2.000000e+00], [0.000000e+00, 4.000000e+00, -4.000000e+00, 2.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [-2.000000e+00, 4.000000e+00, -1.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, 4.000000e+00]]> : tensor<5x7xf32>
  %0:2 = "stablehlo.sort"(%c, %cst) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = stablehlo.compare LT, %arg0, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x7xi32>, tensor<5x7xf32>) -> (tensor<5x7xi32>, tensor<5x7xf32>)
  %c_0 = stablehlo.constant dense<[[0, 0, 1, 2, 3, 3, 3], [0, 1, 1, 1, 3, 3, 3], [0, 0, 1, 1, 2, 2, 3], [1, 1, 2, 3, 3, 3, 3], [0, 0, 0, 1, 1, 1, 3]]> : tensor<5x7xi32>
  stablehlo.custom_call @check.expect_eq(%0#0, %c_0) {has_side_effect = true} : (tensor<5x7xi32>, tensor<5x7xi32>) -> ()
  %cst_1 = stablehlo.constant dense<[[-3.000000e+00, 1.000000e+00, -1.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 4.000000e+00, 4.000000e+00, 2.000000e+00, 4.000000e+00, 3.000000e+00], [3.000000e+00, -1.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -4.000000e+00, 2.000000e+00], [-4.000000e+00, -3.000000e+00, -4.000000e+00, 0.000000e+00, 4.000000e+00, 2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00, 4.000000e+00, 3.000000e+00, 4.000000e+00, 4.000000e+00]]> : tensor<5x7xf32>
  stablehlo.custom_call @check.expect_eq(%0#1, %cst_1) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
  return
}

// -----

func.func @three() {
  %c = stablehlo.constant dense<[1, 1, 2, 2, 0, 0, 2, 2, 0]> : tensor<9xi32>
  %cst = stablehlo.constant dense<[3.000000e+00, -2.000000e+00, -4.000000e+00, -2.000000e+00, -1.000000e+00, 3.000000e+00, 0.000000e+00, -4.000000e+00, -1.000000e+00]> : tensor<9xf32>
  %c_0 = stablehlo.constant dense<[3, -4, -3, -2, -3, 3, 3, 1, -4]> : tensor<9xi8>
  %0:3 = "stablehlo.sort"(%c, %cst, %c_0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<i8>, %arg5: tensor<i8>):
    %1 = stablehlo.compare LT, %arg0, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<9xi32>, tensor<9xf32>, tensor<9xi8>) -> (tensor<9xi32>, tensor<9xf32>, tensor<9xi8>)
  %c_1 = stablehlo.constant dense<[0, 0, 0, 1, 1, 2, 2, 2, 2]> : tensor<9xi32>
  stablehlo.custom_call @check.expect_eq(%0#0, %c_1) {has_side_effect = true} : (tensor<9xi32>, tensor<9xi32>) -> ()
  %cst_2 = stablehlo.constant dense<[-1.000000e+00, 3.000000e+00, -1.000000e+00, 3.000000e+00, -2.000000e+00, -4.000000e+00, -2.000000e+00, 0.000000e+00, -4.000000e+00]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_eq(%0#1, %cst_2) {has_side_effect = true} : (tensor<9xf32>, tensor<9xf32>) -> ()
  %c_3 = stablehlo.constant dense<[-3, 3, -4, 3, -4, -3, -2, 3, 1]> : tensor<9xi8>
  stablehlo.custom_call @check.expect_eq(%0#2, %c_3) {has_side_effect = true} : (tensor<9xi8>, tensor<9xi8>) -> ()
  return
}

// -----

func.func @special() {
  %cst = stablehlo.constant dense<[0.000000e+00, 0x7FC00000, -0.000000e+00, 0x7F800000, -1.000000e+00, 0xFF800000]> : tensor<6xf32>
  %0 = "stablehlo.sort"(%cst) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.compare LT, %arg0, %arg1, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<6xf32>) -> tensor<6xf32>
  %cst_0 = stablehlo.constant dense<[0xFF800000, -1.000000e+00, -0.000000e+00, 0.000000e+00, 0x7F800000, 0x7FC00000]> : tensor<6xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 0 : i64} : (tensor<6xf32>, tensor<6xf32>) -> ()
  return
}
