sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @main() {
  %m = stablehlo.constant dense<[[[4.0, 2.0], [2.0, 5.0]], [[9.0, 3.0], [3.0, 17.0]]]> : tensor<2x2x2xf32>
  %c = stablehlo.cholesky %m, lower = true : tensor<2x2x2xf32>
  %t = "stablehlo.triangular_solve"(%c, %m) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %f = stablehlo.fft %m, type = RFFT, length = [2] : (tensor<2x2x2xf32>) -> tensor<2x2x2xcomplex<f32>>
  %re = stablehlo.real %f : (tensor<2x2x2xcomplex<f32>>) -> tensor<2x2x2xf32>
  %0:4 = sdy.manual_computation(%m) in_shardings=[<@mesh, [{"x"}, {}, {}]>] out_shardings=[<@mesh, [{"x"}, {}, {}]>, <@mesh, [{"x"}, {}, {}]>, <@mesh, [{"x"}, {}, {}]>, <@mesh, [{"x"}, {}, {}]>] manual_axes={"x", "y"} (%b: tensor<1x2x2xf32>) {
    %1 = stablehlo.cholesky %b, lower = true : tensor<1x2x2xf32>
    %2 = "stablehlo.triangular_solve"(%1, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
    %3 = stablehlo.fft %b, type = RFFT, length = [2] : (tensor<1x2x2xf32>) -> tensor<1x2x2xcomplex<f32>>
    %4 = stablehlo.real %3 : (tensor<1x2x2xcomplex<f32>>) -> tensor<1x2x2xf32>
    %values, %indices = chlo.top_k(%b, k = 1) : tensor<1x2x2xf32> -> (tensor<1x2x1xf32>, tensor<1x2x1xi32>)
    sdy.return %1, %2, %4, %values : tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x1xf32>
  } : (tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x1xf32>)
  check.expect_almost_eq %0#0, %c : tensor<2x2x2xf32>
  check.expect_almost_eq %0#1, %t : tensor<2x2x2xf32>
  check.expect_almost_eq %0#2, %re : tensor<2x2x2xf32>
  check.expect_eq_const %0#3, dense<[[[4.0], [5.0]], [[9.0], [17.0]]]> : tensor<2x2x1xf32>
  return
}

