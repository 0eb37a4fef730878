func.func @f(%x: tensor<4x6xf32>, %y: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.custom_call @mm(%x, %y) {tile_mappings = [{1 -> (none, 1), 0 -> (0, none)}], sum_mappings = [(1, 0)]} : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
