func.func @main(%a: tensor<2xf32>) {
%0 = "mhlo.negate"(%a) : (tensor<2xf32>) -> tensor<2xf32>
return
}
