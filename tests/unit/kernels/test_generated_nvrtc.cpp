// SPDX-License-Identifier: Apache-2.0
// Generated source of the random groups and of one kernel of each other kind compiles for devices, wherever
// NVRTC is found. It needs no GPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>

#include "kernels/generated/box_moves.hpp"
#include "kernels/generated/dynamic_slice.hpp"
#include "kernels/generated/host_functions.hpp"
#include "kernels/generated/indexed.hpp"
#include "kernels/generated/numbers.hpp"
#include "kernels/generated/nvrtc.hpp"
#include "kernels/generated/reduction.hpp"
#include "kernels/generated/region_window.hpp"
#include "kernels/generated/row_chain.hpp"
#include "kernels/generated/select_and_scatter.hpp"
#include "kernels/generated/window.hpp"
#include "ops/indexing.hpp"
#include "ops/registry.hpp"
#include "ops/window.hpp"
#include "support/host_values.hpp"
#include "support/number_of.hpp"
#include "support/random_groups.hpp"
#include "support/unit.hpp"

namespace tw::test_generated_nvrtc {

namespace {

using namespace kernels::generated;
using graph::DType;
using sharding::Reduction;

// Products of rows and of those that land on them.
Source scatter_of_rows(DType t, const std::string &entry) {
  const std::vector<int64_t> row_dim = {0}, column_dim = {1}, none;
  const IndexedSlices slices{t,
                             DType::s32,
                             ops::Indexing({column_dim, row_dim, none, none, row_dim, 1}, 2, 1, 2),
                             {{5, 6}, {0, 0}, {5, 6}},
                             {{7, 6}, {0, 0}, {7, 6}},
                             {7}};
  const std::vector<DType> operands = {t, t};
  const auto &multiply = ops::op_def(*ops::find_op("stablehlo.multiply"));
  const ScalarRegion region{operands, {{multiply.scalar(ElementTypes(operands, t).view({})), {0, 1}}}, {2}};
  return *scatter_apart_source(slices, region, t, std::nullopt, entry);
}

std::vector<Source> other_kinds() {
  std::vector<Source> sources;
  for (const DType t : {DType::f32, DType::bf16, DType::c64, DType::s4, DType::f8e4m3fn})
    for (const auto &dims : {std::vector<int64_t>{1}, {0}}) {
      const std::string number = std::to_string(sources.size());
      sources.push_back(reduction_source({t, Reduction::sum, {70, 70'000}, dims, true}, "reduce_" + number));
      sources.push_back(scatter_of_rows(t, "scatter_" + number));
    }
  sources.push_back(dynamic_slice_source({DType::f64, DType::s32, {6, 5}, {2, 3}}, "slice"));
  sources.push_back(dynamic_update_source({DType::f64, DType::s32, {6, 5}, {2, 3}}, "update"));
  sources.push_back(box_source({{0, {3, 4}, 0, 0, {4, 1}, {4, 1}}}, 1, 4, "boxes").source);
  sources.push_back(
      window_source({DType::f32, Reduction::max, {9}, {3}, {{3, 3, 1, 1, 0, 0, false}}}, "window"));
  sources.push_back(iota_source({DType::bf16, {4, 5}, 1}, "iota"));
  sources.push_back(random_bits_source({DType::f32, true, 2, {4, 5}, {4, 5}}, "threefry"));
  sources.push_back(random_bits_source({DType::u64, false, 3, {4, 5}, {4, 5}}, "philox"));
  for (const bool normal : {false, true})
    sources.push_back(
        *random_numbers_source({DType::f16, normal, 7, {4, 5}, {4, 5}}, normal ? "normal" : "uniform"));
  RowChain chain{8, 512, {{DType::f32, {{8, 512}}, 1}}, {}, {0}};
  chain.members = {{std::nullopt, {0}, Reduction::max}};
  sources.push_back(*row_chain_source(chain, "chain"));
  return sources;
}

// Gathers, scatters and windows by regions, of the ops of a program.
std::vector<Source> by_regions() {
  const auto graph =
      module_of(R"(func.func @main(%a: tensor<6x7xf32>, %i: tensor<5x2xi32>, %u: tensor<5x2x3xf32>,
    %s: tensor<3x4xf32>, %v: tensor<f32>) -> (tensor<5x2x3xf32>, tensor<6x7xf32>, tensor<3x4xf32>, tensor<6x7xf32>) {
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 3>} : (tensor<6x7xf32>, tensor<5x2xi32>) -> tensor<5x2x3xf32>
  %1 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %x = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>} : (tensor<6x7xf32>, tensor<5x2xi32>, tensor<5x2x3xf32>) -> tensor<6x7xf32>
  %2 = "stablehlo.reduce_window"(%a, %v) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %x = stablehlo.multiply %p, %p : tensor<f32>
    %y = stablehlo.add %x, %q : tensor<f32>
    stablehlo.return %y : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>} : (tensor<6x7xf32>, tensor<f32>) -> tensor<3x4xf32>
  %3 = "stablehlo.select_and_scatter"(%a, %s, %v) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %x = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %x : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %x = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %x : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>} : (tensor<6x7xf32>, tensor<3x4xf32>, tensor<f32>) -> tensor<6x7xf32>
  return %0, %1, %2, %3 : tensor<5x2x3xf32>, tensor<6x7xf32>, tensor<3x4xf32>, tensor<6x7xf32>
})");
  std::vector<Source> sources;
  for (const graph::OpId id : graph->results()) {
    const ops::OpViewHolder holder(*graph, graph->value(graph->operands(id)[0]).def);
    const ops::OpView &op = holder.view();
    const auto part = [](const graph::TensorType &type) {
      return IndexedSlices::Part{type.dims, std::vector<int64_t>(type.rank()), type.dims};
    };
    const std::string number = std::to_string(sources.size());
    if (sources.empty()) {
      const int64_t sizes[] = {2, 3};
      sources.push_back(gather_slices_source({DType::f32,
                                              DType::s32,
                                              ops::gather_indexing(op),
                                              part(*op.operands[0]),
                                              part({DType::f32, {5, 2, 3}}),
                                              {5, 2}},
                                             sizes, "region_" + number));
    } else if (sources.size() == 1) {
      sources.push_back(*scatter_slices_source({DType::f32,
                                                DType::s32,
                                                ops::scatter_indexing(op),
                                                part(*op.operands[0]),
                                                part(*op.operands[2]),
                                                {5, 2}},
                                               *scalar_region(*graph, op.regions[0]), {DType::f32},
                                               std::nullopt, "region_" + number));
    } else if (sources.size() == 2) {
      sources.push_back(*region_window_source(
          {*scalar_region(*graph, op.regions[0]), {6, 7}, {3, 4}, ops::folding_windows(op)},
          "region_" + number));
    } else {
      const auto windows = ops::selecting_windows(op);
      sources.push_back(
          *select_and_scatter_source({{{windows[0], 6, 0, 6, 0, 3, 0, 6}, {windows[1], 7, 0, 7, 0, 4, 0, 7}},
                                      *scalar_region(*graph, op.regions[0]),
                                      *scalar_region(*graph, op.regions[1])},
                                     "region_" + number));
    }
  }
  return sources;
}

// Functions with the bits of the host, each of its own.
std::vector<Source> with_functions_of_host() {
  std::vector<Source> sources;
  for (const char *op :
       {"stablehlo.exponential", "stablehlo.exponential_minus_one", "stablehlo.log", "stablehlo.log_plus_one",
        "stablehlo.logistic", "stablehlo.tanh", "stablehlo.power"}) {
    const ops::OpDef &def = ops::op_def(*ops::find_op(op));
    const std::vector<DType> operands(static_cast<size_t>(def.min_operands), DType::bf16);
    Group group{{100}, {}, {{def.scalar(ElementTypes(operands, DType::bf16).view({})), {}}}, {0}};
    for (uint32_t i = 0; i < operands.size(); ++i) {
      group.inputs.push_back({DType::bf16, {1}});
      group.nodes[0].args.push_back(i);
    }
    REQUIRE(take_host_bits(group.nodes).has_value());
    sources.push_back(*group_source(group, "of_host_" + std::to_string(sources.size())));
  }
  return sources;
}

} // namespace

TEST_CASE("generated source compiles for sm_80 and sm_90") {
  // Never closed: what it allocates as it is loaded, it keeps until the process ends, and once it is unloaded
  // the leak checker finds neither who holds that nor a name to suppress.
  static const auto &nvrtc = *new Result<Nvrtc>(Nvrtc::open());
  if (!nvrtc) {
    test::skip(nvrtc.error().message());
    return;
  }
  const size_t count = test::number_of("TW_GENERATED", 60), begin = test::number_of("TW_SEED", 1);
  std::vector<Source> sources = other_kinds();
  std::ranges::move(by_regions(), std::back_inserter(sources));
  std::ranges::move(with_functions_of_host(), std::back_inserter(sources));
  for (uint64_t i = 0; i < count; ++i)
    if (auto source = group_source(random_group(begin + i).group, "group_" + std::to_string(i)))
      sources.push_back(std::move(*source));
  for (const char *architecture : {"sm_80", "sm_90"})
    for (size_t first = 0; first < sources.size(); first += 100) {
      std::vector<const Source *> some;
      for (size_t i = first; i < std::min(sources.size(), first + 100); ++i)
        some.push_back(&sources[i]);
      const auto binary = nvrtc->compile(file_of(some), architecture);
      if (!binary)
        FAIL(binary.error().message().substr(0, 3000));
      CHECK(binary->size() > 1000);
    }
  const auto wrong = nvrtc->compile("this is no source", "sm_90");
  REQUIRE(!wrong.has_value());
  CHECK(wrong.error().message().find("generated.cu") != std::string::npos);
}

} // namespace tw::test_generated_nvrtc
