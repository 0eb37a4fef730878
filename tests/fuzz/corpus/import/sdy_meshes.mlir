sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @turned = <["p"=2, "q"=4], device_ids=[0, 2, 4, 6, 1, 3, 5, 7]>
sdy.mesh @three = <["u"=3]>
sdy.mesh @one = <[], device_ids=[3]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@turned, [{"p"}, {"q"}]>}, %c: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@three, [{"u"}, {}]>}, %d: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@one, []>}) -> tensor<8x16xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x16xf32>
  %1 = stablehlo.add %0, %c : tensor<8x16xf32>
  %2 = stablehlo.add %1, %d : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}
