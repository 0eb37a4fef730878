// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @complex_f32() {
  %cst = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00, -2.000000e+00, -1.000000e+00], [3.000000e+00, 0.000000e+00, -4.000000e+00, -1.000000e+00, 1.000000e+00], [3.000000e+00, 2.000000e+00, 4.000000e+00, -3.000000e+00, 3.000000e+00]]> : tensor<3x5xf32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00], [3.000000e+00, 3.000000e+00, 1.000000e+00, -4.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<3x5xf32>
  %0 = stablehlo.complex %cst, %cst_0 : tensor<3x5xcomplex<f32>>
  %cst_1 = stablehlo.constant dense<[[(3.000000e+00,3.000000e+00), (-2.000000e+00,-4.000000e+00), (-4.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00), (-1.000000e+00,-3.000000e+00)], [(3.000000e+00,3.000000e+00), (0.000000e+00,3.000000e+00), (-4.000000e+00,1.000000e+00), (-1.000000e+00,-4.000000e+00), (1.000000e+00,-4.000000e+00)], [(3.000000e+00,-2.000000e+00), (2.000000e+00,-1.000000e+00), (4.000000e+00,1.000000e+00), (-3.000000e+00,0.000000e+00), (3.000000e+00,-2.000000e+00)]]> : tensor<3x5xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>) -> ()
  return
}

// -----

func.func @real_f32() {
  %cst = stablehlo.constant dense<[[(0.000000e+00,-1.000000e+00), (0.000000e+00,1.000000e+00), (2.000000e+00,0.000000e+00), (4.000000e+00,-4.000000e+00), (-4.000000e+00,-4.000000e+00)], [(-3.000000e+00,3.000000e+00), (3.000000e+00,2.000000e+00), (4.000000e+00,3.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00)], [(3.000000e+00,-2.000000e+00), (-1.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)]]> : tensor<3x5xcomplex<f32>>
  %0 = stablehlo.real %cst : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  return
}

// -----

func.func @imag_f32() {
  %cst = stablehlo.constant dense<[[(0.000000e+00,-1.000000e+00), (0.000000e+00,1.000000e+00), (2.000000e+00,0.000000e+00), (4.000000e+00,-4.000000e+00), (-4.000000e+00,-4.000000e+00)], [(-3.000000e+00,3.000000e+00), (3.000000e+00,2.000000e+00), (4.000000e+00,3.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00)], [(3.000000e+00,-2.000000e+00), (-1.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)]]> : tensor<3x5xcomplex<f32>>
  %0 = stablehlo.imag %cst : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
  %cst_0 = stablehlo.constant dense<[[-1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00], [3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00], [-2.000000e+00, 0.000000e+00, 3.000000e+00, -3.000000e+00, -2.000000e+00]]> : tensor<3x5xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  return
}

// -----

func.func @conj_f32() {
  %cst = stablehlo.constant dense<[[(0.000000e+00,-1.000000e+00), (0.000000e+00,1.000000e+00), (2.000000e+00,0.000000e+00), (4.000000e+00,-4.000000e+00), (-4.000000e+00,-4.000000e+00)], [(-3.000000e+00,3.000000e+00), (3.000000e+00,2.000000e+00), (4.000000e+00,3.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00)], [(3.000000e+00,-2.000000e+00), (-1.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)]]> : tensor<3x5xcomplex<f32>>
  %0 = chlo.conj %cst : tensor<3x5xcomplex<f32>> -> tensor<3x5xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[[(0.000000e+00,1.000000e+00), (0.000000e+00,-1.000000e+00), (2.000000e+00,-0.000000e+00), (4.000000e+00,4.000000e+00), (-4.000000e+00,4.000000e+00)], [(-3.000000e+00,-3.000000e+00), (3.000000e+00,-2.000000e+00), (4.000000e+00,-3.000000e+00), (-2.000000e+00,-0.000000e+00), (-2.000000e+00,-3.000000e+00)], [(3.000000e+00,2.000000e+00), (-1.000000e+00,-0.000000e+00), (-2.000000e+00,-3.000000e+00), (3.000000e+00,3.000000e+00), (-2.000000e+00,2.000000e+00)]]> : tensor<3x5xcomplex<f32>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>) -> ()
  return
}

// -----

func.func @exponential_cf32() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f32>>
  %0 = stablehlo.exponential %cst : tensor<5xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[(1.46869385,2.28735518), (-0.686110139,-1.49917793), (0.356442958,0.0910148322), (7.3890562,0.000000e+00), (0.731688857,-0.681638777)]> : tensor<5xcomplex<f32>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 1.000000e-05 : f64} : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> ()
  return
}

// -----

func.func @log_cf32() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f32>>
  %0 = stablehlo.log %cst : tensor<5xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[(0.346573591,0.785398185), (0.723459482,-1.3258177), (0.0303123109,2.89661407), (0.693147182,0.000000e+00), (-0.287682056,-1.57079637)]> : tensor<5xcomplex<f32>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 1.000000e-05 : f64} : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> ()
  return
}

// -----

func.func @sine_cf32() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f32>>
  %0 = stablehlo.sine %cst : tensor<5xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[(1.2984575,0.63496387), (1.80369282,-3.18286943), (-0.867904126,1.364870e-01), (0.909297406,-0.000000e+00), (-0.000000e+00,-0.822316765)]> : tensor<5xcomplex<f32>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 1.000000e-05 : f64} : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> ()
  return
}

// -----

func.func @cosine_cf32() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f32>>
  %0 = stablehlo.cosine %cst : tensor<5xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[(0.833729922,-0.988897681), (3.30163741,1.73880959), (0.557274818,0.212565929), (-0.416146845,0.000000e+00), (1.29468334,-0.000000e+00)]> : tensor<5xcomplex<f32>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 1.000000e-05 : f64} : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> ()
  return
}

// -----

func.func @tanh_cf32() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f32>>
  %0 = stablehlo.tanh %cst : tensor<5xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[(1.08392334,0.271752566), (1.32128668,0.850878179), (-0.781688332,0.103329413), (0.964027643,0.000000e+00), (-0.000000e+00,-0.931596518)]> : tensor<5xcomplex<f32>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 1.000000e-05 : f64} : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> ()
  return
}

// -----

func.func @sqrt_cf32() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f32>>
  %0 = stablehlo.sqrt %cst : tensor<5xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[(1.09868407,0.455089867), (1.13171387,-0.883615553), (0.124049187,1.0076648), (1.41421354,0.000000e+00), (0.612372457,-0.612372398)]> : tensor<5xcomplex<f32>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 1.000000e-05 : f64} : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> ()
  return
}

// -----

func.func @logistic_cf32() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f32>>
  %0 = stablehlo.logistic %cst : tensor<5xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<[(0.78204155,0.201948225), (0.866205632,-0.639019072), (0.266081929,0.0492445566), (8.807970e-01,0.000000e+00), (5.000000e-01,-0.1968133)]> : tensor<5xcomplex<f32>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 1.000000e-05 : f64} : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> ()
  return
}

// -----

func.func @complex_f64() {
  %cst = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00, -2.000000e+00, -1.000000e+00], [3.000000e+00, 0.000000e+00, -4.000000e+00, -1.000000e+00, 1.000000e+00], [3.000000e+00, 2.000000e+00, 4.000000e+00, -3.000000e+00, 3.000000e+00]]> : tensor<3x5xf64>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -4.000000e+00, -3.000000e+00, -2.000000e+00, -3.000000e+00], [3.000000e+00, 3.000000e+00, 1.000000e+00, -4.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -2.000000e+00]]> : tensor<3x5xf64>
  %0 = stablehlo.complex %cst, %cst_0 : tensor<3x5xcomplex<f64>>
  %cst_1 = stablehlo.constant dense<[[(3.000000e+00,3.000000e+00), (-2.000000e+00,-4.000000e+00), (-4.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00), (-1.000000e+00,-3.000000e+00)], [(3.000000e+00,3.000000e+00), (0.000000e+00,3.000000e+00), (-4.000000e+00,1.000000e+00), (-1.000000e+00,-4.000000e+00), (1.000000e+00,-4.000000e+00)], [(3.000000e+00,-2.000000e+00), (2.000000e+00,-1.000000e+00), (4.000000e+00,1.000000e+00), (-3.000000e+00,0.000000e+00), (3.000000e+00,-2.000000e+00)]]> : tensor<3x5xcomplex<f64>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x5xcomplex<f64>>, tensor<3x5xcomplex<f64>>) -> ()
  return
}

// -----

func.func @real_f64() {
  %cst = stablehlo.constant dense<[[(0.000000e+00,-1.000000e+00), (0.000000e+00,1.000000e+00), (2.000000e+00,0.000000e+00), (4.000000e+00,-4.000000e+00), (-4.000000e+00,-4.000000e+00)], [(-3.000000e+00,3.000000e+00), (3.000000e+00,2.000000e+00), (4.000000e+00,3.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00)], [(3.000000e+00,-2.000000e+00), (-1.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)]]> : tensor<3x5xcomplex<f64>>
  %0 = stablehlo.real %cst : (tensor<3x5xcomplex<f64>>) -> tensor<3x5xf64>
  %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00], [-3.000000e+00, 3.000000e+00, 4.000000e+00, -2.000000e+00, -2.000000e+00], [3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00, -2.000000e+00]]> : tensor<3x5xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x5xf64>, tensor<3x5xf64>) -> ()
  return
}

// -----

func.func @imag_f64() {
  %cst = stablehlo.constant dense<[[(0.000000e+00,-1.000000e+00), (0.000000e+00,1.000000e+00), (2.000000e+00,0.000000e+00), (4.000000e+00,-4.000000e+00), (-4.000000e+00,-4.000000e+00)], [(-3.000000e+00,3.000000e+00), (3.000000e+00,2.000000e+00), (4.000000e+00,3.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00)], [(3.000000e+00,-2.000000e+00), (-1.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)]]> : tensor<3x5xcomplex<f64>>
  %0 = stablehlo.imag %cst : (tensor<3x5xcomplex<f64>>) -> tensor<3x5xf64>
  %cst_0 = stablehlo.constant dense<[[-1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00], [3.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00], [-2.000000e+00, 0.000000e+00, 3.000000e+00, -3.000000e+00, -2.000000e+00]]> : tensor<3x5xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x5xf64>, tensor<3x5xf64>) -> ()
  return
}

// -----

func.func @conj_f64() {
  %cst = stablehlo.constant dense<[[(0.000000e+00,-1.000000e+00), (0.000000e+00,1.000000e+00), (2.000000e+00,0.000000e+00), (4.000000e+00,-4.000000e+00), (-4.000000e+00,-4.000000e+00)], [(-3.000000e+00,3.000000e+00), (3.000000e+00,2.000000e+00), (4.000000e+00,3.000000e+00), (-2.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00)], [(3.000000e+00,-2.000000e+00), (-1.000000e+00,0.000000e+00), (-2.000000e+00,3.000000e+00), (3.000000e+00,-3.000000e+00), (-2.000000e+00,-2.000000e+00)]]> : tensor<3x5xcomplex<f64>>
  %0 = chlo.conj %cst : tensor<3x5xcomplex<f64>> -> tensor<3x5xcomplex<f64>>
  %cst_0 = stablehlo.constant dense<[[(0.000000e+00,1.000000e+00), (0.000000e+00,-1.000000e+00), (2.000000e+00,-0.000000e+00), (4.000000e+00,4.000000e+00), (-4.000000e+00,4.000000e+00)], [(-3.000000e+00,-3.000000e+00), (3.000000e+00,-2.000000e+00), (4.000000e+00,-3.000000e+00), (-2.000000e+00,-0.000000e+00), (-2.000000e+00,-3.000000e+00)], [(3.000000e+00,2.000000e+00), (-1.000000e+00,-0.000000e+00), (-2.000000e+00,-3.000000e+00), (3.000000e+00,3.000000e+00), (-2.000000e+00,2.000000e+00)]]> : tensor<3x5xcomplex<f64>>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<3x5xcomplex<f64>>, tensor<3x5xcomplex<f64>>) -> ()
  return
}

// -----

func.func @exponential_cf64() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f64>>
  %0 = stablehlo.exponential %cst : tensor<5xcomplex<f64>>
  %cst_0 = stablehlo.constant dense<[(1.4686939399158854,2.2873552871788427), (-0.68611014114984314,-1.4991780090003948), (0.35644296024298078,0.091014830274156175), (7.3890560989306504,0.000000e+00), (0.7316888688738209,-0.68163876002333412)]> : tensor<5xcomplex<f64>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 9.9999999999999998E-13 : f64} : (tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>) -> ()
  return
}

// -----

func.func @log_cf64() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f64>>
  %0 = stablehlo.log %cst : tensor<5xcomplex<f64>>
  %cst_0 = stablehlo.constant dense<[(0.34657359027997264,0.78539816339744828), (0.72345949146816269,-1.3258176636680326), (0.03031231090821742,2.8966139904629289), (0.69314718055994529,0.000000e+00), (-0.2876820724517809,-1.5707963267948966)]> : tensor<5xcomplex<f64>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 9.9999999999999998E-13 : f64} : (tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>) -> ()
  return
}

// -----

func.func @sine_cf64() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f64>>
  %0 = stablehlo.sine %cst : tensor<5xcomplex<f64>>
  %cst_0 = stablehlo.constant dense<[(1.2984575814159773,0.63496391478473624), (1.8036926955321815,-3.1828694483371489), (-0.86790419689942977,0.13648701726214635), (0.90929742682568171,-0.000000e+00), (-0.000000e+00,-0.82231673193582999)]> : tensor<5xcomplex<f64>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 9.9999999999999998E-13 : f64} : (tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>) -> ()
  return
}

// -----

func.func @cosine_cf64() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f64>>
  %0 = stablehlo.cosine %cst : tensor<5xcomplex<f64>>
  %cst_0 = stablehlo.constant dense<[(0.83373002513114924,-0.98889770576286517), (3.3016373329140944,1.7388095044743164), (0.55727487616753935,0.2125659349991737), (-0.41614683654714241,0.000000e+00), (1.2946832846768448,-0.000000e+00)]> : tensor<5xcomplex<f64>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 9.9999999999999998E-13 : f64} : (tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>) -> ()
  return
}

// -----

func.func @tanh_cf64() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f64>>
  %0 = stablehlo.tanh %cst : tensor<5xcomplex<f64>>
  %cst_0 = stablehlo.constant dense<[(1.0839233273386946,0.27175258531951174), (1.3212865837711916,0.85087812114493755), (-0.78168830709145953,0.10332940767091636), (0.96402758007581679,0.000000e+00), (-0.000000e+00,-0.93159645994407225)]> : tensor<5xcomplex<f64>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 9.9999999999999998E-13 : f64} : (tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>) -> ()
  return
}

// -----

func.func @sqrt_cf64() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f64>>
  %0 = stablehlo.sqrt %cst : tensor<5xcomplex<f64>>
  %cst_0 = stablehlo.constant dense<[(1.0986841134678098,0.45508986056222733), (1.1317139242778693,-0.88361553087551337), (0.12404919670117806,1.0076647275766915), (1.4142135623730951,0.000000e+00), (0.61237243569579447,-0.61237243569579458)]> : tensor<5xcomplex<f64>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 9.9999999999999998E-13 : f64} : (tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>) -> ()
  return
}

// -----

func.func @logistic_cf64() {
  %cst = stablehlo.constant dense<[(1.000000e+00,1.000000e+00), (5.000000e-01,-2.000000e+00), (-1.000000e+00,2.500000e-01), (2.000000e+00,0.000000e+00), (-0.000000e+00,-7.500000e-01)]> : tensor<5xcomplex<f64>>
  %0 = stablehlo.logistic %cst : tensor<5xcomplex<f64>>
  %cst_0 = stablehlo.constant dense<[(0.78204157063374924,0.20194822765801285), (0.8662056162320152,-0.6390190451118547), (0.26608191838135165,0.04924455475937603), (0.88079707797788231,0.000000e+00), (5.000000e-01,-0.19681328796281636)]> : tensor<5xcomplex<f64>>
  stablehlo.custom_call @check.expect_almost_eq(%0, %cst_0) {has_side_effect = true, tolerance = 9.9999999999999998E-13 : f64} : (tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>) -> ()
  return
}

// -----

func.func @real_of_f32() {
  %cst = stablehlo.constant dense<[2.000000e+00, 4.000000e+00, 3.000000e+00, 0.000000e+00]> : tensor<4xf32>
  %0 = stablehlo.real %cst : tensor<4xf32>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, 4.000000e+00, 3.000000e+00, 0.000000e+00]> : tensor<4xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @imag_of_f32() {
  %cst = stablehlo.constant dense<[2.000000e+00, 4.000000e+00, 3.000000e+00, 0.000000e+00]> : tensor<4xf32>
  %0 = stablehlo.imag %cst : tensor<4xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @real_of_f64() {
  %cst = stablehlo.constant dense<[2.000000e+00, 4.000000e+00, 3.000000e+00, 0.000000e+00]> : tensor<4xf64>
  %0 = stablehlo.real %cst : tensor<4xf64>
  %cst_0 = stablehlo.constant dense<[2.000000e+00, 4.000000e+00, 3.000000e+00, 0.000000e+00]> : tensor<4xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<4xf64>, tensor<4xf64>) -> ()
  return
}

// -----

func.func @imag_of_f64() {
  %cst = stablehlo.constant dense<[2.000000e+00, 4.000000e+00, 3.000000e+00, 0.000000e+00]> : tensor<4xf64>
  %0 = stablehlo.imag %cst : tensor<4xf64>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<4xf64>
  stablehlo.custom_call @check.expect_eq(%0, %cst_0) {has_side_effect = true} : (tensor<4xf64>, tensor<4xf64>) -> ()
  return
}
