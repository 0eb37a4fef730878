// Made by zoo.py.
module @jit_fft_filter attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x12x10xf32>, %arg1: tensor<3x3xf32>) -> (tensor<6x12x10xf32> {jax.result_info = "result[0]"}) {
    %0 = call @fft(%arg0) : (tensor<6x12x10xf32>) -> tensor<6x12x6xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = call @_pad(%arg1, %c) : (tensor<3x3xf32>, tensor<i32>) -> tensor<12x10xf32>
    %2 = call @fft_0(%1) : (tensor<12x10xf32>) -> tensor<12x6xcomplex<f32>>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<12x6xcomplex<f32>>) -> tensor<1x12x6xcomplex<f32>>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x12x6xcomplex<f32>>) -> tensor<6x12x6xcomplex<f32>>
    %5 = stablehlo.multiply %0, %4 : tensor<6x12x6xcomplex<f32>>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %6 = call @_pad_1(%5, %c_0) : (tensor<6x12x6xcomplex<f32>>, tensor<i32>) -> tensor<6x12x6xcomplex<f32>>
    %7 = call @fft_2(%6) : (tensor<6x12x6xcomplex<f32>>) -> tensor<6x12x10xf32>
    return %7 : tensor<6x12x10xf32>
  }
  func.func private @fft(%arg0: tensor<6x12x10xf32>) -> tensor<6x12x6xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [12, 10] : (tensor<6x12x10xf32>) -> tensor<6x12x6xcomplex<f32>>
    return %0 : tensor<6x12x6xcomplex<f32>>
  }
  func.func private @_pad(%arg0: tensor<3x3xf32>, %arg1: tensor<i32>) -> tensor<12x10xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [9, 7], interior = [0, 0] : (tensor<3x3xf32>, tensor<f32>) -> tensor<12x10xf32>
    return %1 : tensor<12x10xf32>
  }
  func.func private @fft_0(%arg0: tensor<12x10xf32>) -> tensor<12x6xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [12, 10] : (tensor<12x10xf32>) -> tensor<12x6xcomplex<f32>>
    return %0 : tensor<12x6xcomplex<f32>>
  }
  func.func private @_pad_1(%arg0: tensor<6x12x6xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<6x12x6xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<6x12x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<6x12x6xcomplex<f32>>
    return %1 : tensor<6x12x6xcomplex<f32>>
  }
  func.func private @fft_2(%arg0: tensor<6x12x6xcomplex<f32>>) -> tensor<6x12x10xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [12, 10] : (tensor<6x12x6xcomplex<f32>>) -> tensor<6x12x10xf32>
    return %0 : tensor<6x12x10xf32>
  }
}
