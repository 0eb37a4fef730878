sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @turned = <["p"=2, "q"=4], device_ids=[0, 2, 4, 6, 1, 3, 5, 7]>
sdy.mesh @three = <["u"=3]>
sdy.mesh @one = <[], device_ids=[3]>
func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.reduce_scatter [{"y"}, {}] %0 out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>
  %2 = sdy.all_to_all [{"y"}: 0->1] %1 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
  %3 = sdy.collective_permute %2 out_sharding=<@mesh, [{}, {"y":(2)2, "x"}]> : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
