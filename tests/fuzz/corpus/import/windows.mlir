// SPDX-License-Identifier: Apache-2.0
// Dimensions that move: slices with strides, padding inside and outside and cut, a reversal, a concatenation, a clamp.
// Sizes that no small number of devices divides.
module @windows {
  func.func public @main(%x: tensor<7x11xf32>, %y: tensor<5x11xf32>) -> (tensor<12x11xf32>, tensor<3x4xf32>, tensor<15x10xf32>, tensor<7x11xf32>) {
    %fill = stablehlo.constant dense<-1.500000e+00> : tensor<f32>
    %low = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %high = stablehlo.constant dense<2.000000e-01> : tensor<f32>
    %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<7x11xf32>, tensor<5x11xf32>) -> tensor<12x11xf32>
    %1 = stablehlo.slice %x [1:7:2, 0:11:3] : (tensor<7x11xf32>) -> tensor<3x4xf32>
    %2 = stablehlo.pad %x, %fill, low = [1, -2], high = [1, 1], interior = [1, 0] : (tensor<7x11xf32>, tensor<f32>) -> tensor<15x10xf32>
    %3 = stablehlo.reverse %x, dims = [0, 1] : tensor<7x11xf32>
    %4 = stablehlo.clamp %low, %3, %high : (tensor<f32>, tensor<7x11xf32>, tensor<f32>) -> tensor<7x11xf32>
    return %0, %1, %2, %4 : tensor<12x11xf32>, tensor<3x4xf32>, tensor<15x10xf32>, tensor<7x11xf32>
  }
}
