sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %u = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf32>
  %0 = sdy.manual_computation(%a, %i, %u) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%b: tensor<1x3xf32>, %j: tensor<1x1xi32>, %v: tensor<1x1xf32>) {
    %c = stablehlo.reshape %b : (tensor<1x3xf32>) -> tensor<3xf32>
    %w = stablehlo.reshape %v : (tensor<1x1xf32>) -> tensor<1xf32>
    %1 = "stablehlo.scatter"(%c, %j, %w) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<3xf32>, tensor<1x1xi32>, tensor<1xf32>) -> tensor<3xf32>
    %2 = stablehlo.reshape %1 : (tensor<3xf32>) -> tensor<1x3xf32>
    sdy.return %2 : tensor<1x3xf32>
  } : (tensor<2x3xf32>, tensor<2x1xi32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %0, dense<[[1.0, 2.0, 13.0], [24.0, 5.0, 6.0]]> : tensor<2x3xf32>
  return
}

