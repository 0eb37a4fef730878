// SPDX-License-Identifier: Apache-2.0
// Rows less their mean: what the mean is made of is needed again when it is there.
module @center {
  func.func public @main(%x: tensor<10x4xf32>) -> tensor<10x4xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %part = stablehlo.constant dense<0.125> : tensor<4xf32>
    %a = stablehlo.abs %x : tensor<10x4xf32>
    %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10x4xf32>, tensor<f32>) -> tensor<4xf32>
    %m = stablehlo.multiply %s, %part : tensor<4xf32>
    %b = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<4xf32>) -> tensor<10x4xf32>
    %d = stablehlo.subtract %a, %b : tensor<10x4xf32>
    return %d : tensor<10x4xf32>
  }
}
