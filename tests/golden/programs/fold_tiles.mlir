// Little is made of all columns, which lie on four devices: the greatest two, and sums from the first on.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<2x64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<2x64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x64xi32>) {
  %v, %i = chlo.top_k(%a, k = 2) : tensor<2x64xi32> -> (tensor<2x2xi32>, tensor<2x2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%b, %c) <{padding = dense<[[0, 0], [63, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 64>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %1 = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<2x64xi32>, tensor<i32>) -> tensor<2x64xi32>
  return %v, %i, %0 : tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x64xi32>
}
