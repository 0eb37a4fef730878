// SPDX-License-Identifier: Apache-2.0
// Calls inside calls, each function used twice: @main calls @block for two layers, and @block calls @normalize twice.
// Inlined, the two uses of one function are tiled independently.
module @calls {
  func.func public @main(%x: tensor<6x12xf32>, %w0: tensor<12x12xf32>, %w1: tensor<12x12xf32>) -> (tensor<6x12xf32>, tensor<6x1xf32>) {
    %0:2 = call @block(%x, %w0) : (tensor<6x12xf32>, tensor<12x12xf32>) -> (tensor<6x12xf32>, tensor<6x1xf32>)
    %1:2 = call @block(%0#0, %w1) : (tensor<6x12xf32>, tensor<12x12xf32>) -> (tensor<6x12xf32>, tensor<6x1xf32>)
    %2 = stablehlo.add %0#1, %1#1 : tensor<6x1xf32>
    return %1#0, %2 : tensor<6x12xf32>, tensor<6x1xf32>
  }
  func.func private @block(%x: tensor<6x12xf32>, %w: tensor<12x12xf32>) -> (tensor<6x12xf32>, tensor<6x1xf32>) {
    %0 = call @normalize(%x) : (tensor<6x12xf32>) -> tensor<6x12xf32>
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<6x12xf32>, tensor<12x12xf32>) -> tensor<6x12xf32>
    %2 = stablehlo.tanh %1 : tensor<6x12xf32>
    %3 = stablehlo.add %x, %2 : tensor<6x12xf32>
    %4 = call @normalize(%3) : (tensor<6x12xf32>) -> tensor<6x12xf32>
    %5 = call @mean(%3) : (tensor<6x12xf32>) -> tensor<6x1xf32>
    return %4, %5 : tensor<6x12xf32>, tensor<6x1xf32>
  }
  func.func private @normalize(%x: tensor<6x12xf32>) -> tensor<6x12xf32> {
    %0 = call @mean(%x) : (tensor<6x12xf32>) -> tensor<6x1xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x12xf32>
    %2 = stablehlo.subtract %x, %1 : tensor<6x12xf32>
    return %2 : tensor<6x12xf32>
  }
  func.func private @mean(%x: tensor<6x12xf32>) -> tensor<6x1xf32> {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<6x12xf32>, tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %count = stablehlo.constant dense<1.200000e+01> : tensor<6x1xf32>
    %2 = stablehlo.divide %1, %count : tensor<6x1xf32>
    return %2 : tensor<6x1xf32>
  }
}
