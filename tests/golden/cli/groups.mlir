// Groups of devices inside one axis, and in an order that is none of a mesh.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x16xf32>, tensor<8x4xf32>, tensor<32x16xf32>, tensor<8x16xf32>) {
  %0:4 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>]
      out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]
      manual_axes={"x"} (%v: tensor<1x16xf32>) {
    %sum = "stablehlo.all_reduce"(%v) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<1x16xf32>) -> tensor<1x16xf32>
    %part = "stablehlo.reduce_scatter"(%v) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>,
      replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 1 : i64,
      use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<1x16xf32>) -> tensor<1x4xf32>
    %all = "stablehlo.all_gather"(%v) <{all_gather_dim = 0 : i64,
      channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>,
      replica_groups = dense<[[6, 0, 3, 1], [5, 7, 2, 4]]> : tensor<2x4xi64>, use_global_device_ids}>
      : (tensor<1x16xf32>) -> tensor<4x16xf32>
    %swap = "stablehlo.all_to_all"(%v) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>,
      concat_dimension = 1 : i64, replica_groups = dense<[[6, 0, 3, 1], [5, 7, 2, 4]]> : tensor<2x4xi64>,
      split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<1x16xf32>) -> tensor<1x16xf32>
    sdy.return %sum, %part, %all, %swap
      : tensor<1x16xf32>, tensor<1x4xf32>, tensor<4x16xf32>, tensor<1x16xf32>
  } : (tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x4xf32>, tensor<32x16xf32>, tensor<8x16xf32>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<8x16xf32>, tensor<8x4xf32>, tensor<32x16xf32>, tensor<8x16xf32>
}
