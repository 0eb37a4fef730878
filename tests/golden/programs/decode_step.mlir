// SPDX-License-Identifier: Apache-2.0
// A decoding step of a few sequences, without attention between tokens.
func.func @main(%x: tensor<8x1024xf32>, %wq: tensor<1024x1024xf32>, %wo: tensor<1024x1024xf32>, %w_up: tensor<1024x4096xf32>, %w_down: tensor<4096x1024xf32>) -> tensor<8x1024xf32> {
  %0 = stablehlo.dot_general %x, %wq, contracting_dims = [1] x [0] : (tensor<8x1024xf32>, tensor<1024x1024xf32>) -> tensor<8x1024xf32>
  %1 = stablehlo.tanh %0 : tensor<8x1024xf32>
  %2 = stablehlo.dot_general %1, %wo, contracting_dims = [1] x [0] : (tensor<8x1024xf32>, tensor<1024x1024xf32>) -> tensor<8x1024xf32>
  %3 = stablehlo.add %x, %2 : tensor<8x1024xf32>
  %4 = stablehlo.dot_general %3, %w_up, contracting_dims = [1] x [0] : (tensor<8x1024xf32>, tensor<1024x4096xf32>) -> tensor<8x4096xf32>
  %5 = stablehlo.tanh %4 : tensor<8x4096xf32>
  %6 = stablehlo.dot_general %5, %w_down, contracting_dims = [1] x [0] : (tensor<8x4096xf32>, tensor<4096x1024xf32>) -> tensor<8x1024xf32>
  %7 = stablehlo.add %3, %6 : tensor<8x1024xf32>
  return %7 : tensor<8x1024xf32>
}
