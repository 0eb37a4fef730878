func.func @main(%a: tensor<2xi32>) {
%0 = stablehlo.compare  GE, %a, %a : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
return
}
