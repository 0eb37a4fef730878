// As jax.lax.approx_max_k and approx_min_k write it, on all devices and in the code of each of two.
module @nearest attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @top_k_gt_f32_comparator(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.compare GT, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }
  func.func @top_k_lt_f32_comparator(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.compare LT, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }
  func.func public @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x2xf32>, tensor<4x2xi32>, tensor<6x6xf32>) {
    %i = stablehlo.iota dim = 1 : tensor<4x6xi32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %best:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %least, %c) {backend_config = "", called_computations = [@top_k_gt_f32_comparator], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
    %local = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%tile: tensor<2x6xf32>) {
      %j = stablehlo.iota dim = 0 : tensor<2x6xi32>
      %greatest = stablehlo.constant dense<0x7F800000> : tensor<f32>
      %d = stablehlo.constant dense<-1> : tensor<i32>
      %own:2 = stablehlo.custom_call @ApproxTopK(%tile, %j, %greatest, %d) {called_computations = [@top_k_lt_f32_comparator], mhlo.backend_config = {aggregate_to_topk = false, reduction_dim = 0 : i64, top_k = 1 : i64}} : (tensor<2x6xf32>, tensor<2x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<1x6xf32>, tensor<1x6xi32>)
      %both = stablehlo.concatenate %own#0, %own#0, %own#0, dim = 0 : (tensor<1x6xf32>, tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<3x6xf32>
      sdy.return %both : tensor<3x6xf32>
    } : (tensor<4x6xf32>) -> tensor<6x6xf32>
    return %best#0, %best#1, %local : tensor<4x2xf32>, tensor<4x2xi32>, tensor<6x6xf32>
  }
}
