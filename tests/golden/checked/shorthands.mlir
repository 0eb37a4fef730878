// SPDX-License-Identifier: Apache-2.0
// Ops that stand for others.
func.func @einsum() {
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %y = stablehlo.constant dense<[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]> : tensor<3x2xf32>
  %0 = stablehlo.einsum %x, %y, config = "ab,bc->ca" : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[4.0, 10.0], [5.0, 11.0]]> : tensor<2x2xf32>
  %1 = "stablehlo.unary_einsum"(%x) <{einsum_config = "ab->b"}> : (tensor<2x3xf32>) -> tensor<3xf32>
  check.expect_eq_const %1, dense<[5.0, 7.0, 9.0]> : tensor<3xf32>
  %2 = "stablehlo.unary_einsum"(%x) <{einsum_config = "ab->ba"}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %2, dense<[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]> : tensor<3x2xf32>
  func.return
}

// -----

func.func @index_select() {
  %x = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
  %i = stablehlo.constant dense<[[1, 0, 1], [0, 0, 1]]> : tensor<2x3xi32>
  %0 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<2x2x2xi32>, tensor<2x3xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %0, dense<[[[3, 4], [1, 2], [3, 4]], [[5, 6], [5, 6], [7, 8]]]> : tensor<2x3x2xi32>
  %j = stablehlo.constant dense<1> : tensor<i32>
  %1 = "stablehlo.torch_index_select"(%x, %j) <{batch_dims = 0 : i64, dim = 2 : i64}> : (tensor<2x2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[2, 4], [6, 8]]> : tensor<2x2xi32>
  func.return
}

// -----

func.func @broadcasting() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %row = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %column = stablehlo.constant dense<[[100], [200]]> : tensor<2x1xi32>
  %0 = chlo.broadcast_add %x, %row : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[11, 22, 33], [14, 25, 36]]> : tensor<2x3xi32>
  %1 = chlo.broadcast_multiply %column, %x : (tensor<2x1xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %1, dense<[[100, 200, 300], [800, 1000, 1200]]> : tensor<2x3xi32>
  %pair = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %2 = chlo.broadcast_subtract %x, %pair {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %2, dense<[[0, 1, 2], [2, 3, 4]]> : tensor<2x3xi32>
  %3 = "chlo.constant_like"(%x) <{value = 7 : i32}> : (tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %3, dense<7> : tensor<2x3xi32>
  func.return
}

// -----

func.func @device_ids() {
  %0 = stablehlo.partition_id : tensor<ui32>
  %1 = stablehlo.replica_id : tensor<ui32>
  check.expect_eq_const %0, dense<0> : tensor<ui32>
  check.expect_eq_const %1, dense<0> : tensor<ui32>
  func.return
}
