// SPDX-License-Identifier: Apache-2.0
// One step of a decode loop: writes this step's keys into a cache at a position given at run time, reads a window back.
// Positions past the end are clamped so that the whole slice lies inside, as StableHLO says.
module @dynamic_update {
  func.func public @main(%cache: tensor<3x10x8xf32>, %keys: tensor<3x2x8xf32>, %position: tensor<i32>) -> (tensor<3x10x8xf32>, tensor<3x4x8xf32>, tensor<3x1x8xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %far = stablehlo.constant dense<1000> : tensor<i32>
    %0 = stablehlo.dynamic_update_slice %cache, %keys, %zero, %position, %zero : (tensor<3x10x8xf32>, tensor<3x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x10x8xf32>
    %1 = stablehlo.dynamic_slice %0, %zero, %position, %zero, sizes = [3, 4, 8] : (tensor<3x10x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8xf32>
    %2 = stablehlo.dynamic_slice %0, %zero, %far, %zero, sizes = [3, 1, 8] : (tensor<3x10x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x1x8xf32>
    return %0, %1, %2 : tensor<3x10x8xf32>, tensor<3x4x8xf32>, tensor<3x1x8xf32>
  }
}
