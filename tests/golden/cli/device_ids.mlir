sdy.mesh @mesh = <["x"=4], device_ids=[3, 1, 2, 0]>
sdy.mesh @line = <["d"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %x : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@line, [{}, {"d"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
