func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "frobnicate"(%x) {times = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
