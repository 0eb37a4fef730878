func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
%0 = "mhlo.dot"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
return
}
