// A stencil that keeps halos: what it reads around its tile is there.
shard.grid @g(shape = 3)
func.func @main(%x: tensor<13xf32>) -> tensor<11xf32> {
  %wide = shard.sharding @g split_axes = [[0]] halo_sizes = [1, 1] : !shard.sharding
  %in = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 3, 7, 11] : !shard.sharding
  %h = shard.shard %x to %wide annotate_for_users : tensor<13xf32>
  %n = stablehlo.negate %h : tensor<13xf32>
  %a = stablehlo.slice %n [0:11] : (tensor<13xf32>) -> tensor<11xf32>
  %a1 = shard.shard %a to %in : tensor<11xf32>
  %b = stablehlo.slice %n [2:13] : (tensor<13xf32>) -> tensor<11xf32>
  %b1 = shard.shard %b to %in : tensor<11xf32>
  %s = stablehlo.add %a1, %b1 : tensor<11xf32>
  return %s : tensor<11xf32>
}
