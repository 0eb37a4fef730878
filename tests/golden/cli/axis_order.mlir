// Two operands of one op, and a third user of the first.
module @axis_order {
  func.func public @main(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = stablehlo.tanh %x : tensor<8x16xf32>
    %1 = stablehlo.add %0, %y : tensor<8x16xf32>
    return %1 : tensor<8x16xf32>
  }
}
