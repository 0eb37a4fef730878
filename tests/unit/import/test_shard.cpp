// SPDX-License-Identifier: Apache-2.0
// MLIR's shard dialect: its indices and groups against their definitions, annotations, messages.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "grid_devices.hpp"
#include "import/import.hpp"
#include "one_op_text.hpp"
#include "run_text.hpp"

namespace tw::import_test_shard {

using namespace tw::test;

namespace {

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
  // Each waits for the other, or for a branch that is read behind it.
  constexpr std::string_view kFrom1 =
                                 "  %m = shard.recv %a on @g grid_axes = [0] source = [1] : (tensor<1xi32>) "
                                 "-> tensor<1xi32>\n",
                             kFrom0 =
                                 "  %m = shard.recv %a on @g grid_axes = [0] source = [0] : (tensor<1xi32>) "
                                 "-> tensor<1xi32>\n",
                             kTo0 =
                                 "  %s = shard.send %m on @g grid_axes = [0] destination = [0] : "
                                 "(tensor<1xi32>) -> tensor<1xi32>\n  stablehlo.return %s : tensor<1xi32>\n";
  CHECK(
      error_of(in_branches(choice("%r", "%is0", std::string(kFrom1) + std::string(kSend),
                                  choice("%q", "%is1", std::string(kFrom0) + std::string(kTo0), kNothing) +
                                      give("%q"))))
          .find("which sent nothing to it before this line; a branch takes what is sent in front of the op, "
                "or in a branch that sends before it receives") != std::string::npos);
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

} // namespace tw::import_test_shard
