// SPDX-License-Identifier: Apache-2.0
// The arenas' layout: an offset for every storage, by best fit, and the bytes that values lie at.
#include <algorithm>
#include <bit>
#include <map>

#include "runtime/memory.hpp"

namespace tw::runtime {

using spmd::ValueRef;

// Counts the places along some axes, row-major.
int64_t Memory::index_along(sharding::AxisSet axes, Position position) const {
  const sharding::Mesh &mesh = program_.mesh();
  int64_t index = 0;
  for (const sharding::AxisId axis : axes)
    index = index * mesh.size(axis) + mesh.coordinate(position, axis);
  return index;
}

// How many there are along some axes.
int64_t Memory::places(sharding::AxisSet axes) const {
  int64_t size = 1;
  for (const sharding::AxisId axis : axes)
    size *= program_.mesh().size(axis);
  return size;
}

void Memory::place() {
  const sharding::Mesh &mesh = program_.mesh();
  // Storages of one layout, element and sharing have tiles of equal sizes: what is asked of each position is
  // asked for each such kind.
  using Kind = std::tuple<LayoutId, int64_t, sharding::AxisSet>;
  std::map<Kind, size_t> kinds;
  std::vector<size_t> kind_of; // by storage; npos: read from the caller's array
  constexpr auto kNoKind = std::numeric_limits<size_t>::max();
  for (const Storage &s : storages_)
    kind_of.push_back(
        s.argument != graph::kNone
            ? kNoKind
            : kinds.try_emplace({s.layout, s.element_size, s.shared}, kinds.size()).first->second);
  // Of each device the largest tile over its positions, by kind; -1 where it lies on another.
  std::vector<std::vector<int64_t>> most(static_cast<size_t>(mesh.num_devices()),
                                         std::vector<int64_t>(kinds.size(), 0));
  const auto sizes_at = [&](Position p) -> std::vector<int64_t> & {
    return most[static_cast<size_t>(mesh.device_of(p).index())];
  };
  for (Position p; p < layouts_.num_positions(); ++p)
    for (const auto &[kind, index] : kinds) {
      const auto &[layout, element, shared] = kind;
      int64_t &bytes_here = sizes_at(p)[index];
      if (sharing_.leader(shared, p) != p)
        bytes_here = -1;
      else
        bytes_here = std::max(bytes_here, element < 0 ? -element : layouts_.elements(layout, p) * element);
    }
  const auto aligned = [](int64_t bytes) { return (bytes + 63) / 64 * 64; };
  shared_.insert(sharding::AxisSet());
  for (const Storage &s : storages_)
    shared_.insert(s.shared);
  std::map<std::vector<int64_t>, size_t> known;
  class_of_.resize(static_cast<size_t>(layouts_.num_positions()));
  std::vector<Block> blocks(storages_.size());
  for (Position p; p < layouts_.num_positions(); ++p) {
    const auto [at, fresh] = known.try_emplace(sizes_at(p), classes_.size());
    class_of_[static_cast<size_t>(p)] = at->second;
    if (!fresh)
      continue;
    std::vector<int64_t> sizes;
    for (const size_t kind : kind_of)
      sizes.push_back(kind == kNoKind ? 0 : at->first[kind]);
    Class made;
    made.offsets.resize(storages_.size());
    for (size_t s = 0; s < storages_.size(); ++s)
      made.stride.push_back(storages_[s].kept.empty() ? sizes[s] : aligned(sizes[s]));
    // Lays out some of the storages, from `begin` on; answers with the bytes they take.
    const auto lay_out = [&](int64_t begin, auto &&belongs) {
      for (size_t s = 0; s < storages_.size(); ++s) {
        const Storage &from = storages_[s];
        blocks[s] = {belongs(s) ? made.stride[s] * places(from.kept) : 0, from.first, from.last};
      }
      std::vector<int64_t> offsets;
      const int64_t bytes = best_fit(blocks, offsets);
      for (size_t s = 0; s < storages_.size(); ++s)
        if (belongs(s))
          made.offsets[s] = begin + offsets[s];
      return bytes;
    };
    for (const sharding::AxisSet axes : shared_) {
      const int64_t begin = axes.empty() ? 0 : aligned(made.common);
      const int64_t bytes = lay_out(begin, [&](size_t s) {
        return sizes[s] >= 0 && storages_[s].threads.empty() && storages_[s].shared == axes;
      });
      if (bytes == 0)
        continue;
      made.common = begin + bytes;
      if (!axes.empty())
        made.leads[axes] = bytes;
    }
    made.thread = lay_out(0, [&](size_t s) { return !storages_[s].threads.empty(); });
    if (made.thread != 0) // each thread's part begins a cache line
      made.common = aligned(made.common), made.thread = aligned(made.thread);
    made.bytes = made.common + made.thread * places(thread_axes_);
    classes_.push_back(std::move(made));
  }
}

Location Memory::locate(ValueRef v, Position position) const {
  const uint32_t at = storage_of(v);
  TW_ASSERT(at != graph::kNone);
  const Storage &s = storages_[at];
  const auto d = static_cast<size_t>(position);
  const auto &view = schedule_.views[v].offset;
  const auto size = static_cast<int64_t>(byte_size(program_.type(v).dtype));
  int64_t inner = view.empty() ? 0 : view[d] * size;
  for (uint32_t i = storage_of_[schedule_.views[v].root]; i != at; i = storages_[i].into)
    if (!storages_[i].into_offset.empty())
      inner += storages_[i].into_offset[d] * size;
  const Position leader = sharing_.leader(s.shared, position);
  if (s.argument != graph::kNone)
    return {1 + s.argument, static_cast<uint32_t>(leader), s.argument_offset[d] * size + inner};
  const Class &arena = class_at(leader);
  int64_t offset = arena.offsets[at] + inner;
  if (!s.kept.empty())
    offset += index_along(s.kept, position) * arena.stride[at];
  if (!s.threads.empty()) {
    const Position thread = program_.mesh().without(position, thread_axes_ - s.threads);
    offset += arena.common + index_along(thread_axes_, thread) * arena.thread;
  }
  return {0, static_cast<uint32_t>(leader), offset};
}

int64_t Memory::used_bytes(Position position) const {
  const Class &own = class_at(position);
  int64_t bytes = own.bytes;
  for (const auto &[axes, led] : own.leads)
    bytes -= led;
  for (const sharding::AxisSet axes : shared_)
    if (const auto &leads = class_at(sharing_.leader(axes, position)).leads; leads.contains(axes))
      bytes += leads.at(axes);
  return bytes;
}

Location Memory::locate_constant(ValueRef v, Position position) const {
  return {0, static_cast<uint32_t>(position), class_at(position).offsets[constant_storage_[v]]};
}

} // namespace tw::runtime
