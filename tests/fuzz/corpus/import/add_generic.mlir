func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
%0 = "stablehlo.add"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
return
}
