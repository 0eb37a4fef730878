// SPDX-License-Identifier: Apache-2.0
func.func @main(%x: tensor<256x32xf32>, %y: tensor<32x256xf32>) -> tensor<256x256xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<256x32xf32>, tensor<32x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
