func.func @main(%a: tensor<8x16xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate shard_as 4}"}, %b: tensor<8x16xf32> {mhlo.sharding = "{devices=[1,2,2,2]<=[2,2,2]T(2,0,1) last_tile_dims={replicated, unreduced} metadata={op_name=\"f\"}}"}, %c: tensor<8x16xf32> {mhlo.sharding = "{devices=[4,1,2]0,4,1,5,2,6,3,7 last_tile_dims={replicated}}"}) -> tensor<8x16xf32> {
  %0 = stablehlo.custom_call @Sharding(%b) {backend_config = "unspecified_dims=[0]", mhlo.sharding = "{unknown shard_like 4}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.custom_call @Sharding(%c) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dims={replicated}}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}
