func.func @main(%a: tensor<f32>) {
%0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<f32>
return
}
