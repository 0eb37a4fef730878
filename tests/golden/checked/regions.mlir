// SPDX-License-Identifier: Apache-2.0
// Regions beyond one op: a comparator of two keys, a map of three arrays.
func.func @two_keys() {
  %a = stablehlo.constant dense<[[2, 1, 2, 1], [0, 0, 0, 0], [3, 2, 1, 0]]> : tensor<3x4xi32>
  %b = stablehlo.constant dense<[[1.0, 4.0, 3.0, 2.0], [4.0, 3.0, 2.0, 1.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<3x4xf32>
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>, %r: tensor<f32>, %s: tensor<f32>):
    %less = stablehlo.compare LT, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %same = stablehlo.compare EQ, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %more = stablehlo.compare GT, %r, %s, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %then = stablehlo.and %same, %more : tensor<i1>
    %before = stablehlo.or %less, %then : tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<3x4xi32>, tensor<3x4xf32>) -> (tensor<3x4xi32>, tensor<3x4xf32>)
  check.expect_eq_const %0#0, dense<[[1, 1, 2, 2], [0, 0, 0, 0], [0, 1, 2, 3]]> : tensor<3x4xi32>
  check.expect_eq_const %0#1, dense<[[4.0, 2.0, 3.0, 1.0], [4.0, 3.0, 2.0, 1.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<3x4xf32>
  func.return
}

// -----

func.func @map() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant dense<[[3.0, 2.0, 1.0], [0.0, 9.0, 6.0]]> : tensor<2x3xf32>
  %c = stablehlo.constant dense<[[1, 1, 1], [0, 2, 3]]> : tensor<2x3xi32>
  %0 = "stablehlo.map"(%a, %b, %c) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %n: tensor<i32>):
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.maximum %x, %y : tensor<f32>
    %2 = stablehlo.add %n, %one : tensor<i32>
    %3 = stablehlo.convert %2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.multiply %1, %3 : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
  check.expect_eq_const %0, dense<[[6.0, 4.0, 6.0], [4.0, 27.0, 24.0]]> : tensor<2x3xf32>
  func.return
}

// -----

// A maximum of floats by their bits: bitcast_convert and a call in a combiner.
module @bits {
  func.func @main() {
    %x = stablehlo.constant dense<[[1.0, 5.0, 2.0], [0.5, 0.25, 8.0]]> : tensor<2x3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %zero) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
     reducer(%p: tensor<f32>, %q: tensor<f32>) {
      %a = stablehlo.bitcast_convert %p : (tensor<f32>) -> tensor<ui32>
      %b = stablehlo.bitcast_convert %q : (tensor<f32>) -> tensor<ui32>
      %m = func.call @greater(%a, %b) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %r = stablehlo.bitcast_convert %m : (tensor<ui32>) -> tensor<f32>
      stablehlo.return %r : tensor<f32>
    }
    check.expect_eq_const %0, dense<[5.0, 8.0]> : tensor<2xf32>
    return
  }
  func.func private @greater(%a: tensor<ui32>, %b: tensor<ui32>) -> tensor<ui32> {
    %0 = stablehlo.maximum %a, %b : tensor<ui32>
    return %0 : tensor<ui32>
  }
}

// -----

// A canonicalizer moves literals out of regions.
func.func @literals_outside() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %ten = stablehlo.constant dense<10.0> : tensor<f32>
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>):
    %1 = stablehlo.multiply %x, %half : tensor<f32>
    %2 = stablehlo.add %1, %half : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %0, dense<[[1.0, 1.5, 2.0], [2.5, 3.0, 3.5]]> : tensor<2x3xf32>
  %3 = "stablehlo.reduce"(%a, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %4 = stablehlo.add %x, %y : tensor<f32>
    %5 = stablehlo.minimum %4, %ten : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %3, dense<[6.0, 10.0]> : tensor<2xf32>
  func.return
}
