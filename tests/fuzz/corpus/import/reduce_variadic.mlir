// SPDX-License-Identifier: Apache-2.0
// argmax along rows and along columns: a reduction of two values at once whose region prefers the lower index on a tie
// and lets a NaN win, as JAX writes it. Splitting the reduced dimension must not change which index wins.
module @reduce_variadic {
  func.func public @main(%x: tensor<9x14xf32>) -> (tensor<9xf32>, tensor<9xi32>, tensor<14xi32>) {
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %first = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.iota dim = 1 : tensor<9x14xi32>
    %1:2 = stablehlo.reduce(%x init: %lowest), (%0 init: %first) across dimensions = [1] : (tensor<9x14xf32>, tensor<9x14xi32>, tensor<f32>, tensor<i32>) -> (tensor<9xf32>, tensor<9xi32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>)  {
      %4 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.or %4, %5 : tensor<i1>
      %7 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = stablehlo.and %7, %8 : tensor<i1>
      %10 = stablehlo.or %6, %9 : tensor<i1>
      %11 = stablehlo.select %6, %a, %b : tensor<i1>, tensor<f32>
      %12 = stablehlo.select %10, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %11, %12 : tensor<f32>, tensor<i32>
    }
    %2 = stablehlo.iota dim = 0 : tensor<9x14xi32>
    %3:2 = stablehlo.reduce(%x init: %lowest), (%2 init: %first) across dimensions = [0] : (tensor<9x14xf32>, tensor<9x14xi32>, tensor<f32>, tensor<i32>) -> (tensor<14xf32>, tensor<14xi32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>)  {
      %4 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.or %4, %5 : tensor<i1>
      %7 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = stablehlo.and %7, %8 : tensor<i1>
      %10 = stablehlo.or %6, %9 : tensor<i1>
      %11 = stablehlo.select %6, %a, %b : tensor<i1>, tensor<f32>
      %12 = stablehlo.select %10, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %11, %12 : tensor<f32>, tensor<i32>
    }
    return %1#0, %1#1, %3#1 : tensor<9xf32>, tensor<9xi32>, tensor<14xi32>
  }
}
