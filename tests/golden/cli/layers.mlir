// Three layers alike, and one of another width behind them.
module @tower {
  func.func @main(%x: tensor<8x16xf32>, %w0: tensor<16x16xf32>, %s0: tensor<8x16xf32>, %w1: tensor<16x16xf32>, %s1: tensor<8x16xf32>, %w2: tensor<16x16xf32>, %s2: tensor<8x16xf32>, %last: tensor<16x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.multiply %0, %s0 : tensor<8x16xf32>
    %2 = stablehlo.tanh %1 : tensor<8x16xf32>
    %3 = stablehlo.dot_general %2, %w1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %4 = stablehlo.multiply %3, %s1 : tensor<8x16xf32>
    %5 = stablehlo.tanh %4 : tensor<8x16xf32>
    %6 = stablehlo.dot_general %5, %w2, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %7 = stablehlo.multiply %6, %s2 : tensor<8x16xf32>
    %8 = stablehlo.tanh %7 : tensor<8x16xf32>
    %9 = stablehlo.dot_general %8, %last, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    return %9 : tensor<8x4xf32>
  }
}
