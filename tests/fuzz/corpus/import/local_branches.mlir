sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%b: tensor<1x1xf32>) {
    %id = stablehlo.partition_id : tensor<ui32>
    %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %1 = "stablehlo.case"(%i) ({
      %2 = stablehlo.add %b, %b : tensor<1x1xf32>
      stablehlo.return %2 : tensor<1x1xf32>
    }, {
      %2 = stablehlo.negate %b : tensor<1x1xf32>
      stablehlo.return %2 : tensor<1x1xf32>
    }, {
      stablehlo.return %b : tensor<1x1xf32>
    }) : (tensor<i32>) -> tensor<1x1xf32>
    %yes = stablehlo.constant dense<true> : tensor<i1>
    %3 = "stablehlo.if"(%yes) ({
      %4 = stablehlo.add %1, %b : tensor<1x1xf32>
      stablehlo.return %4 : tensor<1x1xf32>
    }, {
      %z = stablehlo.constant dense<0.0> : tensor<1x1xf32>
      stablehlo.return %z : tensor<1x1xf32>
    }) : (tensor<i1>) -> tensor<1x1xf32>
    sdy.return %3 : tensor<1x1xf32>
  } : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[3.0, 0.0], [6.0, 8.0]]> : tensor<2x2xf32>
  return
}

