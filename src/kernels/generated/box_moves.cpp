// SPDX-License-Identifier: Apache-2.0
// A thread moves one unit, up to 16 bytes: it finds its box by where the box begins among all units, and its
// place in the box by division. Where elements lie apart in the source alone, it gathers those of its unit.
#include "kernels/generated/box_moves.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace tw::kernels::generated {

namespace {

struct MoveDim {
  int64_t extent, source, result; // strides
};

// Without extents of 1, neighbours that both sides walk as one merged.
std::vector<MoveDim> merged_move(const BoxMove &m) {
  std::vector<MoveDim> dims;
  for (size_t d = 0; d < m.extent.size(); ++d) {
    const MoveDim dim{m.extent[d], m.source_strides[d], m.result_strides[d]};
    if (dim.extent == 1)
      continue;
    if (!dims.empty() && dims.back().source == dim.extent * dim.source &&
        dims.back().result == dim.extent * dim.result)
      dims.back() = {dims.back().extent * dim.extent, dim.source, dim.result};
    else
      dims.push_back(dim);
  }
  return dims;
}

// What a thread moves.
struct Unit {
  int64_t elements;
  bool gathers; // it is one piece of memory in the result alone
};

// As wide as all rows, strides and offsets are multiples of.
Unit unit_of(const std::vector<BoxMove> &moves, int64_t size, int64_t most) {
  int64_t n = std::max<int64_t>(most / size, 1);
  bool gathers = false;
  const auto divide = [&](int64_t elements) {
    while (elements % n != 0)
      n /= 2;
  };
  for (const BoxMove &m : moves) {
    const std::vector<MoveDim> dims = merged_move(m);
    if (dims.empty() || dims.back().result != 1)
      return {1, false};
    gathers = gathers || dims.back().source != 1;
    divide(m.result_offset);
    for (const MoveDim &dim : dims)
      divide(&dim == &dims.back() ? dim.extent : dim.result);
  }
  if (gathers)
    return {n, n > 1};
  const int64_t wide = n;
  for (const BoxMove &m : moves) {
    divide(m.source_offset);
    const std::vector<MoveDim> dims = merged_move(m);
    for (size_t d = 0; d + 1 < dims.size(); ++d)
      divide(dims[d].source);
  }
  return n == 1 ? Unit{wide, wide > 1} : Unit{n, false};
}

// The number of the box that unit `at` belongs to, and the offsets of both sides: what every table needs.
// Positions in a box are counted in 32 bits where they fit: most of the work is divisions.
std::string kernel_text(const std::string &entry, uint32_t sources, int64_t element_size, const Unit &unit,
                        size_t rank, int64_t units) {
  std::string text =
      fmt::format("TW_KERNEL({0}, {1} + 4) {{\n"
                  "  typedef tw::Pack<tw::u8_t, {2}> Element;\n  typedef tw::Pack<Element, {6}> Unit;\n"
                  "  typedef {5} Index;\n"
                  "  const tw::i64_t at = (tw::i64_t)blockIdx.x * {3} + threadIdx.x;\n"
                  "  if (at >= (tw::i64_t)args.word[{1} + 3])\n    return;\n"
                  "  const tw::i64_t *box = (const tw::i64_t *)args.word[{1}];\n"
                  "  tw::i64_t boxes = (tw::i64_t)args.word[{1} + 2];\n"
                  "  while (boxes > 1) {{\n"
                  "    const tw::i64_t half = boxes / 2;\n"
                  "    const bool later = box[half * {4}] <= at;\n"
                  "    box += later ? half * {4} : 0;\n"
                  "    boxes = later ? boxes - half : half;\n"
                  "  }}\n"
                  "  Index left = (Index)(at - box[0]), i;\n  tw::i64_t from = box[2], to = box[3];\n",
                  entry, sources, element_size, kThreads, 4 + 3 * rank,
                  units <= std::numeric_limits<uint32_t>::max() ? "tw::u32_t" : "tw::i64_t", unit.elements);
  for (size_t d = rank; d-- > 0;) {
    text += d == 0 ? "  i = left;\n"
                   : fmt::format("  i = left % (Index)box[{0}];\n  left /= (Index)box[{0}];\n", 4 + d);
    text += fmt::format("  from += (tw::i64_t)i * box[{}];\n  to += (tw::i64_t)i * box[{}];\n", 4 + rank + d,
                        4 + 2 * rank + d);
  }
  if (unit.gathers)
    text += fmt::format("  const Element *const source = (const Element *)args.word[box[1]] + from;\n"
                        "  const tw::i64_t step = box[{0}] / {1};\n  Unit made;\n"
                        "  for (int j = 0; j < {1}; ++j)\n    made.at[j] = source[j * step];\n",
                        4 + 2 * rank - 1, unit.elements);
  else
    text += "  const Unit made = ((const Unit *)args.word[box[1]])[from];\n";
  return text + fmt::format("  ((Unit *)args.word[{} + 1])[to] = made;\n}}\n", sources);
}

} // namespace

BoxSource box_source(const std::vector<BoxMove> &moves, uint32_t sources, int64_t element_size,
                     const std::string &entry, int64_t alignment) {
  const Unit unit = unit_of(moves, element_size, alignment);
  const int64_t n = unit.elements, source_n = unit.gathers ? 1 : n;
  size_t rank = 1;
  for (const BoxMove &m : moves)
    rank = std::max(rank, merged_move(m).size());
  BoxSource made;
  int64_t first = 0, boxes = 0;
  for (const BoxMove &m : moves) {
    std::vector<MoveDim> dims = merged_move(m);
    // Everything is counted in units, but what is gathered.
    for (size_t d = 0; n > 1 && d < dims.size(); ++d)
      if (MoveDim &dim = dims[d]; d + 1 < dims.size())
        dim = {dim.extent, dim.source / source_n, dim.result / n};
      else
        dim = {dim.extent / n, unit.gathers ? dim.source * n : 1, 1};
    dims.insert(dims.begin(), rank - dims.size(), {1, 0, 0});
    int64_t units = 1;
    for (const MoveDim &dim : dims)
      units *= dim.extent;
    if (units == 0)
      continue;
    made.table.insert(made.table.end(), {first, m.source, m.source_offset / source_n, m.result_offset / n});
    for (const auto member : {&MoveDim::extent, &MoveDim::source, &MoveDim::result})
      for (const MoveDim &dim : dims)
        made.table.push_back(dim.*member);
    first += units;
    ++boxes;
  }
  Source &source = made.source;
  source.text = kernel_text(entry, sources, element_size, unit, rank, first);
  Launch launch{entry, blocks_for(first), kThreads, {}, {boxes, first}};
  for (uint32_t s = 0; s <= sources; ++s) // the table is the last
    launch.words.push_back({Word::Kind::operand, s});
  launch.words.push_back({Word::Kind::result, 0});
  launch.words.push_back({Word::Kind::number, 0});
  launch.words.push_back({Word::Kind::number, 1});
  source.launches.push_back(std::move(launch));
  return made;
}

} // namespace tw::kernels::generated
