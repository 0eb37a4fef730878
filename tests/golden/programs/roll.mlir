// Rolls as jnp.roll prints them: by whole tiles in a loop, as a pipeline does, and by one row.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func public @main(%stages: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                       %rows: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %stages) : tensor<i32>, tensor<4x6xf32>
  cond {
    %turns = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %turns, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.slice %x [3:4, 0:6] : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %3 = stablehlo.slice %x [0:3, 0:6] : (tensor<4x6xf32>) -> tensor<3x6xf32>
    %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1x6xf32>, tensor<3x6xf32>) -> tensor<4x6xf32>
    %5 = stablehlo.tanh %4 : tensor<4x6xf32>
    stablehlo.return %1, %5 : tensor<i32>, tensor<4x6xf32>
  }
  %6 = stablehlo.slice %rows [1:16, 0:6] : (tensor<16x6xf32>) -> tensor<15x6xf32>
  %7 = stablehlo.slice %rows [0:1, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
  %8 = stablehlo.concatenate %6, %7, dim = 0 : (tensor<15x6xf32>, tensor<1x6xf32>) -> tensor<16x6xf32>
  return %0#1, %8 : tensor<4x6xf32>, tensor<16x6xf32>
}
