// SPDX-License-Identifier: Apache-2.0
// Tuples in ops, calls and results; nested ones too.
module @tuples {
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %b = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf32>
    %t = stablehlo.tuple %a, %b : tuple<tensor<3xi32>, tensor<2xf32>>
    %u = "stablehlo.tuple"(%t, %a) : (tuple<tensor<3xi32>, tensor<2xf32>>, tensor<3xi32>) -> tuple<tuple<tensor<3xi32>, tensor<2xf32>>, tensor<3xi32>>
    %0 = stablehlo.get_tuple_element %u[0] : (tuple<tuple<tensor<3xi32>, tensor<2xf32>>, tensor<3xi32>>) -> tuple<tensor<3xi32>, tensor<2xf32>>
    %1 = "mhlo.get_tuple_element"(%0) {index = 1 : i32} : (tuple<tensor<3xi32>, tensor<2xf32>>) -> tensor<2xf32>
    check.expect_eq %1, %b : tensor<2xf32>
    %2 = func.call @swap(%a, %b) : (tensor<3xi32>, tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<3xi32>>
    %3 = stablehlo.get_tuple_element %2[1] : (tuple<tensor<2xf32>, tensor<3xi32>>) -> tensor<3xi32>
    check.expect_eq_const %3, dense<[2, 4, 6]> : tensor<3xi32>
    %4 = stablehlo.optimization_barrier %2 : tuple<tensor<2xf32>, tensor<3xi32>>
    %5 = stablehlo.get_tuple_element %4[0] : (tuple<tensor<2xf32>, tensor<3xi32>>) -> tensor<2xf32>
    check.expect_eq %5, %b : tensor<2xf32>
    return
  }
  func.func private @swap(%a: tensor<3xi32>, %b: tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<3xi32>> {
    %0 = stablehlo.add %a, %a : tensor<3xi32>
    %1 = stablehlo.tuple %b, %0 : tuple<tensor<2xf32>, tensor<3xi32>>
    return %1 : tuple<tensor<2xf32>, tensor<3xi32>>
  }
}
