// SPDX-License-Identifier: Apache-2.0
// One row, one layer of a stack, a row written into a cache: where the rows or layers are sharded, no array is gathered for it.
module @one_of_many {
  func.func public @main(%x: tensor<12x6xf32>, %stack: tensor<5x6x4xf32>, %i: tensor<i32>) -> (tensor<1x6xf32>, tensor<6x4xf32>, tensor<12x6xf32>) {
    %last = stablehlo.slice %x [11:12, 0:6] : (tensor<12x6xf32>) -> tensor<1x6xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %layer = stablehlo.dynamic_slice %stack, %i, %zero, %zero, sizes = [1, 6, 4] : (tensor<5x6x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x4xf32>
    %w = stablehlo.reshape %layer : (tensor<1x6x4xf32>) -> tensor<6x4xf32>
    %cache = stablehlo.dynamic_update_slice %x, %last, %i, %zero : (tensor<12x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<12x6xf32>
    return %last, %w, %cache : tensor<1x6xf32>, tensor<6x4xf32>, tensor<12x6xf32>
  }
}
