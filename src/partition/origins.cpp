// SPDX-License-Identifier: Apache-2.0
// Joins nodes that are neighbours and cut the value between them alike, and those of which one was the
// other's evidence.
#include "partition/origins.hpp"

#include <algorithm>

namespace tw::partition {

using graph::kNone;
using sharding::AxisId;

namespace {

NodeId root_of(std::vector<NodeId> &parent, NodeId n) {
  while (parent[n] != n)
    n = parent[n] = parent[parent[n]];
  return n;
}

} // namespace

bool Origins::has(NodeId n, AxisId axis) const {
  const NestEntry *e = plan_.entry(n, axis);
  return e != nullptr && e->factor != kAny;
}

NodeId Origins::hands_on(NodeId n, uint32_t operand, AxisId axis) const {
  const graph::ValueId v = plan_.reads(n)[operand];
  const Port made = plan_.flow().maker(v);
  const NodeId maker = plan_.is_pin(n) ? made.node : plan_.source(v);
  if (maker == kNone || !plan_.takes_part(maker) || !has(maker, axis))
    return kNone;
  const auto its_cut = plan_.result_cut(maker, plan_.is_pin(maker) ? 0 : made.index, axis);
  if (!its_cut)
    return kNone;
  const auto cut = plan_.operand_cut(n, operand, axis);
  const bool alike = cut ? cut->dim == its_cut->dim : plan_.rule(n).window(operand, its_cut->dim) != nullptr;
  return alike ? maker : kNone;
}

const Origins::Parts &Origins::parts(AxisId axis) {
  Parts &found = parts_[axis];
  if (!found.parent.empty())
    return found;
  const auto nodes = static_cast<NodeId>(plan_.num_nodes());
  std::vector<NodeId> parent(nodes);
  for (NodeId n = 0; n < nodes; ++n)
    parent[n] = n;
  const auto join = [&](NodeId a, NodeId b) { parent[root_of(parent, a)] = root_of(parent, b); };
  for (NodeId n = 0; n < nodes; ++n) {
    if (!plan_.takes_part(n) || !has(n, axis))
      continue;
    if (const NodeId cause = plan_.entry(n, axis)->cause; cause != kNone && has(cause, axis))
      join(n, cause);
    for (uint32_t i = 0; i < plan_.reads(n).size(); ++i)
      if (const NodeId maker = hands_on(n, i, axis); maker != kNone)
        join(n, maker);
  }
  found.actions.resize(nodes);
  for (NodeId n = 0; n < nodes; ++n)
    if (plan_.takes_part(n) && has(n, axis) && plan_.entry(n, axis)->cause == kNone)
      found.actions[root_of(parent, n)].push_back(plan_.entry(n, axis)->action);
  for (std::vector<ActionId> &actions : found.actions) {
    std::ranges::sort(actions);
    actions.erase(std::unique(actions.begin(), actions.end()), actions.end());
  }
  for (NodeId n = 0; n < nodes; ++n)
    parent[n] = root_of(parent, n);
  found.parent = std::move(parent);
  return found;
}

std::vector<ActionId> Origins::of(NodeId n, AxisId axis) {
  const NestEntry *e = plan_.entry(n, axis);
  if (e == nullptr)
    return {};
  if (e->factor == kAny)
    return {e->action};
  const Parts &of_axis = parts(axis);
  std::vector<ActionId> actions = of_axis.actions[of_axis.parent[n]];
  if (actions.empty())
    actions.push_back(e->action);
  return actions;
}

} // namespace tw::partition
