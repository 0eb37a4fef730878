// SPDX-License-Identifier: Apache-2.0
// Source tiles are equal or disjoint, since tiles with halos are not moved where devices are lost.
#include "redistribute/lost.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tw::redistribute {

using sharding::Box;

namespace {

using Corner = std::pair<std::vector<int64_t>, std::vector<int64_t>>;

struct SortedTiles {
  std::vector<Box> left, lost;
};

SortedTiles sort_tiles(const Problem &problem) {
  SortedTiles tiles;
  std::set<Corner> known;
  for (const bool is_lost : {false, true})
    for (Position p; p < problem.src().mesh.num_devices(); ++p) {
      if ((problem.src_device(p) < 0) != is_lost)
        continue;
      Box box = problem.src_box_at(p);
      if (!box.empty() && known.emplace(box.offset, box.extent).second)
        (is_lost ? tiles.lost : tiles.left).push_back(std::move(box));
    }
  return tiles;
}

} // namespace

std::vector<Box> tiles_left(const Problem &problem) { return sort_tiles(problem).left; }

std::vector<Box> tiles_lost(const Problem &problem) {
  return problem.lost().empty() ? std::vector<Box>() : sort_tiles(problem).lost;
}

std::vector<Missing> find_missing(const Problem &problem) {
  std::vector<Missing> missing;
  const std::vector<Box> lost = tiles_lost(problem);
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices() && !lost.empty(); ++d) {
    const Box wanted = problem.dst_box(d);
    for (const Box &tile : lost)
      if (Box box = intersect(wanted, tile); !box.empty())
        missing.push_back({d, std::move(box)});
  }
  return missing;
}

std::vector<int64_t> count_missing(const Problem &problem) {
  std::vector<int64_t> elements(problem.num_devices(), 0);
  for (const Missing &part : find_missing(problem))
    elements[static_cast<size_t>(part.device)] += part.box.elements();
  return elements;
}

} // namespace tw::redistribute
