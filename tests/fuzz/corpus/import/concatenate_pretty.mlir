func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>) {
%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
return
}
