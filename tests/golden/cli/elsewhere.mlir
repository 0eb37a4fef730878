// Programs that XLA's partitioner is known to get wrong, or to refuse.
module {
  func.func public @cumulative(%x: tensor<13x5xf32>) -> (tensor<13x5xf32>, tensor<13x5xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %sum = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[12, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 13, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<13x5xf32>, tensor<f32>) -> tensor<13x5xf32>
    %max = "stablehlo.reduce_window"(%x, %least) <{padding = dense<[[0, 12], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 13, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<13x5xf32>, tensor<f32>) -> tensor<13x5xf32>
    return %sum, %max : tensor<13x5xf32>, tensor<13x5xf32>
  }

  // The gradient of a maximum over windows beside that of an average over the same windows.
  func.func public @pool_gradients(%x: tensor<2x13x3xf32>, %g: tensor<2x6x3xf32>) -> (tensor<2x13x3xf32>, tensor<2x13x3xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %max = "stablehlo.select_and_scatter"(%x, %g, %zero) <{window_dimensions = array<i64: 1, 3, 1>, window_strides = array<i64: 1, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x13x3xf32>, tensor<2x6x3xf32>, tensor<f32>) -> tensor<2x13x3xf32>
    %spread = stablehlo.pad %g, %zero, low = [0, 2, 0], high = [0, 2, 0], interior = [0, 1, 0] : (tensor<2x6x3xf32>, tensor<f32>) -> tensor<2x15x3xf32>
    %average = "stablehlo.reduce_window"(%spread, %zero) <{window_dimensions = array<i64: 1, 3, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x15x3xf32>, tensor<f32>) -> tensor<2x13x3xf32>
    return %max, %average : tensor<2x13x3xf32>, tensor<2x13x3xf32>
  }

  // What the kernel of a convolution in 3 groups gets from 4 images: a convolution whose images are the channels.
  func.func public @grouped_kernel(%x: tensor<4x9x6xf32>, %g: tensor<4x9x12xf32>) -> tensor<3x2x12xf32> {
    %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {pad = [[1, 1]]} {batch_group_count = 3 : i64, feature_group_count = 1 : i64} : (tensor<4x9x6xf32>, tensor<4x9x12xf32>) -> tensor<3x2x12xf32>
    return %0 : tensor<3x2x12xf32>
  }

  func.func public @xor(%x: tensor<7x5xi32>) -> tensor<5xi32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.xor across dimensions = [0] : (tensor<7x5xi32>, tensor<i32>) -> tensor<5xi32>
    return %0 : tensor<5xi32>
  }
}
