sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @turned = <["p"=2, "q"=4], device_ids=[0, 2, 4, 6, 1, 3, 5, 7]>
sdy.mesh @three = <["u"=3]>
sdy.mesh @one = <[], device_ids=[3]>
func.func @main(%a: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {"y", ?}]>}, %b: tensor<8x10xf32>) -> (tensor<8x10xf32>, tensor<8x10xf32>) {
  %0 = stablehlo.tanh %b : tensor<8x10xf32>
  sdy.sharding_group %a group_id=21 : tensor<8x10xf32>
  sdy.sharding_group %0 group_id=21 : tensor<8x10xf32>
  %1 = stablehlo.negate %a : tensor<8x10xf32>
  return %0, %1 : tensor<8x10xf32>, tensor<8x10xf32>
}
