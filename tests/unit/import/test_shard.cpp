// SPDX-License-Identifier: Apache-2.0
// MLIR's shard dialect: the examples and figures of its documentation, its indices against their definitions,
// annotations, and what is wrong about each clause. Longer than other files: an entry for each clause.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "grid_devices.hpp"
#include "import/import.hpp"
#include "run_text.hpp"

namespace tw::test_shard {

using namespace tw::test;

namespace {

std::string shape_text(const Ints &sizes) { return fmt::format("{}", fmt::join(sizes, "x")); }

// The code of one device that applies one op to its argument.
std::string one_op(const Ints &grid, std::string_view op, std::string_view in, std::string_view out) {
  return fmt::format("shard.grid @grid0(shape = {})\n"
                     "func.func @main(%0: {}) -> {} {{\n  %1 = {}\n  return %1 : {}\n}}\n",
                     shape_text(grid), in, out, op, out);
}

std::vector<Ints> all_grids() {
  std::vector<Ints> grids;
  for (int64_t a = 1; a <= 3; ++a) {
    grids.push_back({a});
    for (int64_t b = 1; b <= 3; ++b) {
      grids.push_back({a, b});
      for (int64_t c = 1; c <= 3; ++c) {
        grids.push_back({a, b, c});
        for (int64_t d = 1; d <= 3; ++d)
          grids.push_back({a, b, c, d});
      }
    }
  }
  return grids;
}

// Every list of different axes, in every order, the empty one too.
std::vector<Ints> all_axes(int64_t rank) {
  std::vector<Ints> lists{{}};
  for (size_t i = 0; i < lists.size(); ++i)
    for (int64_t axis = 0; axis < rank; ++axis)
      if (std::ranges::find(lists[i], axis) == lists[i].end()) {
        Ints longer = lists[i];
        longer.push_back(axis);
        lists.push_back(longer);
      }
  return lists;
}

} // namespace

TEST_CASE("the figures of the collectives hold") {
  const Doubles quarters{1, 2,  3,  4,  5,  6,  7,  8,
                         9, 10, 11, 12, 13, 14, 15, 16}; // of devices (0, 0), (0, 1), ..
  const Doubles gathered{1, 2,  5,  6,  3,  4,  7,  8,  1, 2,  5,  6,  3,  4,  7,  8,
                         9, 10, 13, 14, 11, 12, 15, 16, 9, 10, 13, 14, 11, 12, 15, 16};
  CHECK(run_text(one_op({2, 2},
                        "shard.all_gather %0 on @grid0 grid_axes = [1] gather_axis = 1 : tensor<2x2xi8> -> "
                        "tensor<2x4xi8>",
                        "tensor<2x2xi8>", "tensor<2x4xi8>"),
                 {quarters})[0] == gathered);
  CHECK(run_text(one_op({2, 2},
                        "shard.all_slice %0 on @grid0 grid_axes = [1] slice_axis = 1 : tensor<2x4xi8> -> "
                        "tensor<2x2xi8>",
                        "tensor<2x4xi8>", "tensor<2x2xi8>"),
                 {gathered})[0] == quarters);
  CHECK(run_text(one_op({3},
                        "shard.all_to_all %0 on @grid0 grid_axes = [0] split_axis = 0 concat_axis = 0 : "
                        "tensor<3x2xi8> -> tensor<3x2xi8>",
                        "tensor<3x2xi8>", "tensor<3x2xi8>"),
                 {{11, 12, 13, 14, 15, 16, 21, 22, 23, 24, 25, 26, 31, 32, 33, 34, 35, 36}})[0] ==
        Doubles{11, 12, 21, 22, 31, 32, 13, 14, 23, 24, 33, 34, 15, 16, 25, 26, 35, 36});
  CHECK(run_text(one_op({2, 2},
                        "shard.broadcast %0 on @grid0\n grid_axes = [0]\n root = [0]\n : (tensor<2xi8>) -> "
                        "tensor<2xi8>",
                        "tensor<2xi8>", "tensor<2xi8>"),
                 {{1, 2, 3, 4, 0, 0, 0, 0}})[0] == Doubles{1, 2, 3, 4, 1, 2, 3, 4});
  const Doubles at_root = run_text(one_op({2, 2},
                                          "shard.gather %0 on @grid0 grid_axes = [1]\n gather_axis = 1 root "
                                          "= [1]\n : (tensor<2x2xi8>) -> tensor<2x4xi8>",
                                          "tensor<2x2xi8>", "tensor<2x4xi8>"),
                                   {quarters})[0];
  CHECK(Doubles(at_root.begin() + 8, at_root.begin() + 16) == Doubles{1, 2, 5, 6, 3, 4, 7, 8});
  CHECK(Doubles(at_root.begin() + 24, at_root.end()) == Doubles{9, 10, 13, 14, 11, 12, 15, 16});
  CHECK(run_text(one_op({2, 2},
                        "shard.reduce_scatter %0 on @grid0 grid_axes = [1] scatter_axis = 0 : "
                        "tensor<2x2xf32> -> tensor<1x2xf64>",
                        "tensor<2x2xf32>", "tensor<1x2xf64>"),
                 {quarters})[0] == Doubles{6, 8, 10, 12, 22, 24, 26, 28});
  CHECK(run_text(one_op({2, 2},
                        "shard.scatter %0 on @grid0 grid_axes = [0]\n scatter_axis = 0\n root = [1]\n : "
                        "(tensor<2x2xi8>) -> tensor<1x2xi8>",
                        "tensor<2x2xi8>", "tensor<1x2xi8>"),
                 {{0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}})[0] == Doubles{1, 2, 5, 6, 3, 4, 7, 8});
  CHECK(run_text(one_op({2, 4},
                        "shard.shift %0 on @grid0 grid_axes = [1]\n shift_axis = 1 offset = 2 rotate\n : "
                        "tensor<1xi8> -> tensor<1xi8>",
                        "tensor<1xi8>", "tensor<1xi8>"),
                 {{1, 2, 3, 4, 5, 6, 7, 8}})[0] == Doubles{3, 4, 1, 2, 7, 8, 5, 6});
  CHECK(run_text(one_op({2, 2},
                        "shard.all_reduce %0 on @grid0 grid_axes = [1, 0] reduction = <max>\n : "
                        "tensor<1xf32> -> tensor<1xf64>",
                        "tensor<1xf32>", "tensor<1xf64>"),
                 {{3, 9, -2, 4}})[0] == Doubles{9, 9, 9, 9});
  CHECK(run_text(one_op({3, 4},
                        "shard.reduce %0 on @grid0 grid_axes = [1, 0]\n reduction = <max> root = [2, 1]\n : "
                        "(tensor<1xf32>) -> tensor<1xf64>",
                        "tensor<1xf32>", "tensor<1xf64>"),
                 {{3, 9, -2, 4, 0, 1, 2, 3, 4, 5, 6, 7}})[0] == Doubles{0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0});
}

TEST_CASE("indices and neighbours are what their definitions say on every grid of up to four axes") {
  for (const Ints &sizes : all_grids()) {
    const Devices devices{sizes};
    const auto rank = std::ssize(sizes);
    for (const Ints &axes : all_axes(rank)) {
      std::string results = "index", values = "%l", multi, types;
      for (int64_t i = 0; i < (axes.empty() ? rank : std::ssize(axes)); ++i) {
        results += ", index";
        values += fmt::format(", %m#{}", i);
        types += i == 0 ? "index" : ", index";
      }
      std::vector<std::string> own;
      for (int64_t i = 0; i < rank; ++i)
        own.push_back(fmt::format("%own#{}", i));
      const std::string text =
          fmt::format("shard.grid @g(shape = {0})\n"
                      "func.func @main() -> ({1}, index, index) {{\n"
                      "  %l = shard.process_linear_index on @g : index\n"
                      "  %m:{2} = shard.process_multi_index on @g {3}: {4}\n"
                      "  %own:{5} = shard.process_multi_index on @g : {6}\n"
                      "  %n:2 = shard.neighbors_linear_indices on @g[{7}] split_axes = [{8}] : index, index\n"
                      "  return {9}, %n#0, %n#1 : {1}, index, index\n}}\n",
                      shape_text(sizes), results, axes.empty() ? rank : std::ssize(axes),
                      axes.empty() ? "" : fmt::format("axes = [{}] ", fmt::join(axes, ", ")), types, rank,
                      fmt::join(std::vector<std::string>(sizes.size(), "index"), ", "), fmt::join(own, ", "),
                      fmt::join(axes, ", "), values);
      const auto got = run_text(text);
      CAPTURE(text);
      for (int64_t d = 0; d < devices.count(); ++d) {
        const auto at = static_cast<size_t>(d);
        REQUIRE(got[0][at] == static_cast<double>(d));
        const Ints place = devices.coordinates(d);
        for (size_t i = 0; i < (axes.empty() ? sizes.size() : axes.size()); ++i)
          REQUIRE(got[1 + i][at] ==
                  static_cast<double>(place[axes.empty() ? i : static_cast<size_t>(axes[i])]));
        const Ints group = devices.group(d, axes);
        const int64_t number = devices.number_in_group(d, axes);
        const double down = number == 0 ? -1 : static_cast<double>(group[static_cast<size_t>(number - 1)]),
                     up = number + 1 == std::ssize(group)
                              ? -1
                              : static_cast<double>(group[static_cast<size_t>(number + 1)]);
        REQUIRE(got[got.size() - 2][at] == down);
        REQUIRE(got[got.size() - 1][at] == up);
      }
    }
  }
}

TEST_CASE("groups of devices are those that agree outside their axes, in the order of these") {
  for (const Ints &sizes : all_grids())
    for (const Ints &axes : all_axes(std::ssize(sizes))) {
      const Devices devices{sizes};
      const int64_t n = devices.group_size(axes);
      Doubles numbers;
      for (int64_t d = 0; d < devices.count(); ++d)
        numbers.push_back(static_cast<double>(d));
      const std::string type = fmt::format("tensor<{}xi64>", n);
      const auto got = run_text(
          one_op(sizes,
                 fmt::format(
                     "shard.all_gather %0 on @grid0 grid_axes = [{}] gather_axis = 0 : tensor<1xi64> -> {}",
                     fmt::join(axes, ", "), type),
                 "tensor<1xi64>", type),
          {numbers})[0];
      for (int64_t d = 0; d < devices.count(); ++d) {
        const Ints group = devices.group(d, axes);
        for (int64_t i = 0; i < n; ++i)
          REQUIRE(got[static_cast<size_t>(d * n + i)] == static_cast<double>(group[static_cast<size_t>(i)]));
      }
    }
}

TEST_CASE("the grid of the documentation's indices") {
  const auto got = run_text(
      "shard.grid @grid0(shape = 10x20x30)\n"
      "func.func @main() -> (index, index, index) {\n"
      "  %c1 = arith.constant 1 : index\n  %c2 = arith.constant 2 : index\n  %c3 = arith.constant 3 : index\n"
      "  %idx:2 = shard.neighbors_linear_indices on @grid0[%c1, %c2, %c3] split_axes = [1] : index\n"
      "  %l = shard.process_linear_index on @grid0 : index\n"
      "  return %l, %idx#0, %idx#1 : index, index, index\n}\n");
  REQUIRE(got[0].size() == 6000);
  CHECK(got[0][3 + 30 * 2 + 20 * 30] == 663);
  CHECK(got[1][0] == 633);
  CHECK(got[2][0] == 693);
  const auto shape =
      run_text("shard.grid @grid0(shape = 4x8x12)\n"
               "func.func @main() -> (index, index, index, index, index) {\n"
               "  %s:3 = shard.grid_shape @grid0 : index, index, index\n"
               "  %t:2 = shard.grid_shape @grid0 axes = [2, 0] : index, index\n"
               "  return %s#0, %s#1, %s#2, %t#0, %t#1 : index, index, index, index, index\n}\n");
  CHECK(shape == std::vector<Doubles>{{4}, {8}, {12}, {12}, {4}});
}

TEST_CASE("sizes of a grid that are open are those of the mesh") {
  const std::string text =
      "shard.grid @grid0(shape = ?x4)\nshard.grid @grid3(shape = ?x?)\n"
      "func.func @main(%0: tensor<2xi32>) -> tensor<2xi32> {\n"
      "  %1 = shard.all_reduce %0 on @grid0 grid_axes = [0] : tensor<2xi32> -> tensor<2xi32>\n"
      "  return %1 : tensor<2xi32>\n}\n";
  CHECK(error_of(text).find("TW-115: the grid @grid0 has shape ?x4: give a mesh of 2 axes") !=
        std::string::npos);
  import::ImportOptions options;
  options.mesh = {{"rows", 2}, {"columns", 4}};
  const auto got = run_text(text, {{1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 30, 40, 50, 60, 70, 80}}, options);
  CHECK(got[0] == Doubles{11, 22, 33, 44, 55, 66, 77, 88, 11, 22, 33, 44, 55, 66, 77, 88});
  const auto imported = import::import_text(text, options);
  CHECK(imported->annotations.declared_mesh()->axes[0].first == "rows");
  options.mesh = {{"rows", 2}, {"columns", 3}};
  CHECK(error_of(text, options).find("TW-115") != std::string::npos);
}

TEST_CASE("annotations are constraints on what makes a value, or on who uses it") {
  const auto text = [](std::string_view body) {
    return fmt::format("shard.grid @grid0(shape = 2x2x4)\n"
                       "func.func @main(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {{\n"
                       "  %s0 = shard.sharding @grid0 split_axes = [[0]] : !shard.sharding\n"
                       "  %s1 = shard.sharding @grid0 split_axes = [[1]] : !shard.sharding\n"
                       "  %s2 = shard.sharding @grid0 split_axes = [[], [2, 0]] : !shard.sharding\n"
                       "{}}}\n",
                       body);
  };
  const auto axes = [](const annotation::Annotation &a) {
    std::string all;
    for (const auto &dim : a.sharding.dims) {
      all += all.empty() ? "[" : ", ";
      for (const auto &axis : dim.axes)
        all += axis.name + " ";
    }
    return all + "]";
  };
  const auto made =
      import::import_text(text("  %0 = shard.shard %arg0 to %s0 : tensor<4x8xf32>\n"
                               "  %1 = shard.shard %0 to %s1 annotate_for_users : tensor<4x8xf32>\n"
                               "  %2 = shard.shard %0 to %s2 annotate_for_users : tensor<4x8xf32>\n"
                               "  %3 = stablehlo.add %1, %2 : tensor<4x8xf32>\n"
                               "  return %3 : tensor<4x8xf32>\n"));
  REQUIRE_MESSAGE(made.has_value(), made.error().message());
  const auto &all = made->annotations.all;
  REQUIRE(all.size() == 3);
  CHECK(axes(all[0]) == "[grid0.0 , ]");
  CHECK(axes(all[1]) == "[grid0.1 , ]");
  CHECK(axes(all[2]) == "[, grid0.2 grid0.0 ]");
  CHECK(all[0].index != all[1].index);
  CHECK(all[1].index != all[2].index);

  const auto refused = [&](std::string_view first, std::string_view second) {
    return error_of(text(fmt::format("  %0 = {} : tensor<4x8xf32>\n  %1 = {} : tensor<4x8xf32>\n"
                                     "  return %1 : tensor<4x8xf32>\n",
                                     first, second)));
  };
  CHECK(refused("shard.shard %arg0 to %s0", "shard.shard %0 to %s1")
            .find("7:8: TW-117: what makes this value") == 0);
  CHECK(refused("shard.shard %arg0 to %s0", "shard.shard %arg0 to %s1")
            .find("7:8: TW-117: one value has two") == 0);
  CHECK(refused("shard.shard %arg0 to %s0 annotate_for_users", "shard.shard %0 to %s1 annotate_for_users")
            .find("7:8: TW-117: the users of this value are annotated twice") == 0);
  CHECK(refused("shard.shard %arg0 to %s0 annotate_for_users", "shard.shard %0 to %s1")
            .find("7:8: TW-117: this annotates what makes a value behind its users") == 0);
  CHECK(refused("shard.shard %arg0 to %s0", "shard.shard %0 to %s0").empty()); // says the same
}

TEST_CASE("shapes of shards count offsets and halos") {
  const auto shapes = [](std::string_view sharding, std::string_view dims, std::string_view device) {
    const auto got = run_text(
        fmt::format("shard.grid @grid0(shape = 2x2x4)\nshard.grid @grid1d_4(shape = 4)\n"
                    "func.func @main() -> (index, index) {{\n"
                    "  %h = arith.constant 2 : i64\n  %c3 = arith.constant 3 : index\n"
                    "  %s = shard.sharding {} : !shard.sharding\n"
                    "  %e:2 = shard.shard_shape dims = [{}] sharding = %s device = [{}] : index, index\n"
                    "  return %e#0, %e#1 : index, index\n}}\n",
                    sharding, dims, device));
    return std::vector<double>{got[0][0], got[1][0]};
  };
  CHECK(shapes("@grid1d_4 split_axes = [[], [0]] sharded_dims_offsets = [0, 2, 5, 9, 14]", "4, 14", "0") ==
        Doubles{4, 2});
  CHECK(shapes("@grid1d_4 split_axes = [[], [0]] sharded_dims_offsets = [0, %h, 5, 9, 14]", "4, 14", "%c3") ==
        Doubles{4, 5});
  CHECK(shapes("@grid0 split_axes = [[0]] halo_sizes = [1, 2]", "4, 8", "0, 0, 0") == Doubles{5, 8});
  CHECK(shapes("@grid0 split_axes = [[0]] halo_sizes = [%h, 2]", "4, 8", "1, 0, 0") == Doubles{6, 8});
  CHECK(shapes("@grid0 split_axes = [[], [2, 0]]", "4, 11", "1, 0, %c3") == Doubles{4, 2});
  CHECK(shapes("@grid0 split_axes = [[]]", "4, 11", "1, 0, 3") == Doubles{4, 11});
}

TEST_CASE("each constraint has its own error") {
  const auto local = [](std::string_view op, std::string_view in, std::string_view out) {
    return error_of(one_op({2, 3}, op, in, out));
  };
  const auto sharding = [](std::string_view sharding, std::string_view type = "tensor<4x8xf32>") {
    return error_of(fmt::format("shard.grid @grid0(shape = 2x3)\nfunc.func @main(%0: {1}) -> {1} {{\n"
                                "  %s = shard.sharding {0} : !shard.sharding\n  %1 = shard.shard %0 to %s : "
                                "{1}\n  return %1 : {1}\n}}\n",
                                sharding, type));
  };
  const std::string t = "tensor<6x6xf32>", u = "tensor<6x12xf32>";
  const std::pair<std::string, const char *> wrong[] = {
      {local("shard.all_gather %0 on @grid1 gather_axis = 1 : tensor<6x6xf32> -> tensor<6x6xf32>", t, t),
       "TW-115: the grid @grid1 is not defined"},
      {local("shard.all_gather %0 on @grid0 grid_axes = [2] gather_axis = 1 : tensor<6x6xf32> -> "
             "tensor<6x12xf32>",
             t, u),
       "has no axis 2: they are 0 to 1"},
      {local("shard.all_gather %0 on @grid0 grid_axes = [0, 0] gather_axis = 1 : tensor<6x6xf32> -> "
             "tensor<6x12xf32>",
             t, u),
       "axis 0 is named twice"},
      {local("shard.all_gather %0 on @grid0 grid_axes = [0] gather_axis = 2 : tensor<6x6xf32> -> "
             "tensor<6x12xf32>",
             t, u),
       "gather_axis is 2, and tensor<6x6xf32> has 2 dimensions"},
      {local("shard.all_gather %0 on @grid0 grid_axes = [1] gather_axis = 1 : tensor<6x6xf32> -> "
             "tensor<6x12xf32>",
             t, u),
       "over groups of 3 devices gives tensor<6x18xf32>, and tensor<6x12xf32> is stated"},
      {local("shard.all_gather %0 on @grid0 grid_axes = [0] : tensor<6x6xf32> -> tensor<6x12xf32>", t, u),
       "gather_axis is missing"},
      {local("shard.all_gather %0 on @grid0 grid_axes = [0] gather_axis = 1 : tensor<6x6xf32> -> "
             "tensor<6x12xf64>",
             t, "tensor<6x12xf64>"),
       "the element types differ"},
      {local("shard.all_slice %0 on @grid0 grid_axes = [0, 1] slice_axis = 1 : tensor<6x4xf32> -> "
             "tensor<6x1xf32>",
             "tensor<6x4xf32>", "tensor<6x1xf32>"),
       "dimension 1 of size 4 does not divide among the 6 devices"},
      {local("shard.all_reduce %0 on @grid0 grid_axes = [0] reduction = <generic> : tensor<6x6xf32> -> "
             "tensor<6x6xf32>",
             t, t),
       "a generic reduction says no function"},
      {local("shard.all_reduce %0 on @grid0 grid_axes = [0] reduction = <most> : tensor<6x6xf32> -> "
             "tensor<6x6xf32>",
             t, t),
       "there is no reduction 'most'"},
      {local("shard.all_reduce %0 on @grid0 grid_axes = [0] reduction = <bitwise_and> : tensor<6x6xf32> -> "
             "tensor<6x6xf32>",
             t, t),
       "the reduction bitwise_and has no meaning for f32"},
      {local("shard.broadcast %0 on @grid0 grid_axes = [0, 1] root = [1] : (tensor<6x6xf32>) -> "
             "tensor<6x6xf32>",
             t, t),
       "a root of 1 coordinates, and grid_axes = [0, 1]"},
      {local("shard.broadcast %0 on @grid0 grid_axes = [0] root = [2] : (tensor<6x6xf32>) -> tensor<6x6xf32>",
             t, t),
       "coordinate 0 of the root is 2, and axis 0 of @grid0 has size 2"},
      {local("shard.shift %0 on @grid0 grid_axes = [0] shift_axis = 1 offset = 1 : tensor<6x6xf32> -> "
             "tensor<6x6xf32>",
             t, t),
       "shift_axis is 1, which is none of its grid_axes"},
      {local("shard.update_halo %0 on @grid0 split_axes = [[0]] halo_sizes = [1, 1, 1, 1] : tensor<6x6xf32>",
             t, t),
       "4 halo sizes, and there are two for each of 1 sharded dimensions"},
      {local("shard.update_halo %0 on @grid0 split_axes = [[0]] halo_sizes = [3, 3] : tensor<6x6xf32>", t, t),
       "dimension 0 of size 6 has no cells between halos of 3 and 3"},
      {local("shard.update_halo %0 on @grid0 split_axes = [[0]] halo_sizes = [-1, 3] : tensor<6x6xf32>", t,
             t),
       "the halo size -1 is negative"},
      {local(
           "shard.send %0 on @grid0 grid_axes = [0] destination = [0] : (tensor<6x6xf32>) -> tensor<6x6xf32>",
           t, t),
       "TW-119: device (0, 0) sends to device (0, 0), which never receives it"},
      {local("shard.recv %0 on @grid0 grid_axes = [0] source = [1] : (tensor<6x6xf32>) -> tensor<6x6xf32>", t,
             t),
       "TW-119: shard.recv: device (0, 0) receives from device (1, 0), which sent nothing"},
      {local("shard.all_reduce %0 on @grid0 grid_axes = [0] : memref<6x6xf32> -> memref<6x6xf32>", t, t),
       "memrefs are not read: write tensors"},
      {local("shard.process_multi_index on @grid0 axes = [3] : index", t, "index"), "has no axis 3"},
      {local("shard.neighbors_linear_indices on @grid0[0] split_axes = [0] : index", t, "index"),
       "1 coordinates for the grid @grid0 of shape 2x3"},
      {sharding("@grid0 split_axes = [[0], [0]]"), "axis 0 is named twice"},
      {sharding("@grid0 split_axes = [[2]]"), "has no axis 2"},
      {sharding("@grid0 split_axes = []"), "split_axes has no list"},
      {sharding("@grid0 split_axes = [[], [], [0]]"), "has 3 lists, and tensor<4x8xf32> has 2 dimensions"},
      {sharding("@grid0 split_axes = [[0]] halo_sizes = [1]"),
       "1 halo sizes, and there are two for each of 1 sharded"},
      {sharding("@grid0 split_axes = [[0]] halo_sizes = [1, -1]"), "the halo size -1 is negative"},
      {sharding("@grid0 split_axes = [[0]] halo_sizes = [1, 1] sharded_dims_offsets = [0, 1, 4]"),
       "only one of them may stand"},
      {sharding("@grid0 split_axes = [[0]] sharded_dims_offsets = [0, 4]"),
       "2 offsets, and the 1 sharded dimensions have 3"},
      {sharding("@grid0 split_axes = [[0]] sharded_dims_offsets = [1, 2, 4]"),
       "must begin at 0 and never descend"},
      {sharding("@grid0 split_axes = [[0]] sharded_dims_offsets = [0, 5, 4]"),
       "must begin at 0 and never descend"},
      {sharding("@grid0 split_axes = [[0]] sharded_dims_offsets = [0, 2, 5]"),
       "the offsets of dimension 0 end at 5"},
      {error_of("shard.grid @g(shape = 2x0)\nfunc.func @main() { return }\n"),
       "1:25: TW-115: the shape of a grid is sizes"},
      {error_of("shard.grid @g(shape = )\nfunc.func @main() { return }\n"),
       "TW-115: a grid has at least one axis"},
      {error_of("shard.grid @g(shape = 2)\nshard.grid @g(shape = 3)\nfunc.func @main() { return }\n"),
       "the grid @g is defined twice"},
      {error_of("shard.grid @g(shape = 2)\nfunc.func @main(%0: tensor<2xf32>) {\n %s = shard.sharding @g "
                "split_axes = [[0]]\n"
                " %1 = shard.shard %0 to %s : tensor<2xf32>\n %2 = shard.all_reduce %1 on @g : tensor<2xf32> "
                "-> tensor<2xf32>\n return\n}\n"),
       "TW-117: @main has both shard.shard, of programs over whole arrays, and shard.all_reduce"},
      {error_of("shard.grid @g(shape = 2)\nfunc.func @main() {\n %s = shard.sharding @g split_axes = [[0]]\n "
                "%1 = stablehlo.negate %s : tensor<2xf32>\n return\n}\n"),
       "TW-116: %s is a sharding, and an array is expected here"},
  };
  for (const auto &[error, message] : wrong) {
    CAPTURE(error);
    CAPTURE(message);
    CHECK(error.find(message) != std::string::npos);
  }
}

TEST_CASE("messages arrive in the order in which they were sent, from whoever sends to a device") {
  const std::string ring =
      "shard.grid @g(shape = 4)\n"
      "func.func @main(%a: tensor<1xi32>, %b: tensor<1xi32>) -> (tensor<1xi32>, tensor<1xi32>) {\n"
      "  %c1 = arith.constant 1 : index\n  %c3 = arith.constant 3 : index\n  %c4 = arith.constant 4 : index\n"
      "  %i = shard.process_linear_index on @g : index\n"
      "  %n = arith.addi %i, %c1 : index\n  %to = arith.remui %n, %c4 : index\n"
      "  %m = arith.addi %i, %c3 : index\n  %from = arith.remui %m, %c4 : index\n"
      "  %s = shard.send %a on @g grid_axes = [0] destination = [%to] : (tensor<1xi32>, index) -> "
      "tensor<1xi32>\n"
      "  %t = shard.send %b on @g grid_axes = [0] destination = [%to] : (tensor<1xi32>, index) -> "
      "tensor<1xi32>\n"
      "  %0 = shard.recv %a on @g grid_axes = [0] source = [%from] : (tensor<1xi32>, index) -> "
      "tensor<1xi32>\n"
      "  %1 = shard.recv %a on @g grid_axes = [0] : (tensor<1xi32>) -> tensor<1xi32>\n"
      "  return %0, %1 : tensor<1xi32>, tensor<1xi32>\n}\n";
  const auto got = run_text(ring, {{1, 2, 3, 4}, {10, 20, 30, 40}});
  CHECK(got[0] == Doubles{4, 1, 2, 3});
  CHECK(got[1] == Doubles{40, 10, 20, 30});
}

namespace {

// Code of four devices in a row, of which each knows its number %i and whether it is 0 or 1.
std::string in_branches(std::string_view body) {
  return fmt::format("shard.grid @g(shape = 4)\n"
                     "func.func @main(%a: tensor<1xi32>, %p: i1) -> tensor<1xi32> {{\n"
                     "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
                     "  %i = shard.process_linear_index on @g : index\n"
                     "  %is0 = arith.cmpi eq, %i, %c0 : index\n  %is1 = arith.cmpi eq, %i, %c1 : index\n"
                     "  %later = arith.cmpi sge, %i, %c1 : index\n"
                     "{}  return %r : tensor<1xi32>\n}}\n",
                     body);
}

std::string choice(std::string_view name, std::string_view decision, std::string_view yes,
                   std::string_view no) {
  return fmt::format("  {} = \"stablehlo.if\"({}) ({{\n{}}}, {{\n{}}}) : (i1) -> tensor<1xi32>\n", name,
                     decision, yes, no);
}

constexpr std::string_view
    kSend = "  %s = shard.send %a on @g grid_axes = [0] destination = [1] : (tensor<1xi32>) -> "
            "tensor<1xi32>\n  stablehlo.return %s : tensor<1xi32>\n",
    kReceive = "  %m = shard.recv %a on @g grid_axes = [0] source = [0] : (tensor<1xi32>) "
               "-> tensor<1xi32>\n  stablehlo.return %m : tensor<1xi32>\n",
    kNothing = "  stablehlo.return %a : tensor<1xi32>\n";

std::string give(std::string_view name) {
  return fmt::format("  stablehlo.return {} : tensor<1xi32>\n", name);
}

} // namespace

TEST_CASE("in branches those devices send and receive that take them") {
  const std::string sends = choice("%q", "%is0", kSend, kNothing) + give("%q"),
                    receives = choice("%q", "%is1", kReceive, kNothing) + give("%q");
  for (const std::string &body :
       {choice("%r", "%is0", kSend, receives), choice("%r", "%is1", kReceive, sends)})
    CHECK(run_text(in_branches(body), {{1, 2, 3, 4}, {0, 0, 0, 0}})[0] == Doubles{1, 1, 3, 4});
  CHECK(error_of(in_branches(choice("%r", "%is0", kSend, kReceive)))
            .find("TW-119: shard.recv: device (2) receives from device (0), which sent nothing") !=
        std::string::npos);
  CHECK(error_of(in_branches(choice("%r", "%is0", kSend, kNothing)))
            .find("TW-119: device (0) sends to device (1), which never receives it") != std::string::npos);
  CHECK(error_of(in_branches(choice("%r", "%p", kSend, kNothing)))
            .find("TW-119: shard.send stands in a branch, and which devices take it is not known") !=
        std::string::npos);
}

TEST_CASE("halos over another grid than the code's own take what lies there too") {
  const std::string text =
      "shard.grid @g(shape = 6)\nshard.grid @h(shape = 2x3)\n"
      "func.func @main(%x: tensor<3xi32>) -> tensor<3xi32> {\n"
      "  %i = shard.process_linear_index on @g : index\n"
      "  %0 = shard.update_halo %x on @h split_axes = [[1]] halo_sizes = [1, 1] : tensor<3xi32>\n"
      "  return %0 : tensor<3xi32>\n}\n";
  Doubles tiles;
  for (int device = 0; device < 6; ++device)
    tiles.insert(tiles.end(), {-1, 1.0 + device, -1});
  CHECK(run_text(text, {tiles})[0] == Doubles{0, 1, 2, 1, 2, 3, 2, 3, 0, 0, 4, 5, 4, 5, 6, 5, 6, 0});
}

} // namespace tw::test_shard
