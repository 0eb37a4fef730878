func.func @main(%a: tensor<2x3xf32>, %c: tensor<f32>) {
%0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
return
}
