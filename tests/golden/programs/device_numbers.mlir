// Devices differ by their numbers alone: what goes in is whole, and what comes out is tiled as it says.
module @numbers attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main() -> tensor<8xf32> {
    %one = stablehlo.constant dense<1.0> : tensor<8xf32>
    %0 = sdy.manual_computation(%one) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%all: tensor<8xf32>) {
      %id = stablehlo.partition_id : tensor<ui32>
      %number = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %start = stablehlo.multiply %number, %two : tensor<i32>
      %own = stablehlo.dynamic_slice %all, %start, sizes = [2] : (tensor<8xf32>, tensor<i32>) -> tensor<2xf32>
      sdy.return %own : tensor<2xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
