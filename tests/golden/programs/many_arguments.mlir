module @many {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<3xf32>, %arg2: tensor<4xf32>, %arg3: tensor<5xf32>, %arg4: tensor<6xf32>, %arg5: tensor<7xf32>, %arg6: tensor<8xf32>, %arg7: tensor<9xf32>, %arg8: tensor<10xf32>, %arg9: tensor<11xf32>, %arg10: tensor<12xf32>, %arg11: tensor<13xf32>, %arg12: tensor<14xf32>, %arg13: tensor<15xf32>, %arg14: tensor<16xf32>, %arg15: tensor<17xf32>, %arg16: tensor<18xf32>, %arg17: tensor<19xf32>, %arg18: tensor<20xf32>, %arg19: tensor<21xf32>) -> tensor<21xf32> {
    %0 = stablehlo.negate %arg19 : tensor<21xf32>
    return %0 : tensor<21xf32>
  }
}
