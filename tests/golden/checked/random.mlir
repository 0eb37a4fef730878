// SPDX-License-Identifier: Apache-2.0
// Random bits are a function of where they stand: shapes of one order hold one stream, and tiles hold parts of it.
func.func @philox() {
  %state = stablehlo.constant dense<[11, 22, 33]> : tensor<3xui64>
  %flat_state, %flat = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<105xui32>)
  %cube_state, %cube = stablehlo.rng_bit_generator %state, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5x7xui32>)
  %0 = stablehlo.reshape %cube : (tensor<3x5x7xui32>) -> tensor<105xui32>
  check.expect_eq %0, %flat : tensor<105xui32>
  check.expect_eq_const %cube_state, dense<[11, 49, 33]> : tensor<3xui64>
  func.return
}

// -----

func.func @threefry() {
  %state = stablehlo.constant dense<[11, 22]> : tensor<2xui64>
  %flat_state, %flat = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<105xui64>)
  %cube_state, %cube = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5x7xui64>)
  %0 = stablehlo.reshape %cube : (tensor<3x5x7xui64>) -> tensor<105xui64>
  check.expect_eq %0, %flat : tensor<105xui64>
  check.expect_eq_const %cube_state, dense<[11, 127]> : tensor<2xui64>
  func.return
}

// -----

// Uniform numbers lie in their bounds, and their average is near the middle; two draws differ.
func.func @uniform() {
  %low = stablehlo.constant dense<2.0> : tensor<f64>
  %high = stablehlo.constant dense<4.0> : tensor<f64>
  %shape = stablehlo.constant dense<[40, 50]> : tensor<2xi64>
  %0 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<2xi64>) -> tensor<40x50xf64>
  %1 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<2xi64>) -> tensor<40x50xf64>
  %2 = stablehlo.clamp %low, %0, %high : (tensor<f64>, tensor<40x50xf64>, tensor<f64>) -> tensor<40x50xf64>
  check.expect_eq %2, %0 : tensor<40x50xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %3 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<40x50xf64>, tensor<f64>) -> tensor<f64>
  %count = stablehlo.constant dense<2000.0> : tensor<f64>
  %4 = stablehlo.divide %3, %count : tensor<f64>
  %middle = stablehlo.constant dense<3.0> : tensor<f64>
  check.expect_almost_eq %4, %middle, tolerance = 0.05 : tensor<f64>
  %5 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<40x50xf64>, tensor<40x50xf64>) -> tensor<40x50xi1>
  check.expect_eq_const %5, dense<false> : tensor<40x50xi1>
  func.return
}
