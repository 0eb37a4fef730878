// To and from one device of each group.
shard.grid @g(shape = 2x4)
func.func @main(%x: tensor<2x4xf32>, %y: tensor<8x4xf32>)
    -> (tensor<2x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = shard.gather %x on @g grid_axes = [1] gather_axis = 1 root = [1] : (tensor<2x4xf32>) -> tensor<2x16xf32>
  %1 = shard.reduce %x on @g grid_axes = [1] root = [2] : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = shard.scatter %y on @g grid_axes = [1] scatter_axis = 0 root = [3] : (tensor<8x4xf32>) -> tensor<2x4xf32>
  %i = shard.process_multi_index on @g axes = [0] : index
  %3 = shard.broadcast %x on @g grid_axes = [1] root = [%i] : (tensor<2x4xf32>, index) -> tensor<2x4xf32>
  return %0, %1, %2, %3 : tensor<2x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}
