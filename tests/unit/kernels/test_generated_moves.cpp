// SPDX-License-Identifier: Apache-2.0
// Generated moves of boxes and rows, and slices with a start, compiled by the host's compiler: against plain
// loops.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/generated/box_moves.hpp"
#include "kernels/generated/dynamic_slice.hpp"
#include "kernels/generated/indexed.hpp"
#include "kernels/ref/combiner.hpp"
#include "ops/element.hpp"
#include "ops/indexing.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"
#include "support/host_module.hpp"
#include "support/host_values.hpp"

namespace tw::test_generated_moves {

namespace {

using namespace kernels::generated;
using graph::DType;

Bytes bytes_of(const std::vector<int64_t> &numbers, DType dtype) {
  Bytes out;
  for (const int64_t n : numbers) {
    const Bytes one = ops::element_bytes(dtype, static_cast<double>(n));
    out.insert(out.end(), one.begin(), one.end());
  }
  return out;
}

struct Boxes {
  BoxSource made;
  std::vector<Bytes> sources;
  Bytes want;
};

// Bands of a result, each from a transposed or dense part of a source.
Boxes random_boxes(std::mt19937_64 &random, int64_t size, const std::string &entry) {
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  Boxes boxes;
  for (int s = 0; s < 3; ++s)
    boxes.sources.push_back(drawn_elements(DType::u8, 4096 * size, random));
  std::vector<kernels::BoxMove> moves;
  const int64_t columns = 1 + below(32), depth = 1 + below(8);
  int64_t rows = 0;
  for (int64_t band = 0; band < 1 + below(6); ++band) {
    const int64_t height = below(6);
    kernels::BoxMove m{static_cast<uint32_t>(below(3)),
                       {height, columns, depth},
                       below(2) * 16 + below(2),
                       rows * columns * depth,
                       {},
                       {columns * depth, depth, 1}};
    m.source_strides = below(2) == 0 ? std::vector<int64_t>{columns * depth, depth, 1}
                                     : std::vector<int64_t>{depth, height * depth, 1};
    if (below(4) == 0)
      m.source_strides = {0, depth, 1};
    moves.push_back(m);
    rows += height;
  }
  boxes.want.assign(static_cast<size_t>(rows * columns * depth * size), std::byte{0});
  for (const auto &m : moves)
    for (int64_t i = 0; i < m.extent[0] * columns * depth; ++i) {
      const int64_t at[] = {i / depth / columns, i / depth % columns, i % depth};
      int64_t from = m.source_offset, to = m.result_offset;
      for (size_t d = 0; d < 3; ++d)
        from += at[d] * m.source_strides[d], to += at[d] * m.result_strides[d];
      std::copy_n(boxes.sources[m.source].begin() + from * size, size, boxes.want.begin() + to * size);
    }
  boxes.made = box_source(moves, 3, size, entry);
  return boxes;
}

} // namespace

TEST_CASE("boxes move from several arrays into one") {
  std::mt19937_64 random(1);
  std::vector<Boxes> cases;
  std::vector<Source> sources;
  for (int i = 0; i < 40; ++i) {
    cases.push_back(random_boxes(random, int64_t{1} << random() % 5, fmt::format("boxes_{}", i)));
    sources.push_back(cases.back().made.source);
  }
  const HostModule module = HostModule::compile(sources);
  for (size_t i = 0; i < cases.size(); ++i) {
    Bytes have(cases[i].want.size());
    const void *operands[] = {cases[i].sources[0].data(), cases[i].sources[1].data(),
                              cases[i].sources[2].data(), cases[i].made.table.data()};
    void *results[] = {have.data()};
    module.run(sources[i], operands, results);
    INFO("boxes " << i);
    CHECK(have == cases[i].want);
  }
}

TEST_CASE("rows are gathered, and scattered in the order of their indices") {
  std::mt19937_64 random(2);
  constexpr int64_t kRows = 7, kColumns = 5, kIndices = 20;
  const std::vector<int64_t> row_dim = {0}, column_dim = {1}, none;
  const ops::Indexing rows_of({column_dim, row_dim, none, none, row_dim, 1}, 2, 1, 2);
  struct Case {
    DType dtype;
    std::optional<sharding::Reduction> kind; // none: updates replace
    Bytes rows, updates, index;
    std::vector<int64_t> indices;
  };
  std::vector<Case> cases;
  std::vector<Source> sources; // of a case: a gather, a scatter over all elements, one over what is hit
  const DType types[] = {DType::f32, DType::f64, DType::bf16, DType::f8e5m2,
                         DType::c64, DType::s32, DType::u4,   DType::i1};
  const DType index_types[] = {DType::s32, DType::u8, DType::s64, DType::u64, DType::s8};
  for (size_t i = 0; i < 24; ++i) {
    Case c;
    const DType t = c.dtype = types[i % 8];
    const DType index = index_types[random() % 5];
    ScalarRegion region{{t, t}, {}, {1}};
    if (i % 3 != 0) {
      const bool sum = t == DType::i1 || i % 3 == 1;
      c.kind = t == DType::i1 ? sharding::Reduction::lor
               : sum          ? sharding::Reduction::sum
                              : sharding::Reduction::prod;
      const auto &op = ops::op_def(*ops::find_op(sum ? "stablehlo.add" : "stablehlo.multiply"));
      const std::vector<DType> operands = {t, t};
      region = {{t, t}, {{op.scalar(ElementTypes(operands, t).view({})), {0, 1}}}, {2}};
    }
    const bool is_signed = graph::is_signed_int(index);
    for (int64_t u = 0; u < kIndices; ++u)
      c.indices.push_back(static_cast<int64_t>(random() % 10) - (is_signed ? 2 : 0));
    c.index = bytes_of(c.indices, index);
    c.rows = drawn_elements(t, kRows * kColumns, random);
    c.updates = drawn_elements(t, kIndices * kColumns, random);
    const IndexedSlices slices{t,
                               index,
                               rows_of,
                               {{kRows, kColumns}, {0, 0}, {kRows, kColumns}},
                               {{kIndices, kColumns}, {0, 0}, {kIndices, kColumns}},
                               {kIndices}};
    const int64_t sizes[] = {1, kColumns};
    REQUIRE(slices_lie_apart(slices));
    sources.push_back(gather_slices_source(slices, sizes, fmt::format("gather_{}", i)));
    sources.push_back(
        *scatter_slices_source(slices, region, {t}, std::nullopt, fmt::format("scatter_{}", i)));
    sources.push_back(*scatter_apart_source(slices, region, t, std::nullopt, fmt::format("apart_{}", i)));
    cases.push_back(std::move(c));
  }
  const HostModule module = HostModule::compile(sources);
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case &c = cases[i];
    const size_t size = graph::byte_size(c.dtype), row = kColumns * size;
    Bytes gathered(kIndices * row), want_gathered, want = c.rows;
    for (size_t u = 0; u < kIndices; ++u) {
      const int64_t index = c.indices[u];
      const auto nearest = static_cast<size_t>(std::clamp<int64_t>(index, 0, kRows - 1));
      want_gathered.insert(want_gathered.end(), c.rows.begin() + static_cast<ptrdiff_t>(nearest * row),
                           c.rows.begin() + static_cast<ptrdiff_t>((nearest + 1) * row));
      if (index < 0 || index >= kRows)
        continue;
      std::byte *to = want.data() + nearest * row;
      const void *in[] = {to, c.updates.data() + u * row};
      if (c.kind)
        kernels::ref::combine_block(*c.kind, c.dtype)(in, to, kColumns);
      else
        std::copy_n(c.updates.begin() + static_cast<ptrdiff_t>(u * row), row, to);
    }
    const void *operands[] = {c.rows.data(), c.index.data()};
    void *results[] = {gathered.data()};
    module.run(sources[3 * i], operands, results);
    CHECK(count_wrong(c.dtype, gathered, want_gathered) == 0);
    for (const size_t how : {1U, 2U}) {
      Bytes scattered = c.rows;
      const void *in_place[] = {scattered.data(), c.index.data(), c.updates.data()};
      results[0] = scattered.data();
      module.run(sources[3 * i + how], in_place, results);
      INFO("scatter " << i << ", " << how << ", of " << std::string(graph::name(c.dtype)));
      CHECK(count_wrong(c.dtype, scattered, want) == 0);
    }
  }
}

TEST_CASE("slices begin where scalars say, or nearest to it") {
  std::mt19937_64 random(4);
  const std::vector<int64_t> whole = {6, 5, 4}, part = {2, 5, 3};
  const DType index_types[] = {DType::s32, DType::s64, DType::u64, DType::s8};
  std::vector<Source> sources;
  for (const DType index : index_types) {
    const DynamicSlice slice{DType::f32, index, whole, part};
    sources.push_back(dynamic_slice_source(slice, fmt::format("slice_{}", sources.size())));
    sources.push_back(dynamic_update_source(slice, fmt::format("update_{}", sources.size())));
  }
  const HostModule module = HostModule::compile(sources);
  for (size_t i = 0; i < 32; ++i) {
    const DType index = index_types[i % 4];
    std::vector<int64_t> starts;
    std::vector<Bytes> scalars;
    for (size_t d = 0; d < 3; ++d) {
      starts.push_back(static_cast<int64_t>(random() % 9) - (graph::is_signed_int(index) ? 2 : 0));
      scalars.push_back(bytes_of({starts.back()}, index));
      starts[d] = std::clamp<int64_t>(starts[d], 0, whole[d] - part[d]);
    }
    const Bytes array = drawn_elements(DType::f32, 120, random);
    Bytes have(30 * 4), want, updated(120 * 4, std::byte{1});
    for (int64_t at = 0; at < 30; ++at) {
      const int64_t place = ((at / 15 + starts[0]) * 5 + at / 3 % 5 + starts[1]) * 4 + at % 3 + starts[2];
      want.insert(want.end(), array.begin() + place * 4, array.begin() + place * 4 + 4);
    }
    const void *operands[] = {array.data(), scalars[0].data(), scalars[1].data(), scalars[2].data()};
    void *results[] = {have.data()};
    module.run(sources[2 * (i % 4)], operands, results);
    CHECK(have == want);
    operands[0] = want.data();
    results[0] = updated.data();
    module.run(sources[2 * (i % 4) + 1], operands, results);
    operands[0] = updated.data();
    results[0] = have.data();
    std::ranges::fill(have, std::byte{0});
    module.run(sources[2 * (i % 4)], operands, results);
    CHECK(have == want);
    CHECK(std::ranges::count(updated, std::byte{1}) >= 90 * 4);
  }
}

} // namespace tw::test_generated_moves
