// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @if_true() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.if"(%c) ({
    %1 = stablehlo.add %cst, %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }, {
    %1 = stablehlo.negate %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }) : (tensor<i1>) -> tensor<5x3xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 4.000000e+00], [8.000000e+00, -8.000000e+00, -6.000000e+00], [6.000000e+00, 8.000000e+00, -4.000000e+00], [-4.000000e+00, 6.000000e+00, -2.000000e+00], [-4.000000e+00, 6.000000e+00, -4.000000e+00]]> : tensor<5x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
  return
}

// -----

func.func @if_false() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  %c = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.if"(%c) ({
    %1 = stablehlo.add %cst, %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }, {
    %1 = stablehlo.negate %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }) : (tensor<i1>) -> tensor<5x3xf32>
  %cst_0 = stablehlo.constant dense<[[-0.000000e+00, -0.000000e+00, -2.000000e+00], [-4.000000e+00, 4.000000e+00, 3.000000e+00], [-3.000000e+00, -4.000000e+00, 2.000000e+00], [2.000000e+00, -3.000000e+00, 1.000000e+00], [2.000000e+00, -3.000000e+00, 2.000000e+00]]> : tensor<5x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
  return
}

// -----

func.func @case_minus_1() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  %c = stablehlo.constant dense<-1> : tensor<i32>
  %0 = "stablehlo.case"(%c) ({
    %1 = stablehlo.add %cst, %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }, {
    stablehlo.return %cst : tensor<5x3xf32>
  }, {
    %1 = stablehlo.negate %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }) : (tensor<i32>) -> tensor<5x3xf32>
  %cst_0 = stablehlo.constant dense<[[-0.000000e+00, -0.000000e+00, -2.000000e+00], [-4.000000e+00, 4.000000e+00, 3.000000e+00], [-3.000000e+00, -4.000000e+00, 2.000000e+00], [2.000000e+00, -3.000000e+00, 1.000000e+00], [2.000000e+00, -3.000000e+00, 2.000000e+00]]> : tensor<5x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
  return
}

// -----

func.func @case_0() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.case"(%c) ({
    %1 = stablehlo.add %cst, %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }, {
    stablehlo.return %cst : tensor<5x3xf32>
  }, {
    %1 = stablehlo.negate %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }) : (tensor<i32>) -> tensor<5x3xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 4.000000e+00], [8.000000e+00, -8.000000e+00, -6.000000e+00], [6.000000e+00, 8.000000e+00, -4.000000e+00], [-4.000000e+00, 6.000000e+00, -2.000000e+00], [-4.000000e+00, 6.000000e+00, -4.000000e+00]]> : tensor<5x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
  return
}

// -----

func.func @case_1() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.case"(%c) ({
    %1 = stablehlo.add %cst, %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }, {
    stablehlo.return %cst : tensor<5x3xf32>
  }, {
    %1 = stablehlo.negate %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }) : (tensor<i32>) -> tensor<5x3xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
  return
}

// -----

func.func @case_2() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  %c = stablehlo.constant dense<2> : tensor<i32>
  %0 = "stablehlo.case"(%c) ({
    %1 = stablehlo.add %cst, %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }, {
    stablehlo.return %cst : tensor<5x3xf32>
  }, {
    %1 = stablehlo.negate %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }) : (tensor<i32>) -> tensor<5x3xf32>
  %cst_0 = stablehlo.constant dense<[[-0.000000e+00, -0.000000e+00, -2.000000e+00], [-4.000000e+00, 4.000000e+00, 3.000000e+00], [-3.000000e+00, -4.000000e+00, 2.000000e+00], [2.000000e+00, -3.000000e+00, 1.000000e+00], [2.000000e+00, -3.000000e+00, 2.000000e+00]]> : tensor<5x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
  return
}

// -----

func.func @case_9() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  %c = stablehlo.constant dense<9> : tensor<i32>
  %0 = "stablehlo.case"(%c) ({
    %1 = stablehlo.add %cst, %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }, {
    stablehlo.return %cst : tensor<5x3xf32>
  }, {
    %1 = stablehlo.negate %cst : tensor<5x3xf32>
    stablehlo.return %1 : tensor<5x3xf32>
  }) : (tensor<i32>) -> tensor<5x3xf32>
  %cst_0 = stablehlo.constant dense<[[-0.000000e+00, -0.000000e+00, -2.000000e+00], [-4.000000e+00, 4.000000e+00, 3.000000e+00], [-3.000000e+00, -4.000000e+00, 2.000000e+00], [2.000000e+00, -3.000000e+00, 1.000000e+00], [2.000000e+00, -3.000000e+00, 2.000000e+00]]> : tensor<5x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
  return
}
