// SPDX-License-Identifier: Apache-2.0
// Generated folds under windows by regions, and select_and_scatter, compiled by the host's compiler: the bits
// of the reference for every element type.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/generated/region_window.hpp"
#include "kernels/generated/select_and_scatter.hpp"
#include "ops/element.hpp"
#include "support/host_module.hpp"
#include "support/host_values.hpp"

namespace tw::test_generated_windows {

namespace {

using namespace kernels::generated;
using graph::DType;

struct Case {
  std::shared_ptr<const graph::Graph> graph;
  std::vector<Bytes> arguments;
};

// Windows over an array of one to three dimensions, and the attributes that say so.
struct Drawn {
  std::vector<int64_t> extent, places;
  std::vector<ops::SlidingWindow> windows;
  std::string attributes;
};

Drawn drawn_windows(std::mt19937_64 &random, bool dilates) {
  Drawn drawn;
  std::vector<std::string> padding;
  std::vector<int64_t> sizes, strides, base, dilations;
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  for (int64_t d = 0, rank = 1 + below(3); d < rank; ++d) {
    ops::SlidingWindow w;
    w.size = 1 + below(4);
    w.stride = 1 + below(3);
    w.base_dilation = dilates ? 1 + below(2) : 1;
    w.dilation = dilates ? 1 + below(2) : 1;
    w.low = below(3);
    w.high = below(3);
    const int64_t n = 1 + below(9);
    const auto count = ops::places(w, n);
    drawn.extent.push_back(n);
    drawn.places.push_back(count ? *count : 0);
    drawn.windows.push_back(w);
    padding.push_back(fmt::format("[{}, {}]", w.low, w.high));
    sizes.push_back(w.size), strides.push_back(w.stride), base.push_back(w.base_dilation);
    dilations.push_back(w.dilation);
  }
  drawn.attributes =
      fmt::format("window_dimensions = array<i64: {}>, window_strides = array<i64: {}>, padding = "
                  "dense<[{}]> : tensor<{}x2xi64>",
                  fmt::join(sizes, ", "), fmt::join(strides, ", "), fmt::join(padding, ", "), sizes.size());
  if (dilates)
    drawn.attributes += fmt::format(", base_dilations = array<i64: {}>, window_dilations = array<i64: {}>",
                                    fmt::join(base, ", "), fmt::join(dilations, ", "));
  return drawn;
}

int64_t product(const std::vector<int64_t> &extent) {
  int64_t n = 1;
  for (const int64_t e : extent)
    n *= e;
  return n;
}

graph::OpId op_of(const graph::Graph &graph, std::string_view name) {
  for (graph::OpId id = 0; id < graph.ops().size(); ++id)
    if (ops::op_def(graph.op(id).code).name == name)
      return id;
  return graph::kNone;
}

// Every type of which arrays are made and compared.
std::vector<DType> types() {
  std::vector<DType> all;
  for (int t = 0; t < static_cast<int>(DType::count_); ++t)
    if (const auto dtype = static_cast<DType>(t); ops::kAll.has(dtype) && !graph::is_complex(dtype))
      all.push_back(dtype);
  return all;
}

void check(const HostModule &module, std::span<const Source> sources, std::span<const Case> cases) {
  for (size_t i = 0; i < cases.size(); ++i) {
    const auto want = evaluated(*cases[i].graph, cases[i].arguments);
    std::vector<Bytes> have;
    std::vector<const void *> operands;
    std::vector<void *> results;
    for (const Bytes &argument : cases[i].arguments)
      operands.push_back(argument.data());
    for (const auto &array : want)
      have.emplace_back(array.bytes.size());
    for (Bytes &bytes : have)
      results.push_back(bytes.data());
    module.run(sources[i], operands, results);
    for (size_t r = 0; r < want.size(); ++r) {
      INFO("case " << i << " of " << std::string(graph::name(want[r].type.dtype)) << ", result " << r);
      CHECK(count_wrong(want[r].type.dtype, have[r], want[r].bytes) == 0);
    }
  }
}

} // namespace

TEST_CASE("folds under windows by any region give the bits of the reference") {
  std::mt19937_64 random(15);
  std::vector<Case> cases;
  std::vector<Source> sources;
  for (const DType t : types())
    for (int repeat = 0; repeat < 2; ++repeat) {
      const Drawn w = drawn_windows(random, true);
      // The greatest of one array, of equal ones the last, and another array's element at its place.
      const std::string array = graph::to_text({t, w.extent}), scalar = graph::to_text({t, {}}),
                        result = graph::to_text({t, w.places}),
                        index = graph::to_text({DType::s32, w.extent}),
                        places = graph::to_text({DType::s32, w.places});
      cases.push_back(
          {module_of(fmt::format(
               "func.func @main(%a: {0}, %j: {3}, %v: {1}, %k: tensor<i32>) -> ({2}, {4}) {{\n"
               "  %0:2 = \"stablehlo.reduce_window\"(%a, %j, %v, %k) ({{\n"
               "  ^bb0(%x: {1}, %i: tensor<i32>, %y: {1}, %l: tensor<i32>):\n"
               "    %g = stablehlo.compare GT, %x, %y : ({1}, {1}) -> tensor<i1>\n"
               "    %s = stablehlo.select %g, %x, %y : tensor<i1>, {1}\n"
               "    %n = stablehlo.select %g, %i, %l : tensor<i1>, tensor<i32>\n"
               "    stablehlo.return %s, %n : {1}, tensor<i32>\n  }}) {{{5}}}"
               " : ({0}, {3}, {1}, tensor<i32>) -> ({2}, {4})\n  return %0#0, %0#1 : {2}, {4}\n}}\n",
               array, scalar, result, index, places, w.attributes)),
           {drawn_elements(t, product(w.extent), random),
            drawn_elements(DType::s32, product(w.extent), random), drawn_elements(t, 1, random),
            drawn_elements(DType::s32, 1, random)}});
      const ops::OpViewHolder op(*cases.back().graph, op_of(*cases.back().graph, "stablehlo.reduce_window"));
      auto region = scalar_region(*cases.back().graph, op.view().regions[0]);
      REQUIRE(region.has_value());
      auto source = region_window_source({std::move(*region), w.extent, w.places, w.windows},
                                         fmt::format("window_{}", sources.size()));
      REQUIRE(source.has_value());
      sources.push_back(std::move(*source));
    }
  CHECK(cases.size() > 40);
  check(HostModule::compile(sources), sources, cases);
}

TEST_CASE("what windows select gets their sources in the order of the reference") {
  std::mt19937_64 random(16);
  std::vector<Case> cases;
  std::vector<Source> sources;
  for (const DType t : types())
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Drawn w = drawn_windows(random, false);
      const std::string array = graph::to_text({t, w.extent}), scalar = graph::to_text({t, {}}),
                        source = graph::to_text({t, w.places});
      const char *const directions[] = {"GE", "LT", "NE"};
      cases.push_back(
          {module_of(fmt::format(
               "func.func @main(%a: {0}, %b: {2}, %v: {1}) -> {0} {{\n"
               "  %0 = \"stablehlo.select_and_scatter\"(%a, %b, %v) ({{\n  ^bb0(%x: {1}, %y: {1}):\n"
               "    %k = stablehlo.compare {4}, %x, %y : ({1}, {1}) -> tensor<i1>\n"
               "    stablehlo.return %k : tensor<i1>\n  }}, {{\n  ^bb0(%x: {1}, %y: {1}):\n"
               "    %s = stablehlo.{5} %x, %y : {1}\n    stablehlo.return %s : {1}\n  }}) {{{3}}}"
               " : ({0}, {2}, {1}) -> {0}\n  return %0 : {0}\n}}\n",
               array, scalar, source, w.attributes, directions[repeat], repeat == 1 ? "maximum" : "add")),
           {drawn_elements(t, product(w.extent), random), drawn_elements(t, product(w.places), random),
            drawn_elements(t, 1, random)}});
      const graph::Graph &graph = *cases.back().graph;
      const ops::OpViewHolder op(graph, op_of(graph, "stablehlo.select_and_scatter"));
      SelectAndScatter request{
          {}, *scalar_region(graph, op.view().regions[0]), *scalar_region(graph, op.view().regions[1])};
      for (size_t d = 0; d < w.windows.size(); ++d)
        request.dims.push_back({w.windows[d], w.extent[d], 0, w.extent[d], 0, w.places[d], 0, w.extent[d]});
      auto made = select_and_scatter_source(request, fmt::format("select_{}", sources.size()));
      REQUIRE(made.has_value());
      sources.push_back(std::move(*made));
    }
  CHECK(cases.size() > 60);
  check(HostModule::compile(sources), sources, cases);
}

} // namespace tw::test_generated_windows
