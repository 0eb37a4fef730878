// A loop whose end depends on the data: power iteration until the vector changes little, at most 6 times. The matrix comes from outside.
module @power_iteration {
  func.func public @main(%a: tensor<10x10xf32>, %x: tensor<10xf32>) -> (tensor<10xf32>, tensor<i32>) {
    %n = stablehlo.constant dense<0> : tensor<i32>
    %far = stablehlo.constant dense<1.0e9> : tensor<f32>
    %0:3 = stablehlo.while(%i = %n, %v = %x, %d = %far) : tensor<i32>, tensor<10xf32>, tensor<f32>
    cond {
      %most = stablehlo.constant dense<6> : tensor<i32>
      %near = stablehlo.constant dense<1.0e-3> : tensor<f32>
      %1 = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %2 = stablehlo.compare GT, %d, %near : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.and %1, %2 : tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %1 = stablehlo.dot_general %a, %v, contracting_dims = [1] x [0] : (tensor<10x10xf32>, tensor<10xf32>) -> tensor<10xf32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %2 = stablehlo.multiply %1, %1 : tensor<10xf32>
      %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10xf32>, tensor<f32>) -> tensor<f32>
      %4 = stablehlo.sqrt %3 : tensor<f32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<10xf32>
      %6 = stablehlo.divide %1, %5 : tensor<10xf32>
      %7 = stablehlo.subtract %6, %v : tensor<10xf32>
      %8 = stablehlo.multiply %7, %7 : tensor<10xf32>
      %9 = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10xf32>, tensor<f32>) -> tensor<f32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %10, %6, %9 : tensor<i32>, tensor<10xf32>, tensor<f32>
    }
    return %0#1, %0#0 : tensor<10xf32>, tensor<i32>
  }
}
