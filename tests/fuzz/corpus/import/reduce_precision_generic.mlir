func.func @main(%a: tensor<f32>) {
%0 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<f32>) -> tensor<f32>
return
}
