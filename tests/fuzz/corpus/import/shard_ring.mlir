// Code of one device: tiles move around a ring, then their maximum is taken.
shard.grid @ring(shape = 4)

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = shard.shift %x on @ring grid_axes = [0] shift_axis = 0 offset = 1 rotate
    : tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = shard.all_reduce %0 on @ring grid_axes = [0] reduction = <max>
    : tensor<2x3xf32> -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
