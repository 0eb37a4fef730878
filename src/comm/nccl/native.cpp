// SPDX-License-Identifier: Apache-2.0
// Compares the pieces of a step with those of each collective.
#include "comm/nccl/native.hpp"

#include <algorithm>

#include "comm/nccl/plugin.hpp"
#include "comm/remote/remote_boxes.hpp"
#include "ops/strided.hpp"

namespace tw::comm::nccl {
namespace {

using redistribute::Source;
using redistribute::Step;

std::optional<DataType> data_type(graph::DType dtype) {
  switch (dtype) {
  case graph::DType::f64: return kFloat64;
  case graph::DType::f32: return kFloat32;
  case graph::DType::f16: return kFloat16;
  case graph::DType::bf16: return kBfloat16;
  case graph::DType::s8: return kInt8;
  case graph::DType::u8: return kUint8;
  case graph::DType::s32: return kInt32;
  case graph::DType::u32: return kUint32;
  case graph::DType::s64: return kInt64;
  case graph::DType::u64: return kUint64;
  default: return std::nullopt;
  }
}

std::optional<ReduceOp> reduce_op(sharding::Reduction kind) {
  switch (kind) {
  case sharding::Reduction::sum: return kSum;
  case sharding::Reduction::prod: return kProd;
  case sharding::Reduction::max: return kMax;
  case sharding::Reduction::min: return kMin;
  default: return std::nullopt;
  }
}

class Members {
public:
  Members(const ArrayStep &move, std::span<const redistribute::Device> devices)
      : move_(move), devices_(devices) {}

  std::optional<Native> as_reduction() const {
    const bool all = std::ranges::all_of(devices_, [&](redistribute::Device d) {
      return pieces(d) == 1 && combines_all(first(d)) && fills(first(d), d);
    });
    if (!all)
      return std::nullopt;
    if (std::ranges::all_of(devices_, [&](redistribute::Device d) {
          return same(source(d), source(devices_[0])) && same(target(d), source(devices_[0]));
        }))
      return Native{TW_NCCL_ALL_REDUCE, 0, bytes(target(devices_[0]))};
    for (size_t rank = 0; rank < devices_.size(); ++rank)
      if (!same(source(devices_[rank]), source(devices_[0])) ||
          !is_share(first(devices_[rank]), devices_[0], 0, rank))
        return std::nullopt;
    return Native{TW_NCCL_REDUCE_SCATTER, 0, bytes(target(devices_[0]))};
  }

  std::optional<Native> as_gathering() const {
    const size_t n = devices_.size();
    for (const redistribute::Device d : devices_) {
      if (pieces(d) != n || !same(target(d), target(devices_[0])))
        return std::nullopt;
      std::vector<bool> seen(n, false);
      for (size_t p = first(d); p < first(d) + n; ++p) {
        const auto from = move_.step.sources_of(p);
        const auto rank = static_cast<size_t>(std::ranges::find(devices_, from[0].device) - devices_.begin());
        if (from.size() != 1 || from[0].buffer != 0 || rank == n || seen[rank] ||
            !is_whole(p, from[0].device) || !is_share(p, d, move_.step.target, rank))
          return std::nullopt;
        seen[rank] = true;
      }
    }
    return Native{TW_NCCL_ALL_GATHER, 0, bytes(source(devices_[0]))};
  }

  std::optional<Native> as_broadcast() const {
    std::optional<redistribute::Device> root;
    for (const redistribute::Device d : devices_) {
      if (pieces(d) != 1 || !fills(first(d), d))
        return std::nullopt;
      const auto from = move_.step.sources_of(first(d));
      if (from.size() != 1 || from[0].buffer != 0 || root.value_or(from[0].device) != from[0].device ||
          !is_whole(first(d), from[0].device))
        return std::nullopt;
      root = from[0].device;
    }
    const auto rank = std::ranges::find(devices_, *root) - devices_.begin();
    if (rank == std::ssize(devices_))
      return std::nullopt;
    return Native{TW_NCCL_BROADCAST, static_cast<int32_t>(rank), bytes(target(*root))};
  }

private:
  struct Tile {
    std::span<const int64_t> offset, extent;
  };
  Tile tile(uint32_t buffer, redistribute::Device d) const {
    return {move_.buffers[buffer].offset(d), move_.buffers[buffer].extent(d)};
  }
  Tile source(redistribute::Device d) const { return tile(0, d); }
  Tile target(redistribute::Device d) const { return tile(move_.step.target, d); }
  int64_t bytes(const Tile &t) const { return ops::product(t.extent) * move_.element_size; }
  static bool same(const Tile &a, const Tile &b) {
    return std::ranges::equal(a.offset, b.offset) && std::ranges::equal(a.extent, b.extent);
  }

  size_t pieces(redistribute::Device d) const {
    const auto at = static_cast<size_t>(d);
    return move_.step.first_piece[at + 1] - move_.step.first_piece[at];
  }
  size_t first(redistribute::Device d) const { return move_.step.first_piece[static_cast<size_t>(d)]; }
  Tile box(size_t piece) const {
    const size_t rank = move_.buffers[0].rank();
    return {move_.step.offset(piece, rank), move_.step.extent(piece, rank)};
  }
  bool fills(size_t piece, redistribute::Device d) const { return same(box(piece), target(d)); }
  bool is_whole(size_t piece, redistribute::Device d) const { return same(box(piece), source(d)); }
  bool combines_all(size_t piece) const {
    const auto sources = move_.step.sources_of(piece);
    return sources.size() == devices_.size() &&
           std::ranges::all_of(sources, [](const Source &s) { return s.buffer == 0; }) &&
           std::ranges::is_permutation(sources, devices_, {}, &Source::device);
  }
  // The rank-th of equal, dense parts of the tile of a device.
  bool is_share(size_t piece, redistribute::Device d, uint32_t buffer, size_t rank) const {
    const Tile part = box(piece);
    const RemoteBox found{
        0, {}, {part.offset.begin(), part.offset.end()}, {part.extent.begin(), part.extent.end()}};
    const Runs runs = runs_of(found, move_.buffers[buffer], d, move_.element_size);
    const int64_t size = bytes(part);
    return runs.loops.empty() && runs.offset == static_cast<int64_t>(rank) * size &&
           bytes(tile(buffer, d)) == static_cast<int64_t>(devices_.size()) * size;
  }

  const ArrayStep &move_;
  std::span<const redistribute::Device> devices_;
};

} // namespace

std::optional<NativeSum> native_sum(sharding::Reduction kind, graph::DType dtype, bool any_order) {
  const auto type = data_type(dtype);
  const auto op = reduce_op(kind);
  if (!type || !op || (graph::is_float(dtype) && (!any_order || (*op != kSum && *op != kProd))))
    return std::nullopt;
  return NativeSum{*type, *op};
}

std::optional<Native> native_of(const ArrayStep &move, std::span<const redistribute::Device> members,
                                const std::optional<NativeSum> &sum) {
  if (members.size() < 2 || move.borrowed || move.step.num_pieces() == 0)
    return std::nullopt;
  const Members among(move, members);
  if (sum && !move.combine.from_zero)
    if (auto native = among.as_reduction())
      return native;
  if (auto native = among.as_gathering())
    return native;
  return among.as_broadcast();
}

} // namespace tw::comm::nccl
