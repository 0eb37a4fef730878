func.func @main(%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<2xf32>) {
%0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<2xf32>
return
}
