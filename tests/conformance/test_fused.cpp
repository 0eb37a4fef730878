// SPDX-License-Identifier: Apache-2.0
// Fused groups: the same bits as op after op with the reference kernels on written-out inputs, for random
// chains, broadcasts, transposes, element types, parts in any order, and results that lie over an input.
#include <algorithm>
#include <cstring>
#include <numeric>

#include <doctest/doctest.h>

#include "conformance/kernel_case.hpp"
#include "kernels/entry.hpp"
#include "kernels/fused.hpp"
#include "kernels/ref/references.hpp"

namespace tw::test_fused {

using graph::DType;
using test::uniform;

namespace {

struct OpChoice {
  const char *name;
  size_t arity;
};
constexpr OpChoice kOps[] = {
    {"stablehlo.add", 2},     {"stablehlo.multiply", 2},    {"stablehlo.subtract", 2},
    {"stablehlo.maximum", 2}, {"stablehlo.exponential", 1}, {"stablehlo.negate", 1},
    {"stablehlo.tanh", 1},    {"stablehlo.convert", 1},     {"stablehlo.compare", 2},
    {"stablehlo.select", 3},  {"stablehlo.sqrt", 1},        {"stablehlo.and", 2}};

struct Value {
  DType dtype;
  std::vector<std::byte> bytes; // written out over the iteration space
};

struct Group {
  std::vector<int64_t> extent;
  std::vector<std::vector<std::byte>> storage; // of the inputs
  kernels::FusedRequest request;
  std::vector<Value> values; // inputs, then nodes
  // What the views of the nodes point to.
  std::vector<std::unique_ptr<graph::TensorType>> types;
  std::vector<std::unique_ptr<std::vector<const graph::TensorType *>>> type_lists;
  std::vector<std::unique_ptr<graph::Attrs>> attrs;
  graph::Graph graph;
};

int64_t product(const std::vector<int64_t> &dims) {
  int64_t n = 1;
  for (int64_t d : dims)
    n *= d;
  return n;
}

void add_input(Group &g, test::Rng &rng, DType dtype) {
  // A permuted array, some of whose dimensions are broadcast.
  std::vector<int64_t> strides(g.extent.size(), 0);
  std::vector<size_t> order(g.extent.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const int64_t kind = uniform(rng, 0, 4);
  if (kind == 0)
    std::shuffle(order.begin(), order.end(), rng);
  int64_t step = 1;
  for (size_t i = order.size(); i-- > 0;)
    if (kind <= 1 || (kind == 2 && uniform(rng, 0, 1)) || (kind == 3 && i + 1 == order.size())) {
      strides[order[i]] = step;
      step *= g.extent[order[i]];
    }
  const auto size = static_cast<int64_t>(graph::byte_size(dtype));
  g.storage.push_back(test::random_data(rng, dtype, step, false));
  const int64_t n = product(g.extent);
  std::vector<std::byte> written(static_cast<size_t>(n * size));
  for (int64_t i = 0; i < n; ++i) {
    int64_t rest = i, at = 0;
    for (size_t d = g.extent.size(); d-- > 0; rest /= g.extent[d])
      at += rest % g.extent[d] * strides[d];
    std::memcpy(written.data() + i * size, g.storage.back().data() + at * size, static_cast<size_t>(size));
  }
  g.request.inputs.push_back({dtype, strides});
  g.values.push_back({dtype, std::move(written)});
}

// Appends one op on random values of fitting types, if there are any.
void add_node(Group &g, test::Rng &rng) {
  const OpChoice &choice = kOps[static_cast<size_t>(uniform(rng, 0, std::size(kOps) - 1))];
  const auto code = ops::find_op(choice.name);
  REQUIRE(code.has_value());
  const ops::OpDef &def = ops::op_def(*code);
  std::vector<uint32_t> args;
  for (size_t a = 0; a < choice.arity; ++a) {
    std::vector<uint32_t> fitting;
    for (uint32_t v = 0; v < g.values.size(); ++v) {
      const bool is_predicate = std::string_view(choice.name) == "stablehlo.select" && a == 0;
      const bool fits = is_predicate ? g.values[v].dtype == DType::i1
                                     : args.empty() || (a == 1 && choice.arity == 3) ||
                                           g.values[v].dtype == g.values[args.back()].dtype;
      if (fits)
        fitting.push_back(v);
    }
    if (fitting.empty())
      return;
    args.push_back(fitting[static_cast<size_t>(uniform(rng, 0, static_cast<int64_t>(fitting.size()) - 1))]);
  }
  auto attrs = std::make_unique<graph::Attrs>(def.attrs.size());
  auto operands = std::make_unique<std::vector<const graph::TensorType *>>();
  for (uint32_t a : args)
    operands->push_back(
        g.types
            .emplace_back(std::make_unique<graph::TensorType>(graph::TensorType{g.values[a].dtype, g.extent}))
            .get());
  if (std::string_view(choice.name) == "stablehlo.compare")
    (*attrs)[0] = std::string(uniform(rng, 0, 1) ? "LT" : "EQ");
  const DType targets[] = {DType::f32, DType::f64, DType::s32, DType::bf16, DType::i1};
  auto results = std::make_unique<std::vector<const graph::TensorType *>>();
  if (std::string_view(choice.name) == "stablehlo.convert")
    results->push_back(g.types
                           .emplace_back(std::make_unique<graph::TensorType>(
                               graph::TensorType{targets[uniform(rng, 0, 4)], g.extent}))
                           .get());
  auto inferred = def.infer(ops::OpView{g.graph, *attrs, *operands, *results, {}});
  if (!inferred)
    return;
  results->assign(1, g.types.emplace_back(std::make_unique<graph::TensorType>((*inferred)[0])).get());
  const ops::OpView view{g.graph, *attrs, *operands, *results, {}};
  if (!kernels::fuses(def, view))
    return;

  // The wanted value, by the reference kernel.
  std::vector<kernels::Buffer> in;
  const std::vector<int64_t> origin(g.extent.size(), 0);
  for (uint32_t a : args)
    in.push_back({g.values[a].bytes.data(), g.values[a].dtype, g.extent, origin, g.extent});
  const DType dtype = (*inferred)[0].dtype;
  Value value{dtype,
              std::vector<std::byte>(static_cast<size_t>(product(g.extent)) * graph::byte_size(dtype))};
  const std::vector<kernels::Buffer> out{{value.bytes.data(), dtype, g.extent, origin, g.extent}};
  REQUIRE((*kernels::ref::reference_of(def))(kernels::KernelArgs{view, in, out, true}).has_value());

  g.request.nodes.push_back({view, &def, dtype, args});
  g.values.push_back(std::move(value));
  g.attrs.push_back(std::move(attrs));
  g.type_lists.push_back(std::move(operands));
  g.type_lists.push_back(std::move(results));
}

std::unique_ptr<Group> random_group(test::Rng &rng) {
  auto g = std::make_unique<Group>();
  int64_t n = 1;
  for (int64_t d = uniform(rng, 0, 4); d > 0; --d) {
    const int64_t kind = uniform(rng, 0, 19);
    int64_t size = kind == 0 ? 0 : kind < 4 ? 1 : kind < 16 ? uniform(rng, 2, 12) : uniform(rng, 100, 2100);
    if (n * size > 150'000)
      size = 2;
    n *= std::max<int64_t>(1, size);
    g->extent.push_back(size);
  }
  g->request.extent = g->extent;
  const DType types[] = {DType::f32, DType::f32, DType::f32, DType::f64, DType::s32, DType::bf16, DType::i1};
  for (int64_t i = uniform(rng, 1, 4); i > 0; --i)
    add_input(*g, rng, types[uniform(rng, 0, 6)]);
  for (int64_t i = uniform(rng, 1, 12); i > 0; --i)
    add_node(*g, rng);
  const auto nodes = static_cast<int64_t>(g->request.nodes.size());
  if (nodes == 0)
    return random_group(rng);
  g->request.outputs.push_back(static_cast<uint32_t>(nodes - 1));
  for (int64_t i = uniform(rng, 0, 2); i > 0; --i)
    g->request.outputs.push_back(static_cast<uint32_t>(uniform(rng, 0, nodes - 1)));
  return g;
}

} // namespace

TEST_CASE("fused groups have the bits of op after op") {
  test::Rng rng(51);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const auto g = random_group(rng);
    const auto kernel = kernels::bind_fused(g->request);
    REQUIRE(kernel);
    // A result lies over a dense input of its element size, where there is one, half of the time.
    auto storage = g->storage;
    const int64_t n = product(g->extent);
    const auto dense = kernels::dense_strides(g->extent);
    std::vector<bool> taken(storage.size(), false);
    std::vector<std::vector<std::byte>> fresh;
    std::vector<void *> out;
    for (uint32_t k : g->request.outputs) {
      const size_t size = graph::byte_size(g->request.nodes[k].dtype);
      void *over = nullptr;
      for (size_t i = 0; i < storage.size() && !over && uniform(rng, 0, 1); ++i)
        if (!taken[i] && g->request.inputs[i].strides == dense &&
            graph::byte_size(g->request.inputs[i].dtype) == size) {
          taken[i] = true;
          over = storage[i].data();
        }
      fresh.emplace_back(over ? 0 : static_cast<size_t>(n) * size + 64, std::byte{0xa5});
      out.push_back(over ? over : fresh.back().data());
    }
    std::vector<const void *> in;
    for (const auto &s : storage)
      in.push_back(s.data());
    std::vector<std::byte> scratch(static_cast<size_t>(kernel->scratch_bytes()) + 64);
    std::vector<int64_t> order(static_cast<size_t>(kernel->parts()));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), rng);
    const auto aligned = (reinterpret_cast<uintptr_t>(scratch.data()) + 63) / 64 * 64;
    for (int64_t part : order)
      REQUIRE(kernel->run(part, in, out, reinterpret_cast<void *>(aligned)).has_value());
    for (size_t o = 0; o < out.size(); ++o) {
      const Value &want = g->values[g->request.inputs.size() + g->request.outputs[o]];
      CAPTURE(o);
      REQUIRE((want.bytes.empty() || std::memcmp(out[o], want.bytes.data(), want.bytes.size()) == 0));
      for (size_t i = want.bytes.size(); i < fresh[o].size(); ++i)
        REQUIRE(fresh[o][i] == std::byte{0xa5});
    }
  }
}

} // namespace tw::test_fused
