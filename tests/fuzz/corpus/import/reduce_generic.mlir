func.func @main(%a: tensor<2x3xf32>, %c: tensor<f32>) {
%0 = "stablehlo.reduce"(%a, %c) <{dimensions = array<i64: 1>}> ({^bb0(%p: tensor<f32>, %q: tensor<f32>): %s = stablehlo.add %p, %q : tensor<f32> stablehlo.return %s : tensor<f32>}) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
return
}
