// SPDX-License-Identifier: Apache-2.0
// Conditions of the rewrites, and what each edits.
#include "partition/rewrites.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/loop_names.hpp"
#include "ops/registry.hpp"
#include "partition/conflicts.hpp"

namespace tw::partition {

using graph::kNone;
using graph::ValueId;
using sharding::AxisId;

namespace {

std::string axis_text(const Plan &plan, AxisId axis) {
  return fmt::format("'{}'", plan.mesh().axis(axis).name);
}

Status refuse(const char *id, std::string message) {
  return fail(Code::failed_precondition, id, std::move(message));
}

bool is_argument(const Plan &plan, NodeId n) {
  return plan.is_op(n) && ops::is(plan.graph(), n, ops::OpKind::argument);
}

// The op that makes a value, where it is one that loops can stand around.
Result<NodeId> maker(const Plan &plan, ValueId v, const char *rewrite) {
  const NodeId n = plan.flow().maker(v).node;
  const std::string name = plan.graph().value_name(v);
  if (n == kNone || plan.is_variable(n) || !plan.takes_part(n))
    return fail(
        Code::invalid_argument, "TW-423",
        fmt::format(
            "{}: {} is made by control flow, by a barrier of several values or inside a combiner, which have "
            "no loops; tile the value with tile(value={}, ..)",
            rewrite, name, name));
  if (is_argument(plan, n))
    return fail(Code::invalid_argument, "TW-423",
                fmt::format("{}: {} is an argument, made by no op; tile it with tile(arg={}, ..)", rewrite,
                            name, name));
  if (plan.is_source(n))
    return fail(Code::invalid_argument, "TW-406",
                fmt::format("{}: {} is a constant or iota, made anew wherever it is used", rewrite, name));
  return n;
}

struct Rewrite {
  NodeId node;
  ops::NamedLoop loop;
};

// "matmul-tile-0" of the op that makes a value.
Result<Rewrite> find_rewrite(const Plan &plan, ValueId made, std::string_view name) {
  TW_ASSIGN(const NodeId n, maker(plan, made, "rule"));
  const std::string_view full = ops::op_def(plan.graph().op(n).code).name;
  std::vector<std::string_view> names{full.substr(full.find('.') + 1)};
  if (ops::is_matrix_product(plan.rule(n)))
    names.insert(names.begin(), "matmul");
  std::vector<std::string> known;
  for (ops::NamedLoop &loop : ops::loop_names(plan.rule(n))) {
    for (const std::string_view op : names)
      if (name == fmt::format("{}-{}", op, loop.name))
        return Rewrite{n, std::move(loop)};
    known.push_back(fmt::format("{}-{}", names[0], loop.name));
  }
  return fail(Code::not_found, "TW-423",
              known.empty() ? fmt::format("{} may not be split: there is no rewrite of it", full)
                            : fmt::format("{} has no rewrite '{}': there are {}", node_text(plan, n), name,
                                          fmt::join(known, ", ")));
}

int64_t tiles_of(const Plan &plan, NodeId n, ops::FactorId factor) {
  int64_t tiles = 1;
  for (const NestEntry &e : plan.nest(n))
    if (e.factor == factor)
      tiles *= plan.mesh().size(e.axis);
  return tiles;
}

// Of a dimension made of several factors the most major one that is not cut into single elements yet.
ops::FactorId next_factor(const Plan &plan, const Rewrite &r) {
  for (const ops::FactorId f : r.loop.factors)
    if (tiles_of(plan, r.node, f) < plan.rule(r.node).factors[f].size)
      return f;
  return r.loop.factors[0];
}

// The first loops of two nests that are over the same axes.
size_t common_depth(std::span<const NestEntry> a, std::span<const NestEntry> b) {
  size_t depth = 0;
  while (depth < std::min(a.size(), b.size()) && a[depth].axis == b[depth].axis)
    ++depth;
  return depth;
}

// Calls visit(node, operand) for each op that reads a value.
template <class Visit> void each_op_reader(const Plan &plan, ValueId v, Visit visit) {
  plan.flow().each_reader(v, [&](const Port &reader) {
    if (plan.is_op(reader.node) && plan.takes_part(reader.node))
      visit(reader.node, reader.index);
  });
}

// What keeps a reader from going on in the loop that makes a value; empty where nothing does.
std::string apart_because(const Plan &plan, const Port &made, NodeId reader, uint32_t operand, AxisId axis) {
  const NestEntry *e = plan.entry(made.node, axis), *theirs = plan.entry(reader, axis);
  if (theirs == nullptr)
    return fmt::format("{} is in no loop over it", node_text(plan, reader));
  if (e->factor != kAny && plan.rule(made.node).factors[e->factor].kind == ops::FactorKind::reduce)
    return fmt::format("partial values are combined before {} reads them", node_text(plan, reader));
  const auto cut = plan.result_cut(made.node, made.index, axis),
             read = plan.operand_cut(reader, operand, axis);
  if (cut != read)
    return fmt::format("{} reads {}", node_text(plan, reader), read ? "another slice" : "all of it");
  const auto depth = static_cast<size_t>(e - plan.nest(made.node).data());
  if (!is_argument(plan, made.node) && common_depth(plan.nest(made.node), plan.nest(reader)) <= depth)
    return fmt::format("{} stands in other loops around that one", node_text(plan, reader));
  return {};
}

// A value made by an op or an argument, with a loop over an axis in which some reader may go on.
Status check_shared(const Plan &plan, ValueId v, AxisId axis, const char *rewrite) {
  const Port made = plan.flow().maker(v);
  const std::string name = plan.graph().value_name(v);
  if (made.node == kNone || plan.is_variable(made.node) || !plan.takes_part(made.node) ||
      plan.is_source(made.node))
    return refuse("TW-423", fmt::format("{}: no loop makes {}", rewrite, name));
  if (plan.entry(made.node, axis) == nullptr)
    return refuse("TW-423",
                  fmt::format("{}: {} is made in no loop over {}", rewrite, name, axis_text(plan, axis)));
  if (const NodeId pin = plan.pin_of(v); pin != kNone && !plan.nest(pin).empty())
    return refuse("TW-424", fmt::format("{}: {} has a tile of its own, which ends its loops", rewrite, name));
  std::vector<std::string> why;
  bool shared = false;
  each_op_reader(plan, v, [&](NodeId reader, uint32_t operand) {
    std::string reason = apart_because(plan, made, reader, operand, axis);
    shared = shared || reason.empty();
    if (!reason.empty() && why.size() < 4)
      why.push_back(std::move(reason));
  });
  if (!shared)
    return refuse("TW-424",
                  fmt::format("{}: no reader of {} can go on in its loop over {}{}{}", rewrite, name,
                              axis_text(plan, axis), why.empty() ? "" : ": ", fmt::join(why, "; ")));
  return {};
}

} // namespace

Status apply_rule(Plan &plan, ValueId made, std::string_view name, AxisId axis,
                  const sharding::SplitRule *split) {
  TW_ASSIGN(const Rewrite r, find_rewrite(plan, made, name));
  return plan.set(r.node, axis, next_factor(plan, r), split);
}

Status invert_rule(Plan &plan, ValueId made, std::string_view name, AxisId axis) {
  TW_ASSIGN(const Rewrite r, find_rewrite(plan, made, name));
  const NestEntry *e = plan.entry(r.node, axis);
  if (e == nullptr || std::ranges::find(r.loop.factors, e->factor) == r.loop.factors.end())
    return refuse(
        "TW-424",
        fmt::format(
            "{} stands in no loop '{}' over {}{}", node_text(plan, r.node), name, axis_text(plan, axis),
            e == nullptr ? "" : fmt::format(": it is {} there", factor_text(plan, r.node, e->factor))));
  return plan.take_off(r.node, axis);
}

Result<ops::FactorId> loop_factor(const Plan &plan, ValueId made, std::string_view name) {
  TW_ASSIGN(const Rewrite r, find_rewrite(plan, made, name));
  return next_factor(plan, r);
}

Status inline_into(Plan &plan, ValueId v, AxisId axis) {
  TW_ASSIGN(const NodeId n, maker(plan, v, "inline"));
  const std::string name = plan.graph().value_name(v);
  if (const NestEntry *e = plan.entry(n, axis))
    return refuse("TW-424", fmt::format("inline: {} is in a loop over {} already ({})", node_text(plan, n),
                                        axis_text(plan, axis), factor_text(plan, n, e->factor)));
  std::optional<size_t> depth;
  std::string why;
  each_op_reader(plan, v, [&](NodeId reader, uint32_t operand) {
    if (plan.entry(reader, axis) == nullptr)
      return;
    const size_t common = common_depth(plan.nest(n), plan.nest(reader));
    if (plan.operand_cut(reader, operand, axis))
      why = fmt::format("{} reads a slice of {} there; a rule or propagate makes just that slice",
                        node_text(plan, reader), name);
    else if (plan.nest(reader)[common].axis != axis)
      why = fmt::format("{} has that loop inside one over {}: inline into that one first",
                        node_text(plan, reader), axis_text(plan, plan.nest(reader)[common].axis));
    else
      depth = std::max(depth.value_or(0), common);
  });
  if (!depth)
    return refuse("TW-424", why.empty() ? fmt::format("inline: no reader of {} stands in a loop over {}",
                                                      name, axis_text(plan, axis))
                                        : "inline: " + why);
  return plan.repeat(n, *depth, axis);
}

Status hoist_out(Plan &plan, ValueId v, AxisId axis) {
  TW_ASSIGN(const NodeId n, maker(plan, v, "hoist"));
  const NestEntry *e = plan.entry(n, axis);
  if (e == nullptr)
    return refuse("TW-424", fmt::format("hoist: {} stands in no loop over {}", node_text(plan, n),
                                        axis_text(plan, axis)));
  if (e->factor != kAny)
    return refuse("TW-424",
                  fmt::format("hoist: {} does something else in each turn of the loop over {} ({}); a rule's "
                              "inverse takes that loop off",
                              node_text(plan, n), axis_text(plan, axis), factor_text(plan, n, e->factor)));
  return plan.take_off(n, axis);
}

namespace {

// The loops of an argument's dumb tile stand or fall together.
void set_materialised(Plan &plan, ValueId v, AxisId axis, bool materialised) {
  const NodeId n = plan.flow().maker(v).node;
  if (!is_argument(plan, n))
    return plan.set_materialised(v, axis, materialised);
  for (const NestEntry &e : plan.nest(n))
    plan.set_materialised(v, e.axis, materialised);
}

} // namespace

Status materialise(Plan &plan, ValueId v, AxisId axis) {
  TW_TRY(check_shared(plan, v, axis, "materialise"));
  if (plan.is_materialised(v, axis))
    return refuse("TW-424", fmt::format("materialise: {} is made whole over {} already",
                                        plan.graph().value_name(v), axis_text(plan, axis)));
  set_materialised(plan, v, axis, true);
  return {};
}

Status fuse(Plan &plan, ValueId v, AxisId axis) {
  TW_TRY(check_shared(plan, v, axis, "fuse"));
  if (!plan.is_materialised(v, axis))
    return refuse("TW-424", fmt::format("fuse: who can go on in the loop of {} over {} does so already",
                                        plan.graph().value_name(v), axis_text(plan, axis)));
  set_materialised(plan, v, axis, false);
  return {};
}

} // namespace tw::partition
