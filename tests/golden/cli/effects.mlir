// Calls for their effect, as JAX writes io_callback and debug.print: of the code of each device, one after the
// other by a token, and of all devices.
module @effects attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%x: tensor<2x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<2x16xf32> {
    %token = stablehlo.create_token : !stablehlo.token
    %0:2 = sdy.manual_computation(%token, %x) in_shardings=[<@mesh, []>, <@mesh, [{}, {"x"}]>] out_shardings=[<@mesh, []>, <@mesh, [{}, {"x"}]>] manual_axes={"x"} (%before: !stablehlo.token, %tile: tensor<2x4xf32>) {
      %after = stablehlo.custom_call @note(%before, %tile) {has_side_effect = true} : (!stablehlo.token, tensor<2x4xf32>) -> !stablehlo.token
      stablehlo.custom_call @note(%tile) {has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4xf32>) -> ()
      %twice = stablehlo.add %tile, %tile : tensor<2x4xf32>
      sdy.return %after, %twice : !stablehlo.token, tensor<2x4xf32>
    } : (!stablehlo.token, tensor<2x16xf32>) -> (!stablehlo.token, tensor<2x16xf32>)
    stablehlo.custom_call @note(%0#1) {has_side_effect = true, tw.once} : (tensor<2x16xf32>) -> ()
    return %0#1 : tensor<2x16xf32>
  }
}
