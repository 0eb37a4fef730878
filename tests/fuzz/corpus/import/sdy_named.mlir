sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @main(%a: tensor<8x16xf32>) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p1, {}], replicated={"b":(1)2}>}) {
  %0 = "sdy.named_computation"(%a) <{name = "foo", in_shardings = #sdy.sharding_per_value<[<@mesh, [{"b"}, {}]>]>, out_shardings = #sdy.sharding_per_value<[<mesh<["x"=8]>, [{?}, {"x"}]>]>}> ({
  ^bb0(%b: tensor<8x16xf32>):
    %1 = func.call @f(%b) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    sdy.return %1 : tensor<8x16xf32>
  }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = sdy.data_flow_edge %0 sharding=<@mesh, [{}, {"b"}]> : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}
func.func private @f(%p: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}) {
  %0 = stablehlo.custom_call @g(%p) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, jk])->([ij, k]) {i=8, j=4, k=4} blocked_propagation={k}, custom>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = sdy.all_reduce {"a":(1)2} %0 out_sharding=<@mesh, [{}, {}], unreduced={"b"}> : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
