// A branch chosen by what the data say, and one by a number; both use values from outside, one gives such a value.
module @branches {
  func.func public @main(%x: tensor<6x8xf32>, %w: tensor<8x8xf32>, %i: tensor<i32>) -> (tensor<6x8xf32>, tensor<6x8xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x8xf32>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.compare GT, %0, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = "stablehlo.if"(%1) ({
      %4 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
      stablehlo.return %4 : tensor<6x8xf32>
    }, {
      stablehlo.return %x : tensor<6x8xf32>
    }) : (tensor<i1>) -> tensor<6x8xf32>
    %3 = "stablehlo.case"(%i) ({
      %4 = stablehlo.negate %2 : tensor<6x8xf32>
      stablehlo.return %4 : tensor<6x8xf32>
    }, {
      %4 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
      stablehlo.return %4 : tensor<6x8xf32>
    }, {
      %4 = stablehlo.dot_general %2, %w, contracting_dims = [1] x [1] : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
      stablehlo.return %4 : tensor<6x8xf32>
    }) : (tensor<i32>) -> tensor<6x8xf32>
    return %2, %3 : tensor<6x8xf32>, tensor<6x8xf32>
  }
}
