// A value kept on the host between two steps, as JAX writes it.
func.func public @main(%arg0: tensor<8x6xf32> {mhlo.memory_kind = "pinned_host"}) -> (tensor<8x6xf32> {mhlo.memory_kind = "device"}) {
  %0 = stablehlo.tanh %arg0 : tensor<8x6xf32>
  %1 = stablehlo.custom_call @annotate_device_placement(%0) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %2 = stablehlo.negate %1 : tensor<8x6xf32>
  return %2 : tensor<8x6xf32>
}
