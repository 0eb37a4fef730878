module @m attributes {mhlo.num_partitions = 6 : i32} {
  sdy.mesh @mesh = <["x"=6]>
  func.func public @main(%arg0: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>) {
    %c = sdy.sharding_constraint %arg0 <@mesh, [{"x":(1)2}, {}]> : tensor<6x5xf32>
    %0:2 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] manual_axes={"x"} (%v: tensor<1x5xf32>) {
      %1 = "stablehlo.all_reduce"(%v) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0,1],[2,3],[4,5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<1x5xf32>) -> tensor<1x5xf32>
      %2 = "stablehlo.all_reduce"(%v) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0,1,2],[5,4,3]]> : tensor<2x3xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.maximum %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<1x5xf32>) -> tensor<1x5xf32>
      sdy.return %1, %2 : tensor<1x5xf32>, tensor<1x5xf32>
    } : (tensor<6x5xf32>) -> (tensor<6x5xf32>, tensor<6x5xf32>)
    return %0#0, %0#1, %c : tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>
  }
}
