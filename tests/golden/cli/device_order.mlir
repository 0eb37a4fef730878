module @order attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%x: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]7,6,5,4,3,2,1,0}"}) -> tensor<8x8xf32> {
    %0 = stablehlo.tanh %x : tensor<8x8xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[1,8]<=[8]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
}
