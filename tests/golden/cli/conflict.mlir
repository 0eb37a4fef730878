// A padded array that its user wants tiled along another dimension than its maker does.
func.func @conflict(%x: tensor<12x6xf32>, %y: tensor<12x12xf32>) -> tensor<12x12xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %wide = stablehlo.pad %x, %zero, low = [0, 0], high = [0, 6], interior = [0, 0] : (tensor<12x6xf32>, tensor<f32>) -> tensor<12x12xf32>
  %sum = stablehlo.add %wide, %y : tensor<12x12xf32>
  return %sum : tensor<12x12xf32>
}
