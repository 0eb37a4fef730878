sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<64xf32>
  %s = stablehlo.sine %i : tensor<64xf32>
  %a = stablehlo.reshape %s : (tensor<64xf32>) -> tensor<4x16xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %u = stablehlo.constant dense<1.0> : tensor<4x8xf32>
  %pool = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x16xf32>, tensor<f32>) -> tensor<4x8xf32>
  %most = "stablehlo.select_and_scatter"(%a, %u, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x16xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x16xf32>
  %twice = stablehlo.add %a, %a : tensor<4x16xf32>
  %0:3 = sdy.manual_computation(%a, %u) in_shardings=[<@mesh, [{"y"}, {}]>, <@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"y"}, {}]>, <@mesh, [{"y"}, {}]>, <@mesh, [{"y"}, {}]>] manual_axes={"y"} (%b: tensor<2x16xf32>, %v: tensor<2x8xf32>) {
    %1 = "stablehlo.reduce_window"(%b, %z) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %2 = "stablehlo.select_and_scatter"(%b, %v, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
    }, {
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x16xf32>, tensor<2x8xf32>, tensor<f32>) -> tensor<2x16xf32>
    %3 = "stablehlo.map"(%b, %b) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
    sdy.return %1, %2, %3 : tensor<2x8xf32>, tensor<2x16xf32>, tensor<2x16xf32>
  } : (tensor<4x16xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x16xf32>)
  check.expect_almost_eq %0#0, %pool : tensor<4x8xf32>
  check.expect_almost_eq %0#1, %most : tensor<4x16xf32>
  check.expect_almost_eq %0#2, %twice : tensor<4x16xf32>
  return
}

