func.func @main(%a: tensor<f32>) {
%0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<2xf32>
return
}
