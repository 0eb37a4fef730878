// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @inference() {
  %cst = stablehlo.constant dense<[[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]], [[-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00], [3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00]]]> : tensor<2x5x3xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<3xf32>
  %cst_1 = stablehlo.constant dense<[2.000000e+00, -1.000000e+00, -2.000000e+00]> : tensor<3xf32>
  %cst_2 = stablehlo.constant dense<[2.000000e+00, -2.000000e+00, -2.000000e+00]> : tensor<3xf32>
  %cst_3 = stablehlo.constant dense<[3.000000e+00, 4.000000e+00, 4.000000e+00]> : tensor<3xf32>
  %0 = "stablehlo.batch_norm_inference"(%cst, %cst_0, %cst_1, %cst_2, %cst_3) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x5x3xf32>
  %cst_4 = stablehlo.constant dense<[[[2.000000e+00, -1.000000e+00, -2.49862671E-4], [2.000000e+00, -1.000000e+00, -2.49993753], [2.000000e+00, -1.000000e+00, -2.000000e+00], [2.000000e+00, -1.000000e+00, -1.50006247], [2.000000e+00, -1.000000e+00, -2.000000e+00]], [[2.000000e+00, -1.000000e+00, -1.00012493], [2.000000e+00, -1.000000e+00, 0.499687672], [2.000000e+00, -1.000000e+00, -1.00012493], [2.000000e+00, -1.000000e+00, -1.00012493], [2.000000e+00, -1.000000e+00, -2.000000e+00]]]> : tensor<2x5x3xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_4) {has_side_effect = true, tolerance = 1.000000e-04 : f64} : (tensor<2x5x3xf32>, tensor<2x5x3xf32>) -> ()
  return
}

// -----

func.func @training() {
  %cst = stablehlo.constant dense<[[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]], [[-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00], [3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00]]]> : tensor<2x5x3xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<3xf32>
  %cst_1 = stablehlo.constant dense<[2.000000e+00, -1.000000e+00, -2.000000e+00]> : tensor<3xf32>
  %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%cst, %cst_0, %cst_1) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x5x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x5x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %cst_2 = stablehlo.constant dense<[[[2.000000e+00, -1.000000e+00, -0.613462924], [2.000000e+00, -1.000000e+00, -3.38653708], [2.000000e+00, -1.000000e+00, -2.83192229], [2.000000e+00, -1.000000e+00, -2.27730751], [2.000000e+00, -1.000000e+00, -2.83192229]], [[2.000000e+00, -1.000000e+00, -1.72269261], [2.000000e+00, -1.000000e+00, -0.0588480234], [2.000000e+00, -1.000000e+00, -1.72269261], [2.000000e+00, -1.000000e+00, -1.72269261], [2.000000e+00, -1.000000e+00, -2.83192229]]]> : tensor<2x5x3xf32>
  stablehlo.custom_call @check.expect_almost_eq(%output, %cst_2) {has_side_effect = true, tolerance = 1.000000e-04 : f64} : (tensor<2x5x3xf32>, tensor<2x5x3xf32>) -> ()
  %cst_3 = stablehlo.constant dense<[6.000000e-01, 1.000000e-01, -5.000000e-01]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_almost_eq(%batch_mean, %cst_3) {has_side_effect = true, tolerance = 1.000000e-04 : f64} : (tensor<3xf32>, tensor<3xf32>) -> ()
  %cst_4 = stablehlo.constant dense<[6.840000e+00, 8.890000e+00, 3.250000e+00]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_almost_eq(%batch_var, %cst_4) {has_side_effect = true, tolerance = 1.000000e-04 : f64} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @gradient() {
  %cst = stablehlo.constant dense<[[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00]], [[-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00], [3.000000e+00, -2.000000e+00, 0.000000e+00], [3.000000e+00, -3.000000e+00, -2.000000e+00]]]> : tensor<2x5x3xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<3xf32>
  %cst_1 = stablehlo.constant dense<[2.000000e+00, -1.000000e+00, -2.000000e+00]> : tensor<3xf32>
  %cst_2 = stablehlo.constant dense<[3.000000e+00, 4.000000e+00, 4.000000e+00]> : tensor<3xf32>
  %cst_3 = stablehlo.constant dense<[[[4.000000e+00, 1.000000e+00, 2.000000e+00], [4.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -2.000000e+00, 3.000000e+00], [4.000000e+00, -4.000000e+00, 0.000000e+00]], [[3.000000e+00, -3.000000e+00, 3.000000e+00], [-3.000000e+00, 0.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, -2.000000e+00], [2.000000e+00, -2.000000e+00, 4.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00]]]> : tensor<2x5x3xf32>
  %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%cst, %cst_0, %cst_1, %cst_2, %cst_3) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %cst_4 = stablehlo.constant dense<[[[0.000000e+00, 0.000000e+00, -1.24941897], [0.000000e+00, -0.000000e+00, 0.87478447], [0.000000e+00, 0.000000e+00, -2.54968143], [-0.000000e+00, 0.000000e+00, 0.525040627], [0.000000e+00, 0.000000e+00, -0.549931288]], [[0.000000e+00, 0.000000e+00, 0.100199908], [-0.000000e+00, -0.000000e+00, -1.17432213], [-0.000000e+00, 0.000000e+00, -2.39948773], [0.000000e+00, -0.000000e+00, 0.600137472], [-0.000000e+00, -0.000000e+00, -0.549931288]]]> : tensor<2x5x3xf32>
  stablehlo.custom_call @check.expect_almost_eq(%grad_operand, %cst_4) {has_side_effect = true, tolerance = 1.000000e-03 : f64} : (tensor<2x5x3xf32>, tensor<2x5x3xf32>) -> ()
  %cst_5 = stablehlo.constant dense<[3.46352434, -21.9972515, 16.9978752]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_almost_eq(%grad_scale, %cst_5) {has_side_effect = true, tolerance = 1.000000e-03 : f64} : (tensor<3xf32>, tensor<3xf32>) -> ()
  %cst_6 = stablehlo.constant dense<[1.300000e+01, -1.200000e+01, 1.100000e+01]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_almost_eq(%grad_offset, %cst_6) {has_side_effect = true, tolerance = 1.000000e-03 : f64} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}
