// SPDX-License-Identifier: Apache-2.0
// Generated reductions and folds under windows, compiled by the host's compiler: the bits of the host's
// kernels. TW_GENERATED says how many reductions, TW_SEED where they begin.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/generated/reduction.hpp"
#include "kernels/generated/region_fold.hpp"
#include "kernels/generated/window.hpp"
#include "kernels/kernel.hpp"
#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "ops/reduction.hpp"
#include "support/host_module.hpp"
#include "support/host_values.hpp"
#include "support/number_of.hpp"

namespace tw::test_generated_reductions {

namespace {

using namespace kernels::generated;
using graph::DType;
using sharding::Reduction;

constexpr size_t kInOneFile = 60;

struct Case {
  ReductionRequest request;
  std::shared_ptr<const graph::Graph> graph;
  std::vector<Bytes> arguments; // the array and the initial value
};

Bytes repeated(DType dtype, double value, int64_t n) {
  const Bytes one = ops::element_bytes(dtype, value);
  Bytes out;
  for (int64_t i = 0; i < n; ++i)
    out.insert(out.end(), one.begin(), one.end());
  return out;
}

class Maker {
public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  // Nothing where the type has no such reduction.
  std::optional<Case> run() {
    Case c;
    c.request.dtype = pick_type();
    c.request.kind = pick_kind();
    static constexpr int64_t kExtents[] = {0, 1, 2, 3, 5, 8, 31, 32, 33, 64, 100, 257, 300, 700};
    int64_t elements = 1;
    for (size_t d = 0, rank = 1 + below(4); d < rank; ++d) {
      int64_t n = kExtents[below(std::size(kExtents))];
      if (elements * n > 40'000 || (n == 0 && below(4) != 0))
        n = 2;
      c.request.extent.push_back(n);
      elements *= n;
      if (below(2) == 0)
        c.request.dims.push_back(static_cast<int64_t>(d));
    }
    if (below(12) == 0) { // more than a piece
      c.request.extent = {1, 33'000 + static_cast<int64_t>(below(70'000))};
      c.request.dims = {1};
      elements = c.request.extent[1];
    }
    if (below(12) == 0) { // more rows than a piece has
      static constexpr DType kRounding[] = {DType::f64, DType::f32, DType::f16, DType::bf16};
      c.request = {kRounding[below(4)], Reduction::sum, {2, 700, 20}, {1}};
      elements = 28'000;
    }
    if (below(40) == 0) { // more pieces than a block has threads
      c.request = {DType::f32, Reduction::sum, {66'000, 2}, {0}};
      elements = 132'000;
    }
    c.request.use_init = below(2) == 0;
    if (!has_reduction(c))
      return std::nullopt;
    draw(c, elements);
    return c;
  }

private:
  size_t below(size_t n) { return static_cast<size_t>(random_() % n); }
  DType pick_type() {
    for (;;)
      if (const auto t = static_cast<DType>(below(static_cast<size_t>(DType::count_))); ops::kAll.has(t))
        return t;
  }
  Reduction pick_kind() {
    static constexpr Reduction kKinds[] = {Reduction::sum, Reduction::sum,  Reduction::prod, Reduction::max,
                                           Reduction::min, Reduction::land, Reduction::lor,  Reduction::lxor};
    return kKinds[below(std::size(kKinds))];
  }

  bool has_reduction(Case &c) {
    const char *op = ops::combiner_op(c.request.kind);
    const DType two[] = {c.request.dtype, c.request.dtype};
    const ElementTypes types(two, c.request.dtype);
    if (!ops::op_def(*ops::find_op(op)).infer(types.view({})))
      return false;
    graph::TensorType array{c.request.dtype, c.request.extent}, scalar{c.request.dtype, {}}, result = scalar;
    for (size_t d = 0; d < array.rank(); ++d)
      if (std::ranges::find(c.request.dims, static_cast<int64_t>(d)) == c.request.dims.end())
        result.dims.push_back(array.dims[d]);
    c.graph = module_of(
        fmt::format("func.func @main(%a: {0}, %i: {1}) -> {2} {{\n"
                    "  %0 = stablehlo.reduce(%a init: %i) applies {3} across dimensions = [{4}] : ({0}, "
                    "{1}) -> {2}\n  return %0 : {2}\n}}\n",
                    graph::to_text(array), graph::to_text(scalar), graph::to_text(result), op,
                    fmt::join(c.request.dims, ", ")));
    const auto kind = ops::reduction_of(*c.graph, c.graph->op(reduce_of(*c.graph)).first_region);
    if (!kind)
      return false;
    c.request.kind = *kind; // of i1 sums are `lor`
    return true;
  }

  // Types that the host folds in the same order get numbers that round; of the others every order gives the
  // same bits.
  void draw(Case &c, int64_t n) {
    const DType t = c.request.dtype;
    const bool product = c.request.kind == Reduction::prod;
    const bool ordered = t == DType::f64 || t == DType::f32 || t == DType::f16 || t == DType::bf16;
    const bool chooses = c.request.kind == Reduction::max || c.request.kind == Reduction::min;
    const double neutral = product ? 1 : 0;
    if (!graph::is_float(t) && !graph::is_complex(t)) {
      c.arguments = {drawn_elements(t, n, random_), drawn_elements(t, 1, random_)};
      return;
    }
    if (chooses) {
      c.arguments = {drawn_elements(t, n, random_), drawn_elements(t, 1, random_)};
      return;
    }
    c.arguments = {repeated(t, neutral, n), repeated(t, neutral, 1)};
    const size_t size = graph::byte_size(t);
    for (int64_t i = 0; i < (ordered ? n : std::min<int64_t>(n, 3)); ++i) {
      const double drawn = static_cast<double>(static_cast<int64_t>(random_())) * 0x1p-63;
      const double value = ordered ? (product ? 1 + drawn / 64 : drawn) : product ? 2 : 1;
      const Bytes one = ops::element_bytes(t, value);
      const auto at = static_cast<size_t>(ordered ? i : static_cast<int64_t>(below(static_cast<size_t>(n))));
      std::ranges::copy(one, c.arguments[0].begin() + static_cast<ptrdiff_t>(at * size));
    }
  }

public:
  static graph::OpId reduce_of(const graph::Graph &graph) {
    for (graph::OpId id = 0; id < graph.ops().size(); ++id)
      if (ops::is(graph, id, ops::OpKind::reduce))
        return id;
    return 0;
  }

private:
  std::mt19937_64 random_;
};

// By the host's kernel for it.
Bytes by_host(const Case &c) {
  const graph::OpId id = Maker::reduce_of(*c.graph);
  const ops::OpViewHolder holder(*c.graph, id);
  std::vector<kernels::Tile> tiles;
  for (const auto *types : {&holder.view().operands, &holder.view().results})
    for (const graph::TensorType *t : *types)
      tiles.push_back({t->dtype, t->dims, std::vector<int64_t>(t->rank()), t->dims});
  const std::span all(tiles);
  auto kernel = kernels::bind(
      {holder.view(), ops::op_def(c.graph->op(id).code), all.first(2), all.last(1), c.request.use_init});
  REQUIRE(kernel.has_value());
  Bytes out(static_cast<size_t>(tiles[2].bytes()));
  std::vector<std::byte> shared(static_cast<size_t>((*kernel)->shared_bytes()) + 64),
      scratch(static_cast<size_t>((*kernel)->scratch_bytes()) + 64);
  const auto aligned = [](std::vector<std::byte> &v) {
    return reinterpret_cast<void *>((reinterpret_cast<uintptr_t>(v.data()) + 63) / 64 * 64);
  };
  const void *operands[] = {c.arguments[0].data(), c.arguments[1].data(), aligned(shared)};
  void *results[] = {out.data()};
  REQUIRE(kernels::run_serially(**kernel, operands, results, aligned(scratch)).has_value());
  return out;
}

} // namespace

TEST_CASE("reductions give the bits of the host's kernels") {
  const size_t wanted = test::number_of("TW_GENERATED", kInOneFile), begin = test::number_of("TW_SEED", 0);
  for (size_t first = 0; first < wanted; first += kInOneFile) {
    std::vector<Case> cases;
    std::vector<Source> sources;
    for (uint64_t seed = begin + first * 1000; cases.size() < kInOneFile; ++seed)
      if (auto made = Maker(seed).run()) {
        sources.push_back(reduction_source(made->request, fmt::format("reduce_{}", cases.size())));
        cases.push_back(std::move(*made));
      }
    const HostModule module = HostModule::compile(sources);
    for (size_t i = 0; i < cases.size(); ++i) {
      const Bytes want = by_host(cases[i]);
      Bytes have(want.size());
      const void *operands[] = {cases[i].arguments[0].data(), cases[i].arguments[1].data()};
      void *results[] = {have.data()};
      module.run(sources[i], operands, results);
      const auto &r = cases[i].request;
      INFO(fmt::format("{} of {}[{}] over [{}]", static_cast<int>(r.kind), graph::name(r.dtype),
                       fmt::join(r.extent, ","), fmt::join(r.dims, ",")));
      CHECK(count_wrong(r.dtype, have, want) == 0);
    }
  }
}

TEST_CASE("folds under windows give the bits of the reference") {
  std::mt19937_64 random(5);
  std::vector<WindowFold> requests;
  std::vector<std::shared_ptr<const graph::Graph>> graphs;
  std::vector<std::vector<Bytes>> arguments;
  std::vector<Source> sources;
  while (sources.size() < 24) {
    const DType types[] = {DType::f32, DType::f64, DType::bf16, DType::f8e4m3fn, DType::s32, DType::u4};
    WindowFold fold{types[random() % 6], random() % 2 == 0 ? Reduction::sum : Reduction::max, {}, {}, {}};
    std::vector<std::string> padding;
    std::vector<int64_t> sizes, strides, base, dilations;
    for (size_t d = 0, rank = 1 + random() % 3; d < rank; ++d) {
      ops::SlidingWindow w;
      w.size = 1 + static_cast<int64_t>(random() % 4);
      w.stride = 1 + static_cast<int64_t>(random() % 3);
      w.base_dilation = 1 + static_cast<int64_t>(random() % 2);
      w.dilation = 1 + static_cast<int64_t>(random() % 2);
      w.low = static_cast<int64_t>(random() % 3);
      w.high = static_cast<int64_t>(random() % 3);
      const int64_t n = 1 + static_cast<int64_t>(random() % 9);
      const auto count = ops::places(w, n);
      fold.extent.push_back(n);
      fold.places.push_back(count ? *count : 0);
      fold.windows.push_back(w);
      padding.push_back(fmt::format("[{}, {}]", w.low, w.high));
      sizes.push_back(w.size), strides.push_back(w.stride), base.push_back(w.base_dilation);
      dilations.push_back(w.dilation);
    }
    const std::string array = graph::to_text({fold.dtype, fold.extent}),
                      scalar = graph::to_text({fold.dtype, {}}),
                      result = graph::to_text({fold.dtype, fold.places});
    graphs.push_back(module_of(fmt::format(
        "func.func @main(%a: {0}, %i: {1}) -> {2} {{\n  %0 = \"stablehlo.reduce_window\"(%a, %i) ({{\n"
        "  ^bb0(%x: {1}, %y: {1}):\n    %s = stablehlo.{3} %x, %y : {1}\n    stablehlo.return %s : {1}\n  "
        "}}) "
        "{{window_dimensions = array<i64: {4}>, window_strides = array<i64: {5}>, base_dilations = "
        "array<i64: {6}>, "
        "window_dilations = array<i64: {7}>, padding = dense<[{8}]> : tensor<{9}x2xi64>}} : ({0}, {1}) -> "
        "{2}\n"
        "  return %0 : {2}\n}}\n",
        array, scalar, result, fold.kind == Reduction::sum ? "add" : "maximum", fmt::join(sizes, ", "),
        fmt::join(strides, ", "), fmt::join(base, ", "), fmt::join(dilations, ", "), fmt::join(padding, ", "),
        sizes.size())));
    int64_t n = 1;
    for (const int64_t e : fold.extent)
      n *= e;
    arguments.push_back({drawn_elements(fold.dtype, n, random), drawn_elements(fold.dtype, 1, random)});
    sources.push_back(window_source(fold, fmt::format("window_{}", sources.size())));
    requests.push_back(std::move(fold));
  }
  const HostModule module = HostModule::compile(sources);
  for (size_t i = 0; i < sources.size(); ++i) {
    const Bytes want = evaluated(*graphs[i], arguments[i])[0].bytes;
    Bytes have(want.size());
    const void *operands[] = {arguments[i][0].data(), arguments[i][1].data()};
    void *results[] = {have.data()};
    module.run(sources[i], operands, results);
    INFO("window " << i << " of " << std::string(graph::name(requests[i].dtype)));
    CHECK(count_wrong(requests[i].dtype, have, want) == 0);
  }
}

TEST_CASE("folds by other regions give the bits of the reference") {
  // argmax with ties to the least index; a sum in f32 of narrow numbers; one with a constant from outside.
  const char *const texts[] = {
      R"(func.func @main(%a: tensor<6x7x5xbf16>, %j: tensor<6x7x5xi64>, %v: tensor<bf16>, %w: tensor<i64>)
  -> (tensor<6x5xbf16>, tensor<6x5xi64>) {
  %0:2 = "stablehlo.reduce"(%a, %j, %v, %w) ({
  ^bb0(%p: tensor<bf16>, %i: tensor<i64>, %q: tensor<bf16>, %k: tensor<i64>):
    %gt = stablehlo.compare GT, %p, %q : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %eq = stablehlo.compare EQ, %p, %q : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %lt = stablehlo.compare LT, %i, %k : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %tie = stablehlo.and %eq, %lt : tensor<i1>
    %first = stablehlo.or %gt, %tie : tensor<i1>
    %x = stablehlo.select %first, %p, %q : tensor<i1>, tensor<bf16>
    %y = stablehlo.select %first, %i, %k : tensor<i1>, tensor<i64>
    stablehlo.return %x, %y : tensor<bf16>, tensor<i64>
  }) {dimensions = array<i64: 1>} : (tensor<6x7x5xbf16>, tensor<6x7x5xi64>, tensor<bf16>, tensor<i64>)
    -> (tensor<6x5xbf16>, tensor<6x5xi64>)
  return %0#0, %0#1 : tensor<6x5xbf16>, tensor<6x5xi64>
})",
      R"(func.func @main(%a: tensor<6x50xf16>, %v: tensor<f16>) -> tensor<50xf32> {
  %0 = "stablehlo.reduce"(%a, %v) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %half = stablehlo.constant dense<5.0e-01> : tensor<f32>
    %x = stablehlo.multiply %q, %half : tensor<f32>
    %y = stablehlo.add %p, %x : tensor<f32>
    stablehlo.return %y : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<6x50xf16>, tensor<f16>) -> tensor<50xf32>
  return %0 : tensor<50xf32>
})",
      R"(func.func @main(%a: tensor<40xui64>, %v: tensor<ui64>) -> tensor<ui64> {
  %0 = "stablehlo.reduce"(%a, %v) ({
  ^bb0(%p: tensor<ui64>, %q: tensor<ui64>):
    %c = stablehlo.constant dense<11400714819323198485> : tensor<ui64>
    %x = stablehlo.multiply %p, %c : tensor<ui64>
    %y = stablehlo.xor %x, %q : tensor<ui64>
    stablehlo.return %y : tensor<ui64>
  }) {dimensions = array<i64: 0>} : (tensor<40xui64>, tensor<ui64>) -> tensor<ui64>
  return %0 : tensor<ui64>
})"};
  std::mt19937_64 random(12);
  std::vector<Source> sources;
  std::vector<std::shared_ptr<const graph::Graph>> graphs;
  for (const char *text : texts) {
    graphs.push_back(module_of(text));
    const graph::OpId id = Maker::reduce_of(*graphs.back());
    const ops::OpViewHolder holder(*graphs.back(), id);
    auto region = scalar_region(*graphs.back(), holder.view().regions[0]);
    REQUIRE(region.has_value());
    RegionFold fold{std::move(*region), {}, holder.view().operands[0]->dims, {}};
    for (size_t i = 0; i < holder.view().operands.size() / 2; ++i)
      fold.dtypes.push_back(holder.view().operands[i]->dtype);
    const auto dims = holder.view().ints(ops::slot::reduce::dimensions);
    fold.dims.assign(dims.begin(), dims.end());
    auto source = region_fold_source(fold, fmt::format("fold_{}", sources.size()));
    REQUIRE(source.has_value());
    sources.push_back(std::move(*source));
  }
  const HostModule module = HostModule::compile(sources);
  for (size_t i = 0; i < sources.size(); ++i) {
    std::vector<Bytes> arguments;
    std::vector<const void *> operands;
    for (const graph::OpId id : graphs[i]->arguments()) {
      const graph::TensorType &type = graphs[i]->type(graphs[i]->result(id));
      arguments.push_back(drawn_elements(type.dtype, type.elements(), random));
    }
    for (const Bytes &argument : arguments)
      operands.push_back(argument.data());
    const auto want = evaluated(*graphs[i], arguments);
    std::vector<Bytes> have;
    std::vector<void *> results;
    for (const kernels::ref::Array &array : want)
      have.emplace_back(array.bytes.size());
    for (Bytes &bytes : have)
      results.push_back(bytes.data());
    module.run(sources[i], operands, results);
    for (size_t r = 0; r < want.size(); ++r)
      CHECK(count_wrong(want[r].type.dtype, have[r], want[r].bytes) == 0);
  }
}

} // namespace tw::test_generated_reductions
