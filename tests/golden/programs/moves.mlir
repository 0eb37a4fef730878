// SPDX-License-Identifier: Apache-2.0
// Elementwise ops one after the other: each may be tiled in its own way, so every move between them is in sight.
module @moves {
  func.func public @main(%x: tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>, tensor<8x8x8xf32>) {
    %a = stablehlo.tanh %x : tensor<8x8x8xf32>
    %b = stablehlo.exponential %a : tensor<8x8x8xf32>
    %c = stablehlo.logistic %x : tensor<8x8x8xf32>
    return %b, %c : tensor<8x8x8xf32>, tensor<8x8x8xf32>
  }
}
