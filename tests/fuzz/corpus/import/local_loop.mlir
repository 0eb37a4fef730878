sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main() {
  %a = stablehlo.constant dense<[[0.5, -1.0, 0.25, 2.0], [1.5, 0.75, -0.5, 1.0]]> : tensor<2x4xf32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = sdy.manual_computation(%a, %n) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, []>] out_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, []>] manual_axes={"x", "y"} (%b: tensor<1x2xf32>, %m: tensor<i32>) {
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %1:2 = stablehlo.while(%i = %c0, %s = %b) : tensor<i32>, tensor<1x2xf32>
      cond {
        %c = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %2 = "stablehlo.all_reduce"(%s) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
        ^bb0(%p: tensor<f32>, %q: tensor<f32>):
          %3 = stablehlo.maximum %p, %q : tensor<f32>
          stablehlo.return %3 : tensor<f32>
        }) : (tensor<1x2xf32>) -> tensor<1x2xf32>
        %4 = stablehlo.subtract %2, %b : tensor<1x2xf32>
        %5 = stablehlo.add %i, %c1 : tensor<i32>
        stablehlo.return %5, %4 : tensor<i32>, tensor<1x2xf32>
      }
    sdy.return %1#1, %1#0 : tensor<1x2xf32>, tensor<i32>
  } : (tensor<2x4xf32>, tensor<i32>) -> (tensor<2x4xf32>, tensor<i32>)
  // Three turns by hand: the larger of columns 0 and 2, and of 1 and 3, less the first array.
  check.expect_eq_const %0#0, dense<[[-0.5, 5.0, -0.25, 2.0], [1.0, -1.25, 3.0, -1.5]]> : tensor<2x4xf32>
  check.expect_eq_const %0#1, dense<3> : tensor<i32>
  return
}

