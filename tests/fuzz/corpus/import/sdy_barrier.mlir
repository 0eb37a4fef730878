sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @turned = <["p"=2, "q"=4], device_ids=[0, 2, 4, 6, 1, 3, 5, 7]>
sdy.mesh @three = <["u"=3]>
sdy.mesh @one = <[], device_ids=[3]>
func.func @main(%a: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}, %b: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}]>}) -> tensor<8x10xf32> {
  %0 = stablehlo.tanh %a : tensor<8x10xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=NONE : tensor<8x10xf32>
  %2 = stablehlo.add %1, %b : tensor<8x10xf32>
  return %2 : tensor<8x10xf32>
}
