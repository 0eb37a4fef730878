sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %u = stablehlo.constant dense<[[10.0, 11.0], [20.0, 21.0]]> : tensor<2x2xf32>
  %0:4 = sdy.manual_computation(%a, %u) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%b: tensor<1x3xf32>, %v: tensor<1x2xf32>) {
    %id = stablehlo.partition_id : tensor<ui32>
    %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    // Devices 0 and 2 stand for their pairs: they update from 0 and, moved into the array, from 1.
    %1 = stablehlo.dynamic_update_slice %b, %v, %c0, %i : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %2 = stablehlo.reduce(%b init: %f) applies stablehlo.add across dimensions = [1] : (tensor<1x3xf32>, tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.pad %b, %f, low = [0, -1], high = [0, 1], interior = [0, 1] : (tensor<1x3xf32>, tensor<f32>) -> tensor<1x5xf32>
    %4 = stablehlo.dynamic_slice %b, %c0, %i, sizes = [1, 2] : (tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    sdy.return %1, %2, %3, %4 : tensor<1x3xf32>, tensor<1xf32>, tensor<1x5xf32>, tensor<1x2xf32>
  } : (tensor<2x3xf32>, tensor<2x2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2x5xf32>, tensor<2x2xf32>)
  check.expect_eq_const %0#0, dense<[[10.0, 11.0, 3.0], [4.0, 20.0, 21.0]]> : tensor<2x3xf32>
  check.expect_eq_const %0#1, dense<[6.0, 17.0]> : tensor<2xf32>
  check.expect_eq_const %0#2, dense<[[0.0, 2.0, 0.0, 3.0, 0.0], [2.0, 5.0, 2.0, 6.0, 2.0]]> : tensor<2x5xf32>
  check.expect_eq_const %0#3, dense<[[1.0, 2.0], [5.0, 6.0]]> : tensor<2x2xf32>
  return
}
