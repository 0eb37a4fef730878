func.func @main(%a: tensor<2xf32>, %v: tensor<f32>) {
%0 = "stablehlo.pad"(%a, %v) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: -1>, interior_padding = array<i64: 2>}> : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
return
}
