func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %y: tensor<4xi32> {tf.aliasing_output = 0 : i32}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %x, %0 : tensor<4xf32>, tensor<4xf32>
}
