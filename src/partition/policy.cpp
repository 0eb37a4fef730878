// SPDX-License-Identifier: Apache-2.0
// Levels of ops, and what must have been stated.
#include "partition/policy.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ops/registry.hpp"
#include "partition/conflicts.hpp"
#include "partition/stated.hpp"

namespace tw::partition {

using graph::ValueId;

namespace {

// Ops through which an array passes element by element: each dimension of the result is one of an operand.
bool passes_through(const Plan &plan, NodeId n) {
  if (!plan.is_op(n)) // a pin, or what a loop carries
    return true;
  return (ops::op_def(plan.graph().op(n).code).flags & (ops::kElementwise | ops::kPassThrough)) != 0;
}
bool is_interface(const Plan &plan, NodeId n) {
  return plan.is_op(n) && ops::is_signature(ops::op_def(plan.graph().op(n).code));
}
bool has_one_use(const Plan &plan, NodeId n) {
  size_t uses = 0;
  for (uint32_t i = 0; i < plan.num_made(n); ++i)
    plan.flow().each_reader(plan.made(n, i), [&](const Port &) { ++uses; });
  return uses <= 1;
}
bool is_broadcast(const Plan &plan, NodeId n) {
  return plan.is_op(n) && ops::is(plan.graph(), n, ops::OpKind::broadcast);
}

// How Shardy orders ops: those that pass a sharding on as it is, first where nobody else asks; then all
// dimensions that stay, sums, and last what a broadcast would spread.
enum Level { kSingleUse, kPassThrough, kStays, kSums, kAll, kNumLevels };

Status refuse(const Plan &plan, NodeId n, std::string message) {
  Error error(Code::failed_precondition, "TW-430", std::move(message));
  const graph::OpId op = plan.op_of(n);
  const graph::Location where = plan.graph().location(op);
  error.info().pos = {std::string(plan.graph().file()), where.line, where.column};
  return fail(std::move(error));
}

// Axes of one device change nothing.
void leave_out_single(std::vector<sharding::DimSharding> &dims, const sharding::Mesh &mesh) {
  for (sharding::DimSharding &dim : dims)
    std::erase_if(dim.axes, [&](sharding::AxisId axis) { return mesh.size(axis) == 1; });
}

// Whether tiles of the one layout lie in those of the other on every device, so that nothing moves.
bool lies_in(sharding::Sharding inner, sharding::Sharding outer, const sharding::Mesh &mesh) {
  leave_out_single(inner.dims, mesh);
  leave_out_single(outer.dims, mesh);
  for (size_t d = 0; d < outer.dims.size(); ++d) {
    const sharding::DimSharding &in = inner.dims[d], &out = outer.dims[d];
    const bool nests =
        out.axes.empty() || (in.rule == sharding::SplitRule{} && out.rule == sharding::SplitRule{});
    if (!(in == out) && (!nests || out.axes.size() > in.axes.size() ||
                         !std::equal(out.axes.begin(), out.axes.end(), in.axes.begin())))
      return false;
  }
  return true;
}

// What would let a node read what has to move for it: a statement of what the node makes.
std::string advice(const Plan &plan, NodeId reader) {
  if (!plan.is_op(reader) || plan.num_made(reader) != 1 || plan.pin_of(plan.made(reader, 0)) != graph::kNone)
    return "state both layouts";
  sharding::Sharding made = plan.result_sharding(reader, 0);
  made.partial.clear();
  const std::string name = plan.graph().value_name(plan.made(reader, 0));
  return fmt::format("state the layout of {}, as with shard(value={}, {})", name, name,
                     sharding::to_text(made, plan.mesh()));
}

// What a node reads through one of its operands is there in the layout in which it is needed, or somebody
// stated what it makes of it.
Status check_edge(const Plan &plan, const OpenSums &sums, NodeId reader, uint32_t operand) {
  const ValueId v = plan.reads(reader)[operand];
  const NodeId from = plan.source(v);
  if (from == graph::kNone || plan.is_source(from) || !plan.takes_part(from))
    return {};
  sharding::Sharding made = plan.result_sharding(from, plan.is_pin(from) ? 0 : plan.flow().maker(v).index);
  const std::string name = plan.graph().value_name(v);
  const sharding::AxisSet open = sums.axes(v);
  for (const sharding::AxisId axis : sharding::AxisSet::first(plan.mesh().num_axes())) {
    if (plan.mesh().size(axis) == 1 || is_stated_constraint(plan, reader))
      continue;
    const bool stated = open.contains(axis);
    if (stated ? !sums.hands_on(reader, axis) : made.find_partial(axis) != nullptr)
      return refuse(
          plan, from,
          fmt::format(
              "policy explicit: {} is left in partial values over '{}', and {}: state its layout, as with "
              "tile(value={}, ..) or atomic(value={}, ..)",
              name, plan.mesh().axis(axis).name,
              stated ? node_text(plan, reader) + " needs their sum"
                     : "nobody says where they are to be combined",
              name, name));
  }
  made.partial.clear();
  const sharding::Sharding needed = plan.operand_sharding(reader, operand);
  if (lies_in(needed, made, plan.mesh()) || is_stated(plan, reader))
    return {};
  return refuse(plan, reader,
                fmt::format("policy explicit: {} needs {} as {}, and it is {}: {}", node_text(plan, reader),
                            name, sharding::to_text(needed, plan.mesh()),
                            sharding::to_text(made, plan.mesh()), advice(plan, reader)));
}

} // namespace

Result<Policy> parse_policy(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Policy>, 5> kPolicies = {
      {{"conservative", Policy::conservative},
       {"seeds", Policy::conservative}, // its name in 0.1
       {"shardy", Policy::shardy},
       {"cheapest", Policy::cheapest},
       {"explicit", Policy::explicit_}}};
  for (const auto &[known, policy] : kPolicies)
    if (name == known)
      return policy;
  return fail(
      Code::invalid_argument, "TW-431",
      fmt::format("there is no policy '{}': expected conservative, shardy, cheapest or explicit", name));
}

bool takes_largest(Policy policy) { return policy == Policy::shardy || policy == Policy::cheapest; }

int num_levels(Policy policy) { return takes_largest(policy) ? kNumLevels : 1; }

bool takes(const Plan &plan, int level, NodeId n, ops::FactorId factor, bool forward) {
  if (plan.policy() == Policy::explicit_)
    return forward;
  if (plan.policy() == Policy::conservative || level == kAll || is_interface(plan, n))
    return true;
  if (level == kSingleUse)
    return passes_through(plan, n) && has_one_use(plan, n);
  if (level == kPassThrough)
    return passes_through(plan, n);
  if (is_broadcast(plan, n) && forward)
    return false;
  return level == kSums || plan.rule(n).factors[factor].kind == ops::FactorKind::pass;
}

Status check_stated(const Plan &plan, const annotation::Annotations &annotations) {
  if (plan.policy() != Policy::explicit_)
    return {};
  const auto is_said = [&](NodeId n) { return plan.is_op(n) && annotations.states_moves_of(n); };
  for (const Conflict *c : open_conflicts(plan))
    if (!is_stated(plan, c->node) && !is_said(c->node))
      return refuse(plan, c->node,
                    fmt::format("policy explicit: {}; state the layout that is wanted", describe(plan, *c)));
  const auto is_asked_for = [&](NodeId n) {
    return plan.is_op(n) && ops::is(plan.graph(), n, ops::OpKind::result) && is_stated_result(plan, n);
  };
  OpenSums sums(plan);
  sums.follow(static_cast<graph::OpId>(plan.graph().ops().size()));
  for (NodeId n = 0; n < plan.flow().num_nodes(); ++n)
    if (plan.takes_part(n) && !plan.is_source(n) && !is_asked_for(n) && !is_said(n))
      for (uint32_t p = 0; p < plan.reads(n).size(); ++p)
        TW_TRY(check_edge(plan, sums, n, p));
  return {};
}

} // namespace tw::partition
