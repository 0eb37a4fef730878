// SPDX-License-Identifier: Apache-2.0
// Ops that only move elements to places that are known: boxes by tables.
#include <algorithm>
#include <cstring>
#include <utility>

#include "device/cuda/generated.hpp"
#include "kernels/ref/strided.hpp"
#include "ops/attributes.hpp"
#include "ops/halo.hpp"
#include "ops/literal.hpp"

namespace tw::device::cuda {
namespace {

namespace generated = kernels::generated;
using kernels::BoxMove;
using kernels::BoxMoves;
using kernels::Request;
using kernels::Tile;
using ops::dense_strides;
using ops::OpKind;

constexpr int64_t kAligned = 16;

size_t index(int64_t d) { return static_cast<size_t>(d); }
int64_t element_size(const Tile &t) { return static_cast<int64_t>(graph::byte_size(t.dtype)); }

// Of each tile the cells that lie in the operand.
std::vector<BoxMove> halo_cells(const Request &r) {
  const Tile &in = r.operands[0], &out = r.results[0];
  const ops::TileCuts cuts = ops::tile_cuts(r.op);
  const size_t cut = cuts.size();
  const auto src = dense_strides(in.extent), dst = dense_strides(out.extent);
  std::vector<BoxMove> moves;
  if (out.elements() == 0)
    return moves;
  for (ops::Walk tile(std::span(out.extent).first(cut)); tile.more(); tile.next()) {
    BoxMove move{0, {}, 0, 0, src, {}};
    for (size_t i = 0; i < cut; ++i)
      move.result_offset += tile[i] * dst[i];
    for (size_t d = 0, i = 0; d < in.extent.size(); ++d) {
      const int64_t first = out.offset[cut + d];
      int64_t shift = 0; // from a cell to its element
      if (i < cut && cuts[i].dimension == d) {
        shift = (out.offset[i] + tile[i]) * cuts[i].step - cuts[i].before;
        ++i;
      }
      const int64_t begin = std::max(first + shift, in.offset[d]),
                    end = std::min(first + out.extent[cut + d] + shift, in.offset[d] + in.extent[d]);
      move.extent.push_back(std::max<int64_t>(end - begin, 0));
      move.source_offset += (begin - in.offset[d]) * src[d];
      move.result_offset += (begin - shift - first) * dst[cut + d];
      move.result_strides.push_back(dst[cut + d]);
    }
    if (ops::product(move.extent) > 0)
      moves.push_back(std::move(move));
  }
  return moves;
}

// The same element everywhere.
std::vector<BoxMove> filled(const Tile &out, uint32_t source) {
  const int64_t n = out.elements();
  return {{source, {n}, 0, 0, {0}, {1}}};
}

} // namespace

Part box_part(KernelPlan &plan, const std::vector<BoxMove> &moves, std::vector<Place> operands, Place result,
              int64_t element_size, int64_t alignment) {
  auto boxes = generated::box_source(moves, static_cast<uint32_t>(operands.size()), element_size, kEntry,
                                     std::max(alignment, element_size));
  operands.push_back({Place::Where::table, std::ssize(plan.table)});
  plan.table.insert(plan.table.end(), boxes.table.begin(), boxes.table.end());
  return {std::move(boxes.source), std::move(operands), {result}};
}

MadeKernel move_kernel(const Request &r) {
  KernelPlan plan{"cuda:move", {}};
  const Place result{Place::Where::result, 0};
  const auto add = [&](const std::vector<BoxMove> &moves, const std::vector<Place> &operands) {
    const int64_t size = element_size(r.results[0]);
    if (moves.empty())
      return;
    plan.parts.push_back(box_part(plan, moves, operands, result, size, kAligned));
    plan.anywhere.push_back(box_part(plan, moves, operands, result, size, size));
  };
  if (r.def.rearranges != nullptr || r.def.kind == OpKind::concatenate || r.def.kind == OpKind::pad) {
    const bool pads = r.def.kind == OpKind::pad;
    const BoxMoves moves = pads                          ? kernels::padded_boxes(r)
                           : r.def.rearranges != nullptr ? kernels::rearranged_boxes(r)
                                                         : kernels::concatenated_boxes(r);
    if (!moves)
      return tl::unexpected(no_kernel("an element that it needs is on another device"));
    if (pads && (moves->empty() || ops::product(moves->front().extent) < r.results[0].elements()))
      add(filled(r.results[0], 1), operand_places(2));
    add(*moves, operand_places(r.operands.size()));
  } else if (std::string_view(r.def.name) == "shard.halo_tiles") {
    const auto moves = halo_cells(r);
    plan.table = {0, 0}; // an element of zeros
    add(filled(r.results[0], 0), {{Place::Where::table, 0}});
    add(moves, operand_places(1));
  } else {
    if (r.operands.size() != 1 || r.results.size() != 1)
      return tl::unexpected(no_kernel("it has several operands"));
    add({{0, {r.results[0].elements()}, 0, 0, {1}, {1}}}, operand_places(1));
  }
  return CompiledKernel::make(std::move(plan));
}

// What is constant comes to the GPU with the kernel's table, when the executable is made: one element, or the
// device's tile. One that is made once needs none: the host's copy is that one time.
MadeKernel constant_kernel(const Request &r) {
  if (r.is_static)
    return tl::unexpected(no_kernel("it is made once"));
  const Tile &out = r.results[0];
  const graph::Constant &value = ops::literal_of(r.op);
  const auto size = element_size(out);
  KernelPlan plan{"cuda:constant", {}};
  plan.table.resize(index((std::max((value.splat ? 1 : out.elements()) * size, int64_t{16}) + 7) / 8));
  if (value.splat) {
    std::memcpy(plan.table.data(), value.bytes->data(), index(size));
  } else {
    const auto from = dense_strides(out.global);
    int64_t first = 0;
    for (size_t d = 0; d < from.size(); ++d)
      first += out.offset[d] * from[d];
    kernels::ref::copy_strided(plan.table.data(), dense_strides(out.extent),
                               value.bytes->data() + first * size, from, out.extent, index(size));
  }
  const auto moves =
      value.splat ? filled(out, 0) : std::vector<BoxMove>{{0, {out.elements()}, 0, 0, {1}, {1}}};
  for (auto [parts, alignment] : {std::pair(&plan.parts, kAligned), std::pair(&plan.anywhere, size)})
    parts->push_back(
        box_part(plan, moves, {{Place::Where::table, 0}}, {Place::Where::result, 0}, size, alignment));
  return CompiledKernel::make(std::move(plan));
}

} // namespace tw::device::cuda
