// A scan over stacked layers, as JAX prints it: two products a layer, the activations of all layers kept.
module @scan_layers {
  func.func public @main(%x: tensor<8x12xf32>, %w1: tensor<3x12x16xf32>, %w2: tensor<3x16x12xf32>) -> (tensor<8x12xf32>, tensor<3x8x16xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0.0> : tensor<3x8x16xf32>
    %0:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %x, %iterArg_1 = %cst) : tensor<i32>, tensor<8x12xf32>, tensor<3x8x16xf32>
    cond {
      %c_2 = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_2 = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.dynamic_slice %w1, %iterArg, %c_2, %c_2, sizes = [1, 12, 16] : (tensor<3x12x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x12x16xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x12x16xf32>) -> tensor<12x16xf32>
      %3 = stablehlo.dynamic_slice %w2, %iterArg, %c_2, %c_2, sizes = [1, 16, 12] : (tensor<3x16x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x12xf32>
      %4 = stablehlo.reshape %3 : (tensor<1x16x12xf32>) -> tensor<16x12xf32>
      %5 = func.call @layer(%iterArg_0, %2) : (tensor<8x12xf32>, tensor<12x16xf32>) -> tensor<8x16xf32>
      %6 = stablehlo.dot_general %5, %4, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x12xf32>) -> tensor<8x12xf32>
      %7 = stablehlo.add %iterArg_0, %6 : tensor<8x12xf32>
      %8 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
      %9 = stablehlo.dynamic_update_slice %iterArg_1, %8, %iterArg, %c_2, %c_2 : (tensor<3x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x16xf32>
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      stablehlo.return %10, %7, %9 : tensor<i32>, tensor<8x12xf32>, tensor<3x8x16xf32>
    }
    return %0#1, %0#2 : tensor<8x12xf32>, tensor<3x8x16xf32>
  }
  func.func private @layer(%x: tensor<8x12xf32>, %w: tensor<12x16xf32>) -> tensor<8x16xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x12xf32>, tensor<12x16xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.tanh %0 : tensor<8x16xf32>
    return %1 : tensor<8x16xf32>
  }
}
