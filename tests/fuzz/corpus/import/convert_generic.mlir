func.func @main(%a: tensor<2xf32>) {
%0 = "stablehlo.convert"(%a) : (tensor<2xf32>) -> tensor<2xi32>
return
}
