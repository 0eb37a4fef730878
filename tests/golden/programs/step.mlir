// SPDX-License-Identifier: Apache-2.0
// A training step by hand: two layers, a sum of squares, the gradients of both weights, and an update. On small integers every order of
// summation gives the same bits.
module @step {
  func.func public @main(%x: tensor<14x6xf32>, %y: tensor<14x4xf32>, %w1: tensor<6x8xf32>, %w2: tensor<8x4xf32>) -> (tensor<f32>, tensor<6x8xf32>, tensor<8x4xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %zeros = stablehlo.constant dense<0.0> : tensor<14x8xf32>
    %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<14x6xf32>, tensor<6x8xf32>) -> tensor<14x8xf32>
    %a = stablehlo.maximum %h, %zeros : tensor<14x8xf32>
    %o = stablehlo.dot_general %a, %w2, contracting_dims = [1] x [0] : (tensor<14x8xf32>, tensor<8x4xf32>) -> tensor<14x4xf32>
    %d = stablehlo.subtract %o, %y : tensor<14x4xf32>
    %dd = stablehlo.multiply %d, %d : tensor<14x4xf32>
    %loss = stablehlo.reduce(%dd init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<14x4xf32>, tensor<f32>) -> tensor<f32>
    %g2 = stablehlo.dot_general %a, %d, contracting_dims = [0] x [0] : (tensor<14x8xf32>, tensor<14x4xf32>) -> tensor<8x4xf32>
    %da = stablehlo.dot_general %d, %w2, contracting_dims = [1] x [1] : (tensor<14x4xf32>, tensor<8x4xf32>) -> tensor<14x8xf32>
    %on = stablehlo.compare GT, %h, %zeros : (tensor<14x8xf32>, tensor<14x8xf32>) -> tensor<14x8xi1>
    %dh = stablehlo.select %on, %da, %zeros : tensor<14x8xi1>, tensor<14x8xf32>
    %g1 = stablehlo.dot_general %x, %dh, contracting_dims = [0] x [0] : (tensor<14x6xf32>, tensor<14x8xf32>) -> tensor<6x8xf32>
    %n1 = stablehlo.subtract %w1, %g1 : tensor<6x8xf32>
    %n2 = stablehlo.subtract %w2, %g2 : tensor<8x4xf32>
    return %loss, %n1, %n2 : tensor<f32>, tensor<6x8xf32>, tensor<8x4xf32>
  }
}
