// A call of foreign code that every device makes for its own part.
sdy.mesh @mesh = <["x"=4]>
func.func public @main(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x6xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<2x6xf32>) {
    %1 = stablehlo.custom_call @normalise(%a) : (tensor<2x6xf32>) -> tensor<2x6xf32>
    sdy.return %1 : tensor<2x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
