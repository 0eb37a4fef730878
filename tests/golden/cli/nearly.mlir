func.func @main(%w: tensor<8x8xf32> loc("w"), %g: tensor<8x8xf32> loc("g")) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %rate = stablehlo.constant dense<1.0e-06> : tensor<8x8xf32>
  %d = stablehlo.multiply %rate, %g : tensor<8x8xf32>
  %v = stablehlo.subtract %w, %d : tensor<8x8xf32>
  %s = stablehlo.multiply %g, %g : tensor<8x8xf32>
  return %v, %s : tensor<8x8xf32>, tensor<8x8xf32>
}
