// SPDX-License-Identifier: Apache-2.0
// Notes where tiles lie, by array, buffer and device.
#include "comm/round_tiles.hpp"

#include <algorithm>

#include "ops/strided.hpp"

namespace tw::comm {
namespace {

constexpr int64_t kStagingAlign = 64;
constexpr uint32_t kFirst = 2; // behind source and target

} // namespace

void RoundTiles::add(const Move &move) {
  devices = move.buffers[0].num_devices();
  slots = std::max(slots, move.buffers.size() * devices);
  target.push_back(move.step.target);
}

void RoundTiles::allocate() {
  src.resize(slots * target.size());
  dst.resize(devices * target.size());
}

void RoundTiles::set(size_t array, uint32_t buffer, size_t device, void *tile) {
  if (buffer * devices < slots)
    src[array * slots + buffer * devices + device] = tile;
  if (buffer == target[array])
    dst[array * devices + device] = tile;
}

void RoundTiles::set_arrays(std::span<const Position> members, SourceTiles sources, TargetTiles targets) {
  for (size_t a = 0; a < target.size(); ++a)
    for (const Position member : members) {
      const auto d = static_cast<size_t>(member);
      set(a, 0, d, const_cast<void *>(sources[a * devices + d])); // read only: no step writes the source
      set(a, 1, d, targets[a * devices + d]);
    }
}

void ScratchTiles::add(size_t array, const Move &move, std::span<const std::vector<Position>> members,
                       std::span<int64_t> staging_bytes) {
  for (uint32_t b = kFirst; b < move.buffers.size(); ++b)
    for (size_t g = 0; g < members.size(); ++g)
      for (const Position member : members[g]) {
        const auto extent = move.buffers[b].extent(static_cast<redistribute::Device>(member));
        tiles_.push_back({g, array, b, static_cast<size_t>(member), staging_bytes[g]});
        staging_bytes[g] +=
            (ops::product(extent) * move.element_size + kStagingAlign - 1) / kStagingAlign * kStagingAlign;
      }
}

void ScratchTiles::give(RoundTiles &round, size_t group, std::byte *staging) const {
  for (const Tile &tile : tiles_)
    if (tile.group == group)
      round.set(tile.array, tile.buffer, tile.device, staging + tile.offset);
}

} // namespace tw::comm
