// SPDX-License-Identifier: Apache-2.0
// Ops that take their shapes as operands, here constants or what follows from them.
func.func @gather() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %rows = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi64>
  %sizes = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %rows, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<3x3xi32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[7, 8, 9], [1, 2, 3]]> : tensor<2x3xi32>
  func.return
}

// -----

// The limits are computed from the operand's sizes.
func.func @slice() {
  %x = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi32>
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<3x4xi32>) -> tensor<i32>
  %columns = stablehlo.get_dimension_size %x, dim = 1 : (tensor<3x4xi32>) -> tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %less = stablehlo.subtract %columns, %one : tensor<i32>
  %0 = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.reshape %less : (tensor<i32>) -> tensor<1xi32>
  %limit = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %start = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %strides = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %2 = stablehlo.real_dynamic_slice %x, %start, %limit, %strides : (tensor<3x4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %2, dense<[[5, 7], [9, 11]]> : tensor<2x2xi32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %3 = stablehlo.set_dimension_size %x, %three, dim = 0 : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
  check.expect_eq %3, %x : tensor<3x4xi32>
  func.return
}
