// SPDX-License-Identifier: Apache-2.0
// A mixture of experts: tokens are sent to places of experts and back, by one-hot weights.
func.func @main(%x: tensor<1024x64xf32>, %dispatch: tensor<1024x8x32xf32>, %up: tensor<8x64x2048xf32>, %down: tensor<8x2048x64xf32>) -> tensor<1024x64xf32> {
  %0 = stablehlo.dot_general %dispatch, %x, contracting_dims = [0] x [0] : (tensor<1024x8x32xf32>, tensor<1024x64xf32>) -> tensor<8x32x64xf32>
  %1 = stablehlo.dot_general %0, %up, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x32x64xf32>, tensor<8x64x2048xf32>) -> tensor<8x32x2048xf32>
  %2 = stablehlo.tanh %1 : tensor<8x32x2048xf32>
  %3 = stablehlo.dot_general %2, %down, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x32x2048xf32>, tensor<8x2048x64xf32>) -> tensor<8x32x64xf32>
  %4 = stablehlo.dot_general %dispatch, %3, contracting_dims = [1, 2] x [0, 1] : (tensor<1024x8x32xf32>, tensor<8x32x64xf32>) -> tensor<1024x64xf32>
  return %4 : tensor<1024x64xf32>
}
