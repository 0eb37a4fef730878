// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @doubles_0_f32() {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00], [-4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00]]> : tensor<3x4xf32>
  %0:2 = stablehlo.while(%iterArg = %c, %iterArg_2 = %cst) : tensor<i32>, tensor<3x4xf32>
  cond {
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %iterArg, %c_3 : tensor<i32>
    %2 = stablehlo.add %iterArg_2, %iterArg_2 : tensor<3x4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<3x4xf32>
  }
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%0#0, %c_0) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00], [-4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00]]> : tensor<3x4xf32>
  stablehlo.custom_call @check.expect_eq(%0#1, %cst_1) {has_side_effect = true} : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
  return
}

// -----

func.func @doubles_1_f32() {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00], [-4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00]]> : tensor<3x4xf32>
  %0:2 = stablehlo.while(%iterArg = %c, %iterArg_2 = %cst) : tensor<i32>, tensor<3x4xf32>
  cond {
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %iterArg, %c_3 : tensor<i32>
    %2 = stablehlo.add %iterArg_2, %iterArg_2 : tensor<3x4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<3x4xf32>
  }
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%0#0, %c_0) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 4.000000e+00, 8.000000e+00], [-8.000000e+00, -6.000000e+00, 6.000000e+00, 8.000000e+00], [-4.000000e+00, -4.000000e+00, 6.000000e+00, -2.000000e+00]]> : tensor<3x4xf32>
  stablehlo.custom_call @check.expect_eq(%0#1, %cst_1) {has_side_effect = true} : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
  return
}

// -----

func.func @doubles_5_f32() {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00], [-4.000000e+00, -3.000000e+00, 3.000000e+00, 4.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00]]> : tensor<3x4xf32>
  %0:2 = stablehlo.while(%iterArg = %c, %iterArg_2 = %cst) : tensor<i32>, tensor<3x4xf32>
  cond {
    %c_3 = stablehlo.constant dense<5> : tensor<i32>
    %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %iterArg, %c_3 : tensor<i32>
    %2 = stablehlo.add %iterArg_2, %iterArg_2 : tensor<3x4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<3x4xf32>
  }
  %c_0 = stablehlo.constant dense<5> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%0#0, %c_0) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 6.400000e+01, 1.280000e+02], [-1.280000e+02, -9.600000e+01, 9.600000e+01, 1.280000e+02], [-6.400000e+01, -6.400000e+01, 9.600000e+01, -3.200000e+01]]> : tensor<3x4xf32>
  stablehlo.custom_call @check.expect_eq(%0#1, %cst_1) {has_side_effect = true} : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
  return
}

// -----

func.func @doubles_0_i32() {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<[[0, 0, 2, 4], [-4, -3, 3, 4], [-2, -2, 3, -1]]> : tensor<3x4xi32>
  %0:2 = stablehlo.while(%iterArg = %c, %iterArg_3 = %c_0) : tensor<i32>, tensor<3x4xi32>
  cond {
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %iterArg, %c_4 : tensor<i32>
    %2 = stablehlo.add %iterArg_3, %iterArg_3 : tensor<3x4xi32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<3x4xi32>
  }
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%0#0, %c_1) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
  %c_2 = stablehlo.constant dense<[[0, 0, 2, 4], [-4, -3, 3, 4], [-2, -2, 3, -1]]> : tensor<3x4xi32>
  stablehlo.custom_call @check.expect_eq(%0#1, %c_2) {has_side_effect = true} : (tensor<3x4xi32>, tensor<3x4xi32>) -> ()
  return
}

// -----

func.func @doubles_1_i32() {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<[[0, 0, 2, 4], [-4, -3, 3, 4], [-2, -2, 3, -1]]> : tensor<3x4xi32>
  %0:2 = stablehlo.while(%iterArg = %c, %iterArg_3 = %c_0) : tensor<i32>, tensor<3x4xi32>
  cond {
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %iterArg, %c_4 : tensor<i32>
    %2 = stablehlo.add %iterArg_3, %iterArg_3 : tensor<3x4xi32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<3x4xi32>
  }
  %c_1 = stablehlo.constant dense<1> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%0#0, %c_1) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
  %c_2 = stablehlo.constant dense<[[0, 0, 4, 8], [-8, -6, 6, 8], [-4, -4, 6, -2]]> : tensor<3x4xi32>
  stablehlo.custom_call @check.expect_eq(%0#1, %c_2) {has_side_effect = true} : (tensor<3x4xi32>, tensor<3x4xi32>) -> ()
  return
}

// -----

func.func @doubles_5_i32() {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<[[0, 0, 2, 4], [-4, -3, 3, 4], [-2, -2, 3, -1]]> : tensor<3x4xi32>
  %0:2 = stablehlo.while(%iterArg = %c, %iterArg_3 = %c_0) : tensor<i32>, tensor<3x4xi32>
  cond {
    %c_4 = stablehlo.constant dense<5> : tensor<i32>
    %1 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %iterArg, %c_4 : tensor<i32>
    %2 = stablehlo.add %iterArg_3, %iterArg_3 : tensor<3x4xi32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<3x4xi32>
  }
  %c_1 = stablehlo.constant dense<5> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%0#0, %c_1) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
  %c_2 = stablehlo.constant dense<[[0, 0, 64, 128], [-128, -96, 96, 128], [-64, -64, 96, -32]]> : tensor<3x4xi32>
  stablehlo.custom_call @check.expect_eq(%0#1, %c_2) {has_side_effect = true} : (tensor<3x4xi32>, tensor<3x4xi32>) -> ()
  return
}

// -----

func.func @until_a_sum() {
  %c = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %0 = stablehlo.while(%iterArg = %c) : tensor<5xi32>
  cond {
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%iterArg init: %c_1) applies stablehlo.add across dimensions = [0] : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
    %c_2 = stablehlo.constant dense<100> : tensor<i32>
    %2 = stablehlo.compare LT, %1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %1 = stablehlo.add %iterArg, %iterArg : tensor<5xi32>
    stablehlo.return %1 : tensor<5xi32>
  }
  %c_0 = stablehlo.constant dense<[8, 16, 24, 32, 40]> : tensor<5xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
  return
}
