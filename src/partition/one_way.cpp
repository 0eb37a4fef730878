// SPDX-License-Identifier: Apache-2.0
// A copy of the plan forgets what followed from other nodes, and waves run over the rest.
#include "partition/one_way.hpp"

#include <algorithm>

#include "partition/propagation.hpp"

namespace tw::partition {

using graph::kNone;

namespace {

// Whether a loop counts as stated though it followed from others: a stated one inside it says where both cut.
bool is_cut_inside(std::span<const NestEntry> from_here) {
  return std::ranges::any_of(from_here.subspan(1), [&](const NestEntry &inner) {
    return inner.cause == kNone && inner.split != 0 && inner.factor == from_here[0].factor;
  });
}

} // namespace

Plan Propagation::stated(const Plan &plan) {
  Plan bare = plan;
  std::vector<std::pair<ActionId, NodeId>> entries; // as they were stated
  for (NodeId n = 0; n < plan.num_nodes(); ++n) {
    const auto nest = plan.nest(n);
    for (size_t i = nest.size(); i-- > 0;) // from behind, so that places stay
      if (nest[i].cause != kNone && !is_cut_inside(nest.subspan(i)))
        bare.nests_.remove(n, i);
    for (const NestEntry &e : bare.nest(n)) {
      bare.nests_.entry(n, e.axis)->cause = kNone;
      entries.emplace_back(e.action, n);
    }
  }
  std::ranges::stable_sort(entries);
  bare.conflicts_.clear();
  bare.conflict_kinds_.clear();
  bare.edits_.clear();
  bare.propagated_.clear();
  bare.log_.assign(bare.pins_.size(), Plan::kLogPin); // all of it is news
  for (const auto &[action, n] : entries)
    bare.log_.push_back(n);
  return bare;
}

Plan propagated_one_way(const Plan &plan, Direction direction) {
  Plan again = Propagation::stated(plan);
  Propagation(again, {.direction = direction}).run();
  return again;
}

} // namespace tw::partition
