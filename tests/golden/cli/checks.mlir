// SPDX-License-Identifier: Apache-2.0
// Modules that carry their own expectation: one that holds, one that does not, one that we cannot run, one without.

func.func @holds() {
  %x = stablehlo.iota dim = 0 : tensor<6x4xi32>
  %0 = stablehlo.add %x, %x : tensor<6x4xi32>
  check.expect_eq_const %0, dense<[[0, 0, 0, 0], [2, 2, 2, 2], [4, 4, 4, 4], [6, 6, 6, 6], [8, 8, 8, 8], [10, 10, 10, 10]]> : tensor<6x4xi32>
  func.return
}

// -----

func.func @does_not_hold() {
  %x = stablehlo.iota dim = 0 : tensor<4xi32>
  check.expect_eq_const %x, dense<[0, 1, 2, 4]> : tensor<4xi32>
  func.return
}

// -----

func.func @opaque() {
  %x = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0 = stablehlo.custom_call @mine(%x) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %0, dense<1.0> : tensor<4xf32>
  func.return
}

// -----

func.func @no_check(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}
