module @mixed {
  func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> tensor<8x16xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %1:2 = "ttir.top_two"(%0) <{k = 2 : i32}> : (tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8xi32>)
    %2 = ttmlir.fill ins(%1#1) outs(%1#0) {tag = "a"} : tensor<8x16xf32>
    %3 = stablehlo.tanh %2 : tensor<8x16xf32>
    return %3 : tensor<8x16xf32>
  }
}
