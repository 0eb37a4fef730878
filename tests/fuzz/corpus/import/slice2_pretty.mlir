func.func @main(%a: tensor<f32>) {
%0 = stablehlo.slice %a [] : (tensor<f32>) -> tensor<f32>
return
}
