// SPDX-License-Identifier: Apache-2.0
// y = tanh(x w1) w2: the program of README.md.
module @mlp {
  func.func public @main(%x: tensor<32x64xf32>, %w1: tensor<64x256xf32>, %w2: tensor<256x64xf32>) -> (tensor<32x64xf32> {jax.result_info = "y"}) {
    %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<32x256xf32>
    %a = stablehlo.tanh %h : tensor<32x256xf32>
    %y = stablehlo.dot_general %a, %w2, contracting_dims = [1] x [0] : (tensor<32x256xf32>, tensor<256x64xf32>) -> tensor<32x64xf32>
    return %y : tensor<32x64xf32>
  }
}
