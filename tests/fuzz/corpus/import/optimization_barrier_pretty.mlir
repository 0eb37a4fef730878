func.func @main(%a: tensor<2xf32>, %b: tensor<i32>) {
%0:2 = stablehlo.optimization_barrier %a, %b : tensor<2xf32>, tensor<i32>
return
}
