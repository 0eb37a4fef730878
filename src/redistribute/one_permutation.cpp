// SPDX-License-Identifier: Apache-2.0
// Joins two distances for the cheapest place of the permutation, and cuts tiles evenly towards it from both
// ends.
#include "redistribute/one_permutation.hpp"

#include <algorithm>

namespace tw::redistribute {

namespace {

// Slices next to one another become one.
void append(const TileGraph &graph, std::vector<State> &path, State s) {
  if (path.size() >= 2 && graph.contains(path[path.size() - 2], path.back()) &&
      graph.contains(path.back(), s))
    path.pop_back();
  path.push_back(s);
}

// Tiles at state `to` such that every device's lies where its tile at `from` does as far as both tell: what
// the coarser of each dimension's two says stays, the rest is dealt out in turn to the devices that share it.
std::vector<int32_t> deal(const TileGraph &graph, State from, State to, std::span<const int32_t> tiles) {
  const size_t rank = graph.rank(), devices = tiles.size() / rank;
  const std::span<const int32_t> before = graph.shards(from), after = graph.shards(to);
  size_t coarse_tiles = 1;
  for (size_t dim = 0; dim < rank; ++dim)
    coarse_tiles *= static_cast<size_t>(std::min(before[dim], after[dim]));
  std::vector<int32_t> dealt(coarse_tiles, 0), result(tiles.size());
  for (size_t device = 0; device < devices; ++device) {
    size_t coarse = 0;
    for (size_t dim = 0; dim < rank; ++dim) {
      const int32_t shards = std::min(before[dim], after[dim]);
      coarse = coarse * static_cast<size_t>(shards) +
               static_cast<size_t>(tiles[device * rank + dim] / (before[dim] / shards));
    }
    int32_t turn = dealt[coarse]++;
    for (size_t dim = rank; dim-- > 0;) {
      const int32_t shards = std::min(before[dim], after[dim]), parts = after[dim] / shards;
      result[device * rank + dim] =
          tiles[device * rank + dim] / (before[dim] / shards) * parts + turn % parts;
      turn /= parts;
    }
  }
  return result;
}

} // namespace

Length OnePermutation::find(const ShapeProblem &p, const Distances &to_target, Distances &from_source) {
  State at = kNoState;
  const Length best = with_one_permutation(p, to_target, from_source, at);
  before_.clear();
  for (State s = at; s != kNoState; s = from_source.next[static_cast<size_t>(s)])
    before_.push_back(s);
  std::ranges::reverse(before_);
  std::vector<State> merged;
  for (const State s : before_)
    append(*p.graph, merged, s);
  before_.swap(merged);
  after_.clear();
  for (State s = at; s != kNoState; s = to_target.next[static_cast<size_t>(s)])
    append(*p.graph, after_, s);
  length_ = best;
  cost_ = best.cost;
  return best;
}

void OnePermutation::realise(const ShapeProblem &p, const Ends &ends) {
  const TileGraph &graph = *p.graph;
  steps_.clear();
  std::vector<int32_t> now(ends.src.begin(), ends.src.end());
  for (size_t at = 1; at < before_.size(); ++at) {
    now = deal(graph, before_[at - 1], before_[at], now);
    steps_.push_back({before_[at - 1], before_[at], now});
  }
  std::vector<Step> backward;
  std::vector<int32_t> then(ends.dst.begin(), ends.dst.end());
  for (size_t at = after_.size() - 1; at > 0; --at) {
    std::vector<int32_t> earlier = deal(graph, after_[at], after_[at - 1], then);
    backward.push_back({after_[at - 1], after_[at], std::move(then)});
    then = std::move(earlier);
  }
  if (now == then)
    cost_ -= p.size(after_.front());
  else
    steps_.push_back({after_.front(), after_.front(), std::move(then)});
  steps_.insert(steps_.end(), std::make_move_iterator(backward.rbegin()),
                std::make_move_iterator(backward.rend()));
}

} // namespace tw::redistribute
