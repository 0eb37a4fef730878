// A program over whole arrays with annotations of the shard dialect.
shard.grid @grid0(shape = 2x4)

func.func @main(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %rows = shard.sharding @grid0 split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @grid0 split_axes = [[], [1]] : !shard.sharding
  %0 = shard.shard %x to %rows : tensor<8x6xf32>
  %1 = shard.shard %w to %columns annotate_for_users : tensor<6x4xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0]
    : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
