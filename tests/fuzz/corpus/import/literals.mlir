func.func @main() {
  %0 = stablehlo.constant dense<[[1, 2], [3, -1]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<"0x0000803F000020C0"> : tensor<2xf32>
  %2 = stablehlo.constant dense<0xFF80> : tensor<4xbf16>
  %3 = stablehlo.constant dense<[(1.0, 2.0), (0.0, 0x7FC00000)]> : tensor<2xcomplex<f32>>
  %4 = stablehlo.constant dense<"0x0502"> : tensor<11xi1>
  %5 = stablehlo.constant dense_resource<weights> : tensor<2xf32>
  %6 = stablehlo.constant dense<1.5> : tensor<f8E4M3FN>
  %7 = stablehlo.constant dense<[[], []]> : tensor<2x0xf32>
  return
}
{-#
  dialect_resources: { builtin: { weights: "0x040000000000803F000020C0" } }
#-}
