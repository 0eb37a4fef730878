// SPDX-License-Identifier: Apache-2.0
// A residual block with a strided way out, its pooling, and the gradients of its first convolution, as JAX writes them.
module @residual_block {
  func.func public @main(%x: tensor<2x16x12x8xf32>, %w1: tensor<3x3x8x8xf32>, %w2: tensor<3x3x8x8xf32>, %scale: tensor<8xf32>,
                  %dy: tensor<2x16x12x8xf32>)
      -> (tensor<2x4x3x8xf32>, tensor<2x16x12x8xf32>, tensor<3x3x8x8xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c1 = stablehlo.convolution(%x, %w1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x16x12x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x16x12x8xf32>
    %sum = stablehlo.reduce(%c1 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<2x16x12x8xf32>, tensor<f32>) -> tensor<8xf32>
    %mean = stablehlo.multiply %sum, %scale : tensor<8xf32>
    %shift = stablehlo.broadcast_in_dim %mean, dims = [3] : (tensor<8xf32>) -> tensor<2x16x12x8xf32>
    %n = stablehlo.subtract %c1, %shift : tensor<2x16x12x8xf32>
    %flat = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<2x16x12x8xf32>
    %r = stablehlo.maximum %n, %flat : tensor<2x16x12x8xf32>
    %sum2 = stablehlo.add %r, %x : tensor<2x16x12x8xf32>
    %c2 = stablehlo.convolution(%sum2, %w2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x16x12x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x8x6x8xf32>
    %p = "stablehlo.reduce_window"(%c2, %low) <{padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>,
      window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %m = stablehlo.maximum %a, %b : tensor<f32>
        stablehlo.return %m : tensor<f32>
      }) : (tensor<2x8x6x8xf32>, tensor<f32>) -> tensor<2x4x3x8xf32>
    %back = stablehlo.reverse %w1, dims = [0, 1] : tensor<3x3x8x8xf32>
    %dx = stablehlo.convolution(%dy, %back) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x16x12x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x16x12x8xf32>
    %dw = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x16x12x8xf32>, tensor<2x16x12x8xf32>) -> tensor<3x3x8x8xf32>
    return %p, %dx, %dw : tensor<2x4x3x8xf32>, tensor<2x16x12x8xf32>, tensor<3x3x8x8xf32>
  }
}
