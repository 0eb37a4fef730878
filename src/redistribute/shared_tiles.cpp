// SPDX-License-Identifier: Apache-2.0
// Finds equal tiles.
#include "redistribute/shared_tiles.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "redistribute/step_builder.hpp"

namespace tw::redistribute {

namespace {

using sharding::Box;
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

// What a box has outside of others.
void subtract(const Box &box, std::span<const Box> others, std::vector<Box> &left) {
  for (size_t i = 0; i < others.size(); ++i) {
    const Box common = intersect(box, others[i]);
    if (common.empty())
      continue;
    Box rest = box;
    for (size_t d = 0; d < box.extent.size(); ++d) { // the slabs in front of and behind what both have
      const int64_t begin = rest.offset[d], end = begin + rest.extent[d], from = common.offset[d],
                    to = from + common.extent[d];
      for (const auto &[low, high] : {std::pair(begin, from), std::pair(to, end)})
        if (low < high) {
          Box slab = rest;
          slab.offset[d] = low;
          slab.extent[d] = high - low;
          subtract(slab, others.subspan(i + 1), left);
        }
      rest.offset[d] = from;
      rest.extent[d] = to - from;
    }
    return;
  }
  left.push_back(box);
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

std::vector<TileOwner> find_owners(const Plan &plan, std::span<const int64_t> process) {
  const Problem &problem = *plan.problem;
  std::vector<TileOwner> owners;
  for (Device d = 0; static_cast<size_t>(d) < problem.num_devices(); ++d)
    owners.push_back({false, d});
  if (!problem.dst().sharding.partial.empty() || reads_targets(plan))
    return owners;
  const Placement &before = plan.buffers.front(), &after = plan.buffers.back();
  std::map<std::pair<int64_t, TileBounds>, TileOwner> known; // by process and tile
  const auto key = [&](const Placement &tiles, Device d) {
    return std::pair(process.empty() ? 0 : process[static_cast<size_t>(d)], bounds_of(tiles, d));
  };
  if (problem.combined().empty())
    for (size_t d = owners.size(); d-- > 0;) // so that the lowest device stays
      if (before.elements(static_cast<Device>(d)) != 0 &&
          same_contents(problem, before, static_cast<Device>(d)))
        known[key(before, static_cast<Device>(d))] = {true, static_cast<Device>(d)};
  for (Device d = 0; static_cast<size_t>(d) < owners.size(); ++d) {
    if (after.elements(d) == 0)
      continue;
    const auto [at, fresh] = known.try_emplace(key(after, d), owners[static_cast<size_t>(d)]);
    owners[static_cast<size_t>(d)] = at->second;
    if (at->second.source && key(before, d) == at->first) // rather one's own
      owners[static_cast<size_t>(d)].device = d;
  }
  return owners;
}

bool have_own(std::span<const TileOwner> owners) {
  for (size_t d = 0; d < owners.size(); ++d)
    if (!has_own(owners, static_cast<Device>(d)))
      return false;
  return true;
}

std::vector<Step> steps_at_owners(const Plan &plan, std::span<const TileOwner> owners) {
  const size_t rank = plan.problem->rank();
  const bool reads = reads_targets(plan);
  std::vector<std::vector<Box>> filled(owners.size()); // of target tiles that steps read
  std::vector<Box> left;
  std::vector<Source> sources;
  std::vector<Step> steps;
  for (const Step &step : plan.steps) {
    StepBuilder builder(*plan.problem);
    for (Device d = 0; static_cast<size_t>(d) < owners.size(); ++d) {
      const bool in_target = step.target == plan.target();
      const Device to = in_target ? owners[static_cast<size_t>(d)].device : d;
      if (in_target && !reads && !has_own(owners, d))
        continue;
      for (size_t p = step.first_piece[static_cast<size_t>(d)];
           p < step.first_piece[static_cast<size_t>(d) + 1]; ++p) {
        sources.assign(step.sources_of(p).begin(), step.sources_of(p).end());
        for (Source &source : sources)
          if (plan.memory_of(source.buffer) == plan.target())
            source.device = owners[static_cast<size_t>(source.device)].device;
        left.assign(1, step.box(p, rank));
        if (in_target && reads) {
          auto &of_owner = filled[static_cast<size_t>(to)];
          left.clear();
          subtract(step.box(p, rank), of_owner, left);
          of_owner.insert(of_owner.end(), left.begin(), left.end());
        }
        for (const Box &box : left)
          builder.add(to, box, sources);
      }
    }
    steps.push_back(builder.finish(step.target, step.reduction));
  }
  return steps;
}

} // namespace tw::redistribute
