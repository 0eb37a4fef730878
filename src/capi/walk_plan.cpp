// SPDX-License-Identifier: Apache-2.0
// tw_walk_plan.h: shardings, actions, nests and conflicts of a plan.
#include <algorithm>

#include <fmt/format.h>

#include "capi/conflicts.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/view.hpp"
#include "partition/conflicts.hpp"
#include "partition/explain.hpp"

using namespace tw;
using namespace tw::capi;
using partition::Conflict;
using partition::LoopRole;
using partition::NodeId;

static_assert(TW_LOOP_REDUCE == static_cast<int>(LoopRole::Kind::reduce) &&
                  TW_LOOP_WHOLE == static_cast<int>(LoopRole::Kind::whole),
              "tw_loop_kind_t follows LoopRole::Kind");
static_assert(TW_CONFLICT_GATE == static_cast<int>(Conflict::Kind::gate) &&
                  TW_CONFLICT_STRIDED == static_cast<int>(Conflict::Kind::strided) &&
                  TW_CONFLICT_ILLEGAL == static_cast<int>(Conflict::Kind::illegal),
              "tw_conflict_kind_t follows Conflict::Kind");

namespace {

// The dimensions of what a node makes that propagation may tile further.
std::vector<bool> open_dims(const partition::Plan &plan, NodeId n, uint32_t result) {
  std::vector<bool> open;
  for (const ops::DimFactors &dim : plan.rule(n).results[result])
    open.push_back(!dim.empty() &&
                   std::ranges::none_of(dim, [&](ops::FactorId f) { return plan.is_closed(n, f); }));
  return open;
}

Status give_sharding(const partition::Plan &plan, graph::ValueId value, sharding::Sharding layout,
                     std::vector<bool> open, tw_sharding_t **out) {
  *out =
      new tw_sharding(plan.mesh(), plan.graph().type(value).dims, {std::move(layout), {}}, std::move(open));
  return {};
}

Status give_value_sharding(const partition::Plan &plan, graph::ValueId value, tw_sharding_t **out) {
  auto layout = partition::users_layout(plan, value);
  if (!layout)
    return fail(
        Code::failed_precondition, "TW-480",
        fmt::format("value {} is inside a region that combines elements: its op speaks for it", value));
  const NodeId n = plan.source(value);
  const uint32_t result = plan.is_pin(n) ? 0 : plan.flow().maker(value).index;
  return give_sharding(plan, value, std::move(*layout), open_dims(plan, n, result), out);
}

Status check_loop(const tw_plan_t *plan, tw_op_t op, size_t i) {
  TW_TRY(require(plan, "plan"));
  TW_TRY(check_index(op, plan->plan->graph().ops().size(), "op"));
  return check_index(i, plan->plan->nest(op).size(), "loop");
}

// The dimension of each of some operands or results that carries a factor.
void write_dims(const std::vector<std::vector<ops::DimFactors>> &values, ops::FactorId factor, int32_t *out) {
  for (size_t v = 0; v < values.size(); ++v) {
    const auto has = [&](const ops::DimFactors &dim) { return std::ranges::find(dim, factor) != dim.end(); };
    const auto at = std::ranges::find_if(values[v], has);
    out[v] = at == values[v].end() ? -1 : static_cast<int32_t>(at - values[v].begin());
  }
}

} // namespace

tw_status_t tw_plan_mesh(const tw_plan_t *plan, tw_mesh_t **out_mesh) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_mesh, "out_mesh"));
    *out_mesh = new tw_mesh(plan->plan->mesh());
    return {};
  });
}

tw_status_t tw_plan_value_sharding(const tw_plan_t *plan, tw_value_t value, tw_sharding_t **out_sharding) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_sharding, "out_sharding"));
    TW_TRY(check_index(value, plan->plan->graph().values().size(), "value"));
    return give_value_sharding(*plan->plan, value, out_sharding);
  });
}

tw_status_t tw_plan_argument_sharding(const tw_plan_t *plan, size_t i, tw_sharding_t **out_sharding) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_sharding, "out_sharding"));
    const partition::Plan &p = *plan->plan;
    TW_TRY(check_index(i, p.graph().arguments().size(), "argument"));
    const graph::OpId op = p.graph().arguments()[i];
    return give_sharding(p, p.graph().result(op), p.result_sharding(op, 0), open_dims(p, op, 0),
                         out_sharding);
  });
}

tw_status_t tw_plan_result_sharding(const tw_plan_t *plan, size_t i, tw_sharding_t **out_sharding) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_sharding, "out_sharding"));
    const partition::Plan &p = *plan->plan;
    TW_TRY(check_index(i, p.graph().results().size(), "result"));
    return give_sharding(p, p.graph().operands(p.graph().results()[i])[0], partition::handed_layout(p, i), {},
                         out_sharding);
  });
}

size_t tw_plan_num_actions(const tw_plan_t *plan) { return plan ? plan->plan->actions().size() : 0; }
tw_status_t tw_plan_action(const tw_plan_t *plan, size_t i, tw_action_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(check_index(i, plan->plan->actions().size(), "action"));
    return write_view(view_of(plan->plan->actions()[i]), out_view);
  });
}

size_t tw_plan_num_loops(const tw_plan_t *plan, tw_op_t op) {
  return plan && op < plan->plan->graph().ops().size() ? plan->plan->nest(op).size() : 0;
}
tw_status_t tw_plan_loop(const tw_plan_t *plan, tw_op_t op, size_t i, tw_loop_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(check_loop(plan, op, i));
    const partition::Plan &p = *plan->plan;
    const partition::NestEntry &entry = p.nest(op)[i];
    const LoopRole role = partition::role_of(p, op, entry.factor);
    return write_view(tw_loop_view_t{0, p.mesh().axis(entry.axis).name.c_str(),
                                     static_cast<tw_loop_kind_t>(role.kind), role.dim,
                                     static_cast<tw_reduction_t>(role.reduction), entry.action,
                                     entry.cause == graph::kNone ? TW_NO_OP : p.op_of(entry.cause)},
                      out_view);
  });
}
tw_status_t tw_plan_loop_dims(const tw_plan_t *plan, tw_op_t op, size_t i, int32_t *out_operand_dims,
                              int32_t *out_result_dims) {
  return guard([&]() -> Status {
    TW_TRY(check_loop(plan, op, i));
    const partition::Plan &p = *plan->plan;
    const ops::FactorId factor = p.nest(op)[i].factor;
    if (out_operand_dims)
      write_dims(p.rule(op).operands, factor, out_operand_dims);
    if (out_result_dims)
      write_dims(p.rule(op).results, factor, out_result_dims);
    return {};
  });
}

tw_status_t tw_plan_conflicts(const tw_plan_t *plan, tw_conflicts_t **out_conflicts) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_conflicts, "out_conflicts"));
    *out_conflicts = new tw_conflicts(report::conflict_reports(*plan->plan));
    return {};
  });
}
tw_status_t tw_plan_disagreements(const tw_plan_t *plan, tw_conflicts_t **out_conflicts) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_conflicts, "out_conflicts"));
    *out_conflicts = new tw_conflicts(report::disagreement_reports(*plan->plan));
    return {};
  });
}

tw_conflicts_t *tw_conflicts_retain(tw_conflicts_t *conflicts) {
  if (conflicts)
    conflicts->retain();
  return conflicts;
}
void tw_conflicts_release(tw_conflicts_t *conflicts) {
  if (conflicts)
    conflicts->release();
}
size_t tw_conflicts_count(const tw_conflicts_t *conflicts) { return conflicts ? conflicts->all.size() : 0; }

tw_status_t tw_conflicts_view(const tw_conflicts_t *conflicts, size_t i, tw_conflict_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(conflicts, "conflicts"));
    TW_TRY(check_index(i, conflicts->all.size(), "conflict"));
    const report::ConflictReport &c = conflicts->all[i];
    return write_view(tw_conflict_view_t{0, static_cast<tw_conflict_kind_t>(c.kind), c.axis.c_str(), c.at,
                                         c.made, c.text.c_str(), c.candidates.size()},
                      out_view);
  });
}
tw_status_t tw_conflicts_way(const tw_conflicts_t *conflicts, size_t i, size_t way, tw_way_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(conflicts, "conflicts"));
    TW_TRY(check_index(i, conflicts->all.size(), "conflict"));
    TW_TRY(check_index(way, conflicts->all[i].candidates.size(), "way"));
    const report::Resolution &r = conflicts->all[i].candidates[way];
    return write_view(tw_way_view_t{0, static_cast<tw_loop_kind_t>(r.role.kind), r.role.dim,
                                    static_cast<tw_reduction_t>(r.role.reduction), r.factor.c_str(),
                                    r.source_op, r.action, r.bytes.value_or(-1), r.more.value_or(0)},
                      out_view);
  });
}
