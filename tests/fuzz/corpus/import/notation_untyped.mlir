func @mlp(%x: tensor<>, %w: tensor<3x2xf32>) -> tensor<5x2xf32> attributes {a:2} {
  %0 = partir.tile 0 "a" (%r : range(5,3)) { yield matmul(slice 0 %x[%r] : tensor<%rx3xf32>, %w) }
  return tanh(%0)
}
