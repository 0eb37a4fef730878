// SPDX-License-Identifier: Apache-2.0
// Generated moves of boxes and rows, slices with a start, indices and random bits, compiled by the host's
// compiler: against plain loops and the reference.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/generated/box_moves.hpp"
#include "kernels/generated/numbers.hpp"
#include "kernels/generated/row_moves.hpp"
#include "ops/element.hpp"
#include "ops/reduction.hpp"
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
  BoxMoves made;
  std::vector<Bytes> sources;
  Bytes want;
};

// Bands of a result, each from a transposed or dense part of a source.
Boxes random_boxes(std::mt19937_64 &random, int64_t size, const std::string &entry) {
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  Boxes boxes;
  for (int s = 0; s < 3; ++s)
    boxes.sources.push_back(drawn_elements(DType::u8, 4096 * size, random));
  std::vector<BoxMove> moves;
  const int64_t columns = 1 + below(32), depth = 1 + below(8);
  int64_t rows = 0;
  for (int64_t band = 0; band < 1 + below(6); ++band) {
    const int64_t height = below(6);
    BoxMove m{static_cast<uint32_t>(below(3)),
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
  struct Case {
    ScatterRows scatter;
    Bytes rows, updates, index;
    std::vector<int64_t> indices;
  };
  std::vector<Case> cases;
  std::vector<Source> sources;
  const DType types[] = {DType::f32, DType::f64, DType::bf16, DType::f8e5m2,
                         DType::c64, DType::s32, DType::u4,   DType::i1};
  const DType index_types[] = {DType::s32, DType::u8, DType::s64, DType::u64, DType::s8};
  for (size_t i = 0; i < 24; ++i) {
    Case c;
    const DType t = types[i % 8];
    c.scatter = {t, index_types[random() % 5], kRows, kColumns, kIndices, std::nullopt};
    if (i % 3 != 0)
      c.scatter.kind = t == DType::i1 ? sharding::Reduction::lor
                       : i % 3 == 1   ? sharding::Reduction::sum
                                      : sharding::Reduction::prod;
    const bool is_signed = graph::is_signed_int(c.scatter.index);
    for (int64_t u = 0; u < kIndices; ++u)
      c.indices.push_back(static_cast<int64_t>(random() % 10) - (is_signed ? 2 : 0));
    c.index = bytes_of(c.indices, c.scatter.index);
    c.rows = drawn_elements(t, kRows * kColumns, random);
    c.updates = drawn_elements(t, kIndices * kColumns, random);
    sources.push_back(scatter_source(c.scatter, fmt::format("scatter_{}", i)));
    sources.push_back(
        gather_source({t, c.scatter.index, kRows, kColumns, kIndices}, fmt::format("gather_{}", i)));
    cases.push_back(std::move(c));
  }
  const HostModule module = HostModule::compile(sources);
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case &c = cases[i];
    const size_t size = graph::byte_size(c.scatter.dtype), row = kColumns * size;
    Bytes gathered(kIndices * row), want_gathered, scattered = c.rows, want = c.rows;
    for (size_t u = 0; u < kIndices; ++u) {
      const int64_t index = c.indices[u];
      const auto nearest = static_cast<size_t>(std::clamp<int64_t>(index, 0, kRows - 1));
      want_gathered.insert(want_gathered.end(), c.rows.begin() + static_cast<ptrdiff_t>(nearest * row),
                           c.rows.begin() + static_cast<ptrdiff_t>((nearest + 1) * row));
      if (index < 0 || index >= kRows)
        continue;
      std::byte *to = want.data() + nearest * row;
      const void *in[] = {to, c.updates.data() + u * row};
      if (c.scatter.kind)
        ops::combine_block(*c.scatter.kind, c.scatter.dtype)(in, to, kColumns);
      else
        std::copy_n(c.updates.begin() + static_cast<ptrdiff_t>(u * row), row, to);
    }
    const void *operands[] = {c.rows.data(), c.index.data(), c.updates.data()};
    void *results[] = {gathered.data()};
    module.run(sources[2 * i + 1], operands, results);
    CHECK(count_wrong(c.scatter.dtype, gathered, want_gathered) == 0);
    const void *in_place[] = {scattered.data(), c.index.data(), c.updates.data()};
    results[0] = scattered.data();
    module.run(sources[2 * i], in_place, results);
    INFO("scatter " << i << " of " << std::string(graph::name(c.scatter.dtype)));
    CHECK(count_wrong(c.scatter.dtype, scattered, want) == 0);
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

TEST_CASE("indices and random bits are those of the whole array, in any tile") {
  struct Case {
    std::shared_ptr<const graph::Graph> graph;
    std::vector<int64_t> whole, offset, extent;
    DType dtype;
    size_t result;
  };
  std::vector<Case> cases;
  std::vector<Source> sources;
  std::mt19937_64 random(6);
  const auto tile_of = [&](Case &c) {
    for (size_t d = 0; d < 3; ++d) {
      c.whole.push_back(1 + static_cast<int64_t>(random() % 9));
      c.offset.push_back(static_cast<int64_t>(random() % static_cast<uint64_t>(c.whole[d])));
      c.extent.push_back(1 +
                         static_cast<int64_t>(random() % static_cast<uint64_t>(c.whole[d] - c.offset[d])));
    }
  };
  for (int t = 0; t < static_cast<int>(DType::count_); ++t) {
    const auto dtype = static_cast<DType>(t);
    if (!ops::kNumbers.has(dtype))
      continue;
    Case c{nullptr, {}, {}, {}, dtype, 0};
    tile_of(c);
    const size_t dim = random() % 3;
    const std::string type = graph::to_text({dtype, c.whole});
    c.graph = module_of(fmt::format(
        "func.func @main() -> {0} {{\n  %0 = stablehlo.iota dim = {1} : {0}\n  return %0 : {0}\n}}\n", type,
        dim));
    sources.push_back(iota_source({dtype, c.extent, dim}, fmt::format("iota_{}", t)));
    c.offset = {c.offset[0], c.offset[1], c.offset[2], static_cast<int64_t>(dim)};
    cases.push_back(std::move(c));
  }
  const size_t iotas = cases.size();
  const Bytes state = drawn_elements(DType::u64, 3, random);
  for (const DType dtype :
       {DType::u8, DType::u16, DType::s32, DType::u64, DType::f32, DType::bf16, DType::f64, DType::s4})
    for (const auto &[algorithm, words] : {std::pair{"THREE_FRY", 2}, {"PHILOX", 2}, {"PHILOX", 3}}) {
      Case c{nullptr, {}, {}, {}, dtype, 1};
      tile_of(c);
      const std::string type = graph::to_text({dtype, c.whole});
      c.graph = module_of(fmt::format("func.func @main(%s: tensor<{0}xui64>) -> (tensor<{0}xui64>, {1}) {{\n "
                                      " %0, %1 = stablehlo.rng_bit_generator %s, "
                                      "algorithm = {2} : (tensor<{0}xui64>) -> (tensor<{0}xui64>, {1})\n  "
                                      "return %0, %1 : tensor<{0}xui64>, {1}\n}}\n",
                                      words, type, algorithm));
      sources.push_back(
          random_bits_source({dtype, std::string(algorithm) == "THREE_FRY", words, c.whole, c.extent},
                             fmt::format("bits_{}", sources.size())));
      cases.push_back(std::move(c));
    }
  const HostModule module = HostModule::compile(sources);
  for (size_t i = 0; i < cases.size(); ++i) {
    const Case &c = cases[i];
    const size_t size = graph::byte_size(c.dtype);
    std::vector<Bytes> arguments;
    if (c.result == 1)
      arguments.push_back(Bytes(
          state.begin(), state.begin() + c.graph->type(c.graph->result(c.graph->arguments()[0])).bytes()));
    const auto whole = evaluated(*c.graph, arguments);
    Bytes want, have(static_cast<size_t>(c.extent[0] * c.extent[1] * c.extent[2]) * size), next(24);
    for (int64_t at = 0; at < c.extent[0] * c.extent[1] * c.extent[2]; ++at) {
      const int64_t place = ((at / c.extent[2] / c.extent[1] + c.offset[0]) * c.whole[1] +
                             at / c.extent[2] % c.extent[1] + c.offset[1]) *
                                c.whole[2] +
                            at % c.extent[2] + c.offset[2];
      const auto from = whole[c.result].bytes.begin() + place * static_cast<int64_t>(size);
      want.insert(want.end(), from, from + static_cast<ptrdiff_t>(size));
    }
    const void *operands[] = {state.data()};
    void *results[] = {c.result == 1 ? next.data() : have.data(), have.data()};
    if (i < iotas)
      module.run(sources[i], operands, results, std::span(&c.offset[static_cast<size_t>(c.offset[3])], 1));
    else
      module.run(sources[i], operands, results, c.offset);
    INFO("case " << i << " of " << std::string(graph::name(c.dtype)));
    CHECK(have == want);
    if (c.result == 1)
      CHECK(std::equal(whole[0].bytes.begin(), whole[0].bytes.end(), next.begin()));
  }
}

} // namespace tw::test_generated_moves
