// SPDX-License-Identifier: Apache-2.0
// Every example of the documentation of MLIR's shard dialect: read, verified, run on its grid with the values
// of its figures, and printed as code that does the same. Where an example leaves the dialect's own grammar
// (a missing operand or type), the grammar decides.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "emit/shard/annotated.hpp"
#include "emit/shard/device_local.hpp"
#include "one_op_text.hpp"
#include "planned_text.hpp"
#include "run_text.hpp"
#include "support/compare.hpp"
#include "support/plans.hpp"
#include "support/random_program.hpp"

namespace tw::test_shard_examples {

using namespace tw::test;

namespace {

// What the text gives; printed as code of one device it gives that again.
std::vector<Doubles> run_example(const std::string &text, const std::vector<Doubles> &inputs = {}) {
  const auto results = run_text(text, inputs);
  const auto printed = emit::shard::to_device_local_text(*planned(imported_text(text)));
  REQUIRE_MESSAGE(printed.has_value(), printed.error().message());
  CAPTURE(*printed);
  CHECK(run_text(*printed, inputs) == results);
  return results;
}

// An example that annotates: on its grid it gives what it gives whole, and it is printed as the same plan.
std::string layouts_of(const std::string &text) {
  CAPTURE(text);
  const import::Imported imported = imported_text(text);
  const partition::Plan plan = plan_of(imported, nullptr, true);
  Dice random(1);
  std::vector<kernels::ref::Array> inputs;
  std::string layouts;
  for (const graph::OpId argument : imported.graph->arguments()) {
    inputs.push_back(random_array(imported.graph->type(imported.graph->result(argument)), -9, 9, random));
    layouts += sharding::to_text(plan.result_sharding(argument, 0), plan.mesh()) + " ";
  }
  const auto whole = kernels::ref::evaluate(*imported.graph, inputs);
  REQUIRE(whole.has_value());
  const auto printed = emit::shard::to_annotated_text(plan);
  REQUIRE_MESSAGE(printed.has_value(), printed.error().message());
  const import::Imported again = imported_text(*printed);
  CAPTURE(*printed);
  for (const import::Imported *read : {&imported, &again}) {
    const auto got = run_on_devices(*planned(*read), inputs);
    for (size_t i = 0; i < whole->size(); ++i)
      CHECK(same_values(got[i], (*whole)[i]));
  }
  const partition::Plan read = plan_of(again, nullptr, true);
  for (size_t i = 0; i < inputs.size(); ++i)
    CHECK(read.result_sharding(read.graph().arguments()[i], 0) ==
          plan.result_sharding(plan.graph().arguments()[i], 0));
  return layouts;
}

// A function of the documentation, on the 2x2x4 grid of its shardings; its operands are used by `uses`, which
// make %r.
std::string annotated(std::string_view arguments, std::string_view body, std::string_view uses) {
  return fmt::format("shard.grid @grid0(shape = 2x2x4)\nshard.grid @grid1d_4(shape = 4)\n"
                     "func.func @main({}) -> tensor<4x8xf32> {{\n{}{}  return %r : tensor<4x8xf32>\n}}\n",
                     arguments, body, uses);
}

} // namespace

TEST_CASE("the figures of the collectives hold") {
  const Doubles quarters{1, 2,  3,  4,  5,  6,  7,  8,
                         9, 10, 11, 12, 13, 14, 15, 16}; // of devices (0, 0), (0, 1), ..
  const Doubles gathered{1, 2,  5,  6,  3,  4,  7,  8,  1, 2,  5,  6,  3,  4,  7,  8,
                         9, 10, 13, 14, 11, 12, 15, 16, 9, 10, 13, 14, 11, 12, 15, 16};
  CHECK(
      run_example(one_op({2, 2},
                         "shard.all_gather %0 on @grid0 grid_axes = [1] gather_axis = 1 : tensor<2x2xi8> -> "
                         "tensor<2x4xi8>",
                         "tensor<2x2xi8>", "tensor<2x4xi8>"),
                  {quarters})[0] == gathered);
  CHECK(run_example(one_op({2, 2},
                           "shard.all_slice %0 on @grid0 grid_axes = [1] slice_axis = 1 : tensor<2x4xi8> -> "
                           "tensor<2x2xi8>",
                           "tensor<2x4xi8>", "tensor<2x2xi8>"),
                    {gathered})[0] == quarters);
  CHECK(run_example(one_op({3},
                           "shard.all_to_all %0 on @grid0 grid_axes = [0] split_axis = 0 concat_axis = 0 : "
                           "tensor<3x2xi8> -> tensor<3x2xi8>",
                           "tensor<3x2xi8>", "tensor<3x2xi8>"),
                    {{11, 12, 13, 14, 15, 16, 21, 22, 23, 24, 25, 26, 31, 32, 33, 34, 35, 36}})[0] ==
        Doubles{11, 12, 21, 22, 31, 32, 13, 14, 23, 24, 33, 34, 15, 16, 25, 26, 35, 36});
  CHECK(
      run_example(one_op({2, 2},
                         "shard.broadcast %0 on @grid0\n grid_axes = [0]\n root = [0]\n : (tensor<2xi8>) -> "
                         "tensor<2xi8>",
                         "tensor<2xi8>", "tensor<2xi8>"),
                  {{1, 2, 3, 4, 0, 0, 0, 0}})[0] == Doubles{1, 2, 3, 4, 1, 2, 3, 4});
  const Doubles at_root =
      run_example(one_op({2, 2},
                         "shard.gather %0 on @grid0 grid_axes = [1]\n gather_axis = 1 root "
                         "= [1]\n : (tensor<2x2xi8>) -> tensor<2x4xi8>",
                         "tensor<2x2xi8>", "tensor<2x4xi8>"),
                  {quarters})[0];
  CHECK(Doubles(at_root.begin() + 8, at_root.begin() + 16) == Doubles{1, 2, 5, 6, 3, 4, 7, 8});
  CHECK(Doubles(at_root.begin() + 24, at_root.end()) == Doubles{9, 10, 13, 14, 11, 12, 15, 16});
  CHECK(run_example(one_op({2, 2},
                           "shard.reduce_scatter %0 on @grid0 grid_axes = [1] scatter_axis = 0 : "
                           "tensor<2x2xf32> -> tensor<1x2xf64>",
                           "tensor<2x2xf32>", "tensor<1x2xf64>"),
                    {quarters})[0] == Doubles{6, 8, 10, 12, 22, 24, 26, 28});
  CHECK(run_example(one_op({2, 2},
                           "shard.scatter %0 on @grid0 grid_axes = [0]\n scatter_axis = 0\n root = [1]\n : "
                           "(tensor<2x2xi8>) -> tensor<1x2xi8>",
                           "tensor<2x2xi8>", "tensor<1x2xi8>"),
                    {{0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}})[0] ==
        Doubles{1, 2, 5, 6, 3, 4, 7, 8});
  CHECK(run_example(one_op({2, 4},
                           "shard.shift %0 on @grid0 grid_axes = [1]\n shift_axis = 1 offset = 2 rotate\n : "
                           "tensor<1xi8> -> tensor<1xi8>",
                           "tensor<1xi8>", "tensor<1xi8>"),
                    {{1, 2, 3, 4, 5, 6, 7, 8}})[0] == Doubles{3, 4, 1, 2, 7, 8, 5, 6});
  CHECK(run_example(one_op({2, 2},
                           "shard.all_reduce %0 on @grid0 grid_axes = [1, 0] reduction = <max>\n : "
                           "tensor<1xf32> -> tensor<1xf64>",
                           "tensor<1xf32>", "tensor<1xf64>"),
                    {{3, 9, -2, 4}})[0] == Doubles{9, 9, 9, 9});
  CHECK(
      run_example(one_op({3, 4},
                         "shard.reduce %0 on @grid0 grid_axes = [1, 0]\n reduction = <max> root = [2, 1]\n : "
                         "(tensor<1xf32>) -> tensor<1xf64>",
                         "tensor<1xf32>", "tensor<1xf64>"),
                  {{3, 9, -2, 4, 0, 1, 2, 3, 4, 5, 6, 7}})[0] == Doubles{0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0});
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
TEST_CASE("grids of the documentation") {
  for (const auto &[shape, mesh] :
       {std::pair{"4x8x12", "a=4,b=8,c=12"}, {"4x?", "a=4,b=2"}, {"?x4", "a=2,b=4"}, {"?x?", "a=2,b=3"}}) {
    import::ImportOptions options;
    const auto sizes = sharding::Mesh::parse(mesh);
    REQUIRE(sizes.has_value());
    for (const sharding::Axis &axis : sizes->axes())
      options.mesh.emplace_back(axis.name, axis.size);
    const auto imported = import::import_text(
        fmt::format("shard.grid @g(shape = {})\nfunc.func @main(%0: tensor<2xf32>) -> tensor<2xf32> {{\n"
                    "  %1 = shard.all_reduce %0 on @g grid_axes = [0] : tensor<2xf32> -> tensor<2xf32>\n"
                    "  return %1 : tensor<2xf32>\n}}\n",
                    shape),
        options);
    REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
    CHECK(imported->annotations.declared_mesh()->axes.size() == sizes->axes().size());
  }
}

// A group is what differs along the axes, the first one the outermost: device (i, 1, k, 0) comes before
// (i, 0, k, 1) and (i, 2, k, 0) where grid_axes = [3, 1]: with axes as they are, before both of them.
TEST_CASE("groups and devices in them of the documentation") {
  const Devices four{{2, 3, 4, 5}};
  CHECK(four.group_size({0, 1}) == 6);
  const Ints group = four.group(four.number({1, 0, 2, 3}), {0, 1});
  CHECK(std::ranges::count(group, four.number({1, 1, 2, 3})) == 1);
  CHECK(std::ranges::count(group, four.number({1, 0, 2, 4})) == 0);
  const auto place = [&](const Ints &at) { return four.number_in_group(four.number(at), {3, 1}); };
  CHECK(place({1, 1, 2, 0}) < place({1, 0, 2, 1}));
  CHECK(place({1, 1, 2, 0}) < place({1, 2, 2, 0}));
  // In-group device (1, 3) of grid_axes = [0, 2] is (1, g, 3) where the group is fixed at g on axis 1.
  const Devices three{{2, 3, 4}};
  for (int64_t g = 0; g < 3; ++g)
    CHECK(three.member(three.number({0, g, 0}), {0, 2}, {1, 3}) == three.number({1, g, 3}));
}

TEST_CASE("annotated functions of the documentation") {
  const std::string sharding = "  %sharding = shard.sharding @grid0 split_axes = [[0]] : !shard.sharding\n",
                    negate = "  %r = stablehlo.negate %0 : tensor<4x8xf32>\n";
  CHECK(layouts_of(annotated("%arg0: tensor<4x8xf32>",
                             sharding + "  %0 = shard.shard %arg0 to %sharding : tensor<4x8xf32>\n",
                             negate)) == "[{grid0.0}, {}] ");
  CHECK(layouts_of(annotated(
            "%arg0: tensor<4x8xf32>",
            sharding + "  %0 = shard.shard %arg0 to %sharding annotate_for_users : tensor<4x8xf32>\n",
            negate)) == "[{grid0.0}, {}] ");
  CHECK(layouts_of(annotated(
            "%arg0: tensor<4x8xf32>, %arg1: tensor<16x8xf32>",
            sharding + "  %0 = shard.shard %arg0 to %sharding annotate_for_users : tensor<4x8xf32>\n"
                       "  %1 = shard.shard %arg1 to %sharding annotate_for_users : tensor<16x8xf32>\n",
            "  %2 = stablehlo.slice %1 [0:4, 0:8] : (tensor<16x8xf32>) -> tensor<4x8xf32>\n"
            "  %r = stablehlo.add %0, %2 : tensor<4x8xf32>\n")) == "[{grid0.0}, {}] [{grid0.0}, {}] ");
  CHECK(layouts_of(annotated("%arg0: tensor<4x8xf32>",
                             sharding +
                                 "  %0 = shard.shard %arg0 to %sharding : tensor<4x8xf32>\n"
                                 "  %sharding1 = shard.sharding @grid0 split_axes = [[1]] : !shard.sharding\n"
                                 "  %1 = shard.shard %0 to %sharding1 annotate_for_users : tensor<4x8xf32>\n"
                                 "  %sharding2 = shard.sharding @grid0 split_axes = [[2]] : !shard.sharding\n"
                                 "  %2 = shard.shard %0 to %sharding2 annotate_for_users : tensor<4x8xf32>\n",
                             "  %3 = stablehlo.negate %1 : tensor<4x8xf32>\n"
                             "  %4 = stablehlo.abs %2 : tensor<4x8xf32>\n"
                             "  %r = stablehlo.add %3, %4 : tensor<4x8xf32>\n")) == "[{grid0.0}, {}] ");
}

// Whole, sharded, with halos; the example of offsets is of 4x14 elements over grid1d_4.
TEST_CASE("shardings of the documentation") {
  const auto of = [](std::string_view sharding) {
    return annotated("%arg0: tensor<4x8xf32>",
                     fmt::format("  %s = shard.sharding {} : !shard.sharding\n"
                                 "  %0 = shard.shard %arg0 to %s : tensor<4x8xf32>\n",
                                 sharding),
                     "  %r = stablehlo.negate %0 : tensor<4x8xf32>\n");
  };
  CHECK(layouts_of(of("@grid0 split_axes = [[]]")) == "[{}, {}] ");
  CHECK(layouts_of(of("@grid0 split_axes = [[0]]")) == "[{grid0.0}, {}] ");
  CHECK(layouts_of(of("@grid0 split_axes = [[0]] halo_sizes = [1, 2]")) == "[{grid0.0}, {}] ");
  const std::string offsets =
      "shard.grid @grid1d_4(shape = 4)\nfunc.func @main(%arg0: tensor<4x14xf32>) -> tensor<4x14xf32> {\n"
      "  %s = shard.sharding @grid1d_4 split_axes = [[], [0]] sharded_dims_offsets = [0, 2, 5, 9, 14] : "
      "!shard.sharding\n  %0 = shard.shard %arg0 to %s : tensor<4x14xf32>\n"
      "  %r = stablehlo.negate %0 : tensor<4x14xf32>\n  return %r : tensor<4x14xf32>\n}\n";
  CHECK(layouts_of(offsets) == "[{}, {grid1d_4.0}:cuts=[0,2,5,9,14]] ");
}

} // namespace tw::test_shard_examples
