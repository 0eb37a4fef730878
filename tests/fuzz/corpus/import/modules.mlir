#p = array<i64: 1, 0>
!t = tensor<2x3xf32>
module @outer attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @m = <["a"=2, "b"=4], device_ids=[0, 1, 2, 3, 4, 5, 6, 7]>
  module @inner { func.func private @f(%a: !t) -> tensor<3x2xf32> {
    %0 = "stablehlo.transpose"(%a) {permutation = #p} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  } }
  func.func @main(%a: tensor<2x3xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@m, [{"b":(1)2, ?}p1, {}], replicated={"a"}>}) -> (tensor<3x2xf32> {jax.result_info = "x"}) {
    %0 = func.call @inner::@f(%a) : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %1 = stablehlo.composite "norm" %a {decomposition = @"f g"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
  func.func private @"f g"(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
    %0 = func.call @inner::@f(%a) : (tensor<2x3xf32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}
---- END
