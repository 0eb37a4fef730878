// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @cbrt_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00, 8.000000e+00, -2.700000e+01, 1.000000e+03]> : tensor<12xf16>
  %0 = stablehlo.cbrt %cst : tensor<12xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 7.934570e-01, -7.934570e-01, 1.310550e+00, -1.310550e+00, 1.957030e+00, -1.957030e+00, 2.000000e+00, -3.000000e+00, 1.000000e+01]> : tensor<12xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<12xf16>, tensor<12xf16>) -> ()
  return
}

// -----

func.func @cbrt_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00, 8.000000e+00, -2.700000e+01, 1.000000e+03]> : tensor<12xbf16>
  %0 = stablehlo.cbrt %cst : tensor<12xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 7.929680e-01, -7.929680e-01, 1.312500e+00, -1.312500e+00, 1.960940e+00, -1.960940e+00, 2.000000e+00, -3.000000e+00, 1.000000e+01]> : tensor<12xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<12xbf16>, tensor<12xbf16>) -> ()
  return
}

// -----

func.func @cbrt_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00, 8.000000e+00, -2.700000e+01, 1.000000e+03]> : tensor<12xf32>
  %0 = stablehlo.cbrt %cst : tensor<12xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 0.793700516, -0.793700516, 1.31037068, -1.31037068, 1.95743382, -1.95743382, 2.000000e+00, -3.000000e+00, 1.000000e+01]> : tensor<12xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<12xf32>, tensor<12xf32>) -> ()
  return
}

// -----

func.func @cbrt_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00, 8.000000e+00, -2.700000e+01, 1.000000e+03]> : tensor<12xf64>
  %0 = stablehlo.cbrt %cst : tensor<12xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 0.79370052598409979, -0.79370052598409979, 1.3103706971044484, -1.3103706971044484, 1.9574338205844317, -1.9574338205844317, 2.000000e+00, -3.0000000000000004, 1.000000e+01]> : tensor<12xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<12xf64>, tensor<12xf64>) -> ()
  return
}

// -----

func.func @cosine_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = stablehlo.cosine %cst : tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 5.405270e-01, 5.405270e-01, 8.774410e-01, 8.774410e-01, -6.279300e-01, -6.279300e-01, 3.466800e-01, 3.466800e-01]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @cosine_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = stablehlo.cosine %cst : tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 5.390630e-01, 5.390630e-01, 8.789060e-01, 8.789060e-01, -6.289060e-01, -6.289060e-01, 3.457030e-01, 3.457030e-01]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @cosine_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = stablehlo.cosine %cst : tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 0.540302277, 0.540302277, 0.87758255, 0.87758255, -0.628173649, -0.628173649, 0.346635312, 0.346635312]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @cosine_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = stablehlo.cosine %cst : tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 0.54030230586813977, 0.54030230586813977, 0.87758256189037276, 0.87758256189037276, -0.62817362272273913, -0.62817362272273913, 0.34663531783502582, 0.34663531783502582]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @cosine_special() {
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<1xf32>
  %0 = stablehlo.cosine %cst : tensor<1xf32>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<1xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 1 : i64} : (tensor<1xf32>, tensor<1xf32>) -> ()
  return
}

// -----

func.func @exponential_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = stablehlo.exponential %cst : tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 2.718750e+00, 3.679200e-01, 1.648440e+00, 6.064450e-01, 9.484370e+00, 1.054080e-01, 1.808000e+03, 5.531310e-04]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @exponential_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = stablehlo.exponential %cst : tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 2.718750e+00, 3.671880e-01, 1.648440e+00, 6.054690e-01, 9.500000e+00, 1.054690e-01, 1.808000e+03, 5.531310e-04]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @exponential_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = stablehlo.exponential %cst : tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 2.71828175, 0.36787945, 1.64872122, 0.606530666, 9.48773574, 0.105399221, 1808.04236, 5.53084363E-4]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @exponential_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = stablehlo.exponential %cst : tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 2.7182818284590455, 0.36787944117144228, 1.6487212707001282, 0.60653065971263342, 9.4877358363585262, 0.10539922456186433, 1808.0424144560632, 5.5308437014783363E-4]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @exponential_special() {
  %cst = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %0 = stablehlo.exponential %cst : tensor<3xf32>
  %cst_0 = stablehlo.constant dense<[0x7F800000, 0.000000e+00, 0x7FC00000]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 1 : i64} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @exponential_minus_one_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = stablehlo.exponential_minus_one %cst : tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.718750e+00, -6.323240e-01, 6.489260e-01, -3.935550e-01, 8.484370e+00, -8.945310e-01, 1.807000e+03, -9.995110e-01]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @exponential_minus_one_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = stablehlo.exponential_minus_one %cst : tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.718750e+00, -6.328130e-01, 6.484380e-01, -3.925780e-01, 8.500000e+00, -8.945310e-01, 1.808000e+03, -1.000000e+00]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @exponential_minus_one_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = stablehlo.exponential_minus_one %cst : tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.71828187, -0.632120549, 0.648721277, -0.393469334, 8.48773575, -0.894600749, 1807.04236, -0.999446928]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @exponential_minus_one_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = stablehlo.exponential_minus_one %cst : tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.7182818284590455, -0.63212055882855767, 0.64872127070012808, -0.39346934028736652, 8.4877358363585262, -0.89460077543813565, 1807.0424144560632, -0.99944691562985221]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @exponential_minus_one_special() {
  %cst = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %0 = stablehlo.exponential_minus_one %cst : tensor<3xf32>
  %cst_0 = stablehlo.constant dense<[0x7F800000, -1.000000e+00, 0x7FC00000]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 1 : i64} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @log_f16() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<8xf16>
  %0 = stablehlo.log %cst : tensor<8xf16>
  %cst_0 = stablehlo.constant dense<[-1.386720e+00, -6.933590e-01, 0.000000e+00, 4.055180e-01, 6.933590e-01, 2.302730e+00, 4.605470e+00, 6.906250e+00]> : tensor<8xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<8xf16>, tensor<8xf16>) -> ()
  return
}

// -----

func.func @log_bf16() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<8xbf16>
  %0 = stablehlo.log %cst : tensor<8xbf16>
  %cst_0 = stablehlo.constant dense<[-1.382810e+00, -6.914060e-01, 0.000000e+00, 4.062500e-01, 6.914060e-01, 2.296880e+00, 4.593750e+00, 6.906250e+00]> : tensor<8xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<8xbf16>, tensor<8xbf16>) -> ()
  return
}

// -----

func.func @log_f32() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<8xf32>
  %0 = stablehlo.log %cst : tensor<8xf32>
  %cst_0 = stablehlo.constant dense<[-1.38629436, -0.693147182, 0.000000e+00, 0.405465096, 0.693147182, 2.30258512, 4.60517025, 6.90775537]> : tensor<8xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<8xf32>, tensor<8xf32>) -> ()
  return
}

// -----

func.func @log_f64() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<8xf64>
  %0 = stablehlo.log %cst : tensor<8xf64>
  %cst_0 = stablehlo.constant dense<[-1.3862943611198906, -0.69314718055994529, 0.000000e+00, 0.40546510810816438, 0.69314718055994529, 2.3025850929940459, 4.6051701859880918, 6.9077552789821368]> : tensor<8xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<8xf64>, tensor<8xf64>) -> ()
  return
}

// -----

func.func @log_special() {
  %cst = stablehlo.constant dense<[0x7F800000, 0.000000e+00, -1.000000e+00, 0x7FC00000]> : tensor<4xf32>
  %0 = stablehlo.log %cst : tensor<4xf32>
  %cst_0 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0xFFFFFFFF, 0xFFFFFFFF]> : tensor<4xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @log_plus_one_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -5.000000e-01, 2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<10xf16>
  %0 = stablehlo.log_plus_one %cst : tensor<10xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -6.933590e-01, 2.231450e-01, 4.055180e-01, 6.933590e-01, 9.165030e-01, 1.098630e+00, 2.398440e+00, 4.613280e+00, 6.910150e+00]> : tensor<10xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<10xf16>, tensor<10xf16>) -> ()
  return
}

// -----

func.func @log_plus_one_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, -5.000000e-01, 2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<10xbf16>
  %0 = stablehlo.log_plus_one %cst : tensor<10xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -6.914060e-01, 2.226560e-01, 4.062500e-01, 6.914060e-01, 9.179680e-01, 1.101560e+00, 2.390630e+00, 4.625000e+00, 6.906250e+00]> : tensor<10xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<10xbf16>, tensor<10xbf16>) -> ()
  return
}

// -----

func.func @log_plus_one_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, -5.000000e-01, 2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<10xf32>
  %0 = stablehlo.log_plus_one %cst : tensor<10xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.693147182, 0.223143548, 0.405465096, 0.693147182, 0.91629076, 1.09861231, 2.39789534, 4.61512041, 6.90875483]> : tensor<10xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<10xf32>, tensor<10xf32>) -> ()
  return
}

// -----

func.func @log_plus_one_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, -5.000000e-01, 2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<10xf64>
  %0 = stablehlo.log_plus_one %cst : tensor<10xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, -0.69314718055994529, 0.22314355131420976, 0.40546510810816438, 0.69314718055994529, 0.91629073187415511, 1.0986122886681098, 2.3978952727983707, 4.6151205168412597, 6.9087547793152204]> : tensor<10xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<10xf64>, tensor<10xf64>) -> ()
  return
}

// -----

func.func @log_plus_one_special() {
  %cst = stablehlo.constant dense<[0x7F800000, -1.000000e+00, -2.000000e+00, 0x7FC00000]> : tensor<4xf32>
  %0 = stablehlo.log_plus_one %cst : tensor<4xf32>
  %cst_0 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0xFFFFFFFF, 0xFFFFFFFF]> : tensor<4xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @logistic_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = stablehlo.logistic %cst : tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[5.000000e-01, 7.309570e-01, 2.690430e-01, 6.225590e-01, 3.774410e-01, 9.047850e-01, 9.533690e-02, 9.995110e-01, 5.526540e-04]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @logistic_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = stablehlo.logistic %cst : tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[5.000000e-01, 7.304680e-01, 2.695310e-01, 6.210940e-01, 3.769530e-01, 9.062500e-01, 9.521480e-02, 1.000000e+00, 5.531310e-04]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @logistic_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = stablehlo.logistic %cst : tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[5.000000e-01, 0.731058597, 0.268941432, 0.622459352, 0.377540678, 0.904650509, 0.0953494682, 0.999447226, 5.52778656E-4]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @logistic_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = stablehlo.logistic %cst : tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[5.000000e-01, 0.7310585786300049, 0.2689414213699951, 0.62245933120185459, 0.37754066879814541, 0.90465053510089055, 0.09534946489910949, 0.99944722136307639, 5.5277863692359955E-4]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @logistic_special() {
  %cst = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %0 = stablehlo.logistic %cst : tensor<3xf32>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 0.000000e+00, 0xFFC00000]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 1 : i64} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @rsqrt_f16() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<8xf16>
  %0 = stablehlo.rsqrt %cst : tensor<8xf16>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, 1.414060e+00, 1.000000e+00, 8.164060e-01, 7.070310e-01, 3.161620e-01, 9.997550e-02, 3.161620e-02]> : tensor<8xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<8xf16>, tensor<8xf16>) -> ()
  return
}

// -----

func.func @rsqrt_bf16() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<8xbf16>
  %0 = stablehlo.rsqrt %cst : tensor<8xbf16>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, 1.414060e+00, 1.000000e+00, 8.164060e-01, 7.070310e-01, 3.164060e-01, 1.000980e-01, 3.173830e-02]> : tensor<8xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<8xbf16>, tensor<8xbf16>) -> ()
  return
}

// -----

func.func @rsqrt_f32() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<8xf32>
  %0 = stablehlo.rsqrt %cst : tensor<8xf32>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, 1.41421354, 1.000000e+00, 0.816496611, 0.707106769, 0.316227764, 1.000000e-01, 0.0316227749]> : tensor<8xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<8xf32>, tensor<8xf32>) -> ()
  return
}

// -----

func.func @rsqrt_f64() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<8xf64>
  %0 = stablehlo.rsqrt %cst : tensor<8xf64>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, 1.4142135623730949, 1.000000e+00, 0.81649658092772603, 0.70710678118654746, 0.31622776601683794, 0.099999999999999992, 0.031622776601683791]> : tensor<8xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<8xf64>, tensor<8xf64>) -> ()
  return
}

// -----

func.func @rsqrt_special() {
  %cst = stablehlo.constant dense<[0x7F800000, 0.000000e+00, 0x7FC00000]> : tensor<3xf32>
  %0 = stablehlo.rsqrt %cst : tensor<3xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 1 : i64} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @sine_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = stablehlo.sine %cst : tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 8.413080e-01, -8.413080e-01, 4.794920e-01, -4.794920e-01, 7.778320e-01, -7.778320e-01, 9.379880e-01, -9.379880e-01]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @sine_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = stablehlo.sine %cst : tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 8.398430e-01, -8.398430e-01, 4.785160e-01, -4.785160e-01, 7.773430e-01, -7.773430e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @sine_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = stablehlo.sine %cst : tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.841470957, -0.841470957, 0.47942555, -0.47942555, 0.778073191, -0.778073191, 0.937999964, -0.937999964]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @sine_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = stablehlo.sine %cst : tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.8414709848078965, -0.8414709848078965, 0.47942553860420301, -0.47942553860420301, 0.7780731968879212, -0.7780731968879212, 0.9379999767747389, -0.9379999767747389]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @sine_special() {
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<1xf32>
  %0 = stablehlo.sine %cst : tensor<1xf32>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<1xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 1 : i64} : (tensor<1xf32>, tensor<1xf32>) -> ()
  return
}

// -----

func.func @sqrt_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<9xf16>
  %0 = stablehlo.sqrt %cst : tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 5.000000e-01, 7.070310e-01, 1.000000e+00, 1.224610e+00, 1.414060e+00, 3.162110e+00, 1.000000e+01, 3.162500e+01]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @sqrt_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<9xbf16>
  %0 = stablehlo.sqrt %cst : tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 5.000000e-01, 7.070310e-01, 1.000000e+00, 1.226560e+00, 1.414060e+00, 3.156250e+00, 1.000000e+01, 3.162500e+01]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @sqrt_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<9xf32>
  %0 = stablehlo.sqrt %cst : tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 5.000000e-01, 0.707106769, 1.000000e+00, 1.22474492, 1.41421354, 3.1622777, 1.000000e+01, 31.622776]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @sqrt_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<9xf64>
  %0 = stablehlo.sqrt %cst : tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 5.000000e-01, 0.70710678118654757, 1.000000e+00, 1.2247448713915889, 1.4142135623730951, 3.1622776601683795, 1.000000e+01, 31.622776601683793]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @sqrt_special() {
  %cst = stablehlo.constant dense<[0x7F800000, -1.000000e+00, 0x7FC00000]> : tensor<3xf32>
  %0 = stablehlo.sqrt %cst : tensor<3xf32>
  %cst_0 = stablehlo.constant dense<[0x7F800000, 0xFFC00000, 0x7FC00000]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 1 : i64} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @tan_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf16>
  %0 = stablehlo.tan %cst : tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.256100e-01, -1.256100e-01, 5.463870e-01, -5.463870e-01, 9.316400e-01, -9.316400e-01, 1.362300e+00, -1.362300e+00]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @tan_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xbf16>
  %0 = stablehlo.tan %cst : tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.259770e-01, -1.259770e-01, 5.468750e-01, -5.468750e-01, 9.296870e-01, -9.296870e-01, 1.359380e+00, -1.359380e+00]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @tan_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf32>
  %0 = stablehlo.tan %cst : tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.12565513, -0.12565513, 0.546302497, -0.546302497, 0.931596457, -0.931596457, 1.36207199, -1.36207199]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @tan_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf64>
  %0 = stablehlo.tan %cst : tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.12565513657513097, -0.12565513657513097, 0.54630248984379048, -0.54630248984379048, 0.93159645994407247, -0.93159645994407247, 1.3620719763762281, -1.3620719763762281]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @tanh_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = stablehlo.tanh %cst : tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 7.617180e-01, -7.617180e-01, 4.621580e-01, -4.621580e-01, 9.780270e-01, -9.780270e-01, 1.000000e+00, -1.000000e+00]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @tanh_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = stablehlo.tanh %cst : tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 7.617180e-01, -7.617180e-01, 4.628910e-01, -4.628910e-01, 9.765620e-01, -9.765620e-01, 1.000000e+00, -1.000000e+00]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @tanh_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = stablehlo.tanh %cst : tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.761594176, -0.761594176, 0.462117165, -0.462117165, 0.978026092, -0.978026092, 0.999999403, -0.999999403]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @tanh_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = stablehlo.tanh %cst : tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.76159415595576485, -0.76159415595576485, 0.46211715726000979, -0.46211715726000979, 0.97802611473881373, -0.97802611473881373, 0.99999938819554612, -0.99999938819554612]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @tanh_special() {
  %cst = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %0 = stablehlo.tanh %cst : tensor<3xf32>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, -1.000000e+00, 0x7FC00000]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 1 : i64} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @acos_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf16>
  %0 = chlo.acos %cst : tensor<9xf16> -> tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[1.570310e+00, 1.445310e+00, 1.696290e+00, 1.046880e+00, 2.093750e+00, 7.226560e-01, 2.417970e+00, 3.554690e-01, 2.787110e+00]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @acos_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xbf16>
  %0 = chlo.acos %cst : tensor<9xbf16> -> tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[1.570310e+00, 1.445310e+00, 1.695310e+00, 1.046880e+00, 2.093750e+00, 7.226560e-01, 2.421880e+00, 3.554690e-01, 2.781250e+00]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @acos_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf32>
  %0 = chlo.acos %cst : tensor<9xf32> -> tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[1.57079637, 1.44546854, 1.6961242, 1.04719758, 2.09439516, 0.722734272, 2.41885829, 0.355421215, 2.78617144]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @acos_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf64>
  %0 = chlo.acos %cst : tensor<9xf64> -> tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[1.5707963267948966, 1.4454684956268313, 1.696124157962962, 1.0471975511965976, 2.0943951023931957, 0.72273424781341566, 2.4188584057763776, 0.35542120169022345, 2.7861714518995697]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @acosh_f16() {
  %cst = stablehlo.constant dense<[1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02]> : tensor<5xf16>
  %0 = chlo.acosh %cst : tensor<5xf16> -> tensor<5xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 9.624020e-01, 1.317380e+00, 2.994140e+00, 5.296880e+00]> : tensor<5xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<5xf16>, tensor<5xf16>) -> ()
  return
}

// -----

func.func @acosh_bf16() {
  %cst = stablehlo.constant dense<[1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02]> : tensor<5xbf16>
  %0 = chlo.acosh %cst : tensor<5xbf16> -> tensor<5xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 9.609370e-01, 1.320310e+00, 3.000000e+00, 5.312500e+00]> : tensor<5xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<5xbf16>, tensor<5xbf16>) -> ()
  return
}

// -----

func.func @acosh_f32() {
  %cst = stablehlo.constant dense<[1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02]> : tensor<5xf32>
  %0 = chlo.acosh %cst : tensor<5xf32> -> tensor<5xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.962423622, 1.31695795, 2.99322295, 5.29829216]> : tensor<5xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<5xf32>, tensor<5xf32>) -> ()
  return
}

// -----

func.func @acosh_f64() {
  %cst = stablehlo.constant dense<[1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02]> : tensor<5xf64>
  %0 = chlo.acosh %cst : tensor<5xf64> -> tensor<5xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.96242365011920694, 1.3169578969248166, 2.9932228461263808, 5.298292365610485]> : tensor<5xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<5xf64>, tensor<5xf64>) -> ()
  return
}

// -----

func.func @asin_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf16>
  %0 = chlo.asin %cst : tensor<9xf16> -> tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.253660e-01, -1.253660e-01, 5.234380e-01, -5.234380e-01, 8.481440e-01, -8.481440e-01, 1.215820e+00, -1.215820e+00]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @asin_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xbf16>
  %0 = chlo.asin %cst : tensor<9xbf16> -> tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.234380e-01, -5.234380e-01, 8.476560e-01, -8.476560e-01, 1.218750e+00, -1.218750e+00]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @asin_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf32>
  %0 = chlo.asin %cst : tensor<9xf32> -> tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.125327826, -0.125327826, 0.52359879, -0.52359879, 0.848062098, -0.848062098, 1.21537507, -1.21537507]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @asin_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf64>
  %0 = chlo.asin %cst : tensor<9xf64> -> tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.1253278311680654, -0.1253278311680654, 0.52359877559829893, -0.52359877559829893, 0.848062078981481, -0.848062078981481, 1.2153751251046732, -1.2153751251046732]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @asinh_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = chlo.asinh %cst : tensor<9xf16> -> tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 8.813470e-01, -8.813470e-01, 4.812010e-01, -4.812010e-01, 1.549800e+00, -1.549800e+00, 2.712890e+00, -2.712890e+00]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @asinh_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = chlo.asinh %cst : tensor<9xbf16> -> tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 8.828120e-01, -8.828120e-01, 4.804690e-01, -4.804690e-01, 1.546880e+00, -1.546880e+00, 2.718750e+00, -2.718750e+00]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @asinh_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = chlo.asinh %cst : tensor<9xf32> -> tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.881373584, -0.881373584, 0.481211811, -0.481211811, 1.5501579, -1.5501579, 2.71246529, -2.71246529]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @asinh_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = chlo.asinh %cst : tensor<9xf64> -> tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.88137358701954294, -0.88137358701954294, 0.48121182505960347, -0.48121182505960347, 1.5501579568690622, -1.5501579568690622, 2.7124653051843439, -2.7124653051843439]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @atan_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = chlo.atan %cst : tensor<9xf16> -> tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 7.851560e-01, -7.851560e-01, 4.636230e-01, -4.636230e-01, 1.152340e+00, -1.152340e+00, 1.438480e+00, -1.438480e+00]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @atan_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = chlo.atan %cst : tensor<9xbf16> -> tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 7.851560e-01, -7.851560e-01, 4.628910e-01, -4.628910e-01, 1.156250e+00, -1.156250e+00, 1.437500e+00, -1.437500e+00]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @atan_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = chlo.atan %cst : tensor<9xf32> -> tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.785398185, -0.785398185, 0.463647604, -0.463647604, 1.15257204, -1.15257204, 1.43824482, -1.43824482]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @atan_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = chlo.atan %cst : tensor<9xf64> -> tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.78539816339744839, -0.78539816339744839, 0.46364760900080609, -0.46364760900080609, 1.1525719972156674, -1.1525719972156674, 1.4382447944982226, -1.4382447944982226]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @atan_special() {
  %cst = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %0 = chlo.atan %cst : tensor<3xf32> -> tensor<3xf32>
  %cst_0 = stablehlo.constant dense<[1.57079637, -1.57079637, 0x7FC00000]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 1 : i64} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @atanh_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf16>
  %0 = chlo.atanh %cst : tensor<9xf16> -> tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.256100e-01, -1.256100e-01, 5.493160e-01, -5.493160e-01, 9.731440e-01, -9.731440e-01, 1.716800e+00, -1.716800e+00]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @atanh_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xbf16>
  %0 = chlo.atanh %cst : tensor<9xbf16> -> tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.259770e-01, -1.259770e-01, 5.507810e-01, -5.507810e-01, 9.726560e-01, -9.726560e-01, 1.718750e+00, -1.718750e+00]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @atanh_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf32>
  %0 = chlo.atanh %cst : tensor<9xf32> -> tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.125657216, -0.125657216, 0.549306154, -0.549306154, 0.972955048, -0.972955048, 1.71699357, -1.71699357]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @atanh_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf64>
  %0 = chlo.atanh %cst : tensor<9xf64> -> tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.12565721414045306, -0.12565721414045306, 0.54930614433405478, -0.54930614433405478, 0.97295507452765661, -0.97295507452765661, 1.7169936022425731, -1.7169936022425731]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @cosh_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = chlo.cosh %cst : tensor<9xf16> -> tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 1.542970e+00, 1.542970e+00, 1.127930e+00, 1.127930e+00, 4.796880e+00, 4.796880e+00, 9.040000e+02, 9.040000e+02]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @cosh_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = chlo.cosh %cst : tensor<9xbf16> -> tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 1.546880e+00, 1.546880e+00, 1.125000e+00, 1.125000e+00, 4.781250e+00, 4.781250e+00, 9.040000e+02, 9.040000e+02]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @cosh_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = chlo.cosh %cst : tensor<9xf32> -> tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 1.54308069, 1.54308069, 1.12762594, 1.12762594, 4.79656744, 4.79656744, 904.021484, 904.021484]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @cosh_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = chlo.cosh %cst : tensor<9xf64> -> tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 1.5430806348152439, 1.5430806348152439, 1.1276259652063807, 1.1276259652063807, 4.7965675304601945, 4.7965675304601945, 904.02148377021649, 904.02148377021649]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @sinh_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = chlo.sinh %cst : tensor<9xf16> -> tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.174800e+00, -1.174800e+00, 5.209960e-01, -5.209960e-01, 4.691410e+00, -4.691410e+00, 9.040000e+02, -9.040000e+02]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @sinh_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = chlo.sinh %cst : tensor<9xbf16> -> tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.171880e+00, -1.171880e+00, 5.195310e-01, -5.195310e-01, 4.687500e+00, -4.687500e+00, 9.040000e+02, -9.040000e+02]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @sinh_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = chlo.sinh %cst : tensor<9xf32> -> tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.17520118, -1.17520118, 0.521095276, -0.521095276, 4.69116831, -4.69116831, 904.020935, -904.020935]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @sinh_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = chlo.sinh %cst : tensor<9xf64> -> tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.1752011936438016, -1.1752011936438016, 0.52109530549374727, -0.52109530549374727, 4.69116830589833, -4.69116830589833, 904.02093068584645, -904.02093068584645]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @erf_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = chlo.erf %cst : tensor<9xf16> -> tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 8.427730e-01, -8.427730e-01, 5.205080e-01, -5.205080e-01, 9.985350e-01, -9.985350e-01, 1.000000e+00, -1.000000e+00]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @erf_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = chlo.erf %cst : tensor<9xbf16> -> tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 8.437500e-01, -8.437500e-01, 5.195310e-01, -5.195310e-01, 1.000000e+00, -1.000000e+00, 1.000000e+00, -1.000000e+00]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @erf_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = chlo.erf %cst : tensor<9xf32> -> tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.842700779, -0.842700779, 0.520499885, -0.520499885, 0.998537302, -0.998537302, 1.000000e+00, -1.000000e+00]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @erf_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = chlo.erf %cst : tensor<9xf64> -> tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.84270079294971489, -0.84270079294971489, 0.52049987781304652, -0.52049987781304652, 0.99853728341331882, -0.99853728341331882, 1.000000e+00, -1.000000e+00]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @erf_special() {
  %cst = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %0 = chlo.erf %cst : tensor<3xf32> -> tensor<3xf32>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, -1.000000e+00, 0x7FC00000]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 1 : i64} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @erfc_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = chlo.erfc %cst : tensor<9xf16> -> tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 1.573490e-01, 1.842770e+00, 4.794920e-01, 1.520510e+00, 1.462940e-03, 1.999020e+00, 0.000000e+00, 2.000000e+00]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 5.000000e-03 : f64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @erfc_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = chlo.erfc %cst : tensor<9xbf16> -> tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 1.572270e-01, 1.843750e+00, 4.804690e-01, 1.523440e+00, 1.464840e-03, 2.000000e+00, 2.766690e-26, 2.000000e+00]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 2.000000e-02 : f64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @erfc_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = chlo.erfc %cst : tensor<9xf32> -> tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 0.157299206, 1.84270084, 0.479500115, 1.52049983, 0.00146271661, 1.9985373, 2.77664925E-26, 2.000000e+00]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 9.9999999999999995E-7 : f64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @erfc_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = chlo.erfc %cst : tensor<9xf64> -> tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[1.000000e+00, 0.15729920705028513, 1.8427007929497148, 0.47950012218695348, 1.5204998778130465, 0.0014627165866811515, 1.9985372834133188, 2.77664938603057E-26, 2.000000e+00]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 9.9999999999999995E-7 : f64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @erf_inv_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf16>
  %0 = chlo.erf_inv %cst : tensor<9xf16> -> tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.112060e-01, -1.112060e-01, 4.770510e-01, -4.770510e-01, 8.134770e-01, -8.134770e-01, 1.317380e+00, -1.317380e+00]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 5.000000e-03 : f64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @erf_inv_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xbf16>
  %0 = chlo.erf_inv %cst : tensor<9xbf16> -> tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.113280e-01, -1.113280e-01, 4.765630e-01, -4.765630e-01, 8.125000e-01, -8.125000e-01, 1.320310e+00, -1.320310e+00]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 2.000000e-02 : f64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @erf_inv_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf32>
  %0 = chlo.erf_inv %cst : tensor<9xf32> -> tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.111235455, -0.111235455, 0.476936281, -0.476936281, 0.813419818, -0.813419818, 1.31715035, -1.31715035]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 9.9999999999999995E-7 : f64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @erf_inv_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.250000e-01, -1.250000e-01, 5.000000e-01, -5.000000e-01, 7.500000e-01, -7.500000e-01, 9.375000e-01, -9.375000e-01]> : tensor<9xf64>
  %0 = chlo.erf_inv %cst : tensor<9xf64> -> tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.11123545184094995, -0.11123545184094995, 0.47693627620446977, -0.47693627620446977, 0.81341984759761865, -0.81341984759761865, 1.3171503349861304, -1.3171503349861304]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 9.9999999999999995E-7 : f64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @lgamma_f16() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<8xf16>
  %0 = chlo.lgamma %cst : tensor<8xf16> -> tensor<8xf16>
  %cst_0 = stablehlo.constant dense<[1.288090e+00, 5.722650e-01, 0.000000e+00, -1.207890e-01, 0.000000e+00, 1.280470e+01, 3.592500e+02, 5.904000e+03]> : tensor<8xf16>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 5.000000e-03 : f64} : (tensor<8xf16>, tensor<8xf16>) -> ()
  return
}

// -----

func.func @lgamma_bf16() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<8xbf16>
  %0 = chlo.lgamma %cst : tensor<8xbf16> -> tensor<8xbf16>
  %cst_0 = stablehlo.constant dense<[1.289060e+00, 5.742190e-01, 0.000000e+00, -1.206050e-01, 0.000000e+00, 1.281250e+01, 3.600000e+02, 5.920000e+03]> : tensor<8xbf16>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 2.000000e-02 : f64} : (tensor<8xbf16>, tensor<8xbf16>) -> ()
  return
}

// -----

func.func @lgamma_f32() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<8xf32>
  %0 = chlo.lgamma %cst : tensor<8xf32> -> tensor<8xf32>
  %cst_0 = stablehlo.constant dense<[1.28802252, 0.572364926, 0.000000e+00, -0.120782241, 0.000000e+00, 12.8018274, 359.134216, 5.905220e+03]> : tensor<8xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 1.000000e-04 : f64} : (tensor<8xf32>, tensor<8xf32>) -> ()
  return
}

// -----

func.func @lgamma_f64() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 1.000000e+01, 1.000000e+02, 1.000000e+03]> : tensor<8xf64>
  %0 = chlo.lgamma %cst : tensor<8xf64> -> tensor<8xf64>
  %cst_0 = stablehlo.constant dense<[1.2880225246980779, 0.57236494292470042, 0.000000e+00, -0.12078223763524498, 0.000000e+00, 12.801827480081473, 359.1342053695754, 5905.2204232091808]> : tensor<8xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 1.000000e-04 : f64} : (tensor<8xf64>, tensor<8xf64>) -> ()
  return
}

// -----

func.func @digamma_f16() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 2.000000e+00, 3.500000e+00, 1.000000e+01, 1.000000e+02]> : tensor<7xf16>
  %0 = chlo.digamma %cst : tensor<7xf16> -> tensor<7xf16>
  %cst_0 = stablehlo.constant dense<[-4.226560e+00, -1.963870e+00, -5.771480e-01, 4.228520e-01, 1.103520e+00, 2.251950e+00, 4.601560e+00]> : tensor<7xf16>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 5.000000e-03 : f64} : (tensor<7xf16>, tensor<7xf16>) -> ()
  return
}

// -----

func.func @digamma_bf16() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 2.000000e+00, 3.500000e+00, 1.000000e+01, 1.000000e+02]> : tensor<7xbf16>
  %0 = chlo.digamma %cst : tensor<7xbf16> -> tensor<7xbf16>
  %cst_0 = stablehlo.constant dense<[-4.218750e+00, -1.960940e+00, -5.781250e-01, 4.218750e-01, 1.101560e+00, 2.250000e+00, 4.593750e+00]> : tensor<7xbf16>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 2.000000e-02 : f64} : (tensor<7xbf16>, tensor<7xbf16>) -> ()
  return
}

// -----

func.func @digamma_f32() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 2.000000e+00, 3.500000e+00, 1.000000e+01, 1.000000e+02]> : tensor<7xf32>
  %0 = chlo.digamma %cst : tensor<7xf32> -> tensor<7xf32>
  %cst_0 = stablehlo.constant dense<[-4.22745371, -1.963510e+00, -0.577215672, 0.422784328, 1.10315669, 2.25175261, 4.60016203]> : tensor<7xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 1.000000e-05 : f64} : (tensor<7xf32>, tensor<7xf32>) -> ()
  return
}

// -----

func.func @digamma_f64() {
  %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 2.000000e+00, 3.500000e+00, 1.000000e+01, 1.000000e+02]> : tensor<7xf64>
  %0 = chlo.digamma %cst : tensor<7xf64> -> tensor<7xf64>
  %cst_0 = stablehlo.constant dense<[-4.2274535333762664, -1.9635100260214255, -0.57721566490153342, 0.42278433509846747, 1.1031566406452429, 2.2517525890667214, 4.6001618527380872]> : tensor<7xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 1.000000e-05 : f64} : (tensor<7xf64>, tensor<7xf64>) -> ()
  return
}

// -----

func.func @bessel_i1e_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = chlo.bessel_i1e %cst : tensor<9xf16> -> tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 2.078860e-01, -2.078860e-01, 1.563720e-01, -1.563720e-01, 2.111820e-01, -2.111820e-01, 1.380620e-01, -1.380620e-01]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 5.000000e-03 : f64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @bessel_i1e_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = chlo.bessel_i1e %cst : tensor<9xbf16> -> tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 2.080080e-01, -2.080080e-01, 1.562500e-01, -1.562500e-01, 2.109380e-01, -2.109380e-01, 1.376950e-01, -1.376950e-01]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 2.000000e-02 : f64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @bessel_i1e_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = chlo.bessel_i1e %cst : tensor<9xf32> -> tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.207910419, -0.207910419, 0.156420797, -0.156420797, 0.211216614, -0.211216614, 0.138041213, -0.138041213]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 9.9999999999999995E-7 : f64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @bessel_i1e_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = chlo.bessel_i1e %cst : tensor<9xf64> -> tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 0.2079104153497085, -0.2079104153497085, 0.15642080318487173, -0.15642080318487173, 0.2112166160075904, -0.2112166160075904, 0.13804121154855417, -0.13804121154855417]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 9.9999999999999995E-7 : f64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}

// -----

func.func @square_f16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf16>
  %0 = chlo.square %cst : tensor<9xf16> -> tensor<9xf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 1.000000e+00, 2.500000e-01, 2.500000e-01, 5.062500e+00, 5.062500e+00, 5.625000e+01, 5.625000e+01]> : tensor<9xf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf16>, tensor<9xf16>) -> ()
  return
}

// -----

func.func @square_bf16() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xbf16>
  %0 = chlo.square %cst : tensor<9xbf16> -> tensor<9xbf16>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 1.000000e+00, 2.500000e-01, 2.500000e-01, 5.062500e+00, 5.062500e+00, 5.625000e+01, 5.625000e+01]> : tensor<9xbf16>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xbf16>, tensor<9xbf16>) -> ()
  return
}

// -----

func.func @square_f32() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf32>
  %0 = chlo.square %cst : tensor<9xf32> -> tensor<9xf32>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 1.000000e+00, 2.500000e-01, 2.500000e-01, 5.062500e+00, 5.062500e+00, 5.625000e+01, 5.625000e+01]> : tensor<9xf32>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 2 : i64} : (tensor<9xf32>, tensor<9xf32>) -> ()
  return
}

// -----

func.func @square_f64() {
  %cst = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, -1.000000e+00, 5.000000e-01, -5.000000e-01, 2.250000e+00, -2.250000e+00, 7.500000e+00, -7.500000e+00]> : tensor<9xf64>
  %0 = chlo.square %cst : tensor<9xf64> -> tensor<9xf64>
  %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 1.000000e+00, 2.500000e-01, 2.500000e-01, 5.062500e+00, 5.062500e+00, 5.625000e+01, 5.625000e+01]> : tensor<9xf64>
  stablehlo.custom_call @check.expect_close(%0, %cst_0) {has_side_effect = true, max_ulp_difference = 8 : i64} : (tensor<9xf64>, tensor<9xf64>) -> ()
  return
}
