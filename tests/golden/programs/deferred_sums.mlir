// Sums that may wait: three products of one width are added up, scaled and moved before they are combined; a loop adds up gradients.
module @deferred_sums {
  func.func public @main(%x: tensor<8x12xf32>, %wq: tensor<12x6xf32>, %wk: tensor<12x6xf32>, %g: tensor<8x6xf32>, %steps: tensor<3x8x6xf32>) -> (tensor<12x8xf32>, tensor<12x6xf32>) {
    %0 = stablehlo.dot_general %g, %wq, contracting_dims = [1] x [1] : (tensor<8x6xf32>, tensor<12x6xf32>) -> tensor<8x12xf32>
    %1 = stablehlo.dot_general %g, %wk, contracting_dims = [1] x [1] : (tensor<8x6xf32>, tensor<12x6xf32>) -> tensor<8x12xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x12xf32>
    %half = stablehlo.constant dense<0.5> : tensor<8x12xf32>
    %3 = stablehlo.multiply %2, %half : tensor<8x12xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<8x12xf32>) -> tensor<12x8xf32>
    %5 = stablehlo.tanh %4 : tensor<12x8xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %none = stablehlo.constant dense<0.0> : tensor<12x6xf32>
    %6:2 = stablehlo.while(%i = %zero, %sum = %none) : tensor<i32>, tensor<12x6xf32>
    cond {
      %last = stablehlo.constant dense<3> : tensor<i32>
      %7 = stablehlo.compare LT, %i, %last, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %7 = stablehlo.dynamic_slice %steps, %i, %c, %c, sizes = [1, 8, 6] : (tensor<3x8x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x6xf32>
      %8 = stablehlo.reshape %7 : (tensor<1x8x6xf32>) -> tensor<8x6xf32>
      %9 = stablehlo.dot_general %x, %8, contracting_dims = [0] x [0] : (tensor<8x12xf32>, tensor<8x6xf32>) -> tensor<12x6xf32>
      %10 = stablehlo.add %sum, %9 : tensor<12x6xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %11, %10 : tensor<i32>, tensor<12x6xf32>
    }
    return %5, %6#1 : tensor<12x8xf32>, tensor<12x6xf32>
  }
}
