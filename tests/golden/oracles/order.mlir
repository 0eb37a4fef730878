// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @optimization_barrier() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  %c = stablehlo.constant dense<[3, -2, -4, -2, -1, 3, 0]> : tensor<7xi32>
  %0:2 = stablehlo.optimization_barrier %cst, %c : tensor<5x3xf32>, tensor<7xi32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  stablehlo.custom_call @check.expect_eq(%0#0, %cst_0) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
  %c_1 = stablehlo.constant dense<[3, -2, -4, -2, -1, 3, 0]> : tensor<7xi32>
  stablehlo.custom_call @check.expect_eq(%0#1, %c_1) {has_side_effect = true} : (tensor<7xi32>, tensor<7xi32>) -> ()
  return
}

// -----

func.func @tokens() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<5x3xf32>
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %0, %0 : !stablehlo.token
  %2 = stablehlo.negate %cst : tensor<5x3xf32>
  %cst_0 = stablehlo.constant dense<[[-0.000000e+00, -0.000000e+00, -2.000000e+00], [-4.000000e+00, 4.000000e+00, 3.000000e+00], [-3.000000e+00, -4.000000e+00, 2.000000e+00], [2.000000e+00, -3.000000e+00, 1.000000e+00], [2.000000e+00, -3.000000e+00, 2.000000e+00]]> : tensor<5x3xf32>
  stablehlo.custom_call @check.expect_eq(%2, %cst_0) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
  return
}
