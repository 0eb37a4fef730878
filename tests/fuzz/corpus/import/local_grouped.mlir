sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<64xf32>
  %s = stablehlo.sine %i : tensor<64xf32>
  %a = stablehlo.reshape %s : (tensor<64xf32>) -> tensor<4x4x4xf32>
  %j = stablehlo.iota dim = 0 : tensor<48xf32>
  %c = stablehlo.cosine %j : tensor<48xf32>
  %k = stablehlo.reshape %c : (tensor<48xf32>) -> tensor<3x4x4xf32>
  // The kernel's gradient of a grouped convolution: groups of images. Every device has two images of each group, or one with kernels of its own.
  %whole = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x4x4xf32>, tensor<3x4x4xf32>) -> tensor<2x4x4xf32>
  %0:2 = sdy.manual_computation(%a, %k) in_shardings=[<@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {"x"}]>] out_shardings=[<@mesh, [{}, {}, {}]>, <@mesh, [{"x"}, {}, {}]>] manual_axes={"x", "y"} (%b: tensor<4x4x4xf32>, %h: tensor<3x4x2xf32>) {
    %1 = "stablehlo.all_gather"(%h) <{all_gather_dim = 2 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<3x4x2xf32>) -> tensor<3x4x4xf32>
    %2 = stablehlo.convolution(%b, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x4x4xf32>, tensor<3x4x4xf32>) -> tensor<2x4x4xf32>
    %3 = stablehlo.convolution(%b, %h) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x4x4xf32>, tensor<3x4x2xf32>) -> tensor<2x4x2xf32>
    sdy.return %2, %3 : tensor<2x4x4xf32>, tensor<2x4x2xf32>
  } : (tensor<4x4x4xf32>, tensor<3x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<4x4x2xf32>)
  check.expect_almost_eq %0#0, %whole : tensor<2x4x4xf32>
  %k0 = stablehlo.slice %k [0:3, 0:4, 0:2] : (tensor<3x4x4xf32>) -> tensor<3x4x2xf32>
  %k1 = stablehlo.slice %k [0:3, 0:4, 2:4] : (tensor<3x4x4xf32>) -> tensor<3x4x2xf32>
  %w0 = stablehlo.convolution(%a, %k0) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x4x4xf32>, tensor<3x4x2xf32>) -> tensor<2x4x2xf32>
  %w1 = stablehlo.convolution(%a, %k1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x4x4xf32>, tensor<3x4x2xf32>) -> tensor<2x4x2xf32>
  %w = stablehlo.concatenate %w0, %w1, dim = 0 : (tensor<2x4x2xf32>, tensor<2x4x2xf32>) -> tensor<4x4x2xf32>
  check.expect_almost_eq %0#1, %w : tensor<4x4x2xf32>
  return
}

