// SPDX-License-Identifier: Apache-2.0
// Batch normalisation and its gradient; what is expected was checked against finite differences.
func.func @grad() {
  %x = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 5.0], [0.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale = stablehlo.constant dense<[2.0, 0.5]> : tensor<2xf64>
  %mean = stablehlo.constant dense<[1.75, 3.25]> : tensor<2xf64>
  %variance = stablehlo.constant dense<[1.6875, 1.6875]> : tensor<2xf64>
  %upstream = stablehlo.constant dense<[[[0.5, -1.0], [2.0, 0.0]], [[1.0, 1.0], [-0.5, 0.25]]]> : tensor<2x2x2xf64>
  %0:3 = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %upstream) <{epsilon = 5.000000e-01 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %0#0, dense<[[[0.15454249229321443, -0.22939901199774021], [0.86930151914933129, -0.099003784125340513]], [[-0.48294528841629508, 0.13522468075656266], [-0.54089872302625064, 0.19317811536651805]]]> : tensor<2x2x2xf64>
  check.expect_almost_eq_const %0#1, dense<[2.8735244660769563, 1.8170816476663108]> : tensor<2xf64>
  check.expect_almost_eq_const %0#2, dense<[3.0, 0.25]> : tensor<2xf64>
  func.return
}

// -----

func.func @training() {
  %x = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 5.0], [0.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale = stablehlo.constant dense<[2.0, 0.5]> : tensor<2xf64>
  %offset = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf64>
  %0:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) <{epsilon = 5.000000e-01 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %0#0, dense<[[[-0.014185105674219933, -1.4225771273642582], [2.6903085094570329, -0.74645372358144502]], [[2.6903085094570329, -0.40839202169003841], [-1.3664319132398464, -1.4225771273642582]]]> : tensor<2x2x2xf64>
  check.expect_almost_eq_const %0#1, dense<[1.75, 3.25]> : tensor<2xf64>
  check.expect_almost_eq_const %0#2, dense<[1.6875, 1.6875]> : tensor<2xf64>
  func.return
}

// -----

// The old spelling, with the feature in front.
func.func @inference() {
  %x = "mhlo.constant"() {value = dense<[[1.0, 3.0, 3.0, 0.0], [2.0, 4.0, 5.0, 2.0]]> : tensor<2x4xf64>} : () -> tensor<2x4xf64>
  %scale = "mhlo.constant"() {value = dense<[2.0, 0.5]> : tensor<2xf64>} : () -> tensor<2xf64>
  %offset = "mhlo.constant"() {value = dense<[1.0, -1.0]> : tensor<2xf64>} : () -> tensor<2xf64>
  %mean = "mhlo.constant"() {value = dense<[1.75, 3.25]> : tensor<2xf64>} : () -> tensor<2xf64>
  %variance = "mhlo.constant"() {value = dense<[1.6875, 1.6875]> : tensor<2xf64>} : () -> tensor<2xf64>
  %0 = "mhlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) {epsilon = 5.000000e-01 : f32, feature_index = 0 : i64} : (tensor<2x4xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x4xf64>
  check.expect_almost_eq_const %0, dense<[[-0.014185105674219933, 2.6903085094570329, 2.6903085094570329, -1.3664319132398464], [-1.4225771273642582, -0.74645372358144502, -0.40839202169003841, -1.4225771273642582]]> : tensor<2x4xf64>
  func.return
}
