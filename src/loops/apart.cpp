// SPDX-License-Identifier: Apache-2.0
// Compares the loops of the text with those in which the printer would put the ops.
#include "loops/apart.hpp"

#include <algorithm>
#include <vector>

#include "loops/order.hpp"

namespace tw::loops {

using graph::kNone;
using graph::OpId;

namespace {

// For each op the loops around it, outer to inner.
using Chains = std::vector<std::vector<uint32_t>>;

template <class Parent> std::vector<uint32_t> chain(uint32_t loop, Parent parent) {
  std::vector<uint32_t> loops;
  for (; loop != kNone; loop = parent(loop))
    loops.push_back(loop);
  std::ranges::reverse(loops);
  return loops;
}

Chains chains_of(const Plan &plan, graph::RegionId body) {
  Chains chains(plan.graph().ops().size());
  const Order order = arrange(plan, body);
  uint32_t open = kNone;
  for (const Step &step : order.steps)
    switch (step.kind) {
    case Step::Kind::open: open = step.id; break;
    case Step::Kind::close: open = order.loops[step.id].parent; break;
    case Step::Kind::op:
      chains[step.id] = chain(open, [&](uint32_t l) { return order.loops[l].parent; });
      break;
    case Step::Kind::pin: break;
    }
  return chains;
}

size_t common(const std::vector<uint32_t> &a, const std::vector<uint32_t> &b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

} // namespace

void mark_apart(Plan &plan, const import::LoopProgram &program, std::span<const sharding::AxisId> axes) {
  const graph::Graph &graph = plan.graph();
  Chains text(graph.ops().size());
  std::vector<graph::RegionId> bodies;
  for (const import::LoopOp &op : program.ops)
    if (op.loop != kNone) {
      text[op.op] = chain(op.loop, [&](uint32_t l) { return program.loops[l].parent; });
      if (const auto body = graph.op(op.op).parent; std::ranges::find(bodies, body) == bodies.end())
        bodies.push_back(body);
    }
  for (const graph::RegionId body : bodies)
    for (bool marked = true; marked;) { // what is kept apart moves others, too
      marked = false;
      const Chains printed = chains_of(plan, body);
      for (const OpId reader : graph.region(body).ops)
        for (const graph::ValueId v : graph.operands(reader)) {
          const OpId maker = graph.value(v).def;
          if (maker == kNone || graph.op(maker).parent != body || pin_of(plan, v) != kNone)
            continue;
          const size_t depth = common(text[maker], text[reader]);
          if (depth >= std::min(text[maker].size(), text[reader].size()) ||
              common(printed[maker], printed[reader]) <= depth)
            continue;
          plan.set_apart(v, axes[text[maker][depth]], true);
          marked = true;
        }
    }
}

} // namespace tw::loops
