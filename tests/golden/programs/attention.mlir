// SPDX-License-Identifier: Apache-2.0
// Causal attention with q, k, v and output projections: batch 3 and sequence 5 (odd), 4 heads of 4.
module @attention {
  func.func public @main(%x: tensor<3x5x16xf32>, %wq: tensor<16x16xf32>, %wk: tensor<16x16xf32>, %wv: tensor<16x16xf32>, %wo: tensor<16x16xf32>) -> tensor<3x5x16xf32> {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %hidden = stablehlo.constant dense<-1.000000e+30> : tensor<3x4x5x5xf32>
    %half = stablehlo.constant dense<5.000000e-01> : tensor<3x4x5x5xf32>
    %0 = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5x16xf32>, tensor<16x16xf32>) -> tensor<3x5x16xf32>
    %1 = stablehlo.dot_general %x, %wk, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5x16xf32>, tensor<16x16xf32>) -> tensor<3x5x16xf32>
    %2 = stablehlo.dot_general %x, %wv, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5x16xf32>, tensor<16x16xf32>) -> tensor<3x5x16xf32>
    %q = stablehlo.reshape %0 : (tensor<3x5x16xf32>) -> tensor<3x5x4x4xf32>
    %k = stablehlo.reshape %1 : (tensor<3x5x16xf32>) -> tensor<3x5x4x4xf32>
    %v = stablehlo.reshape %2 : (tensor<3x5x16xf32>) -> tensor<3x5x4x4xf32>
    %3 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<3x5x4x4xf32>, tensor<3x5x4x4xf32>) -> tensor<3x4x5x5xf32>
    %4 = stablehlo.multiply %3, %half : tensor<3x4x5x5xf32>
    %5 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %6 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<3x4x5x5xi1>
    %9 = stablehlo.select %8, %4, %hidden : tensor<3x4x5x5xi1>, tensor<3x4x5x5xf32>
    %10 = stablehlo.reduce(%9 init: %lowest) applies stablehlo.maximum across dimensions = [3] : (tensor<3x4x5x5xf32>, tensor<f32>) -> tensor<3x4x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<3x4x5xf32>) -> tensor<3x4x5x5xf32>
    %12 = stablehlo.subtract %9, %11 : tensor<3x4x5x5xf32>
    %13 = stablehlo.exponential %12 : tensor<3x4x5x5xf32>
    %14 = stablehlo.reduce(%13 init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<3x4x5x5xf32>, tensor<f32>) -> tensor<3x4x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<3x4x5xf32>) -> tensor<3x4x5x5xf32>
    %16 = stablehlo.divide %13, %15 : tensor<3x4x5x5xf32>
    %17 = stablehlo.dot_general %v, %16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<3x5x4x4xf32>, tensor<3x4x5x5xf32>) -> tensor<3x4x4x5xf32>
    %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<3x4x4x5xf32>) -> tensor<3x5x4x4xf32>
    %19 = stablehlo.reshape %18 : (tensor<3x5x4x4xf32>) -> tensor<3x5x16xf32>
    %20 = stablehlo.dot_general %19, %wo, contracting_dims = [2] x [0] : (tensor<3x5x16xf32>, tensor<16x16xf32>) -> tensor<3x5x16xf32>
    return %20 : tensor<3x5x16xf32>
  }
}
