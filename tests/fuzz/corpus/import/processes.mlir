func.func @f(%a: tensor<4xi32>, %r: tensor<1xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  %1 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  %2 = "stablehlo.collective_broadcast"(%1, %r) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
  %3 = stablehlo.replica_id : tensor<ui32>
  %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
  %5 = stablehlo.dynamic_slice %0, %4, sizes = [4] : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return %2, %5 : tensor<4xi32>, tensor<4xi32>
}
func.func @main(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %r = stablehlo.constant dense<1> : tensor<1xi32>
  %0:4 = "interpreter.run_parallel"(%a, %r, %b, %r) {programs = [[@f], [@f]]} : (tensor<4xi32>, tensor<1xi32>, tensor<4xi32>, tensor<1xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
  return %0#0 : tensor<4xi32>
}
