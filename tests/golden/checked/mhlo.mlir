// SPDX-License-Identifier: Apache-2.0
// Names of MHLO that StableHLO leaves to CHLO or does not have.
func.func @mhlo() {
  %x = "mhlo.constant"() {value = dense<[[3.0, 1.0, 2.0]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %0:2 = "mhlo.topk"(%x) {k = 2 : i64, largest = true} : (tensor<1x3xf32>) -> (tensor<1x2xf32>, tensor<1x2xi32>)
  check.expect_eq_const %0#0, dense<[[3.0, 2.0]]> : tensor<1x2xf32>
  check.expect_eq_const %0#1, dense<[[0, 2]]> : tensor<1x2xi32>
  %1 = "mhlo.copy"(%x) : (tensor<1x3xf32>) -> tensor<1x3xf32>
  check.expect_eq %1, %x : tensor<1x3xf32>
  %2 = "mhlo.erf"(%x) : (tensor<1x3xf32>) -> tensor<1x3xf32>
  check.expect_almost_eq_const %2, dense<[[0.99997791, 0.84270079, 0.99532227]]> : tensor<1x3xf32>
  // As JAX exports it.
  %3:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 1 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<1x3xf32>) -> (tensor<1x1xf32>, tensor<1x1xi32>)
  check.expect_eq_const %3#0, dense<3.0> : tensor<1x1xf32>
  check.expect_eq_const %3#1, dense<0> : tensor<1x1xi32>
  func.return
}
