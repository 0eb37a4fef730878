// Two layers of two products; the batch is larger than a weight.
func.func @main(%x: tensor<512x64xf32>, %u0: tensor<64x64xf32>, %v0: tensor<64x64xf32>, %u1: tensor<64x64xf32>, %v1: tensor<64x64xf32>) -> tensor<512x64xf32> {
  %0 = stablehlo.dot_general %x, %u0, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %1 = stablehlo.tanh %0 : tensor<512x64xf32>
  %2 = stablehlo.dot_general %1, %v0, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %3 = stablehlo.dot_general %2, %u1, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %4 = stablehlo.tanh %3 : tensor<512x64xf32>
  %5 = stablehlo.dot_general %4, %v1, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  return %5 : tensor<512x64xf32>
}
