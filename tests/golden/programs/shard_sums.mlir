// Code of one device in which two sums could be one, of which each device takes a part.
shard.grid @grid0(shape = 4)

func.func @main(%x: tensor<8x6xf32>, %y: tensor<8x6xf32>) -> tensor<2x6xf32> {
  %0 = shard.all_reduce %x on @grid0 grid_axes = [0] : tensor<8x6xf32> -> tensor<8x6xf32>
  %1 = shard.all_reduce %y on @grid0 grid_axes = [0] : tensor<8x6xf32> -> tensor<8x6xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x6xf32>
  %3 = shard.all_slice %2 on @grid0 grid_axes = [0] slice_axis = 0 : tensor<8x6xf32> -> tensor<2x6xf32>
  return %3 : tensor<2x6xf32>
}
