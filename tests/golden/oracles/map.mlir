// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @multiply_add_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -1.000000e+00], [1.000000e+00, 3.000000e+00, 2.000000e+00], [4.000000e+00, -3.000000e+00, 3.000000e+00]]> : tensor<5x3xf32>
  %0 = "stablehlo.map"(%cst, %cst_0) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<f32>
    %2 = stablehlo.add %1, %arg0 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, -6.000000e+00], [-4.000000e+00, 0.000000e+00, -1.200000e+01], [3.000000e+00, -1.200000e+01, 0.000000e+00], [-4.000000e+00, 1.200000e+01, -3.000000e+00], [-1.000000e+01, -6.000000e+00, -8.000000e+00]]> : tensor<5x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
  return
}

// -----

func.func @multiply_add_i32() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, 3, -1], [-2, 3, -2]]> : tensor<5x3xi32>
  %c_0 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3], [0, -4, -1], [1, 3, 2], [4, -3, 3]]> : tensor<5x3xi32>
  %0 = "stablehlo.map"(%c, %c_0) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<i32>
    %2 = stablehlo.add %1, %arg0 : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<5x3xi32>, tensor<5x3xi32>) -> tensor<5x3xi32>
  %c_1 = stablehlo.constant dense<[[0, 0, -6], [-4, 0, -12], [3, -12, 0], [-4, 12, -3], [-10, -6, -8]]> : tensor<5x3xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_1) {has_side_effect = true} : (tensor<5x3xi32>, tensor<5x3xi32>) -> ()
  return
}
