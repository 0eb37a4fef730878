// Device-local code as older JAX prints it: the devices of one mesh of 2 by 4, in two orders.
func.func public @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8x4xf32>) -> tensor<4x1xf32>
  %2 = stablehlo.custom_call @Sharding(%arg1) {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{manual}"} : (tensor<8x4xf32>) -> tensor<2x2xf32>
  %4 = stablehlo.reshape %3 : (tensor<2x2xf32>) -> tensor<4x1xf32>
  %5 = stablehlo.add %1, %4 : tensor<4x1xf32>
  %6 = stablehlo.custom_call @Sharding(%5) {mhlo.sharding = "{manual}"} : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %7 = stablehlo.custom_call @SPMDShardToFullShape(%6) {mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<4x1xf32>) -> tensor<8x4xf32>
  return %7 : tensor<8x4xf32>
}
