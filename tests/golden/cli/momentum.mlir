// A step with momentum whose arguments are named as JAX names nested containers, a scalar among them.
module @momentum {
  func.func public @main(%arg0: tensor<f32> loc("opt['count']"), %arg1: tensor<64xf32> loc("opt['mu']['layer0']['b']"), %arg2: tensor<32x64xf32> loc("opt['mu']['layer0']['w']"), %arg3: tensor<64xf32> loc("params['layer0']['b']"), %arg4: tensor<32x64xf32> loc("params['layer0']['w']"), %arg5: tensor<16x32xf32> loc("x")) -> (tensor<16x64xf32>, tensor<f32>, tensor<64xf32>, tensor<32x64xf32>) {
    %0 = stablehlo.dot_general %arg5, %arg4, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
    %2 = stablehlo.add %0, %1 : tensor<16x64xf32>
    %3 = stablehlo.add %arg0, %arg0 : tensor<f32>
    %4 = stablehlo.add %arg1, %arg3 : tensor<64xf32>
    %5 = stablehlo.add %arg2, %arg4 : tensor<32x64xf32>
    return %2, %3, %4, %5 : tensor<16x64xf32>, tensor<f32>, tensor<64xf32>, tensor<32x64xf32>
  }
}
