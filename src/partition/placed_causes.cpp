// SPDX-License-Identifier: Apache-2.0
// Loops that choices put where nobody offers them. While choices are made, such a loop is its own cause.
// Afterwards it follows from a neighbour that has the axis for other reasons, so that every loop leads back
// to an action.
#include <algorithm>

#include "partition/choices.hpp"

namespace tw::partition {

using graph::kNone;
using sharding::AxisId;

// Null where the node has no loop over the axis.
NestEntry *Choices::own(NodeId n, AxisId axis) const { return plan_.nests_.entry(n, axis); }

bool Choices::place(const Way &way, Choice::When when) {
  bool some = false;
  for (const Choice &c : way.chosen) {
    if (c.when != when || c.factor == kAny || plan_.decided(c.node, c.axis) ||
        plan_.is_closed(c.node, c.factor) || !plan_.set(c.node, c.axis, c.factor))
      continue;
    own(c.node, c.axis)->cause = c.node;
    some = true;
  }
  return some;
}

void Choices::give_causes() {
  if (std::ranges::all_of(best_.chosen, [](const Choice &c) { return c.when == Choice::When::offered; }))
    return;
  for (size_t a = 0; a < plan_.mesh().num_axes(); ++a)
    give_causes(static_cast<AxisId>(a));
}

void Choices::give_causes(AxisId axis) {
  std::vector<NodeId> root(plan_.num_nodes(), kNone); // where the chain of causes ends
  std::vector<NodeId> placed, on_way;
  for (NodeId n = 0; n < root.size(); ++n) {
    if (own(n, axis) == nullptr)
      continue;
    NodeId at = n;
    for (on_way.clear(); root[at] == kNone;) {
      on_way.push_back(at);
      const NodeId cause = own(at, axis)->cause;
      if (cause == at)
        placed.push_back(at);
      if (cause == kNone || cause == at || own(cause, axis) == nullptr)
        root[at] = at;
      else
        at = cause;
    }
    for (const NodeId passed : on_way)
      root[passed] = root[at];
  }
  if (placed.empty())
    return;
  Propagation waves(plan_);
  std::vector<bool> leads(root.size(), true); // back to an action
  for (const NodeId n : placed)
    leads[n] = false;
  for (bool again = true; again;) {
    again = false;
    for (const NodeId n : placed) {
      if (leads[n])
        continue;
      NodeId from = kNone;
      for (const Neighbour &at : waves.neighbours(n))
        if (const NestEntry *e = own(at.node, axis); e != nullptr && e->factor != kAny &&
                                                     leads[root[at.node]] &&
                                                     (from == kNone || e->action < own(from, axis)->action))
          from = at.node;
      if (from == kNone)
        continue;
      own(n, axis)->cause = from;
      own(n, axis)->action = own(from, axis)->action;
      leads[n] = again = true;
    }
  }
  for (const NodeId n : placed)
    if (!leads[n])
      own(n, axis)->cause = kNone; // alone between what is whole
  for (NodeId n = 0; n < root.size(); ++n)
    if (NestEntry *e = own(n, axis); e != nullptr && root[n] != kNone && root[n] != n)
      e->action = own(root[n], axis)->action;
}

} // namespace tw::partition
