// SPDX-License-Identifier: Apache-2.0
// Written by make.py through XLA's CPU client; do not edit.
func.func @rows_set_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  %c = stablehlo.constant dense<[[2], [6], [0]]> : tensor<3x1xi32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -1.000000e+00]]> : tensor<3x3xf32>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    stablehlo.return %arg1 : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<3x1xi32>, tensor<3x3xf32>) -> tensor<7x3xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, -4.000000e+00, -1.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7x3xf32>, tensor<7x3xf32>) -> ()
  return
}

// -----

func.func @rows_set_i32() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, 3, -1], [-2, 3, -2], [-1, 1, 0], [-4, -4, 3]]> : tensor<7x3xi32>
  %c_0 = stablehlo.constant dense<[[2], [6], [0]]> : tensor<3x1xi32>
  %c_1 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3], [0, -4, -1]]> : tensor<3x3xi32>
  %0 = "stablehlo.scatter"(%c, %c_0, %c_1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    stablehlo.return %arg1 : tensor<i32>
  }) : (tensor<7x3xi32>, tensor<3x1xi32>, tensor<3x3xi32>) -> tensor<7x3xi32>
  %c_2 = stablehlo.constant dense<[[0, -4, -1], [4, -4, -3], [3, -2, -4], [-2, 3, -1], [-2, 3, -2], [-1, 1, 0], [-2, -1, 3]]> : tensor<7x3xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<7x3xi32>, tensor<7x3xi32>) -> ()
  return
}

// -----

func.func @rows_add_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  %c = stablehlo.constant dense<[[2], [6], [0]]> : tensor<3x1xi32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -1.000000e+00]]> : tensor<3x3xf32>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<3x1xi32>, tensor<3x3xf32>) -> tensor<7x3xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, -4.000000e+00, 1.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [6.000000e+00, 2.000000e+00, -6.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-6.000000e+00, -5.000000e+00, 6.000000e+00]]> : tensor<7x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7x3xf32>, tensor<7x3xf32>) -> ()
  return
}

// -----

func.func @rows_add_i32() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, 3, -1], [-2, 3, -2], [-1, 1, 0], [-4, -4, 3]]> : tensor<7x3xi32>
  %c_0 = stablehlo.constant dense<[[2], [6], [0]]> : tensor<3x1xi32>
  %c_1 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3], [0, -4, -1]]> : tensor<3x3xi32>
  %0 = "stablehlo.scatter"(%c, %c_0, %c_1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<7x3xi32>, tensor<3x1xi32>, tensor<3x3xi32>) -> tensor<7x3xi32>
  %c_2 = stablehlo.constant dense<[[0, -4, 1], [4, -4, -3], [6, 2, -6], [-2, 3, -1], [-2, 3, -2], [-1, 1, 0], [-6, -5, 6]]> : tensor<7x3xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<7x3xi32>, tensor<7x3xi32>) -> ()
  return
}

// -----

func.func @rows_mul_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  %c = stablehlo.constant dense<[[2], [6], [0]]> : tensor<3x1xi32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -1.000000e+00]]> : tensor<3x3xf32>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<3x1xi32>, tensor<3x3xf32>) -> tensor<7x3xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, -0.000000e+00, -2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [9.000000e+00, -8.000000e+00, 8.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [8.000000e+00, 4.000000e+00, 9.000000e+00]]> : tensor<7x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7x3xf32>, tensor<7x3xf32>) -> ()
  return
}

// -----

func.func @rows_mul_i32() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, 3, -1], [-2, 3, -2], [-1, 1, 0], [-4, -4, 3]]> : tensor<7x3xi32>
  %c_0 = stablehlo.constant dense<[[2], [6], [0]]> : tensor<3x1xi32>
  %c_1 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3], [0, -4, -1]]> : tensor<3x3xi32>
  %0 = "stablehlo.scatter"(%c, %c_0, %c_1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<7x3xi32>, tensor<3x1xi32>, tensor<3x3xi32>) -> tensor<7x3xi32>
  %c_2 = stablehlo.constant dense<[[0, 0, -2], [4, -4, -3], [9, -8, 8], [-2, 3, -1], [-2, 3, -2], [-1, 1, 0], [8, 4, 9]]> : tensor<7x3xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<7x3xi32>, tensor<7x3xi32>) -> ()
  return
}

// -----

func.func @rows_min_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  %c = stablehlo.constant dense<[[2], [6], [0]]> : tensor<3x1xi32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -1.000000e+00]]> : tensor<3x3xf32>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<3x1xi32>, tensor<3x3xf32>) -> tensor<7x3xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, -4.000000e+00, -1.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7x3xf32>, tensor<7x3xf32>) -> ()
  return
}

// -----

func.func @rows_min_i32() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, 3, -1], [-2, 3, -2], [-1, 1, 0], [-4, -4, 3]]> : tensor<7x3xi32>
  %c_0 = stablehlo.constant dense<[[2], [6], [0]]> : tensor<3x1xi32>
  %c_1 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3], [0, -4, -1]]> : tensor<3x3xi32>
  %0 = "stablehlo.scatter"(%c, %c_0, %c_1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<7x3xi32>, tensor<3x1xi32>, tensor<3x3xi32>) -> tensor<7x3xi32>
  %c_2 = stablehlo.constant dense<[[0, -4, -1], [4, -4, -3], [3, -2, -4], [-2, 3, -1], [-2, 3, -2], [-1, 1, 0], [-4, -4, 3]]> : tensor<7x3xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<7x3xi32>, tensor<7x3xi32>) -> ()
  return
}

// -----

func.func @rows_max_f32() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  %c = stablehlo.constant dense<[[2], [6], [0]]> : tensor<3x1xi32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -1.000000e+00]]> : tensor<3x3xf32>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<3x1xi32>, tensor<3x3xf32>) -> tensor<7x3xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7x3xf32>, tensor<7x3xf32>) -> ()
  return
}

// -----

func.func @rows_max_i32() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, 3, -1], [-2, 3, -2], [-1, 1, 0], [-4, -4, 3]]> : tensor<7x3xi32>
  %c_0 = stablehlo.constant dense<[[2], [6], [0]]> : tensor<3x1xi32>
  %c_1 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3], [0, -4, -1]]> : tensor<3x3xi32>
  %0 = "stablehlo.scatter"(%c, %c_0, %c_1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<7x3xi32>, tensor<3x1xi32>, tensor<3x3xi32>) -> tensor<7x3xi32>
  %c_2 = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, 3, -1], [-2, 3, -2], [-1, 1, 0], [-2, -1, 3]]> : tensor<7x3xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<7x3xi32>, tensor<7x3xi32>) -> ()
  return
}

// -----

func.func @repeated_add() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  %c = stablehlo.constant dense<[[2], [2], [0], [2]]> : tensor<4x1xi32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -1.000000e+00], [1.000000e+00, 3.000000e+00, 2.000000e+00]]> : tensor<4x3xf32>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<7x3xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, -4.000000e+00, 1.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [5.000000e+00, 4.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7x3xf32>, tensor<7x3xf32>) -> ()
  return
}

// -----

func.func @outside_add() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, 3, -1], [-2, 3, -2], [-1, 1, 0], [-4, -4, 3]]> : tensor<7x3xi32>
  %c_0 = stablehlo.constant dense<[[-1], [7], [3], [99]]> : tensor<4x1xi32>
  %c_1 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3], [0, -4, -1], [1, 3, 2]]> : tensor<4x3xi32>
  %0 = "stablehlo.scatter"(%c, %c_0, %c_1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<7x3xi32>, tensor<4x1xi32>, tensor<4x3xi32>) -> tensor<7x3xi32>
  %c_2 = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, -1, -2], [-2, 3, -2], [-1, 1, 0], [-4, -4, 3]]> : tensor<7x3xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<7x3xi32>, tensor<7x3xi32>) -> ()
  return
}

// -----

func.func @elements_add() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<3x7xbf16>
  %c = stablehlo.constant dense<[[2, 5], [0, 0], [1, 6]]> : tensor<3x2xi32>
  %cst_0 = stablehlo.constant dense<[3.000000e+00, -2.000000e+00, -4.000000e+00]> : tensor<3xbf16>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<bf16>, %arg1: tensor<bf16>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<bf16>
    stablehlo.return %1 : tensor<bf16>
  }) : (tensor<3x7xbf16>, tensor<3x2xi32>, tensor<3xbf16>) -> tensor<3x7xbf16>
  %cst_1 = stablehlo.constant dense<[[-2.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, -1.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -1.000000e+00, 3.000000e+00]]> : tensor<3x7xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x7xbf16>, tensor<3x7xbf16>) -> ()
  return
}

// -----

func.func @windows_add() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %cst_0 = stablehlo.constant dense<[[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00]], [[0.000000e+00, -4.000000e+00, -1.000000e+00], [1.000000e+00, 3.000000e+00, 2.000000e+00]]]> : tensor<2x2x3xf32>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x7xf32>, tensor<2x2xi32>, tensor<2x2x3xf32>) -> tensor<5x7xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, 1.000000e+00, 1.000000e+00, -5.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, -1.000000e+00, -1.000000e+00, -1.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, -4.000000e+00, 2.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 5.000000e+00, 0.000000e+00, 1.000000e+00]]> : tensor<5x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
  return
}

// -----

func.func @columns_add() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<3x7xf32>
  %c = stablehlo.constant dense<[[2], [5]]> : tensor<2x1xi32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00], [-4.000000e+00, -2.000000e+00], [-1.000000e+00, 3.000000e+00]]> : tensor<3x2xf32>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x7xf32>, tensor<2x1xi32>, tensor<3x2xf32>) -> tensor<3x7xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 5.000000e+00, 4.000000e+00, -4.000000e+00, -5.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -6.000000e+00, 3.000000e+00, -1.000000e+00, -4.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 0.000000e+00, 0.000000e+00, -4.000000e+00, -1.000000e+00, 3.000000e+00]]> : tensor<3x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x7xf32>, tensor<3x7xf32>) -> ()
  return
}

// -----

func.func @batched_add() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4], [-3, 3, 4, -2, -2], [3, -1, -2, 3, -2], [-1, 1, 0, -4, -4]]> : tensor<4x5xi32>
  %c_0 = stablehlo.constant dense<[[1], [0], [4], [2]]> : tensor<4x1xi32>
  %c_1 = stablehlo.constant dense<[3, -2, -4, -2]> : tensor<4xi32>
  %0 = "stablehlo.scatter"(%c, %c_0, %c_1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<4x5xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<4x5xi32>
  %c_2 = stablehlo.constant dense<[[0, 3, 2, 4, -4], [-5, 3, 4, -2, -2], [3, -1, -2, 3, -6], [-1, 1, -2, -4, -4]]> : tensor<4x5xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<4x5xi32>, tensor<4x5xi32>) -> ()
  return
}

// -----

func.func @vector_first_add() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %c = stablehlo.constant dense<[[1, 3, 0], [2, 0, 6]]> : tensor<2x3xi32>
  %cst_0 = stablehlo.constant dense<[3.000000e+00, -2.000000e+00, -4.000000e+00]> : tensor<3xf32>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x7xf32>, tensor<2x3xi32>, tensor<3xf32>) -> tensor<5x7xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, -1.000000e+00], [4.000000e+00, -2.000000e+00, 1.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [0.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
  return
}

// -----

func.func @repeated_max() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, -2.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  %c = stablehlo.constant dense<[[2], [2], [0], [2]]> : tensor<4x1xi32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00], [0.000000e+00, -4.000000e+00, -1.000000e+00], [1.000000e+00, 3.000000e+00, 2.000000e+00]]> : tensor<4x3xf32>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<7x3xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00, -3.000000e+00], [3.000000e+00, 4.000000e+00, 3.000000e+00], [-2.000000e+00, 3.000000e+00, -1.000000e+00], [-2.000000e+00, 3.000000e+00, -2.000000e+00], [-1.000000e+00, 1.000000e+00, 0.000000e+00], [-4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<7x3xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<7x3xf32>, tensor<7x3xf32>) -> ()
  return
}

// -----

func.func @outside_max() {
  %c = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [-2, 3, -1], [-2, 3, -2], [-1, 1, 0], [-4, -4, 3]]> : tensor<7x3xi32>
  %c_0 = stablehlo.constant dense<[[-1], [7], [3], [99]]> : tensor<4x1xi32>
  %c_1 = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3], [0, -4, -1], [1, 3, 2]]> : tensor<4x3xi32>
  %0 = "stablehlo.scatter"(%c, %c_0, %c_1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<7x3xi32>, tensor<4x1xi32>, tensor<4x3xi32>) -> tensor<7x3xi32>
  %c_2 = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3], [3, 4, -2], [0, 3, -1], [-2, 3, -2], [-1, 1, 0], [-4, -4, 3]]> : tensor<7x3xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<7x3xi32>, tensor<7x3xi32>) -> ()
  return
}

// -----

func.func @elements_max() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<3x7xbf16>
  %c = stablehlo.constant dense<[[2, 5], [0, 0], [1, 6]]> : tensor<3x2xi32>
  %cst_0 = stablehlo.constant dense<[3.000000e+00, -2.000000e+00, -4.000000e+00]> : tensor<3xbf16>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<bf16>, %arg1: tensor<bf16>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<bf16>
    stablehlo.return %1 : tensor<bf16>
  }) : (tensor<3x7xbf16>, tensor<3x2xi32>, tensor<3xbf16>) -> tensor<3x7xbf16>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, 3.000000e+00, 3.000000e+00]]> : tensor<3x7xbf16>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x7xbf16>, tensor<3x7xbf16>) -> ()
  return
}

// -----

func.func @windows_max() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %cst_0 = stablehlo.constant dense<[[[3.000000e+00, -2.000000e+00, -4.000000e+00], [-2.000000e+00, -1.000000e+00, 3.000000e+00]], [[0.000000e+00, -4.000000e+00, -1.000000e+00], [1.000000e+00, 3.000000e+00, 2.000000e+00]]]> : tensor<2x2x3xf32>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x7xf32>, tensor<2x2xi32>, tensor<2x2x3xf32>) -> tensor<5x7xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, 3.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, 0.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, 3.000000e+00, 2.000000e+00]]> : tensor<5x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
  return
}

// -----

func.func @columns_max() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00]]> : tensor<3x7xf32>
  %c = stablehlo.constant dense<[[2], [5]]> : tensor<2x1xi32>
  %cst_0 = stablehlo.constant dense<[[3.000000e+00, -2.000000e+00], [-4.000000e+00, -2.000000e+00], [-1.000000e+00, 3.000000e+00]]> : tensor<3x2xf32>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x7xf32>, tensor<2x1xi32>, tensor<3x2xf32>) -> tensor<3x7xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 3.000000e+00, 4.000000e+00, -4.000000e+00, -2.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, 3.000000e+00, 3.000000e+00]]> : tensor<3x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<3x7xf32>, tensor<3x7xf32>) -> ()
  return
}

// -----

func.func @batched_max() {
  %c = stablehlo.constant dense<[[0, 0, 2, 4, -4], [-3, 3, 4, -2, -2], [3, -1, -2, 3, -2], [-1, 1, 0, -4, -4]]> : tensor<4x5xi32>
  %c_0 = stablehlo.constant dense<[[1], [0], [4], [2]]> : tensor<4x1xi32>
  %c_1 = stablehlo.constant dense<[3, -2, -4, -2]> : tensor<4xi32>
  %0 = "stablehlo.scatter"(%c, %c_0, %c_1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<4x5xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<4x5xi32>
  %c_2 = stablehlo.constant dense<[[0, 3, 2, 4, -4], [-2, 3, 4, -2, -2], [3, -1, -2, 3, -2], [-1, 1, 0, -4, -4]]> : tensor<4x5xi32>
  stablehlo.custom_call @check.expect_eq(%0, %c_2) {has_side_effect = true} : (tensor<4x5xi32>, tensor<4x5xi32>) -> ()
  return
}

// -----

func.func @vector_first_max() {
  %cst = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, -2.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  %c = stablehlo.constant dense<[[1, 3, 0], [2, 0, 6]]> : tensor<2x3xi32>
  %cst_0 = stablehlo.constant dense<[3.000000e+00, -2.000000e+00, -4.000000e+00]> : tensor<3xf32>
  %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>, unique_indices = false}> ({
  ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x7xf32>, tensor<2x3xi32>, tensor<3xf32>) -> tensor<5x7xf32>
  %cst_1 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 2.000000e+00, 4.000000e+00, -4.000000e+00, -3.000000e+00, 3.000000e+00], [4.000000e+00, -2.000000e+00, 3.000000e+00, 3.000000e+00, -1.000000e+00, -2.000000e+00, 3.000000e+00], [-2.000000e+00, -1.000000e+00, 1.000000e+00, 0.000000e+00, -4.000000e+00, -4.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 3.000000e+00, -2.000000e+00, 0.000000e+00, 3.000000e+00], [-3.000000e+00, -2.000000e+00, -3.000000e+00, 0.000000e+00, 4.000000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<5x7xf32>
  stablehlo.custom_call @check.expect_eq(%0, %cst_1) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
  return
}
