// SPDX-License-Identifier: Apache-2.0
// Generated chains over rows, compiled by the host's compiler, have the bits of their members one by one:
// elementwise ones by their expressions, folds as reductions.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <span>
#include <string>

#include "kernels/generated/reduction.hpp"
#include "kernels/generated/row_chain.hpp"
#include "ops/element.hpp"
#include "support/host_module.hpp"
#include "support/host_values.hpp"

namespace tw::test_generated_chains {

namespace {

using namespace kernels::generated;
using graph::DType;
using sharding::Reduction;

ops::Expression scalar_of(const char *op, std::vector<DType> operands, DType result) {
  return ops::op_def(*ops::find_op(op)).scalar(ElementTypes(operands, result).view({}));
}

// softmax: the greatest, differences, e to their power, the sum, quotients.
RowChain softmax(DType t, int64_t rows, int64_t columns) {
  RowChain chain{rows, columns, {{t, {{rows, columns}}, 1}}, {}, {0, 2, 3, 4}};
  chain.members = {{std::nullopt, {0}, Reduction::max},
                   {scalar_of("stablehlo.subtract", {t, t}, t), {0, 1}, {}},
                   {scalar_of("stablehlo.exponential", {t}, t), {2}, {}},
                   {std::nullopt, {3}, Reduction::sum},
                   {scalar_of("stablehlo.divide", {t, t}, t), {3, 4}, {}}};
  return chain;
}

// A norm: squares of a converted and scaled row, their sum, its root, products; the scale is of the columns,
// another factor of the row.
RowChain norm(DType t, int64_t rows, int64_t columns) {
  const DType f = DType::f32;
  RowChain chain{
      rows, columns, {{t, {{rows, columns}}, 1}, {f, {}, 1}, {f, {{rows, 1}}, 0}}, {}, {1, 3, 6, 7}};
  chain.members = {{scalar_of("stablehlo.convert", {t}, f), {0}, {}},
                   {scalar_of("stablehlo.multiply", {f, f}, f), {3, 1}, {}},
                   {scalar_of("chlo.square", {f}, f), {4}, {}},
                   {std::nullopt, {5}, Reduction::sum},
                   {scalar_of("stablehlo.multiply", {f, f}, f), {4, 2}, {}},
                   {scalar_of("stablehlo.add", {f, f}, f), {6, 2}, {}},
                   {scalar_of("stablehlo.divide", {f, f}, f), {7, 8}, {}},
                   {std::nullopt, {9}, Reduction::min}};
  return chain;
}

// A norm with its mean and factor for a backward pass: the row's number of elements and the least variance
// come as inputs that stay.
RowChain layer_norm(DType t, int64_t rows, int64_t columns) {
  const DType f = DType::f32;
  RowChain chain{rows,
                 columns,
                 {{t, {{rows, columns}}, 1}, {f, {}, 0}, {f, {{rows, 1}}, 0}, {t, {}, 1}},
                 {},
                 {2, 7, 8, 10}};
  chain.members = {{scalar_of("stablehlo.convert", {t}, f), {0}, {}},
                   {std::nullopt, {4}, Reduction::sum},
                   {scalar_of("stablehlo.divide", {f, f}, f), {5, 1}, {}, true},
                   {scalar_of("stablehlo.subtract", {f, f}, f), {4, 6}, {}},
                   {scalar_of("chlo.square", {f}, f), {7}, {}},
                   {std::nullopt, {8}, Reduction::sum},
                   {scalar_of("stablehlo.divide", {f, f}, f), {9, 1}, {}, true},
                   {scalar_of("stablehlo.add", {f, f}, f), {10, 2}, {}, true},
                   {scalar_of("stablehlo.sqrt", {f}, f), {11}, {}, true},
                   {scalar_of("stablehlo.divide", {f, f}, f), {7, 12}, {}},
                   {scalar_of("stablehlo.convert", {f}, t), {13}, {}},
                   {scalar_of("stablehlo.multiply", {t, t}, t), {14, 3}, {}}};
  return chain;
}

// softmax of what a mask leaves; several rows have one row of the mask, and bias is of each head.
RowChain attention(DType t, int64_t columns) {
  const DType m = DType::i1;
  RowChain chain{2 * 3 * 5,
                 columns,
                 {{t, {{30, columns}}, 1},
                  {m, {{6, 0}, {5, columns}}, 1},
                  {t, {}, 0},
                  {t, {{2, 0}, {3, columns}, {5, 0}}, 1}},
                 {},
                 {6}};
  chain.members = {{scalar_of("stablehlo.add", {t, t}, t), {0, 3}, {}},
                   {scalar_of("stablehlo.select", {m, t, t}, t), {1, 4, 2}, {}},
                   {std::nullopt, {5}, Reduction::max},
                   {scalar_of("stablehlo.subtract", {t, t}, t), {5, 6}, {}},
                   {scalar_of("stablehlo.exponential", {t}, t), {7}, {}},
                   {std::nullopt, {8}, Reduction::sum},
                   {scalar_of("stablehlo.divide", {t, t}, t), {8, 9}, {}}};
  return chain;
}

struct Checked {
  RowChain chain;
  std::vector<Bytes> inputs;

  DType dtype(uint32_t value) const {
    if (value < chain.inputs.size())
      return chain.inputs[value].dtype;
    const RowMember &m = chain.members[value - chain.inputs.size()];
    return m.value ? m.value->dtype() : dtype(m.args[0]);
  }

  // Every value, rows of columns; of folds repeated along the row.
  std::vector<Bytes> values(const HostModule &module, std::span<const Source> folds) const {
    std::vector<Bytes> all;
    for (size_t i = 0; i < inputs.size(); ++i)
      all.push_back(spread(chain.inputs[i].dtype, inputs[i], chain.inputs[i].rows, chain.inputs[i].stride));
    for (uint32_t k = 0, fold = 0; k < chain.members.size(); ++k) {
      const RowMember &m = chain.members[k];
      const DType t = dtype(static_cast<uint32_t>(chain.inputs.size()) + k);
      if (m.value) {
        all.push_back(each_element(m, all));
        continue;
      }
      Bytes folded(static_cast<size_t>(chain.rows) * graph::byte_size(t));
      const void *operands[] = {all[m.args[0]].data()};
      void *results[] = {folded.data()};
      module.run(folds[fold++], operands, results);
      all.push_back(spread(t, folded, {{chain.rows, 1}}, 0));
    }
    return all;
  }

  Bytes spread(DType t, const Bytes &data, const std::vector<IndexDim> &rows, int64_t stride) const {
    const auto size = static_cast<int64_t>(graph::byte_size(t));
    Bytes out;
    for (int64_t i = 0; i < chain.rows * chain.columns; ++i) {
      int64_t at = i % chain.columns * stride, row = i / chain.columns;
      for (size_t d = rows.size(); d-- > 0; row /= rows[d].extent)
        at += row % rows[d].extent * rows[d].stride;
      const auto from = data.begin() + at * size;
      out.insert(out.end(), from, from + size);
    }
    return out;
  }

  Bytes each_element(const RowMember &m, const std::vector<Bytes> &all) const {
    const size_t size = graph::byte_size(m.value->dtype());
    Bytes out(static_cast<size_t>(chain.rows * chain.columns) * size);
    for (size_t i = 0; i < out.size() / size; ++i) {
      std::vector<const std::byte *> at;
      for (size_t v = 0; v < m.args.size(); ++v)
        at.push_back(all[m.args[v]].data() + i * graph::byte_size(m.value->operands()[v]));
      interpret(*m.value, at, out.data() + i * size);
    }
    return out;
  }
};

// The chain's source, then those of its folds.
std::vector<Source> sources_of(const Checked &c, size_t number) {
  auto source = row_chain_source(c.chain, "chain_" + std::to_string(number));
  REQUIRE(source.has_value());
  std::vector<Source> sources;
  sources.push_back(std::move(*source));
  for (size_t k = 0; k < c.chain.members.size(); ++k)
    if (const RowMember &m = c.chain.members[k]; !m.value)
      sources.push_back(
          reduction_source({c.dtype(m.args[0]), m.kind, {c.chain.rows, c.chain.columns}, {1}, false},
                           "fold_" + std::to_string(number) + "_" + std::to_string(k)));
  return sources;
}

Checked drawn(RowChain chain, std::mt19937_64 &random) {
  Checked c{std::move(chain), {}};
  for (const ChainInput &input : c.chain.inputs) {
    c.inputs.emplace_back();
    for (int64_t i = 0; i < c.chain.rows * c.chain.columns; ++i) {
      const double number = static_cast<double>(static_cast<int64_t>(random())) * 0x1p-61;
      const Bytes one = ops::element_bytes(input.dtype, number);
      c.inputs.back().insert(c.inputs.back().end(), one.begin(), one.end());
    }
  }
  return c;
}

void check(const Checked &c, const HostModule &module, std::span<const Source> sources) {
  const std::vector<Bytes> want = c.values(module, sources.subspan(1));
  std::vector<Bytes> have;
  std::vector<const void *> operands;
  std::vector<void *> results;
  for (const Bytes &input : c.inputs)
    operands.push_back(input.data());
  for (const uint32_t o : c.chain.outputs) {
    const int64_t n = c.chain.members[o].is_of_row() ? c.chain.rows : c.chain.rows * c.chain.columns;
    const DType t = c.dtype(static_cast<uint32_t>(c.inputs.size()) + o);
    have.emplace_back(static_cast<size_t>(n) * graph::byte_size(t));
  }
  for (Bytes &bytes : have)
    results.push_back(bytes.data());
  module.run(sources[0], operands, results);
  for (size_t o = 0; o < have.size(); ++o) {
    const auto value = static_cast<uint32_t>(c.inputs.size() + c.chain.outputs[o]);
    const bool of_row = c.chain.members[c.chain.outputs[o]].is_of_row();
    INFO("rows " << c.chain.rows << " of " << c.chain.columns << ", output " << o);
    const Bytes whole = of_row ? c.spread(c.dtype(value), have[o], {{c.chain.rows, 1}}, 0) : have[o];
    CHECK(count_wrong(c.dtype(value), whole, want[value]) == 0);
  }
}

} // namespace

namespace {

void check_all(const std::vector<Checked> &cases) {
  std::vector<Source> sources;
  std::vector<size_t> first = {0};
  for (const Checked &c : cases) {
    std::ranges::move(sources_of(c, first.size()), std::back_inserter(sources));
    first.push_back(sources.size());
  }
  const HostModule module = HostModule::compile(sources);
  for (size_t i = 0; i < cases.size(); ++i)
    check(cases[i], module, std::span(sources).subspan(first[i], first[i + 1] - first[i]));
}

} // namespace

TEST_CASE("chains over rows have the bits of their members one by one") {
  std::mt19937_64 random(3);
  struct Shape {
    int64_t rows, columns;
  };
  std::vector<Checked> cases;
  for (const Shape shape : {Shape{5, 200}, {3, 31}, {300, 5}, {2, 32}, {2, 512}, {3, 600}, {7, 1}, {0, 4}}) {
    for (const DType t : {DType::f32, DType::bf16, DType::f64})
      cases.push_back(drawn(softmax(t, shape.rows, shape.columns), random));
    for (const DType t : {DType::f16, DType::s8})
      cases.push_back(drawn(norm(t, shape.rows, shape.columns), random));
    for (const DType t : {DType::bf16, DType::f32})
      cases.push_back(drawn(layer_norm(t, shape.rows, shape.columns), random));
  }
  for (const int64_t columns : {40, 7})
    cases.push_back(drawn(attention(DType::bf16, columns), random));
  check_all(cases);
}

TEST_CASE("what rows are too long to keep is made again, and folds of long rows are joined from pieces") {
  std::mt19937_64 random(5);
  std::vector<Checked> cases;
  for (const int64_t columns : {30'000, (32 << 10) + 7, (64 << 10) + 100}) {
    cases.push_back(drawn(softmax(DType::f32, 2, columns), random));
    cases.push_back(drawn(norm(DType::f16, 1, columns), random));
    cases.push_back(drawn(layer_norm(DType::bf16, 1, columns), random));
    cases.end()[-3].chain.outputs = {0, 3, 4};
    cases.end()[-2].chain.outputs = {3, 6, 7};
  }
  check_all(cases);
}

// As a fused step may: what it reads besides is loaded before anything is stored.
TEST_CASE("a result may lie over an input that is read between the same folds") {
  const DType t = DType::f32;
  RowChain chain{3, 40, {{t, {{3, 40}}, 1}, {t, {{3, 40}}, 1}}, {}, {1, 2}};
  chain.members = {{std::nullopt, {0}, Reduction::max},
                   {scalar_of("stablehlo.subtract", {t, t}, t), {0, 2}, {}},
                   {scalar_of("stablehlo.multiply", {t, t}, t), {3, 1}, {}}};
  std::mt19937_64 random(4);
  const Checked c = drawn(std::move(chain), random);
  const std::vector<Source> sources = sources_of(c, 0);
  const HostModule module = HostModule::compile(sources);
  const std::vector<Bytes> want = c.values(module, std::span(sources).subspan(1));
  Bytes over = c.inputs[1], apart(over.size());
  const void *operands[] = {c.inputs[0].data(), over.data()};
  void *results[] = {over.data(), apart.data()};
  module.run(sources[0], operands, results);
  CHECK(count_wrong(t, over, want[3]) == 0);
  CHECK(count_wrong(t, apart, want[4]) == 0);
}

TEST_CASE("a value of a row may lie over one that is read between the same folds") {
  const DType t = DType::f32;
  for (const int64_t columns : {40, 6}) {
    RowChain chain{3, columns, {{t, {{3, columns}}, 1}, {t, {{3, 1}}, 0}}, {}, {1, 2}};
    chain.members = {{std::nullopt, {0}, Reduction::max},
                     {scalar_of("stablehlo.subtract", {t, t}, t), {2, 1}, {}, true},
                     {scalar_of("stablehlo.multiply", {t, t}, t), {0, 1}, {}}};
    std::mt19937_64 random(5);
    const Checked c = drawn(std::move(chain), random);
    const std::vector<Source> sources = sources_of(c, 0);
    const HostModule module = HostModule::compile(sources);
    const std::vector<Bytes> want = c.values(module, std::span(sources).subspan(1));
    Bytes over = c.inputs[1], apart(c.inputs[0].size());
    const void *operands[] = {c.inputs[0].data(), over.data()};
    void *results[] = {over.data(), apart.data()};
    module.run(sources[0], operands, results);
    over.resize(3 * sizeof(float));
    CHECK(count_wrong(t, c.spread(t, over, {{3, 1}}, 0), want[3]) == 0);
    CHECK(count_wrong(t, apart, want[4]) == 0);
  }
}

// The exponentials may lie over the row, of which the quotients would be made again.
TEST_CASE("a long row that may be written over before it is read again is refused") {
  const auto source = row_chain_source(softmax(DType::f32, 2, 30'000), "chain");
  REQUIRE(!source.has_value());
  CHECK(std::string(source.error().info().id) == "TW-260");
  CHECK(source.error().message().find("shared memory") != std::string::npos);
}

TEST_CASE("a result may lie over a row that is read for the last time to make elements again") {
  const DType t = DType::f32;
  RowChain chain = softmax(t, 2, 30'000);
  chain.outputs = {4};
  std::mt19937_64 random(6);
  const Checked c = drawn(std::move(chain), random);
  const std::vector<Source> sources = sources_of(c, 0);
  const HostModule module = HostModule::compile(sources);
  const std::vector<Bytes> want = c.values(module, std::span(sources).subspan(1));
  Bytes over = c.inputs[0];
  const void *operands[] = {over.data()};
  void *results[] = {over.data()};
  module.run(sources[0], operands, results);
  CHECK(count_wrong(t, over, want[5]) == 0);
}

} // namespace tw::test_generated_chains
