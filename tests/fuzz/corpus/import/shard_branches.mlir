shard.grid @g(shape = 4)
func.func @main(%a: tensor<3xi32>) -> tensor<3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = shard.process_linear_index on @g : index
  %is0 = arith.cmpi eq, %i, %c0 : index
  %is1 = arith.cmpi eq, %i, %c1 : index
  %r = "stablehlo.if"(%is1) ({
    %m = shard.recv %a on @g grid_axes = [0] source = [0] : (tensor<3xi32>) -> tensor<3xi32>
    stablehlo.return %m : tensor<3xi32>
  }, {
    %q = "stablehlo.if"(%is0) ({
      %s = shard.send %a on @g grid_axes = [0] destination = [1] : (tensor<3xi32>) -> tensor<3xi32>
      stablehlo.return %s : tensor<3xi32>
    }, {
      stablehlo.return %a : tensor<3xi32>
    }) : (i1) -> tensor<3xi32>
    stablehlo.return %q : tensor<3xi32>
  }) : (i1) -> tensor<3xi32>
  %h = shard.update_halo %r on @g split_axes = [[0]] halo_sizes = [1, 1] : tensor<3xi32>
  return %h : tensor<3xi32>
}
