func.func @main(%a: tensor<8x9xf32>, %i: tensor<i32>) {
%0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 4] : (tensor<8x9xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
return
}
