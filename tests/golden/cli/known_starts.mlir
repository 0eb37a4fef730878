// Places that constants and iotas decide, as JAX writes `a.at[4:60].set(u)`, `a[-1]` and `a[arange(16), i]`.
sdy.mesh @mesh = <["x"=4]>
func.func public @set(%a: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %u: tensor<56xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %c = stablehlo.constant dense<4> : tensor<i32>
  %i = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return %q : tensor<f32>
  }) : (tensor<64xf32>, tensor<1xi32>, tensor<56xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func public @last(%a: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<1x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %n = stablehlo.constant dense<-1> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.constant dense<4> : tensor<i32>
  %p = stablehlo.compare LT, %n, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %m = stablehlo.add %n, %s : tensor<i32>
  %i = stablehlo.select %p, %m, %n : tensor<i1>, tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %i, %z, sizes = [1, 32] : (tensor<4x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
  return %0 : tensor<1x32xf32>
}
func.func public @rows(%a: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<16x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %r = stablehlo.iota dim = 0 : tensor<16x1xi32>
  %v = stablehlo.concatenate %r, %i, dim = 1 : (tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<16x2xi32>
  %0 = "stablehlo.gather"(%a, %v) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<16x6xf32>, tensor<16x2xi32>) -> tensor<16xf32>
  %1 = "stablehlo.scatter"(%a, %v, %0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16x6xf32>, tensor<16x2xi32>, tensor<16xf32>) -> tensor<16x6xf32>
  return %0, %1 : tensor<16xf32>, tensor<16x6xf32>
}
