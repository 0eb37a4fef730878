func.func @main(%a: tensor<8xf32>) {
%0 = "chlo.erf"(%a) : (tensor<8xf32>) -> tensor<8xf32>
return
}
