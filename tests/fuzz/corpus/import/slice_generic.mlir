func.func @main(%a: tensor<8x9xf32>) {
%0 = "stablehlo.slice"(%a) {start_indices = dense<[0, 1]> : tensor<2xi64>, limit_indices = dense<[4, 8]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} : (tensor<8x9xf32>) -> tensor<4x4xf32>
return
}
