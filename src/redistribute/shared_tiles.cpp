// SPDX-License-Identifier: Apache-2.0
// Finds equal tiles.
#include "redistribute/shared_tiles.hpp"

#include <algorithm>
#include <map>

namespace tw::redistribute {

namespace {

using TileBounds = std::pair<std::vector<int64_t>, std::vector<int64_t>>; // offset, extent

TileBounds bounds_of(const Placement &tiles, Device d) {
  const auto offset = tiles.offset(d), extent = tiles.extent(d);
  return {{offset.begin(), offset.end()}, {extent.begin(), extent.end()}};
}

bool reads_targets(const Plan &plan) {
  return std::ranges::any_of(plan.steps, [&](const Step &step) {
    return std::ranges::any_of(
        step.sources, [&](const Source &source) { return plan.memory_of(source.buffer) == plan.target(); });
  });
}

// Whether a tile would hold the same before and after: a halo around the array does where it wraps on both
// sides.
bool same_contents(const Problem &problem, const Placement &tiles, Device d) {
  for (size_t i = 0; i < problem.rank(); ++i)
    if (!(problem.src().halo(i).wraps() && problem.dst().halo(i).wraps()) &&
        (tiles.offset(d)[i] < 0 || tiles.offset(d)[i] + tiles.extent(d)[i] > problem.type().dims[i]))
      return false;
  return true;
}

} // namespace

std::vector<TileOwner> find_owners(const Plan &plan) {
  const Problem &problem = *plan.problem;
  std::vector<TileOwner> owners;
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d)
    owners.push_back({false, d});
  if (!problem.dst().sharding.partial.empty() || reads_targets(plan))
    return owners;
  const Placement &before = plan.buffers.front(), &after = plan.buffers.back();
  std::map<TileBounds, TileOwner> known;
  if (problem.combined().empty())
    for (size_t d = owners.size(); d-- > 0;) // so that the lowest device stays
      if (before.elements(static_cast<Device>(d)) != 0 &&
          same_contents(problem, before, static_cast<Device>(d)))
        known[bounds_of(before, static_cast<Device>(d))] = {true, static_cast<Device>(d)};
  for (Device d = 0; static_cast<size_t>(d) < owners.size(); ++d) {
    if (after.elements(d) == 0)
      continue;
    const auto [at, fresh] = known.try_emplace(bounds_of(after, d), owners[static_cast<size_t>(d)]);
    owners[static_cast<size_t>(d)] = at->second;
    if (at->second.source && bounds_of(before, d) == at->first) // rather one's own
      owners[static_cast<size_t>(d)].device = d;
  }
  return owners;
}

std::vector<Step> steps_at_owners(const Plan &plan, const std::vector<TileOwner> &owners) {
  std::vector<Step> steps;
  for (const Step &step : plan.steps) {
    if (step.target != plan.target()) {
      steps.push_back(step);
      continue;
    }
    Step kept = step;
    kept.first_piece = {0};
    kept.first_source = {0};
    kept.bounds.clear();
    kept.sources.clear();
    for (size_t d = 0; d < owners.size(); ++d) {
      const bool own = owners[d] == TileOwner{false, static_cast<Device>(d)};
      for (size_t p = step.first_piece[d]; own && p < step.first_piece[d + 1]; ++p) {
        const auto sources = step.sources_of(p);
        const auto bounds = step.bounds_of(p, plan.problem->rank());
        kept.bounds.insert(kept.bounds.end(), bounds.begin(), bounds.end());
        kept.sources.insert(kept.sources.end(), sources.begin(), sources.end());
        kept.first_source.push_back(static_cast<uint32_t>(kept.sources.size()));
      }
      kept.first_piece.push_back(static_cast<uint32_t>(kept.num_pieces()));
    }
    steps.push_back(std::move(kept));
  }
  return steps;
}

} // namespace tw::redistribute
