// SPDX-License-Identifier: Apache-2.0
// Uses of one variable follow one choice, so what it needs at most is looked at all of its uses together.
#include "solve/points.hpp"

#include <algorithm>
#include <utility>

namespace tw::solve {
namespace {

void join(std::vector<Use> &uses) {
  std::ranges::sort(uses, {}, [](const Use &use) { return std::pair(use.begin, use.end); });
  std::vector<Use> joined;
  for (Use &use : uses) {
    if (joined.empty() || joined.back().begin != use.begin || joined.back().end != use.end) {
      joined.push_back(std::move(use));
      continue;
    }
    for (size_t i = 0; i < use.amounts.size(); ++i)
      joined.back().amounts[i] += use.amounts[i];
  }
  uses = std::move(joined);
}

struct Piece {
  uint32_t begin, end;
  Cost amount;
};
// The most that one variable needs, by time. All of its uses follow one choice: that is no sum of the most of
// each.
std::vector<Piece> most_of(const std::vector<Use> &uses) {
  if (uses.empty())
    return {};
  std::vector<uint32_t> cuts;
  for (const Use &use : uses)
    cuts.insert(cuts.end(), {use.begin, use.end});
  std::ranges::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<Cost> sums(uses[0].amounts.size(), 0);
  std::vector<std::pair<uint32_t, const Use *>> ending; // a heap by end
  std::vector<Piece> pieces;
  size_t next = 0; // they are sorted by where they begin
  const auto later = [](const auto &a, const auto &b) { return a.first > b.first; };
  for (size_t c = 0; c + 1 < cuts.size(); ++c) {
    for (; !ending.empty() && ending.front().first <= cuts[c]; ending.pop_back()) {
      std::ranges::pop_heap(ending, later);
      for (size_t i = 0; i < sums.size(); ++i)
        sums[i] -= ending.back().second->amounts[i];
    }
    for (; next < uses.size() && uses[next].begin <= cuts[c]; ++next) {
      for (size_t i = 0; i < sums.size(); ++i)
        sums[i] += uses[next].amounts[i];
      ending.emplace_back(uses[next].end, &uses[next]);
      std::ranges::push_heap(ending, later);
    }
    pieces.push_back({cuts[c], cuts[c + 1], std::ranges::max(sums)});
  }
  return pieces;
}

// A point goes where the next one has all of its uses, and no more room; or, backwards, the one before.
void drop_beside(std::vector<uint32_t> &points, const std::vector<bool> &changes,
                 std::span<const Cost> limits, bool forward) {
  std::vector<uint32_t> left;
  for (size_t k = 0; k < points.size(); ++k) {
    const size_t beside = forward ? k + 1 : k - 1; // past the end where there is none
    if (beside < points.size() && limits[points[k]] >= limits[points[beside]]) {
      const auto begin = changes.begin() + std::min(points[k], points[beside]) + 1;
      const auto end = changes.begin() + std::max(points[k], points[beside]) + 1;
      if (std::find(begin, end, true) == end)
        continue;
    }
    left.push_back(points[k]);
  }
  points = std::move(left);
}

} // namespace

bool tidy_points(std::vector<std::vector<Use>> &uses, std::vector<Cost> &limits) {
  const size_t points = limits.size();
  std::vector<Cost> taken(points + 1, 0), most(points + 1, 0);
  std::vector<bool> begins(points + 1, false), ends(points + 1, false);
  for (std::vector<Use> &own : uses) {
    join(own);
    for (Use &use : own) {
      const Cost least = std::ranges::min(use.amounts);
      for (Cost &amount : use.amounts)
        amount -= least;
      taken[use.begin] += least;
      taken[use.end] -= least;
    }
    std::erase_if(own, [](const Use &use) { return std::ranges::max(use.amounts) == 0; });
    for (const Piece &piece : most_of(own)) {
      most[piece.begin] += piece.amount;
      most[piece.end] -= piece.amount;
    }
    for (const Use &use : own)
      begins[use.begin] = ends[use.end] = true;
  }
  std::vector<uint32_t> kept;
  Cost least = 0, sum = 0;
  for (uint32_t p = 0; p < points; ++p) {
    least += taken[p];
    sum += most[p];
    if ((limits[p] -= least) < 0)
      return false;
    if (sum > limits[p])
      kept.push_back(p);
  }
  drop_beside(kept, ends, limits, true);
  drop_beside(kept, begins, limits, false);
  const auto place = [&](uint32_t p) {
    return static_cast<uint32_t>(std::ranges::lower_bound(kept, p) - kept.begin());
  };
  for (std::vector<Use> &own : uses) {
    for (Use &use : own) {
      use.begin = place(use.begin);
      use.end = place(use.end);
    }
    std::erase_if(own, [](const Use &use) { return use.begin == use.end; });
  }
  for (size_t k = 0; k < kept.size(); ++k)
    limits[k] = limits[kept[k]];
  limits.resize(kept.size());
  return true;
}

} // namespace tw::solve
