func.func @main(%a: tensor<f32>) {
%0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = dense<> : tensor<0xi64>} : (tensor<f32>) -> tensor<2xf32>
return
}
