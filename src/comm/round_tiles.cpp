// SPDX-License-Identifier: Apache-2.0
// Notes where tiles lie, by array, buffer and device.
#include "comm/round_tiles.hpp"

#include <algorithm>

#include "base/best_fit.hpp"
#include "ops/strided.hpp"

namespace tw::comm {
namespace {

constexpr int64_t kStagingAlign = 64;
constexpr uint32_t kFirst = 2; // behind source and target

} // namespace

void RoundTiles::add(const ArrayStep &move) {
  devices = move.buffers[0].num_devices();
  slots = std::max(slots, move.buffers.size() * devices);
  target.push_back(move.step.target);
  images.push_back(move.images);
}

void RoundTiles::allocate() {
  src.resize(slots * target.size());
  dst.resize(devices * target.size());
}

void RoundTiles::set(size_t array, uint32_t buffer, size_t device, void *tile) {
  if (buffer * devices < slots)
    src[array * slots + buffer * devices + device] = tile;
  for (const redistribute::Image &image : images[array])
    if (image.of == buffer)
      src[array * slots + image.buffer * devices + device] = tile;
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

void ScratchTiles::add(size_t array, std::span<const ArrayStep> rounds,
                       std::span<const std::vector<Position>> members, std::span<int64_t> staging_bytes,
                       bool reuse) {
  const ArrayStep &first = rounds[0];
  std::vector<Block> live(first.buffers.size()); // bytes: 1 where it is there at any time
  for (uint32_t r = 0; r < rounds.size(); ++r) {
    const auto use = [&](uint32_t seen) {
      Block &block = live[redistribute::memory_of(first.images, seen)];
      if (block.bytes == 0)
        block = {1, reuse ? r : 0, 0};
      block.last = reuse ? r : static_cast<uint32_t>(rounds.size());
    };
    use(rounds[r].step.target);
    for (const redistribute::Source &source : rounds[r].step.sources)
      use(source.buffer);
  }
  std::vector<Block> blocks(live.size());
  std::vector<int64_t> offsets;
  for (size_t g = 0; g < members.size() && live.size() > kFirst; ++g)
    for (const Position member : members[g]) {
      for (size_t b = kFirst; b < live.size(); ++b) {
        blocks[b] = live[b];
        blocks[b].bytes *= ops::product(first.buffers[b].extent(static_cast<redistribute::Device>(member))) *
                           first.element_size;
      }
      const int64_t bytes = best_fit(blocks, offsets);
      for (uint32_t b = kFirst; b < live.size(); ++b)
        if (blocks[b].bytes != 0)
          tiles_.push_back({g, array, b, static_cast<size_t>(member), staging_bytes[g] + offsets[b]});
      staging_bytes[g] += (bytes + kStagingAlign - 1) / kStagingAlign * kStagingAlign;
    }
}

void ScratchTiles::give(RoundTiles &round, size_t group, std::byte *staging) const {
  for (const Tile &tile : tiles_)
    if (tile.group == group)
      round.set(tile.array, tile.buffer, tile.device, staging + tile.offset);
}

} // namespace tw::comm
