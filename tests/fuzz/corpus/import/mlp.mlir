// SPDX-License-Identifier: Apache-2.0
// Two matrix products: the module of PartIR's first examples. Entry @mlp, arguments named in the text.
module @mlp {
  func.func public @mlp(%x: tensor<16x256xf32>, %w1: tensor<256x256xf32>, %w2: tensor<256x256xf32>) -> tensor<16x256xf32> {
    %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<16x256xf32>, tensor<256x256xf32>) -> tensor<16x256xf32>
    %1 = stablehlo.dot_general %0, %w2, contracting_dims = [1] x [0] : (tensor<16x256xf32>, tensor<256x256xf32>) -> tensor<16x256xf32>
    return %1 : tensor<16x256xf32>
  }
}
