func.func @main(%a: tensor<2xf32>) {
%0 = stablehlo.custom_call @"my target"(%a) {backend_config = "x", api_version = 2 : i32} : (tensor<2xf32>) -> tensor<3xf32>
return
}
