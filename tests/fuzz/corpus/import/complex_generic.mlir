func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) {
%0 = "stablehlo.complex"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
return
}
