func.func @main(%a: tensor<2x3xf32>) {
%0 = "stablehlo.reverse"(%a) {dimensions = dense<[0, 1]> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
return
}
