// An argument that is given with its halos: what a stencil reads around its tile is there.
shard.grid @g(shape = 4)
func.func @main(%x: tensor<16xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<14xf32>, tensor<16xf32>) {
  %wide = shard.sharding @g split_axes = [[0]] halo_sizes = [1, 1] : !shard.sharding
  %in = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 3, 7, 11, 14] : !shard.sharding
  %h = shard.shard %x to %wide : tensor<16xf32>
  %a = stablehlo.slice %h [0:14] : (tensor<16xf32>) -> tensor<14xf32>
  %a1 = shard.shard %a to %in : tensor<14xf32>
  %b = stablehlo.slice %h [2:16] : (tensor<16xf32>) -> tensor<14xf32>
  %b1 = shard.shard %b to %in : tensor<14xf32>
  %s = stablehlo.add %a1, %b1 : tensor<14xf32>
  %n = stablehlo.negate %h : tensor<16xf32>
  return %s, %n : tensor<14xf32>, tensor<16xf32>
}
