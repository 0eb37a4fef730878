// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @bitcast_f32_i32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xf32>
  %0 = stablehlo.bitcast_convert %cst : (tensor<3x5xf32>) -> tensor<3x5xi32>
  %c = stablehlo.constant dense<[[0, 0, 1073741824, 1082130432, -1065353216], [-1069547520, 1077936128, 1082130432, -1073741824, -1073741824], [1077936128, -1082130432, -1073741824, 1077936128, -1073741824]]> : tensor<3x5xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<3x5xi32>, tensor<3x5xi32>) -> ()
  return
}

// -----

func.func @bitcast_ui32_f32() {
  %c = stablehlo.constant dense<[[2, 2, 3, 4, 0], [0, 4, 4, 1, 1], [4, 2, 1, 4, 1]]> : tensor<3x5xui32>
  %0 = stablehlo.bitcast_convert %c : (tensor<3x5xui32>) -> tensor<3x5xf32>
  %cst = stablehlo.constant dense<[[2.802600e-45, 2.802600e-45, 4.203900e-45, 5.605190e-45, 0.000000e+00], [0.000000e+00, 5.605190e-45, 5.605190e-45, 1.401300e-45, 1.401300e-45], [5.605190e-45, 2.802600e-45, 1.401300e-45, 5.605190e-45, 1.401300e-45]]> : tensor<3x5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst) {has_side_effect = true} : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  return
}

// -----

func.func @bitcast_f64_i64() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xf64>
  %0 = stablehlo.bitcast_convert %cst : (tensor<3x5xf64>) -> tensor<3x5xi64>
  %c = stablehlo.constant dense<[[0, 0, 4611686018427387904, 4616189618054758400, -4607182418800017408], [-4609434218613702656, 4613937818241073152, 4616189618054758400, -4611686018427387904, -4611686018427387904], [4613937818241073152, -4616189618054758400, -4611686018427387904, 4613937818241073152, -4611686018427387904]]> : tensor<3x5xi64>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<3x5xi64>, tensor<3x5xi64>) -> ()
  return
}

// -----

func.func @bitcast_f16_ui16() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xf16>
  %0 = stablehlo.bitcast_convert %cst : (tensor<3x5xf16>) -> tensor<3x5xui16>
  %c = stablehlo.constant dense<[[0, 0, 16384, 17408, 50176], [49664, 16896, 17408, 49152, 49152], [16896, 48128, 49152, 16896, 49152]]> : tensor<3x5xui16>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<3x5xui16>, tensor<3x5xui16>) -> ()
  return
}

// -----

func.func @bitcast_bf16_i16() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xbf16>
  %0 = stablehlo.bitcast_convert %cst : (tensor<3x5xbf16>) -> tensor<3x5xi16>
  %c = stablehlo.constant dense<[[0, 0, 16384, 16512, -16256], [-16320, 16448, 16512, -16384, -16384], [16448, -16512, -16384, 16448, -16384]]> : tensor<3x5xi16>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<3x5xi16>, tensor<3x5xi16>) -> ()
  return
}

// -----

func.func @bitcast_i8_ui8() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4], [-3, 3, 4, -2, -2], [3, -1, -2, 3, -2]]> : tensor<3x5xi8>
  %0 = stablehlo.bitcast_convert %c : (tensor<3x5xi8>) -> tensor<3x5xui8>
  %c_0 = stablehlo.constant dense<[[0, 0, 2, 4, 252], [253, 3, 4, 254, 254], [3, 255, 254, 3, 254]]> : tensor<3x5xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<3x5xui8>, tensor<3x5xui8>) -> ()
  return
}

// -----

func.func @bitcast_narrower() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xf32>
  %0 = stablehlo.bitcast_convert %cst : (tensor<3x5xf32>) -> tensor<3x5x4xui8>
  %c = stablehlo.constant dense<[[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 64], [0, 0, 128, 64], [0, 0, 128, 192]], [[0, 0, 64, 192], [0, 0, 64, 64], [0, 0, 128, 64], [0, 0, 0, 192], [0, 0, 0, 192]], [[0, 0, 64, 64], [0, 0, 128, 191], [0, 0, 0, 192], [0, 0, 64, 64], [0, 0, 0, 192]]]> : tensor<3x5x4xui8>
  stablehlo.custom_call @check.expect_eq(%0, %c) {has_side_effect = true} : (tensor<3x5x4xui8>, tensor<3x5x4xui8>) -> ()
  return
}

// -----

func.func @bitcast_to_half() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xf32>
  %0 = stablehlo.bitcast_convert %cst : (tensor<3x5xf32>) -> tensor<3x5x2xf16>
  %cst_0 = stablehlo.constant dense<[[[0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 2.000000e+00], [0.000000e+00, 2.250000e+00], [0.000000e+00, -2.250000e+00]], [[0.000000e+00, -2.125000e+00], [0.000000e+00, 2.125000e+00], [0.000000e+00, 2.250000e+00], [0.000000e+00, -2.000000e+00], [0.000000e+00, -2.000000e+00]], [[0.000000e+00, 2.125000e+00], [0.000000e+00, -1.875000e+00], [0.000000e+00, -2.000000e+00], [0.000000e+00, 2.125000e+00], [0.000000e+00, -2.000000e+00]]]> : tensor<3x5x2xf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x5x2xf16>, tensor<3x5x2xf16>) -> ()
  return
}

// -----

func.func @bitcast_wider() {
  %c = stablehlo.constant dense<[[121, 131, 193, 243], [8, 36, 210, 242], [63, 79, 222, 108]]> : tensor<3x4xui8>
  %0 = stablehlo.bitcast_convert %c : (tensor<3x4xui8>) -> tensor<3xi32>
  %c_0 = stablehlo.constant dense<[-205421703, -221109240, 1826508607]> : tensor<3xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_0) {has_side_effect = true} : (tensor<3xi32>, tensor<3xi32>) -> ()
  return
}
