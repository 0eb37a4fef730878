sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<192xf32>
  %s = stablehlo.sine %i : tensor<192xf32>
  %a = stablehlo.reshape %s : (tensor<192xf32>) -> tensor<4x4x4x3xf32>
  %j = stablehlo.iota dim = 0 : tensor<108xf32>
  %c = stablehlo.cosine %j : tensor<108xf32>
  %k = stablehlo.reshape %c : (tensor<108xf32>) -> tensor<3x3x3x4xf32>
  %whole = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x4x4x3xf32>, tensor<3x3x3x4xf32>) -> tensor<4x2x4x4xf32>
  %0:2 = sdy.manual_computation(%a, %k, %k) in_shardings=[<@mesh, [{"x"}, {}, {}, {}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}, {}, {}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}, {}, {}]>, <@mesh, [{"x"}, {}, {}, {"y"}]>] manual_axes={"x", "y"} (%b: tensor<2x4x4x3xf32>, %l: tensor<3x3x3x4xf32>, %h: tensor<3x3x3x2xf32>) {
    %1 = stablehlo.convolution(%b, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x4x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x2x4x4xf32>
    %2 = stablehlo.convolution(%b, %h) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x4x3xf32>, tensor<3x3x3x2xf32>) -> tensor<2x2x4x2xf32>
    sdy.return %1, %2 : tensor<2x2x4x4xf32>, tensor<2x2x4x2xf32>
  } : (tensor<4x4x4x3xf32>, tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) -> (tensor<4x2x4x4xf32>, tensor<4x2x4x4xf32>)
  check.expect_almost_eq %0#0, %whole : tensor<4x2x4x4xf32>
  check.expect_almost_eq %0#1, %whole : tensor<4x2x4x4xf32>
  return
}

