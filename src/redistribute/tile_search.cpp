// SPDX-License-Identifier: Apache-2.0
// Depth first, state by state and device by device; a tile is tried where it has room, lies in what the step
// leaves to the device, and can still lead to the device's target.
#include "redistribute/tile_search.hpp"

#include <algorithm>

namespace tw::redistribute {

bool TileSearch::find(const Ends &ends, std::span<const State> path) {
  e_ = ends;
  path_ = path;
  rank_ = ends.graph->rank();
  devices_ = ends.src.size() / rank_;
  tries_ = 0;
  const auto shards = [&](size_t at, size_t dim) { return ends.graph->shards(path[at])[dim]; };

  toward_target_.resize(path.size() * rank_);
  for (size_t dim = 0; dim < rank_; ++dim) {
    const size_t last = path.size() - 1;
    for (size_t at = 0; at <= last; ++at)
      toward_target_[at * rank_ + dim].resize(static_cast<size_t>(shards(last, dim)));
    for (int32_t tile = 0; tile < shards(last, dim); ++tile) {
      Interval i{tile, tile};
      for (size_t at = last;; --at) {
        toward_target_[at * rank_ + dim][static_cast<size_t>(tile)] = i;
        if (at == 0)
          break;
        const int32_t coarse = std::min(shards(at - 1, dim), shards(at, dim));
        const int32_t up = shards(at, dim) / coarse, down = shards(at - 1, dim) / coarse;
        i = {i.first / up * down, i.last / up * down + down - 1};
      }
    }
  }

  room_.resize(path.size());
  for (size_t at = 0; at < path.size(); ++at) {
    size_t count = 1;
    for (size_t dim = 0; dim < rank_; ++dim)
      count *= static_cast<size_t>(shards(at, dim));
    room_[at].assign(count, static_cast<int32_t>(devices_ / count));
  }
  tiles_.assign(path.size() * devices_ * rank_, 0);
  std::ranges::copy(ends.src, tiles_.begin());
  return assign(1, 0);
}

bool TileSearch::assign(size_t at, size_t device) {
  if (device == devices_)
    return at + 1 == path_.size() || assign(at + 1, 0);
  return ++tries_ < kMaxTries && choose(at, device, 0, 0);
}

// Chooses the device's tile dimension by dimension; `number` counts those chosen into an index of the state's
// tiles.
bool TileSearch::choose(size_t at, size_t device, size_t dim, int32_t number) {
  if (dim == rank_) {
    int32_t &room = room_[at][static_cast<size_t>(number)];
    if (room == 0)
      return false;
    --room;
    if (assign(at, device + 1))
      return true;
    ++room_[at][static_cast<size_t>(number)];
    return false;
  }
  const int32_t before = e_.graph->shards(path_[at - 1])[dim], now = e_.graph->shards(path_[at])[dim];
  const int32_t coarse = std::min(before, now), parts = now / coarse;
  const int32_t start = tiles_[((at - 1) * devices_ + device) * rank_ + dim] / (before / coarse) * parts;
  const Interval reachable =
      toward_target_[at * rank_ + dim][static_cast<size_t>(e_.dst[device * rank_ + dim])];
  for (int32_t tile = std::max(start, reachable.first); tile < start + parts && tile <= reachable.last;
       ++tile) {
    tiles_[(at * devices_ + device) * rank_ + dim] = tile;
    if (choose(at, device, dim + 1, number * now + tile))
      return true;
  }
  return false;
}

} // namespace tw::redistribute
