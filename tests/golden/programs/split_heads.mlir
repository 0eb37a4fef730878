// Heads are split off and merged again: dimensions that are tiled before, between and behind.
func.func @main(%x: tensor<8x48xf32>) -> (tensor<8x48xf32>, tensor<8x12xf32>) {
  %0 = stablehlo.tanh %x : tensor<8x48xf32>
  %1 = stablehlo.reshape %0 : (tensor<8x48xf32>) -> tensor<2x4x4x12xf32>
  %2 = stablehlo.exponential %1 : tensor<2x4x4x12xf32>
  %3 = stablehlo.reshape %2 : (tensor<2x4x4x12xf32>) -> tensor<8x48xf32>
  %4 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 2, 4, 2, 12>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x4x4x12xf32>) -> tensor<2x4x1x12xf32>
  %5 = stablehlo.reshape %4 : (tensor<2x4x1x12xf32>) -> tensor<8x12xf32>
  %6 = "stablehlo.sort"(%5) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<8x12xf32>) -> tensor<8x12xf32>
  return %3, %6 : tensor<8x48xf32>, tensor<8x12xf32>
}
