// SPDX-License-Identifier: Apache-2.0
// A circular convolution as a product of transforms, of lengths with small factors (12) and with a large one (37).
func.func @convolution() {
  %i = stablehlo.iota dim = 1 : tensor<5x12xf64>
  %b = stablehlo.iota dim = 0 : tensor<5x12xf64>
  %x = stablehlo.multiply %i, %b : tensor<5x12xf64>
  %0 = stablehlo.fft %x, type = RFFT, length = [12] : (tensor<5x12xf64>) -> tensor<5x7xcomplex<f64>>
  %shift = stablehlo.constant dense<[[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<1x12xf64>
  %1 = stablehlo.fft %shift, type = RFFT, length = [12] : (tensor<1x12xf64>) -> tensor<1x7xcomplex<f64>>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x7xcomplex<f64>>) -> tensor<5x7xcomplex<f64>>
  %3 = stablehlo.multiply %0, %2 : tensor<5x7xcomplex<f64>>
  %4 = stablehlo.fft %3, type = IRFFT, length = [12] : (tensor<5x7xcomplex<f64>>) -> tensor<5x12xf64>
  %5 = stablehlo.slice %x [0:5, 11:12] : (tensor<5x12xf64>) -> tensor<5x1xf64>
  %6 = stablehlo.slice %x [0:5, 0:11] : (tensor<5x12xf64>) -> tensor<5x11xf64>
  %7 = stablehlo.concatenate %5, %6, dim = 1 : (tensor<5x1xf64>, tensor<5x11xf64>) -> tensor<5x12xf64>
  check.expect_almost_eq %4, %7, tolerance = 0.0000000001 : tensor<5x12xf64>
  func.return
}

// -----

func.func @there_and_back() {
  %r = stablehlo.iota dim = 1 : tensor<3x4x37xf64>
  %m = stablehlo.iota dim = 2 : tensor<3x4x37xf64>
  %x = stablehlo.complex %r, %m : tensor<3x4x37xcomplex<f64>>
  %0 = stablehlo.fft %x, type = FFT, length = [4, 37] : (tensor<3x4x37xcomplex<f64>>) -> tensor<3x4x37xcomplex<f64>>
  %1 = stablehlo.fft %0, type = IFFT, length = [4, 37] : (tensor<3x4x37xcomplex<f64>>) -> tensor<3x4x37xcomplex<f64>>
  check.expect_almost_eq %1, %x, tolerance = 0.0000000001 : tensor<3x4x37xcomplex<f64>>
  func.return
}
