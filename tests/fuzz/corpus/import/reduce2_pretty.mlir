func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xi32>, %a: tensor<f32>, %b: tensor<i32>) {
%0:2 = stablehlo.reduce(%x init: %a), (%y init: %b) across dimensions = [0] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
     reducer(%p: tensor<f32>, %q: tensor<f32>) (%r: tensor<i32>, %s: tensor<i32>) {
       %1 = stablehlo.maximum %p, %q : tensor<f32>
       %2 = stablehlo.add %r, %s : tensor<i32>
       stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
     }
return
}
