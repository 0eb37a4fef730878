// SPDX-License-Identifier: Apache-2.0
// Looks for loops that an action put on pins and sums, and follows partial values through linear ops.
#include "partition/stated.hpp"

#include <algorithm>

namespace tw::partition {

using graph::kNone;
using graph::ValueId;
using sharding::AxisId;

namespace {

bool is_constraint(const graph::Graph &g, graph::OpId op) {
  return ops::is(g, op, ops::OpKind::barrier) && g.operands(op).size() == 1;
}

bool by_action(const NestEntry &e) { return e.cause == kNone; }

// Whether none of its dimensions takes another axis.
bool is_closed(const Plan &plan, NodeId n) {
  const auto &factors = plan.rule(n).factors;
  for (size_t f = 0; f < factors.size(); ++f)
    if (!plan.is_closed(n, static_cast<ops::FactorId>(f)))
      return false;
  return !factors.empty();
}

} // namespace

std::optional<ValueId> behind_barrier(const graph::Graph &graph, ValueId v) {
  const graph::OpId op = graph.value(v).def;
  return op != kNone && is_constraint(graph, op) ? std::optional(graph.operands(op)[0]) : std::nullopt;
}

NodeId stated_pin(const Plan &plan, ValueId v) {
  NodeId pin = plan.pin_of(v);
  if (const auto uses = plan.graph().uses(v);
      pin == kNone && uses.size() == 1 && is_constraint(plan.graph(), uses[0].op))
    pin = plan.pin_of(plan.graph().result(uses[0].op));
  const bool is_stated =
      pin != kNone && (std::ranges::any_of(plan.nest(pin), by_action) || is_closed(plan, pin));
  return is_stated ? pin : kNone;
}

bool takes_no_more(const Plan &plan, graph::OpId result) {
  return std::ranges::any_of(plan.rule(result).operands[0], [&](const ops::DimFactors &dim) {
    return !dim.empty() && plan.is_closed(result, dim[0]);
  });
}

bool is_stated_result(const Plan &plan, graph::OpId result) {
  return plan.has_fixed_layout(result) || std::ranges::any_of(plan.nest(result), by_action) ||
         takes_no_more(plan, result);
}

graph::OpId overwritten_argument(const graph::Graph &graph, uint32_t result) {
  for (size_t i = 0; i < graph.arguments().size(); ++i)
    if (graph.alias_of_argument(i) == static_cast<int32_t>(result))
      return graph.arguments()[i];
  return kNone;
}

std::optional<sharding::Sharding> asked_layout(const Plan &plan, uint32_t result, graph::OpId overwritten) {
  const graph::OpId op = plan.graph().results()[result];
  if (is_stated_result(plan, op)) // or fixed
    return plan.operand_sharding(op, 0);
  if (overwritten != kNone)
    return plan.result_sharding(overwritten, 0);
  return std::nullopt;
}

bool is_stated_partial(const Plan &plan, NodeId n, AxisId axis) {
  const NestEntry *e = plan.entry(n, axis);
  return e != nullptr && e->factor != kAny && by_action(*e) &&
         plan.rule(n).factors[e->factor].kind == ops::FactorKind::reduce;
}

bool is_stated_constraint(const Plan &plan, NodeId n) {
  return plan.is_op(n) && is_constraint(plan.graph(), n) && stated_pin(plan, plan.graph().result(n)) != kNone;
}

bool is_stated(const Plan &plan, NodeId n) {
  if (plan.is_op(n) && is_constraint(plan.graph(), n) && is_closed(plan, n))
    return true;
  for (uint32_t i = 0; i < plan.num_made(n); ++i)
    if (stated_pin(plan, plan.made(n, i)) == kNone &&
        std::ranges::none_of(plan.nest(n),
                             [&](const NestEntry &e) { return is_stated_partial(plan, n, e.axis); }))
      return false;
  return plan.num_made(n) != 0;
}

void OpenSums::follow(graph::OpId end) {
  end = std::min(end, static_cast<graph::OpId>(plan_.graph().ops().size()));
  for (graph::OpId op = std::min(end_, end); op < end; ++op) { // operands come before their users
    if (!plan_.takes_part(op) || plan_.num_made(op) != 1)
      continue;
    sharding::AxisSet made;
    for (const AxisId axis : sharding::AxisSet::first(plan_.mesh().num_axes()))
      if (is_stated_partial(plan_, op, axis) || hands_on(op, axis))
        made.add(axis);
    axes_[plan_.made(op, 0)] = made;
  }
  end_ = end;
}

bool OpenSums::hands_on(NodeId n, AxisId axis) const {
  if (!plan_.is_op(n))
    return false;
  const auto reads = plan_.reads(n);
  uint64_t partial = 0;
  for (size_t i = 0; i < reads.size(); ++i) {
    const bool is_partial = axes(reads[i]).contains(axis);
    if (i >= 64 || (!is_partial && plan_.operand_sharding(n, static_cast<uint32_t>(i)).uses(axis)))
      return false; // or it would have to be brought together
    partial |= uint64_t{is_partial} << i;
  }
  const ops::OpDef &def = ops::op_def(plan_.graph().op(n).code);
  return partial != 0 && def.linear != nullptr &&
         def.linear(ops::OpViewHolder(plan_.graph(), n).view(), partial, sharding::Reduction::sum);
}

} // namespace tw::partition
