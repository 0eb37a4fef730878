// Two layers, written per device: weights sharded over both axes and gathered over x before their use (FSDP), activations scattered over y.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%w0: tensor<8x12xf32>, %b0: tensor<12xf32>, %w1: tensor<12x4xf32>, %in: tensor<6x8xf32>) -> (tensor<6x4xf32>, tensor<f32>) {
  %0:2 = sdy.manual_computation(%w0, %b0, %w1, %in)
      in_shardings=[<@mesh, [{"y", "x"}, {}]>, <@mesh, [{"y"}]>, <@mesh, [{"y", "x"}, {}]>, <@mesh, [{"x"}, {"y"}]>]
      out_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, []>]
      manual_axes={"x", "y"} (%a: tensor<2x12xf32>, %b: tensor<6xf32>, %c: tensor<3x4xf32>, %d: tensor<3x4xf32>) {
    %1 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x12xf32>) -> tensor<4x12xf32>
    %2 = stablehlo.dot_general %d, %1, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x12xf32>) -> tensor<3x12xf32>
    %3 = "stablehlo.reduce_scatter"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<3x12xf32>) -> tensor<3x6xf32>
    %4 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<6xf32>) -> tensor<3x6xf32>
    %5 = stablehlo.add %3, %4 : tensor<3x6xf32>
    %6 = func.call @relu(%5) : (tensor<3x6xf32>) -> tensor<3x6xf32>
    %7 = "stablehlo.all_gather"(%c) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<3x4xf32>) -> tensor<6x4xf32>
    %8 = stablehlo.dot_general %6, %7, contracting_dims = [1] x [0] : (tensor<3x6xf32>, tensor<6x4xf32>) -> tensor<3x4xf32>
    %9 = "stablehlo.reduce_scatter"(%8) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<3x4xf32>) -> tensor<3x2xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<f32>
    %11 = "stablehlo.all_reduce"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    sdy.return %9, %11 : tensor<3x2xf32>, tensor<f32>
  } : (tensor<8x12xf32>, tensor<12xf32>, tensor<12x4xf32>, tensor<6x8xf32>) -> (tensor<6x4xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<6x4xf32>, tensor<f32>
}
func.func private @relu(%x: tensor<3x6xf32>) -> tensor<3x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
  %1 = stablehlo.maximum %x, %0 : tensor<3x6xf32>
  return %1 : tensor<3x6xf32>
}
