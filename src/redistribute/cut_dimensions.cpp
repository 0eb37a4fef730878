// SPDX-License-Identifier: Apache-2.0
// Leaves out the dimensions that no path cuts, and puts them back into the answer.
#include "redistribute/cut_dimensions.hpp"

#include <algorithm>

namespace tw::redistribute {

CutDimensions::CutDimensions(const Tilings &t) : t_(t), devices_(t.devices()) {
  std::vector<size_t> idle; // cut on the way at most
  for (size_t dim = 0; dim < t.shape.size(); ++dim) {
    bool may = uneven(dim);
    for (int64_t p = 2, left = devices_; left > 1 && !may; ++p)
      for (; left % p == 0; left /= p)
        may = may || t.shape[dim] % p == 0;
    if (!may)
      continue;
    active_.push_back(dim);
    if (t.src_shards[dim] == 1 && t.dst_shards[dim] == 1)
      idle.push_back(dim);
  }
  for (; !idle.empty() && TileGraph::of(rank(), devices_) == nullptr; idle.pop_back()) {
    std::erase(active_, idle.back());
    complete_ = false;
  }
}

bool CutDimensions::uneven(size_t dim) const {
  return t_.shape[dim] % t_.src_shards[dim] != 0 || t_.shape[dim] % t_.dst_shards[dim] != 0;
}

State CutDimensions::state(const TileGraph &graph, const std::vector<int64_t> &shards) const {
  std::vector<int64_t> active;
  for (const size_t dim : active_)
    active.push_back(shards[dim]);
  return graph.find(active);
}

std::vector<int64_t> CutDimensions::shards(const TileGraph &graph, State s) const {
  std::vector<int64_t> all(t_.shape.size(), 1);
  for (size_t i = 0; i < rank(); ++i)
    all[active_[i]] = graph.shards(s)[i];
  return all;
}

std::vector<int64_t> CutDimensions::tile_sizes(const TileGraph &graph, int64_t cap) const {
  int64_t whole = 1; // what the dimensions that are never cut contribute
  for (size_t dim = 0; dim < t_.shape.size(); ++dim)
    if (std::ranges::find(active_, dim) == active_.end())
      whole *= t_.shape[dim];
  std::vector<int64_t> sizes(graph.num_states());
  for (size_t s = 0; s < sizes.size(); ++s) {
    const std::span<const int32_t> shards = graph.shards(static_cast<State>(s));
    int64_t size = whole;
    for (size_t i = 0; i < rank() && size != kForbidden; ++i) {
      const int64_t n = t_.shape[active_[i]];
      if (shards[i] != 1 && n % shards[i] != 0 && !uneven(active_[i]))
        size = kForbidden;
      else
        size *= shards[i] == 1 ? n : (n + shards[i] - 1) / shards[i];
    }
    sizes[s] = size <= cap ? size : kForbidden;
  }
  return sizes;
}

CutStep CutDimensions::step(const TileGraph &graph, State from, State to,
                            std::span<const int32_t> tiles) const {
  const size_t all = t_.shape.size();
  CutStep c;
  c.up.assign(all, 1);
  c.down.assign(all, 1);
  bool grows = false, shrinks = false;
  for (size_t i = 0; i < rank(); ++i) {
    const int64_t before = graph.shards(from)[i], after = graph.shards(to)[i];
    grows = grows || after < before;
    shrinks = shrinks || after > before;
    if (after < before)
      c.up[active_[i]] = before / after;
    else
      c.down[active_[i]] = after / before;
  }
  c.kind = grows ? (shrinks ? Kind::all_to_all : Kind::all_gather) : (shrinks ? Kind::copy : Kind::permute);
  c.shards = shards(graph, to);
  if (rank() == all) {
    c.tiles.assign(tiles.begin(), tiles.end());
    return c;
  }
  const auto devices = static_cast<size_t>(devices_);
  c.tiles.assign(devices * all, 0);
  for (size_t device = 0; device < devices; ++device)
    for (size_t i = 0; i < rank(); ++i)
      c.tiles[device * all + active_[i]] = tiles[device * rank() + i];
  return c;
}

std::vector<int32_t> CutDimensions::some(const std::vector<int32_t> &tiles) const {
  const size_t all = t_.shape.size();
  if (rank() == all)
    return tiles;
  std::vector<int32_t> active;
  active.reserve(tiles.size() / all * rank());
  for (size_t at = 0; at < tiles.size(); at += all)
    for (const size_t dim : active_)
      active.push_back(tiles[at + dim]);
  return active;
}

} // namespace tw::redistribute
