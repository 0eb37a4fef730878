// What Shardy's programs may say beyond shardings of arguments, a function each.
sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @turned = <["p"=2, "q"=4], device_ids=[0, 2, 4, 6, 1, 3, 5, 7]>
sdy.mesh @three = <["u"=3]>
sdy.mesh @one = <[], device_ids=[3]>

func.func @group(%a: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {"y", ?}]>}, %b: tensor<8x10xf32>) -> (tensor<8x10xf32>, tensor<8x10xf32>) {
  %0 = stablehlo.tanh %b : tensor<8x10xf32>
  sdy.sharding_group %a group_id=21 : tensor<8x10xf32>
  sdy.sharding_group %0 group_id=21 : tensor<8x10xf32>
  %1 = stablehlo.negate %a : tensor<8x10xf32>
  return %0, %1 : tensor<8x10xf32>, tensor<8x10xf32>
}
func.func @barrier(%a: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}, %b: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}]>}) -> tensor<8x10xf32> {
  %0 = stablehlo.tanh %a : tensor<8x10xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=NONE : tensor<8x10xf32>
  %2 = stablehlo.add %1, %b : tensor<8x10xf32>
  return %2 : tensor<8x10xf32>
}
func.func @collectives(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.reduce_scatter [{"y"}, {}] %0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  %2 = sdy.all_to_all [{"y"}: 0->1] %1 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  %3 = sdy.collective_permute %2 out_sharding=<@mesh, [{}, {"y":(2)2, "x"}]> : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
func.func @rule(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {"y", ?}]>}, %b: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.add %a, %b {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=16} need_replication={j}>} : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
func.func @meshes(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@turned, [{"p"}, {"q"}]>}, %c: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@three, [{"u"}, {}]>}, %d: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@one, []>}) -> tensor<8x16xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x16xf32>
  %1 = stablehlo.add %0, %c : tensor<8x16xf32>
  %2 = stablehlo.add %1, %d : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}
func.func @nested(%a: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = "sdy.manual_computation"(%a) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x", "y":(2)2}, {?}]>]>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, manual_axes = #sdy<manual_axes{"x"}>}> ({
  ^bb0(%b: tensor<8x32xf32>):
    %1 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%c: tensor<8x8xf32>) {
      %2 = "stablehlo.all_reduce"(%c) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %3 = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %3 : tensor<f32>
      }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      sdy.return %2 : tensor<8x8xf32>
    } : (tensor<8x32xf32>) -> tensor<8x32xf32>
    sdy.return %1 : tensor<8x32xf32>
  }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
