// Device-local code against the same computation on whole arrays: loops, branches, convolutions, windows, scatters, matrix functions.
sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @loop() {
  %a = stablehlo.constant dense<[[0.5, -1.0, 0.25, 2.0], [1.5, 0.75, -0.5, 1.0]]> : tensor<2x4xf32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = sdy.manual_computation(%a, %n) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, []>] out_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, []>] manual_axes={"x", "y"} (%b: tensor<1x2xf32>, %m: tensor<i32>) {
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %1:2 = stablehlo.while(%i = %c0, %s = %b) : tensor<i32>, tensor<1x2xf32>
      cond {
        %c = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %2 = "stablehlo.all_reduce"(%s) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
        ^bb0(%p: tensor<f32>, %q: tensor<f32>):
          %3 = stablehlo.maximum %p, %q : tensor<f32>
          stablehlo.return %3 : tensor<f32>
        }) : (tensor<1x2xf32>) -> tensor<1x2xf32>
        %4 = stablehlo.subtract %2, %b : tensor<1x2xf32>
        %5 = stablehlo.add %i, %c1 : tensor<i32>
        stablehlo.return %5, %4 : tensor<i32>, tensor<1x2xf32>
      }
    sdy.return %1#1, %1#0 : tensor<1x2xf32>, tensor<i32>
  } : (tensor<2x4xf32>, tensor<i32>) -> (tensor<2x4xf32>, tensor<i32>)
  // Three turns by hand: the larger of columns 0 and 2, and of 1 and 3, less the first array.
  check.expect_eq_const %0#0, dense<[[-0.5, 5.0, -0.25, 2.0], [1.0, -1.25, 3.0, -1.5]]> : tensor<2x4xf32>
  check.expect_eq_const %0#1, dense<3> : tensor<i32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @branches() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%b: tensor<1x1xf32>) {
    %id = stablehlo.partition_id : tensor<ui32>
    %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %1 = "stablehlo.case"(%i) ({
      %2 = stablehlo.add %b, %b : tensor<1x1xf32>
      stablehlo.return %2 : tensor<1x1xf32>
    }, {
      %2 = stablehlo.negate %b : tensor<1x1xf32>
      stablehlo.return %2 : tensor<1x1xf32>
    }, {
      stablehlo.return %b : tensor<1x1xf32>
    }) : (tensor<i32>) -> tensor<1x1xf32>
    %yes = stablehlo.constant dense<true> : tensor<i1>
    %3 = "stablehlo.if"(%yes) ({
      %4 = stablehlo.add %1, %b : tensor<1x1xf32>
      stablehlo.return %4 : tensor<1x1xf32>
    }, {
      %z = stablehlo.constant dense<0.0> : tensor<1x1xf32>
      stablehlo.return %z : tensor<1x1xf32>
    }) : (tensor<i1>) -> tensor<1x1xf32>
    sdy.return %3 : tensor<1x1xf32>
  } : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[3.0, 0.0], [6.0, 8.0]]> : tensor<2x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @convolutions() {
  %i = stablehlo.iota dim = 0 : tensor<192xf32>
  %s = stablehlo.sine %i : tensor<192xf32>
  %a = stablehlo.reshape %s : (tensor<192xf32>) -> tensor<4x4x4x3xf32>
  %j = stablehlo.iota dim = 0 : tensor<108xf32>
  %c = stablehlo.cosine %j : tensor<108xf32>
  %k = stablehlo.reshape %c : (tensor<108xf32>) -> tensor<3x3x3x4xf32>
  %whole = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x4x4x3xf32>, tensor<3x3x3x4xf32>) -> tensor<4x2x4x4xf32>
  %0:2 = sdy.manual_computation(%a, %k, %k) in_shardings=[<@mesh, [{"x"}, {}, {}, {}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}, {}, {}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}, {}, {}]>, <@mesh, [{"x"}, {}, {}, {"y"}]>] manual_axes={"x", "y"} (%b: tensor<2x4x4x3xf32>, %l: tensor<3x3x3x4xf32>, %h: tensor<3x3x3x2xf32>) {
    %1 = stablehlo.convolution(%b, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x4x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x2x4x4xf32>
    %2 = stablehlo.convolution(%b, %h) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x4x3xf32>, tensor<3x3x3x2xf32>) -> tensor<2x2x4x2xf32>
    sdy.return %1, %2 : tensor<2x2x4x4xf32>, tensor<2x2x4x2xf32>
  } : (tensor<4x4x4x3xf32>, tensor<3x3x3x4xf32>, tensor<3x3x3x4xf32>) -> (tensor<4x2x4x4xf32>, tensor<4x2x4x4xf32>)
  check.expect_almost_eq %0#0, %whole : tensor<4x2x4x4xf32>
  check.expect_almost_eq %0#1, %whole : tensor<4x2x4x4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @grouped() {
  %i = stablehlo.iota dim = 0 : tensor<64xf32>
  %s = stablehlo.sine %i : tensor<64xf32>
  %a = stablehlo.reshape %s : (tensor<64xf32>) -> tensor<4x4x4xf32>
  %j = stablehlo.iota dim = 0 : tensor<48xf32>
  %c = stablehlo.cosine %j : tensor<48xf32>
  %k = stablehlo.reshape %c : (tensor<48xf32>) -> tensor<3x4x4xf32>
  // The kernel's gradient of a grouped convolution: groups of images. Every device has two images of each group, or one with kernels of its own.
  %whole = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x4x4xf32>, tensor<3x4x4xf32>) -> tensor<2x4x4xf32>
  %0:2 = sdy.manual_computation(%a, %k) in_shardings=[<@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {"x"}]>] out_shardings=[<@mesh, [{}, {}, {}]>, <@mesh, [{"x"}, {}, {}]>] manual_axes={"x", "y"} (%b: tensor<4x4x4xf32>, %h: tensor<3x4x2xf32>) {
    %1 = "stablehlo.all_gather"(%h) <{all_gather_dim = 2 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<3x4x2xf32>) -> tensor<3x4x4xf32>
    %2 = stablehlo.convolution(%b, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x4x4xf32>, tensor<3x4x4xf32>) -> tensor<2x4x4xf32>
    %3 = stablehlo.convolution(%b, %h) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x4x4xf32>, tensor<3x4x2xf32>) -> tensor<2x4x2xf32>
    sdy.return %2, %3 : tensor<2x4x4xf32>, tensor<2x4x2xf32>
  } : (tensor<4x4x4xf32>, tensor<3x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<4x4x2xf32>)
  check.expect_almost_eq %0#0, %whole : tensor<2x4x4xf32>
  %k0 = stablehlo.slice %k [0:3, 0:4, 0:2] : (tensor<3x4x4xf32>) -> tensor<3x4x2xf32>
  %k1 = stablehlo.slice %k [0:3, 0:4, 2:4] : (tensor<3x4x4xf32>) -> tensor<3x4x2xf32>
  %w0 = stablehlo.convolution(%a, %k0) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x4x4xf32>, tensor<3x4x2xf32>) -> tensor<2x4x2xf32>
  %w1 = stablehlo.convolution(%a, %k1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x4x4xf32>, tensor<3x4x2xf32>) -> tensor<2x4x2xf32>
  %w = stablehlo.concatenate %w0, %w1, dim = 0 : (tensor<2x4x2xf32>, tensor<2x4x2xf32>) -> tensor<4x4x2xf32>
  check.expect_almost_eq %0#1, %w : tensor<4x4x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @windows() {
  %i = stablehlo.iota dim = 0 : tensor<64xf32>
  %s = stablehlo.sine %i : tensor<64xf32>
  %a = stablehlo.reshape %s : (tensor<64xf32>) -> tensor<4x16xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %u = stablehlo.constant dense<1.0> : tensor<4x8xf32>
  %pool = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x16xf32>, tensor<f32>) -> tensor<4x8xf32>
  %most = "stablehlo.select_and_scatter"(%a, %u, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x16xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x16xf32>
  %twice = stablehlo.add %a, %a : tensor<4x16xf32>
  %0:3 = sdy.manual_computation(%a, %u) in_shardings=[<@mesh, [{"y"}, {}]>, <@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"y"}, {}]>, <@mesh, [{"y"}, {}]>, <@mesh, [{"y"}, {}]>] manual_axes={"y"} (%b: tensor<2x16xf32>, %v: tensor<2x8xf32>) {
    %1 = "stablehlo.reduce_window"(%b, %z) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %2 = "stablehlo.select_and_scatter"(%b, %v, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
    }, {
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x16xf32>, tensor<2x8xf32>, tensor<f32>) -> tensor<2x16xf32>
    %3 = "stablehlo.map"(%b, %b) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
    sdy.return %1, %2, %3 : tensor<2x8xf32>, tensor<2x16xf32>, tensor<2x16xf32>
  } : (tensor<4x16xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x16xf32>)
  check.expect_almost_eq %0#0, %pool : tensor<4x8xf32>
  check.expect_almost_eq %0#1, %most : tensor<4x16xf32>
  check.expect_almost_eq %0#2, %twice : tensor<4x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @scatter() {
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

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @matrices() {
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

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @own_scalars() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %u = stablehlo.constant dense<[[10.0, 11.0], [20.0, 21.0]]> : tensor<2x2xf32>
  %0:4 = sdy.manual_computation(%a, %u) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%b: tensor<1x3xf32>, %v: tensor<1x2xf32>) {
    %id = stablehlo.partition_id : tensor<ui32>
    %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    // Devices 0 and 2 stand for their pairs: they update from 0 and, moved into the array, from 1.
    %1 = stablehlo.dynamic_update_slice %b, %v, %c0, %i : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %2 = stablehlo.reduce(%b init: %f) applies stablehlo.add across dimensions = [1] : (tensor<1x3xf32>, tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.pad %b, %f, low = [0, -1], high = [0, 1], interior = [0, 1] : (tensor<1x3xf32>, tensor<f32>) -> tensor<1x5xf32>
    %4 = stablehlo.dynamic_slice %b, %c0, %i, sizes = [1, 2] : (tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    sdy.return %1, %2, %3, %4 : tensor<1x3xf32>, tensor<1xf32>, tensor<1x5xf32>, tensor<1x2xf32>
  } : (tensor<2x3xf32>, tensor<2x2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2x5xf32>, tensor<2x2xf32>)
  check.expect_eq_const %0#0, dense<[[10.0, 11.0, 3.0], [4.0, 20.0, 21.0]]> : tensor<2x3xf32>
  check.expect_eq_const %0#1, dense<[6.0, 17.0]> : tensor<2xf32>
  check.expect_eq_const %0#2, dense<[[0.0, 2.0, 0.0, 3.0, 0.0], [2.0, 5.0, 2.0, 6.0, 2.0]]> : tensor<2x5xf32>
  check.expect_eq_const %0#3, dense<[[1.0, 2.0], [5.0, 6.0]]> : tensor<2x2xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

// What comes as addends is whole on one device and zero on the others; what goes as addends is added up.
func.func @addends() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0:3 = sdy.manual_computation(%a, %a) in_shardings=[<@mesh, [{"x"}, {}], unreduced={"y"}>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x"}, {}], unreduced={"y"}>, <@mesh, [{"x"}, {}]>, <@mesh, [{}, {}], unreduced={"x", "y"}>] manual_axes={"x", "y"} (%b: tensor<1x3xi32>, %c: tensor<2x3xi32>) {
    %1 = stablehlo.add %b, %b : tensor<1x3xi32>
    %2 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%l: tensor<i32>, %r: tensor<i32>):
      %s = stablehlo.add %l, %r : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<1x3xi32>) -> tensor<1x3xi32>
    sdy.return %1, %2, %c : tensor<1x3xi32>, tensor<1x3xi32>, tensor<2x3xi32>
  } : (tensor<2x3xi32>, tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>)
  check.expect_eq_const %0#0, dense<[[2, 4, 6], [8, 10, 12]]> : tensor<2x3xi32>
  check.expect_eq_const %0#1, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  check.expect_eq_const %0#2, dense<[[4, 8, 12], [16, 20, 24]]> : tensor<2x3xi32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

// An op that knows no dimensions in front: each device has a state of its own, and gets bits of its own.
func.func @own_random_bits() {
  %s = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xui64>
  %0:2 = sdy.manual_computation(%s) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}]>] manual_axes={"x", "y"} (%b: tensor<1x2xui64>) {
    %k = stablehlo.reshape %b : (tensor<1x2xui64>) -> tensor<2xui64>
    %next, %bits = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
    %row = stablehlo.reshape %next : (tensor<2xui64>) -> tensor<1x2xui64>
    sdy.return %row, %bits : tensor<1x2xui64>, tensor<3xui32>
  } : (tensor<2x2xui64>) -> (tensor<2x2xui64>, tensor<6xui32>)
  %k0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %k1 = stablehlo.constant dense<[3, 4]> : tensor<2xui64>
  %n0, %b0 = stablehlo.rng_bit_generator %k0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  %n1, %b1 = stablehlo.rng_bit_generator %k1, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  %bits = stablehlo.concatenate %b0, %b1, dim = 0 : (tensor<3xui32>, tensor<3xui32>) -> tensor<6xui32>
  %r0 = stablehlo.reshape %n0 : (tensor<2xui64>) -> tensor<1x2xui64>
  %r1 = stablehlo.reshape %n1 : (tensor<2xui64>) -> tensor<1x2xui64>
  %next = stablehlo.concatenate %r0, %r1, dim = 0 : (tensor<1x2xui64>, tensor<1x2xui64>) -> tensor<2x2xui64>
  check.expect_eq %0#1, %bits : tensor<6xui32>
  check.expect_eq %0#0, %next : tensor<2x2xui64>
  return
}
