module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22a\22=2]>}"}} {
  func.func @main(%arg0: tensor<4xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@other, [{\22a\22}]>"}}) -> tensor<4xf32> {
    return %arg0 : tensor<4xf32>
  }
}
