func.func @main(%a: tensor<3xf32>) {
%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
return
}
