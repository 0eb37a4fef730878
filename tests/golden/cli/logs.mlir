func.func @main(%x: tensor<4x8xf32> loc("x"), %y: tensor<4x8xf32> loc("y")) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = stablehlo.log %x : tensor<4x8xf32> loc("model.py":3)
  %b = stablehlo.add %a, %y : tensor<4x8xf32>
  %c = stablehlo.multiply %y, %y : tensor<4x8xf32>
  return %b, %c : tensor<4x8xf32>, tensor<4x8xf32>
}
