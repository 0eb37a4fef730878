// Two tiles, both at the border of the array: three elements of each halo lie around the array.
shard.grid @g(shape = 2)
func.func @main(%x: tensor<16xf32> {tf.aliasing_output = 0 : i32}) -> tensor<16xf32> {
  %wide = shard.sharding @g split_axes = [[0]] halo_sizes = [3, 3] : !shard.sharding
  %h = shard.shard %x to %wide : tensor<16xf32>
  %n = stablehlo.negate %h : tensor<16xf32>
  return %n : tensor<16xf32>
}
