func.func @main(%arg0: tensor<4xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%arg0) {mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[]>"}} : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
