sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%w: tensor<8x12xf32>, %in: tensor<6x8xf32>) -> tensor<6x12xf32> {
  %0 = sdy.manual_computation(%w, %in) in_shardings=[<@m, [{"y", "x"}, {}]>, <@m, [{"x"}, {"y"}]>] out_shardings=[<@m, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%a: tensor<2x12xf32>, %d: tensor<3x4xf32>) {
    %1 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x12xf32>) -> tensor<4x12xf32>
    %2 = stablehlo.dot_general %d, %1, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x12xf32>) -> tensor<3x12xf32>
    %3 = "stablehlo.reduce_scatter"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<3x12xf32>) -> tensor<3x6xf32>
    sdy.return %3 : tensor<3x6xf32>
  } : (tensor<8x12xf32>, tensor<6x8xf32>) -> tensor<6x12xf32>
  return %0 : tensor<6x12xf32>
}
