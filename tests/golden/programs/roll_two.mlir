// A roll by one place in both dimensions, written as slices that are joined.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%v: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.slice %v [1:16, 0:16] : (tensor<16x16xf32>) -> tensor<15x16xf32>
  %1 = stablehlo.slice %v [0:1, 0:16] : (tensor<16x16xf32>) -> tensor<1x16xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<15x16xf32>, tensor<1x16xf32>) -> tensor<16x16xf32>
  %3 = stablehlo.slice %2 [0:16, 1:16] : (tensor<16x16xf32>) -> tensor<16x15xf32>
  %4 = stablehlo.slice %2 [0:16, 0:1] : (tensor<16x16xf32>) -> tensor<16x1xf32>
  %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<16x15xf32>, tensor<16x1xf32>) -> tensor<16x16xf32>
  return %5 : tensor<16x16xf32>
}
