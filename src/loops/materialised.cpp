// SPDX-License-Identifier: Apache-2.0
// Compares the loops of the text with those in which the printer would put the ops.
#include "loops/materialised.hpp"

#include <algorithm>
#include <vector>

#include "loops/derive.hpp"
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

Chains chains_of(const Plan &plan, const Order &order) {
  Chains chains(plan.graph().ops().size());
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

// In one body, whose ops stand in this order in the text and in these loops of it.
template <class AxisOf>
void mark(Plan &plan, graph::RegionId body, std::span<const OpId> ops, const Chains &text, AxisOf axis_of) {
  const graph::Graph &graph = plan.graph();
  for (bool marked = true; marked;) { // what is kept apart moves others, too
    marked = false;
    const Chains printed = chains_of(plan, arrange(plan, body, ops));
    for (const OpId reader : ops)
      for (const graph::ValueId v : graph.operands(reader)) {
        const OpId maker = graph.value(v).def;
        if (maker == kNone || graph.op(maker).parent != body || pin_of(plan, v) != kNone)
          continue;
        const size_t depth = common(text[maker], text[reader]);
        if (depth >= std::min(text[maker].size(), text[reader].size()) ||
            common(printed[maker], printed[reader]) <= depth)
          continue;
        plan.set_materialised(v, axis_of(text[maker][depth]), true);
        marked = true;
      }
  }
}

std::vector<Materialised> all_materialised(const Plan &plan) {
  std::vector<Materialised> all;
  for (graph::ValueId v = 0; v < plan.graph().values().size(); ++v)
    for (size_t a = 0; a < plan.mesh().num_axes(); ++a)
      if (const auto axis = static_cast<sharding::AxisId>(a); plan.is_materialised(v, axis))
        all.push_back({v, axis});
  return all;
}

// The ops of a body as a text of these steps numbers them: arguments first.
std::vector<OpId> ops_of(const graph::Graph &graph, graph::RegionId body, const Order &order) {
  std::vector<OpId> ops;
  if (body == 0)
    ops.assign(graph.arguments().begin(), graph.arguments().end());
  for (const Step &step : order.steps)
    if (step.kind == Step::Kind::op)
      ops.push_back(step.id);
  return ops;
}

} // namespace

std::vector<Materialised> listed_materialised(const Plan &plan) {
  std::vector<Materialised> all = all_materialised(plan);
  if (all.empty())
    return all;
  const graph::Graph &graph = plan.graph();
  Plan read = plan; // what a reader makes of the loops alone
  for (const auto &[v, axis] : all)
    read.set_materialised(v, axis, false);
  for (size_t i = 0; i < graph.arguments().size(); ++i)
    if (const graph::ValueId v = graph.result(graph.arguments()[i]);
        plan.is_materialised(v) && follows_readers(plan, i))
      for (const partition::NestEntry &e : plan.nest(graph.arguments()[i]))
        read.set_materialised(v, e.axis, true);
  for (graph::RegionId body = 0; body < graph.num_regions(); ++body)
    if (plan.flow().variables().is_body(body)) {
      const Order order = arrange(plan, body);
      mark(read, body, ops_of(graph, body, order), chains_of(plan, order),
           [&](uint32_t loop) { return order.loops[loop].axis; });
    }
  return all_materialised(read) == all ? std::vector<Materialised>() : all;
}

void mark_apart(Plan &plan, const annotation::LoopProgram &program, std::span<const sharding::AxisId> axes) {
  const graph::Graph &graph = plan.graph();
  Chains text(graph.ops().size());
  std::vector<graph::RegionId> bodies;
  for (const annotation::LoopOp &op : program.ops)
    if (op.loop != kNone) {
      text[op.op] = chain(op.loop, [&](uint32_t l) { return program.loops[l].parent; });
      if (const auto body = graph.op(op.op).parent; std::ranges::find(bodies, body) == bodies.end())
        bodies.push_back(body);
    }
  for (const graph::RegionId body : bodies)
    mark(plan, body, graph.region(body).ops, text, [&](uint32_t loop) { return axes[loop]; });
}

} // namespace tw::loops
