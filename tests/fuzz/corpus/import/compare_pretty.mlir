func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
%0 = stablehlo.compare  LT, %a, %b,  FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
return
}
