func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>) {
%0 = "stablehlo.concatenate"(%a, %b) {dimension = 1 : i64} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
return
}
