func.func @main(%a: tensor<f32>) {
%0 = "stablehlo.slice"(%a) <{start_indices = array<i64>, limit_indices = array<i64>, strides = array<i64>}> : (tensor<f32>) -> tensor<f32>
return
}
