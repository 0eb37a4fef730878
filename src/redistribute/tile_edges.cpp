// SPDX-License-Identifier: Apache-2.0
// Cuts a box in one dimension after the other.
#include "redistribute/tile_edges.hpp"

#include <algorithm>
#include <utility>

namespace tw::redistribute {

using sharding::Box;

TileEdges::TileEdges(const Problem &problem) : edges_(problem.rank()) {
  for (size_t d = 0; d < edges_.size(); ++d) {
    const sharding::SplitRule &rule = problem.dst().sharding.dims[d].rule;
    if (rule.kind != sharding::SplitRule::Kind::spans)
      continue;
    none_ = false;
    edges_[d] = *rule.cuts;
    std::ranges::sort(edges_[d]);
    edges_[d].erase(std::unique(edges_[d].begin(), edges_[d].end()), edges_[d].end());
  }
}

std::vector<Box> TileEdges::cut(const Box &box) const {
  std::vector<Box> parts{box};
  for (size_t d = 0; d < edges_.size(); ++d) {
    if (edges_[d].empty())
      continue;
    const int64_t end = box.offset[d] + box.extent[d];
    std::vector<Box> cut;
    for (const Box &part : parts) {
      int64_t begin = box.offset[d];
      const auto add = [&](int64_t to) {
        Box &piece = cut.emplace_back(part);
        piece.offset[d] = begin;
        piece.extent[d] = to - begin;
        begin = to;
      };
      for (auto edge = std::ranges::upper_bound(edges_[d], begin); edge != edges_[d].end() && *edge < end;
           ++edge)
        add(*edge);
      add(end);
    }
    parts = std::move(cut);
  }
  return parts;
}

} // namespace tw::redistribute
