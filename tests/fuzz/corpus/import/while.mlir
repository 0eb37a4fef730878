func.func @main(%n: tensor<i64>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<0> : tensor<i64>
  %0:2 = stablehlo.while(%it = %c, %it_0 = %x) : tensor<i64>, tensor<2xf32> attributes {a = 1 : i32}
  cond {
    %1 = stablehlo.compare LT, %it, %n, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %it_0, %it_0 : tensor<2xf32>
    stablehlo.return %it, %1 : tensor<i64>, tensor<2xf32>
  }
  return %0#1 : tensor<2xf32>
}
// -----
func.func @two() { return }
