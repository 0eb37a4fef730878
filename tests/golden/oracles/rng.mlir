// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @uniform_within_bounds() {
  %cst = stablehlo.constant dense<-2.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
  %c = stablehlo.constant dense<[9, 5]> : tensor<2xi64>
  %0 = stablehlo.rng %cst, %cst_0, %c, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<9x5xf32>
  %1 = stablehlo.clamp %cst, %0, %cst_0 : (tensor<f32>, tensor<9x5xf32>, tensor<f32>) -> tensor<9x5xf32>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<9x5xf32>, tensor<9x5xf32>) -> tensor<9x5xi1>
  %c_1 = stablehlo.constant dense<true> : tensor<9x5xi1>
  stablehlo.custom_call @check.expect_eq(%2, %c_1) {has_side_effect = true} : (tensor<9x5xi1>, tensor<9x5xi1>) -> ()
  return
}
