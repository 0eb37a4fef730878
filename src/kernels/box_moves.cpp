// SPDX-License-Identifier: Apache-2.0
// Boxes are found in global coordinates: tiles say where they begin in their arrays.
#include "kernels/box_moves.hpp"

#include <algorithm>
#include <utility>

#include "ops/attributes.hpp"
#include "ops/strided.hpp"

namespace tw::kernels {

namespace slot = ops::slot;
using ops::dense_strides;

BoxMoves rearranged_boxes(const Request &r) {
  const Tile &in = r.operands[0], &out = r.results[0];
  if (out.elements() == 0)
    return std::vector<BoxMove>{};
  const auto src = dense_strides(in.extent);
  BoxMove move{0, out.extent, 0, 0, {}, dense_strides(out.extent)};
  size_t d = 0;
  for (const ops::ElementRead &read : r.def.rearranges(r.op)) {
    const size_t at = d++;
    if (read.dim < 0) {
      move.source_strides.push_back(0);
      continue;
    }
    const auto from = static_cast<size_t>(read.dim);
    const int64_t first = read.begin + out.offset[at] * read.step - in.offset[from];
    const int64_t last = first + (out.extent[at] - 1) * read.step;
    if (std::min(first, last) < 0 || std::max(first, last) >= in.extent[from])
      return std::nullopt;
    move.source_offset += first * src[from];
    move.source_strides.push_back(read.step * src[from]);
  }
  return std::vector{std::move(move)};
}

BoxMoves concatenated_boxes(const Request &r) {
  const Tile &out = r.results[0];
  const auto dim = static_cast<size_t>(r.op.integer(slot::concatenate::dimension));
  const auto dst = dense_strides(out.extent);
  std::vector<BoxMove> moves;
  int64_t base = 0; // where the operand begins in the result, globally
  for (size_t v = 0; v < r.operands.size(); base += r.operands[v].global[dim], ++v) {
    const Tile &in = r.operands[v];
    const int64_t begin = std::max(base, out.offset[dim]);
    const int64_t end = std::min(base + in.global[dim], out.offset[dim] + out.extent[dim]);
    if (begin >= end)
      continue;
    if (begin - base < in.offset[dim] || end - base > in.offset[dim] + in.extent[dim])
      return std::nullopt;
    for (size_t d = 0; d < out.extent.size(); ++d)
      if (d != dim && (in.offset[d] != out.offset[d] || in.extent[d] != out.extent[d]))
        return std::nullopt;
    const auto src = dense_strides(in.extent);
    BoxMove move{static_cast<uint32_t>(v),
                 out.extent,
                 (begin - base - in.offset[dim]) * src[dim],
                 (begin - out.offset[dim]) * dst[dim],
                 src,
                 dst};
    move.extent[dim] = end - begin;
    if (ops::product(move.extent) > 0)
      moves.push_back(std::move(move));
  }
  return moves;
}

BoxMoves padded_boxes(const Request &r) {
  const Tile &in = r.operands[0], &out = r.results[0];
  const auto low = r.op.ints(slot::pad::edge_padding_low), interior = r.op.ints(slot::pad::interior_padding);
  const auto src = dense_strides(in.extent), dst = dense_strides(out.extent);
  BoxMove move{0, {}, 0, 0, src, {}};
  for (size_t d = 0; d < out.extent.size(); ++d) {
    // Operand index i lies at result index low + i * step: those i that lie in the result's box.
    const int64_t step = (d < interior.size() ? interior[d] : 0) + 1,
                  at = (d < low.size() ? low[d] : 0) - out.offset[d];
    const int64_t begin = std::max<int64_t>(0, at >= 0 ? 0 : (-at + step - 1) / step);
    const int64_t room = out.extent[d] - at; // i * step < room
    const int64_t end = std::min(in.global[d], room <= 0 ? 0 : (room + step - 1) / step);
    if (begin >= end)
      return std::vector<BoxMove>{};
    if (begin < in.offset[d] || end > in.offset[d] + in.extent[d])
      return std::nullopt;
    move.source_offset += (begin - in.offset[d]) * src[d];
    move.result_offset += (at + begin * step) * dst[d];
    move.extent.push_back(end - begin);
    move.result_strides.push_back(step * dst[d]);
  }
  return std::vector{std::move(move)};
}

} // namespace tw::kernels
