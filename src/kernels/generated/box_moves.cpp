// SPDX-License-Identifier: Apache-2.0
// A thread moves one unit, up to 16 bytes: it finds its box by where the box begins among all units, and its
// place in the box by division.
#include "kernels/generated/box_moves.hpp"

#include <algorithm>

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

bool is_row(const MoveDim &dim) { return dim.source == 1 && dim.result == 1; }

// The widest unit that all rows, strides and offsets are multiples of.
int64_t unit_of(const std::vector<BoxMove> &moves, int64_t size, int64_t most) {
  int64_t unit = most;
  const auto divide = [&](int64_t elements) {
    while (elements * size % unit != 0 && unit > size)
      unit /= 2;
  };
  for (const BoxMove &m : moves) {
    const std::vector<MoveDim> dims = merged_move(m);
    divide(m.source_offset);
    divide(m.result_offset);
    if (dims.empty() || !is_row(dims.back()))
      return size;
    divide(dims.back().extent);
    for (size_t d = 0; d + 1 < dims.size(); ++d) {
      divide(dims[d].source);
      divide(dims[d].result);
    }
  }
  return std::max(unit, size);
}

// The number of the box that unit `at` belongs to, and the offsets of both sides: what every table needs.
std::string kernel_text(const std::string &entry, uint32_t sources, int64_t unit, size_t rank) {
  return fmt::format("TW_KERNEL({0}, {1} + 4) {{\n"
                     "  typedef tw::Pack<tw::u8_t, {2}> Unit;\n"
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
                     "  tw::i64_t left = at - box[0], from = box[2], to = box[3];\n"
                     "  for (int d = {5} - 1; d >= 0; --d) {{\n"
                     "    const tw::i64_t extent = box[4 + d], i = left % extent;\n"
                     "    left /= extent;\n"
                     "    from += i * box[4 + {5} + d];\n"
                     "    to += i * box[4 + 2 * {5} + d];\n"
                     "  }}\n"
                     "  ((Unit *)args.word[{1} + 1])[to] = ((const Unit *)args.word[box[1]])[from];\n}}\n",
                     entry, sources, unit, kThreads, 4 + 3 * rank, rank);
}

} // namespace

BoxSource box_source(const std::vector<BoxMove> &moves, uint32_t sources, int64_t element_size,
                     const std::string &entry, int64_t alignment) {
  const int64_t unit = unit_of(moves, element_size, alignment), per_unit = unit / element_size;
  size_t rank = 1;
  for (const BoxMove &m : moves)
    rank = std::max(rank, merged_move(m).size());
  BoxSource made;
  int64_t first = 0, boxes = 0;
  for (const BoxMove &m : moves) {
    std::vector<MoveDim> dims = merged_move(m);
    if (per_unit > 1) // rows are counted in units, and so is everything else
      for (MoveDim &dim : dims)
        is_row(dim) ? void(dim.extent /= per_unit) : void((dim.source /= per_unit, dim.result /= per_unit));
    dims.insert(dims.begin(), rank - dims.size(), {1, 0, 0});
    int64_t units = 1;
    for (const MoveDim &dim : dims)
      units *= dim.extent;
    if (units == 0)
      continue;
    made.table.insert(made.table.end(),
                      {first, m.source, m.source_offset / per_unit, m.result_offset / per_unit});
    for (const auto member : {&MoveDim::extent, &MoveDim::source, &MoveDim::result})
      for (const MoveDim &dim : dims)
        made.table.push_back(dim.*member);
    first += units;
    ++boxes;
  }
  Source &source = made.source;
  source.text = kernel_text(entry, sources, unit, rank);
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
