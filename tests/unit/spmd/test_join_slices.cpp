// SPDX-License-Identifier: Apache-2.0
// Slices that a concatenation joins, or that are padded and added up as in its gradient: a permutation of
// tiles is one permute that moves what changes its place and nothing else, a roll by less than a tile moves
// what it takes from neighbours.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "../partition/program.hpp"
#include "spmd/program.hpp"
#include "unit/spmd/lowered.hpp"

namespace tw::test_join_slices {

using namespace tw::test;

namespace {

// Rows in another order, slices as long as they stay together; -1: zeros.
std::shared_ptr<const graph::Graph> rearranged(const Ints &from, int64_t rows, int64_t columns) {
  ProgramBuilder b;
  const ValueId x = b.arg("x", {rows, columns});
  Ints pieces;
  for (size_t begin = 0, end = 0; begin < from.size(); begin = end) {
    for (end = begin + 1; end < from.size(); ++end)
      if (from[end] != (from[begin] < 0 ? -1 : from[begin] + static_cast<int64_t>(end - begin)))
        break;
    const auto n = static_cast<int64_t>(end - begin);
    pieces.push_back(from[begin] < 0 ? b.zeros({n, columns})
                                     : b.op("slice", {x},
                                            {{"start_indices", Ints{from[begin], 0}},
                                             {"limit_indices", Ints{from[begin] + n, columns}},
                                             {"strides", Ints{1, 1}}}));
  }
  b.result(b.op("concatenate", pieces, {{"dimension", int64_t{0}}}));
  return b.finish();
}

// The rows from `by` on, then those before, each part with zeros around it.
std::shared_ptr<const graph::Graph> added_up(int64_t by, int64_t rows, int64_t columns) {
  ProgramBuilder b;
  const ValueId x = b.arg("x", {rows, columns}), zero = b.zeros({});
  const auto part = [&](int64_t begin, int64_t end, int64_t at) {
    const ValueId rows_of_x = b.op(
        "slice", {x},
        {{"start_indices", Ints{begin, 0}}, {"limit_indices", Ints{end, columns}}, {"strides", Ints{1, 1}}});
    return b.op("pad", {rows_of_x, zero},
                {{"edge_padding_low", Ints{at, 0}},
                 {"edge_padding_high", Ints{rows - at - (end - begin), 0}},
                 {"interior_padding", Ints{0, 0}}});
  };
  b.result(b.add(part(by, rows, 0), part(0, by, rows - by)));
  return b.finish();
}

std::shared_ptr<const spmd::Program> lowered_rows(const std::shared_ptr<const graph::Graph> &graph,
                                                  std::string_view on) {
  partition::Plan plan(graph, mesh(on));
  act(plan, "tile(arg=x, dim=0, axis=a); infer-propagate");
  return test::lowered(plan);
}

} // namespace

TEST_CASE("a permutation of tiles is one permute of those that change their place") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 60; ++round) {
    const int64_t devices = std::uniform_int_distribution<int64_t>(2, 9)(random),
                  rows = std::uniform_int_distribution<int64_t>(1, 3)(random);
    Ints order(static_cast<size_t>(devices)), from;
    std::iota(order.begin(), order.end(), 0);
    if (round % 3 == 0)
      std::rotate(order.begin(), order.begin() + round / 3 % devices, order.end());
    else
      std::ranges::shuffle(order, random);
    int64_t moved = 0;
    for (int64_t t = 0; t < devices; ++t) {
      int64_t &source = order[static_cast<size_t>(t)];
      if (round % 3 == 2 && t % 3 == 1)
        source = -1;
      moved += source >= 0 && source != t ? 1 : 0;
      for (int64_t r = 0; r < rows; ++r)
        from.push_back(source < 0 ? -1 : source * rows + r);
    }
    if (moved == 0)
      continue;
    CAPTURE(order);
    const auto program = lowered_rows(rearranged(from, devices * rows, 5), "a=" + std::to_string(devices));
    CAPTURE(to_text(*program));
    REQUIRE(program->collectives().size() == 1);
    const redistribute::Summary &summary = program->collectives()[0].summary;
    CHECK(summary.kind == redistribute::Kind::permute);
    CHECK(summary.bytes_received_max == rows * 5 * 4);
    CHECK(summary.bytes_received_mean ==
          doctest::Approx(static_cast<double>(moved * rows * 5 * 4) / static_cast<double>(devices)));
  }
}

TEST_CASE("a roll moves what a tile takes from its neighbours") {
  for (int64_t by = 1; by < 24; ++by) {
    Ints from(24);
    std::iota(from.begin(), from.end(), 0);
    std::rotate(from.begin(), from.begin() + by, from.end());
    const auto program = lowered_rows(rearranged(from, 24, 5), "a=4,b=2");
    CAPTURE(to_text(*program));
    const auto figures = spmd::find_statistics(*program);
    const int64_t rows = std::min<int64_t>({by, 24 - by, 6});
    CHECK(figures.bytes_received_max == rows * 5 * 4);
    CHECK(figures.bytes_received_mean == doctest::Approx(static_cast<double>(rows * 5 * 4)));
  }
}

TEST_CASE("the gradient of a roll moves what a tile takes from its neighbours") {
  for (const auto &[rows, on] : {std::pair(24, "a=4,b=2"), std::pair(8, "a=8")})
    for (int64_t by = 1; by < rows; ++by) {
      const auto program = lowered_rows(added_up(by, rows, 3), on);
      CAPTURE(by);
      CAPTURE(to_text(*program));
      const int64_t tile = rows == 24 ? 6 : 1, lacking = std::min<int64_t>({by, rows - by, tile});
      CHECK(spmd::find_statistics(*program).bytes_received_max == lacking * 3 * 4);
    }
}

} // namespace tw::test_join_slices
