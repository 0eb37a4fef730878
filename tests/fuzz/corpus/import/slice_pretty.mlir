func.func @main(%a: tensor<8x9xf32>) {
%0 = stablehlo.slice %a [0:4, 1:8:2] : (tensor<8x9xf32>) -> tensor<4x4xf32>
return
}
