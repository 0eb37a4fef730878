shard.grid @grid0(shape = 2x4)
func.func @main(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %s = shard.sharding @grid0 split_axes = [[0], [0]] : !shard.sharding
  %0 = shard.shard %x to %s : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
