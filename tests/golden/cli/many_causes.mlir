module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                  %c: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %d: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                  %e: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<f32> {
    %0 = stablehlo.add %a, %b : tensor<4xf32>
    %1 = stablehlo.add %0, %c : tensor<4xf32>
    %2 = stablehlo.add %1, %d : tensor<4xf32>
    %3 = stablehlo.add %2, %e : tensor<4xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %4 : tensor<f32>
  }
}
