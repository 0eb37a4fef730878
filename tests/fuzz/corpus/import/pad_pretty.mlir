func.func @main(%a: tensor<2xf32>, %v: tensor<f32>) {
%0 = stablehlo.pad %a, %v, low = [1], high = [-1], interior = [2] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
return
}
