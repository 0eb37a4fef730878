// SPDX-License-Identifier: Apache-2.0
// Tokens order ops and hold nothing.
func.func @tokens() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all : !stablehlo.token
  %2 = stablehlo.after_all %0, %1 : !stablehlo.token
  %3:2 = stablehlo.optimization_barrier %x, %2 : tensor<2xf32>, !stablehlo.token
  %4 = stablehlo.add %3#0, %x : tensor<2xf32>
  check.expect_eq_const %4, dense<[2.0, 4.0]> : tensor<2xf32>
  func.return
}
