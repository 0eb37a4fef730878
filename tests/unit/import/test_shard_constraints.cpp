// SPDX-License-Identifier: Apache-2.0
// What MLIR's shard dialect demands of its ops, each broken once: every error says what is wrong, and where.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "one_op_text.hpp"
#include "run_text.hpp"

namespace tw::test_shard_constraints {

using namespace tw::test;

namespace {

struct Wrong {
  std::string text; // ^ stands in front of what the error is about
  std::string error;
};

// An op of an argument of `in`; what it makes has the type at its end.
Wrong local(std::string_view op, std::string_view error, std::string_view in = "tensor<6x6xf32>") {
  const size_t type = op.find_last_of(' ') + 1;
  return {one_op({2, 3}, op, in, op.substr(type)), std::string(error)};
}

Wrong sharding(std::string_view sharding, std::string_view error) {
  return {fmt::format(
              "shard.grid @grid0(shape = 2x3)\nfunc.func @main(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {{\n"
              "  %s = shard.sharding {} : !shard.sharding\n"
              "  %1 = shard.shard %0 to %s : tensor<4x8xf32>\n  return %1 : tensor<4x8xf32>\n}}\n",
              sharding),
          std::string(error)};
}

void check_refused(Wrong wrong) {
  const size_t at = wrong.text.find('^');
  REQUIRE(at != std::string::npos);
  wrong.text.erase(at, 1);
  CAPTURE(wrong.text);
  const std::string before = wrong.text.substr(0, at);
  CHECK(error_of(wrong.text) == fmt::format("{}:{}: {}", 1 + std::ranges::count(before, '\n'),
                                            at - before.find_last_of('\n'), wrong.error));
}

const std::vector<Wrong> &constraints() {
  static const std::vector<Wrong> all = {
      local("shard.all_gather %0 on ^@grid1 gather_axis = 1 : tensor<6x6xf32> -> tensor<6x6xf32>",
            "TW-115: the grid @grid1 is not defined"),
      local("shard.all_gather %0 on @grid0 ^grid_axes = [2] gather_axis = 1 : tensor<6x6xf32> -> "
            "tensor<6x12xf32>",
            "TW-115: shard.all_gather: the grid @grid0 of shape 2x3 has no axis 2: they are 0 to 1"),
      local("shard.all_gather %0 on @grid0 ^grid_axes = [-1] gather_axis = 1 : tensor<6x6xf32> -> "
            "tensor<6x12xf32>",
            "TW-115: shard.all_gather: the grid @grid0 of shape 2x3 has no axis -1: they are 0 to 1"),
      local("shard.all_gather %0 on @grid0 ^grid_axes = [0, 0] gather_axis = 1 : tensor<6x6xf32> -> "
            "tensor<6x12xf32>",
            "TW-115: shard.all_gather: axis 0 is named twice"),
      local("shard.all_gather %0 on @grid0 grid_axes = [0] ^gather_axis = 2 : tensor<6x6xf32> -> "
            "tensor<6x12xf32>",
            "TW-118: shard.all_gather: gather_axis is 2, and tensor<6x6xf32> has 2 dimensions"),
      local("^shard.all_gather %0 on @grid0 grid_axes = [1] gather_axis = 1 : tensor<6x6xf32> -> "
            "tensor<6x12xf32>",
            "TW-118: shard.all_gather: tensor<6x6xf32> over groups of 3 devices gives tensor<6x18xf32>, and "
            "tensor<6x12xf32> is stated"),
      local("^shard.all_gather %0 on @grid0 grid_axes = [0] : tensor<6x6xf32> -> tensor<6x12xf32>",
            "TW-118: shard.all_gather: gather_axis is missing"),
      local("^shard.all_gather %0 on @grid0 grid_axes = [0] gather_axis = 1 : tensor<6x6xf32> -> "
            "tensor<6x12xf64>",
            "TW-118: shard.all_gather: tensor<6x6xf32> becomes tensor<6x12xf64>: the element types differ"),
      local("shard.all_gather %0 on @grid0 grid_axes = [0] ^gather_axis = 0 : tensor<f32> -> tensor<2xf32>",
            "TW-118: shard.all_gather: gather_axis is 0, and tensor<f32> has 0 dimensions", "tensor<f32>"),
      local("^shard.all_gather %0 on @grid0 grid_axes = [0] gather_axis = 1 : tensor<6x6xf32> -> "
            "tensor<72xf32>",
            "TW-118: shard.all_gather: tensor<6x6xf32> over groups of 2 devices gives tensor<6x12xf32>, and "
            "tensor<72xf32> is stated"),
      local("^shard.all_slice %0 on @grid0 grid_axes = [0, 1] slice_axis = 1 : tensor<6x4xf32> -> "
            "tensor<6x1xf32>",
            "TW-118: shard.all_slice: dimension 1 of size 4 does not divide among the 6 devices of a group",
            "tensor<6x4xf32>"),
      local(
          "shard.all_slice %0 on @grid0 grid_axes = [0] ^slice_axis = 2 : tensor<6x6xf32> -> tensor<6x3xf32>",
          "TW-118: shard.all_slice: slice_axis is 2, and tensor<6x6xf32> has 2 dimensions"),
      local(
          "^shard.all_slice %0 on @grid0 grid_axes = [0] slice_axis = 1 : tensor<6x6xf32> -> tensor<6x2xf32>",
          "TW-118: shard.all_slice: tensor<6x6xf32> over groups of 2 devices gives tensor<6x3xf32>, and "
          "tensor<6x2xf32> is stated"),
      local("^shard.all_slice %0 on @grid0 grid_axes = [0] : tensor<6x6xf32> -> tensor<6x3xf32>",
            "TW-118: shard.all_slice: slice_axis is missing"),
      local("^shard.all_reduce %0 on @grid0 grid_axes = [0] : tensor<6x6xf32> -> tensor<6x12xf32>",
            "TW-118: shard.all_reduce: tensor<6x6xf32> over groups of 2 devices gives tensor<6x6xf32>, and "
            "tensor<6x12xf32> is stated"),
      local("shard.all_reduce %0 on @grid0 grid_axes = [0] reduction = ^<generic> : tensor<6x6xf32> -> "
            "tensor<6x6xf32>",
            "TW-118: shard.all_reduce: a generic reduction says no function: choose sum, max, min, product, "
            "average, bitwise_and, bitwise_or or bitwise_xor"),
      local("shard.all_reduce %0 on @grid0 grid_axes = [0] reduction = ^<most> : tensor<6x6xf32> -> "
            "tensor<6x6xf32>",
            "TW-118: shard.all_reduce: there is no reduction 'most': sum, max, min, product, average, "
            "bitwise_and, bitwise_or and bitwise_xor are known"),
      local("^shard.all_reduce %0 on @grid0 grid_axes = [0] reduction = <bitwise_and> : tensor<6x6xf32> -> "
            "tensor<6x6xf32>",
            "TW-118: shard.all_reduce: the reduction bitwise_and has no meaning for f32"),
      Wrong{"shard.grid @grid0(shape = 2x3)\nfunc.func @main(%0: tensor<6x6xf32>) -> tensor<6x6xf32> {\n  %1 "
            "= shard.all_reduce %0 on @grid0 grid_axes = [0] : ^memref<6x6xf32> -> memref<6x6xf32>\n  return "
            "%1 : tensor<6x6xf32>\n}\n",
            "TW-104: memrefs are not read: write tensors, before the program is bufferised"},
      local("shard.all_to_all %0 on @grid0 grid_axes = [1] ^split_axis = 2 concat_axis = 0 : tensor<6x6xf32> "
            "-> tensor<6x6xf32>",
            "TW-118: shard.all_to_all: split_axis is 2, and tensor<6x6xf32> has 2 dimensions"),
      local("shard.all_to_all %0 on @grid0 grid_axes = [1] split_axis = 0 ^concat_axis = -1 : "
            "tensor<6x6xf32> -> tensor<6x6xf32>",
            "TW-118: shard.all_to_all: concat_axis is -1, and tensor<6x6xf32> has 2 dimensions"),
      local("^shard.all_to_all %0 on @grid0 grid_axes = [1] split_axis = 0 concat_axis = 0 : tensor<4x6xf32> "
            "-> tensor<4x6xf32>",
            "TW-118: shard.all_to_all: dimension 0 of size 4 does not divide among the 3 devices of a group",
            "tensor<4x6xf32>"),
      local("^shard.all_to_all %0 on @grid0 grid_axes = [1] split_axis = 0 concat_axis = 1 : tensor<6x6xf32> "
            "-> tensor<6x6xf32>",
            "TW-118: shard.all_to_all: tensor<6x6xf32> over groups of 3 devices gives tensor<2x18xf32>, and "
            "tensor<6x6xf32> is stated"),
      local("shard.broadcast %0 on @grid0 grid_axes = [0, 1] ^root = [1] : (tensor<6x6xf32>) -> "
            "tensor<6x6xf32>",
            "TW-118: shard.broadcast: a root of 1 coordinates, and grid_axes = [0, 1]: one for each axis is "
            "needed"),
      local("shard.broadcast %0 on @grid0 grid_axes = [0] ^root = [2] : (tensor<6x6xf32>) -> tensor<6x6xf32>",
            "TW-118: shard.broadcast: coordinate 0 of the root is 2, and axis 0 of @grid0 has size 2"),
      local("^shard.broadcast %0 on @grid0 grid_axes = [0] : (tensor<6x6xf32>) -> tensor<6x6xf32>",
            "TW-118: shard.broadcast: root is missing"),
      local(
          "^shard.broadcast %0 on @grid0 grid_axes = [0] root = [0] : (tensor<6x6xf32>) -> tensor<6x12xf32>",
          "TW-118: shard.broadcast: tensor<6x6xf32> over groups of 2 devices gives tensor<6x6xf32>, and "
          "tensor<6x12xf32> is stated"),
      local("^shard.gather %0 on @grid0 grid_axes = [0] gather_axis = 1 : (tensor<6x6xf32>) -> "
            "tensor<6x12xf32>",
            "TW-118: shard.gather: root is missing"),
      local("shard.gather %0 on @grid0 grid_axes = [0] gather_axis = 1 ^root = [-1] : (tensor<6x6xf32>) -> "
            "tensor<6x12xf32>",
            "TW-118: shard.gather: coordinate 0 of the root is -1, and axis 0 of @grid0 has size 2"),
      local(
          "shard.gather %0 on @grid0 grid_axes = [0] gather_axis = 1 ^root = [0, 0] : (tensor<6x6xf32>) -> "
          "tensor<6x12xf32>",
          "TW-118: shard.gather: a root of 2 coordinates, and grid_axes = [0]: one for each axis is needed"),
      local("^shard.gather %0 on @grid0 grid_axes = [0] gather_axis = 0 root = [0] : (tensor<6x6xf32>) -> "
            "tensor<6x12xf32>",
            "TW-118: shard.gather: tensor<6x6xf32> over groups of 2 devices gives tensor<12x6xf32>, and "
            "tensor<6x12xf32> is stated"),
      local("shard.reduce %0 on @grid0 grid_axes = [0, 1] ^root = [2, 0] : (tensor<6x6xf32>) -> "
            "tensor<6x6xf32>",
            "TW-118: shard.reduce: coordinate 0 of the root is 2, and axis 0 of @grid0 has size 2"),
      local("shard.reduce %0 on @grid0 grid_axes = [0, 1] ^root = [0] : (tensor<6x6xf32>) -> tensor<6x6xf32>",
            "TW-118: shard.reduce: a root of 1 coordinates, and grid_axes = [0, 1]: one for each axis is "
            "needed"),
      local("^shard.reduce %0 on @grid0 grid_axes = [0] root = [0] : (tensor<6x6xf32>) -> tensor<6x12xf32>",
            "TW-118: shard.reduce: tensor<6x6xf32> over groups of 2 devices gives tensor<6x6xf32>, and "
            "tensor<6x12xf32> is stated"),
      local("^shard.reduce_scatter %0 on @grid0 grid_axes = [0, 1] scatter_axis = 0 : tensor<4x6xf32> -> "
            "tensor<1x6xf32>",
            "TW-118: shard.reduce_scatter: dimension 0 of size 4 does not divide among the 6 devices of a "
            "group",
            "tensor<4x6xf32>"),
      local("shard.reduce_scatter %0 on @grid0 grid_axes = [0] ^scatter_axis = 3 : tensor<6x6xf32> -> "
            "tensor<3x6xf32>",
            "TW-118: shard.reduce_scatter: scatter_axis is 3, and tensor<6x6xf32> has 2 dimensions"),
      local("^shard.reduce_scatter %0 on @grid0 grid_axes = [0] scatter_axis = 0 : tensor<6x6xf32> -> "
            "tensor<6x3xf32>",
            "TW-118: shard.reduce_scatter: tensor<6x6xf32> over groups of 2 devices gives tensor<3x6xf32>, "
            "and tensor<6x3xf32> is stated"),
      local("^shard.scatter %0 on @grid0 grid_axes = [1] scatter_axis = 0 root = [0] : (tensor<4x6xf32>) -> "
            "tensor<1x6xf32>",
            "TW-118: shard.scatter: dimension 0 of size 4 does not divide among the 3 devices of a group",
            "tensor<4x6xf32>"),
      local("shard.scatter %0 on @grid0 grid_axes = [1] scatter_axis = 0 ^root = [3] : (tensor<6x6xf32>) -> "
            "tensor<2x6xf32>",
            "TW-118: shard.scatter: coordinate 0 of the root is 3, and axis 1 of @grid0 has size 3"),
      local("^shard.scatter %0 on @grid0 grid_axes = [1] scatter_axis = 1 root = [0] : (tensor<6x6xf32>) -> "
            "tensor<2x6xf32>",
            "TW-118: shard.scatter: tensor<6x6xf32> over groups of 3 devices gives tensor<6x2xf32>, and "
            "tensor<2x6xf32> is stated"),
      local("shard.scatter %0 on @grid0 grid_axes = [1] ^scatter_axis = 2 root = [0] : (tensor<6x6xf32>) -> "
            "tensor<2x6xf32>",
            "TW-118: shard.scatter: scatter_axis is 2, and tensor<6x6xf32> has 2 dimensions"),
      local(
          "^shard.send %0 on @grid0 grid_axes = [0] destination = [0] : (tensor<6x6xf32>) -> tensor<6x6xf32>",
          "TW-119: device (0, 0) sends to device (0, 0), which never receives it"),
      local("shard.send %0 on @grid0 grid_axes = [0, 1] ^destination = [0] : (tensor<6x6xf32>) -> "
            "tensor<6x6xf32>",
            "TW-118: shard.send: 1 coordinates for 2 grid_axes: destination needs one for each"),
      local(
          "shard.send %0 on @grid0 grid_axes = [0] ^destination = [2] : (tensor<6x6xf32>) -> tensor<6x6xf32>",
          "TW-118: shard.send: coordinate 0 of destination is 2 on device (0, 0), and axis 0 of @grid0 has "
          "size 2"),
      local("^shard.recv %0 on @grid0 grid_axes = [0] source = [1] : (tensor<6x6xf32>) -> tensor<6x6xf32>",
            "TW-119: shard.recv: device (0, 0) receives from device (1, 0), which sent nothing to it before "
            "this line"),
      local("^shard.recv %0 on @grid0 grid_axes = [0] : (tensor<6x6xf32>) -> tensor<6x6xf32>",
            "TW-119: shard.recv: device (0, 0) receives, and no device of its group sent to it"),
      local("shard.recv %0 on @grid0 grid_axes = [0] ^source = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>",
            "TW-118: shard.recv: 2 coordinates for 1 grid_axes: source needs one for each"),
      local("shard.shift %0 on @grid0 grid_axes = [0] ^shift_axis = 1 offset = 1 : tensor<6x6xf32> -> "
            "tensor<6x6xf32>",
            "TW-118: shard.shift: shift_axis is 1, which is none of its grid_axes"),
      local("^shard.shift %0 on @grid0 grid_axes = [0] shift_axis = 0 rotate : tensor<6x6xf32> -> "
            "tensor<6x6xf32>",
            "TW-118: shard.shift: offset is missing"),
      local("^shard.shift %0 on @grid0 grid_axes = [0] shift_axis = 0 offset = 1 : tensor<6x6xf32> -> "
            "tensor<6x12xf32>",
            "TW-110: shard.shift: result 0 is tensor<6x6xf32>, but tensor<6x12xf32> is stated"),
      local("shard.update_halo %0 on @grid0 split_axes = [[0]] ^halo_sizes = [1, 1, 1, 1] : tensor<6x6xf32>",
            "TW-116: shard.update_halo: 4 halo sizes, and there are two for each of 1 sharded dimensions"),
      local("shard.update_halo %0 on @grid0 split_axes = [[0]] ^halo_sizes = [3, 3] : tensor<6x6xf32>",
            "TW-116: shard.update_halo: dimension 0 of size 6 has no cells between halos of 3 and 3"),
      local("shard.update_halo %0 on @grid0 split_axes = [[0]] ^halo_sizes = [-1, 3] : tensor<6x6xf32>",
            "TW-116: shard.update_halo: a halo of -1 cells: 0 to 1099511627776 are possible"),
      local("shard.update_halo %0 on @grid0 split_axes = [[0]] halo_sizes = [1, ^-9223372036854775808] : "
            "tensor<6x6xf32>",
            "TW-105: -9223372036854775808 stands for an operand in the attributes of an op, and is no number "
            "of this list: write the operand, such as %a"),
      local("shard.recv %0 on @grid0 grid_axes = [0] source = [^-9223372036854775808] : (tensor<6x6xf32>) -> "
            "tensor<6x6xf32>",
            "TW-105: -9223372036854775808 stands for an operand in the attributes of an op, and is no number "
            "of this list: write the operand, such as %a"),
      local("shard.update_halo %0 on @grid0 ^split_axes = [[0], [0]] halo_sizes = [1, 1, 1, 1] : "
            "tensor<6x6xf32>",
            "TW-115: shard.update_halo: axis 0 is named twice"),
      local(
          "shard.update_halo %0 on @grid0 ^split_axes = [[], [], [0]] halo_sizes = [1, 1] : tensor<6x6xf32>",
          "TW-116: shard.update_halo: split_axes has 3 lists, and tensor<6x6xf32> has 2 dimensions"),
      local("shard.update_halo %0 on @grid0 ^split_axes = [[2]] halo_sizes = [1, 1] : tensor<6x6xf32>",
            "TW-115: shard.update_halo: the grid @grid0 of shape 2x3 has no axis 2: they are 0 to 1"),
      local("shard.process_multi_index on @grid0 ^axes = [3] : index",
            "TW-115: shard.process_multi_index: the grid @grid0 of shape 2x3 has no axis 3: they are 0 to 1"),
      local(
          "shard.process_multi_index on @grid0 ^axes = [-1] : index",
          "TW-115: shard.process_multi_index: the grid @grid0 of shape 2x3 has no axis -1: they are 0 to 1"),
      local("^shard.process_multi_index on @grid0 axes = [0, 1] : index",
            "TW-110: shard.process_multi_index: 2 results, but types for 1"),
      local("^shard.process_linear_index on @grid0 : i32",
            "TW-110: shard.process_linear_index: result 0 is tensor<i64>, but tensor<i32> is stated"),
      local("shard.grid_shape @grid0 ^axes = [2] : index",
            "TW-115: shard.grid_shape: the grid @grid0 of shape 2x3 has no axis 2: they are 0 to 1"),
      local("shard.neighbors_linear_indices on @grid0^[0] split_axes = [0] : index",
            "TW-115: shard.neighbors_linear_indices: 1 coordinates for the grid @grid0 of shape 2x3"),
      local("shard.neighbors_linear_indices on @grid0[0, 0] ^split_axes = [2] : index",
            "TW-115: shard.neighbors_linear_indices: the grid @grid0 of shape 2x3 has no axis 2: they are 0 "
            "to 1"),
      local("shard.neighbors_linear_indices on @grid0^[0, 3] split_axes = [0] : index",
            "TW-115: shard.neighbors_linear_indices: coordinate 1 is 3, and axis 1 of @grid0 has size 3"),
      sharding("@grid0 ^split_axes = [[0], [0]]", "TW-115: shard.sharding: axis 0 is named twice"),
      sharding("@grid0 ^split_axes = [[2]]",
               "TW-115: shard.sharding: the grid @grid0 of shape 2x3 has no axis 2: they are 0 to 1"),
      sharding("@grid0 ^split_axes = []",
               "TW-116: shard.sharding: split_axes has no list: [[]] says that the array is whole"),
      Wrong{"shard.grid @grid0(shape = 2x3)\nfunc.func @main(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {\n  %s "
            "= shard.sharding @grid0 split_axes = [[], [], [0]] : !shard.sharding\n  %1 = ^shard.shard %0 to "
            "%s : tensor<4x8xf32>\n  return %1 : tensor<4x8xf32>\n}\n",
            "TW-116: shard.shard: @grid0 split_axes = [[], [], [0]] has 3 lists, and tensor<4x8xf32> has 2 "
            "dimensions"},
      sharding("@grid0 split_axes = [[0]] ^halo_sizes = [1]",
               "TW-116: shard.sharding: 1 halo sizes, and there are two for each of 1 sharded dimensions"),
      sharding("@grid0 split_axes = [[0]] ^halo_sizes = [1, -1]",
               "TW-116: shard.sharding: a halo of -1 cells: 0 to 1099511627776 are possible"),
      sharding(
          "@grid0 split_axes = [[0]] ^halo_sizes = [9223372036854775807, 9223372036854775807]",
          "TW-116: shard.sharding: a halo of 9223372036854775807 cells: 0 to 1099511627776 are possible"),
      sharding("@grid0 split_axes = [[0]] halo_sizes = [1, ^-9223372036854775808]",
               "TW-105: -9223372036854775808 stands for an operand in the attributes of an op, and is no "
               "number of this list: write the operand, such as %a"),
      sharding("@grid0 split_axes = [[0]] sharded_dims_offsets = [0, 2, ^-9223372036854775808]",
               "TW-105: -9223372036854775808 stands for an operand in the attributes of an op, and is no "
               "number of this list: write the operand, such as %a"),
      sharding("@grid0 split_axes = [[0]] halo_sizes = [1, 1] ^sharded_dims_offsets = [0, 1, 4]",
               "TW-116: shard.sharding: it has halo_sizes and sharded_dims_offsets, and only one of them may "
               "stand"),
      sharding("@grid0 split_axes = [[0]] ^sharded_dims_offsets = [0, 4]",
               "TW-116: shard.sharding: 2 offsets, and the 1 sharded dimensions have 3 altogether: those of "
               "all tiles and the end of the last one, of each"),
      sharding(
          "@grid0 split_axes = [[0]] ^sharded_dims_offsets = [1, 2, 4]",
          "TW-116: shard.sharding: the offsets 1, 2, 4 of dimension 0 must begin at 0 and never descend"),
      sharding(
          "@grid0 split_axes = [[0]] ^sharded_dims_offsets = [0, 5, 4]",
          "TW-116: shard.sharding: the offsets 0, 5, 4 of dimension 0 must begin at 0 and never descend"),
      Wrong{"shard.grid @grid0(shape = 2x3)\nfunc.func @main(%0: tensor<4x8xf32>) -> tensor<4x8xf32> {\n  %s "
            "= shard.sharding @grid0 split_axes = [[0]] sharded_dims_offsets = [0, 2, 5] : !shard.sharding\n "
            " %1 = ^shard.shard %0 to %s : tensor<4x8xf32>\n  return %1 : tensor<4x8xf32>\n}\n",
            "TW-116: shard.shard: the offsets of dimension 0 end at 5, and tensor<4x8xf32> has size 4 there"},
      sharding("^@grid1 split_axes = [[0]]", "TW-115: the grid @grid1 is not defined"),
      Wrong{"shard.grid @g(shape = 2x^0)\nfunc.func @main() { return }\n",
            "TW-115: the shape of a grid is sizes such as 2x4, 1 or larger, or ? for one that the mesh "
            "gives; '0' is none"},
      Wrong{"shard.grid @g^(shape = )\nfunc.func @main() { return }\n",
            "TW-115: a grid has at least one axis"},
      Wrong{"shard.grid @g(shape = 2)\nshard.grid @g^(shape = 3)\nfunc.func @main() { return }\n",
            "TW-106: the grid @g is defined twice"},
      Wrong{"shard.grid @g(shape = 2x?)\nfunc.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = "
            "shard.all_reduce %x on @^g : tensor<2xf32> -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n",
            "TW-115: the grid @g has shape 2x?: give a mesh of 2 axes, which says the sizes that are ?"},
      Wrong{"shard.grid @g(shape = 2)\nfunc.func @main(%0: tensor<2xf32>) {\n  %s = shard.sharding @g "
            "split_axes = [[0]]\n  %1 = shard.shard %0 to %s : tensor<2xf32>\n  %2 = ^shard.all_reduce %1 on "
            "@g : tensor<2xf32> -> tensor<2xf32>\n  return\n}\n",
            "TW-117: @main has both shard.shard, of programs over whole arrays, and shard.all_reduce, of the "
            "code of one device"},
      Wrong{"shard.grid @g(shape = 2)\nfunc.func @main() {\n  %s = shard.sharding @g split_axes = [[0]]\n  "
            "%1 = stablehlo.negate ^%s : tensor<2xf32>\n  return\n}\n",
            "TW-116: %s is a sharding, and an array is expected here"},
      Wrong{"shard.grid @g(shape = 2)\nfunc.func @main(%0: tensor<2xf32>) -> tensor<2xf32> {\n  %1 = "
            "shard.shard %0 to ^%s : tensor<2xf32>\n  return %1 : tensor<2xf32>\n}\n",
            "TW-116: this is no sharding: a value of shard.sharding or shard.get_sharding is expected"},
      Wrong{"shard.grid @g(shape = 2)\nfunc.func @main(%0: tensor<2xf32>) -> tensor<4xf32> {\n  %s = "
            "shard.sharding @g split_axes = [[0]]\n  %1 = ^shard.shard %0 to %s : tensor<4xf32>\n  return %1 "
            ": tensor<4xf32>\n}\n",
            "TW-110: shard.shard: its result has the type of its operand"},
      Wrong{"shard.grid @g(shape = 2)\nfunc.func @main(%h: i64, %0: tensor<8xf32>) -> tensor<8xf32> {\n  %s "
            "= shard.sharding @g split_axes = [[0]] ^halo_sizes = [%h, 1]\n  %1 = shard.shard %0 to %s : "
            "tensor<8xf32>\n  return %1 : tensor<8xf32>\n}\n",
            "TW-116: shard.sharding: number 0 of halo_sizes is not known: constants must decide it"},
      Wrong{"shard.grid @g(shape = 4)\nfunc.func @main() -> (index, index) {\n  %s = shard.sharding @g "
            "split_axes = [[], [0]]\n  %e:2 = ^shard.shard_shape dims = [4, 14, 2] sharding = %s device = "
            "[0] : index, index\n  return %e#0, %e#1 : index, index\n}\n",
            "TW-110: shard.shard_shape: 3 results, but types for 2"},
      Wrong{"shard.grid @g(shape = 4)\nfunc.func @main() -> (index, index) {\n  %s = shard.sharding @g "
            "split_axes = [[], [0]]\n  %e:2 = shard.shard_shape dims = [4, 14] sharding = %s ^device = [0, "
            "0] : index, index\n  return %e#0, %e#1 : index, index\n}\n",
            "TW-115: shard.shard_shape: 2 coordinates for the grid @g of shape 4"},
      Wrong{"shard.grid @g(shape = 4)\nfunc.func @main() -> (index, index) {\n  %s = shard.sharding @g "
            "split_axes = [[], [0]]\n  %e:2 = shard.shard_shape dims = [4, 14] sharding = %s ^device = [4] : "
            "index, index\n  return %e#0, %e#1 : index, index\n}\n",
            "TW-115: shard.shard_shape: coordinate 0 is 4, and axis 0 of @g has size 4"}};
  return all;
}

} // namespace

TEST_CASE("each constraint has its own error at its own place") {
  for (const Wrong &wrong : constraints())
    check_refused(wrong);
}

} // namespace tw::test_shard_constraints
