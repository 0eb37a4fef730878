// SPDX-License-Identifier: Apache-2.0
// Exclusive or is a sum without carries: each device folds its part, and the parts are folded.
func.func @main() {
  %x = stablehlo.constant dense<[[3, 5, 9, 17], [33, 65, 129, 257], [7, 0, 7, 1]]> : tensor<3x4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %rows = stablehlo.reduce(%x init: %zero) applies stablehlo.xor across dimensions = [1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
  %columns = stablehlo.reduce(%x init: %zero) applies stablehlo.xor across dimensions = [0] : (tensor<3x4xi32>, tensor<i32>) -> tensor<4xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %all = stablehlo.reduce(%x init: %one) applies stablehlo.xor across dimensions = [0, 1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %rows, dense<[30, 480, 1]> : tensor<3xi32>
  check.expect_eq_const %columns, dense<[37, 68, 143, 273]> : tensor<4xi32>
  check.expect_eq_const %all, dense<510> : tensor<i32>
  func.return
}
