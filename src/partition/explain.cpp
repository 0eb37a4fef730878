// SPDX-License-Identifier: Apache-2.0
// Follows causes back to actions, and asks the evidence again where an axis was not taken.
#include "partition/explain.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "partition/conflicts.hpp"
#include "partition/propagation.hpp"
#include "partition/target.hpp"

namespace tw::partition {

using graph::kNone;
using sharding::AxisId;

namespace {

constexpr size_t kMaxNeighbours = 8;

// "tile 1", "sum", "whole", as a statement about a node.
std::string state_text(const Plan &plan, NodeId n, const NestEntry &e) {
  if (e.factor == kAny)
    return "kept whole";
  if (plan.rule(n).factors[e.factor].kind == ops::FactorKind::reduce)
    return fmt::format("partial {} each", factor_text(plan, n, e.factor));
  return factor_text(plan, n, e.factor);
}

// How a cause stands to the node it decided.
std::string relation(const Plan &plan, NodeId n, NodeId cause) {
  if (plan.is_pin(n)) {
    const auto makes = [&](graph::ValueId v) { return cause == plan.flow().maker(v).node; };
    return std::ranges::any_of(plan.pinned(n), makes) ? "what makes it" : "its user";
  }
  const auto reads = plan.reads(n);
  for (size_t i = 0; i < reads.size(); ++i)
    if (plan.source(reads[i]) == cause) {
      if (!plan.is_variable(n) || ops::is_joint_barrier(plan.graph(), plan.variable(n).op))
        return "its operand";
      if (!ops::is_loop(plan.graph(), plan.variable(n).op))
        return fmt::format("what branch {} gives", i);
      return i == 0 ? "its initial value" : "what the body gives";
    }
  const auto reads_same = [&](graph::ValueId v) {
    return std::ranges::find(plan.reads(cause), v) != plan.reads(cause).end();
  };
  for (uint32_t i = 0; i < plan.num_made(n); ++i)
    if (reads_same(plan.made(n, i)))
      return "its user";
  return std::ranges::any_of(reads, reads_same) ? "another user of its operand" : "its user";
}

// Where the layout of a target is decided.
NodeId layout_node(const Plan &plan, const Target &target) {
  switch (target.kind) {
  case Target::Kind::argument: return plan.graph().arguments()[target.index];
  case Target::Kind::result: return plan.graph().results()[target.index];
  case Target::Kind::value: break;
  }
  return plan.flow().maker(target.value).node;
}

sharding::Sharding layout_of(const Plan &plan, const Target &target) {
  const NodeId n = layout_node(plan, target);
  return target.kind == Target::Kind::result ? plan.operand_sharding(n, 0)
                                             : plan.result_sharding(n, plan.flow().maker(target.value).index);
}

// The nearest node, from producer to producer, that sums over the axis, where none in between is tiled on it;
// kNone where there is none. `barren`: nodes behind which no sum is, as far as it is known.
NodeId sum_behind(const Plan &plan, NodeId n, AxisId axis, std::vector<bool> &barren) {
  barren.resize(plan.num_nodes());
  if (barren[n])
    return kNone;
  std::vector<NodeId> open{n};
  std::unordered_set<NodeId> seen{n};
  for (size_t i = 0; i < open.size(); ++i)
    for (const graph::ValueId v : plan.reads(open[i])) {
      const NodeId maker = plan.source(v);
      if (maker == kNone || !plan.takes_part(maker) || !seen.insert(maker).second)
        continue;
      const NestEntry *e = plan.entry(maker, axis);
      if (e == nullptr && !barren[maker])
        open.push_back(maker);
      else if (e != nullptr && e->factor != kAny &&
               plan.rule(maker).factors[e->factor].kind == ops::FactorKind::reduce)
        return maker;
    }
  for (const NodeId none : open)
    barren[none] = true;
  return kNone;
}

Result<std::vector<Target>> find(const Plan &plan, std::string_view value) {
  const Targets targets(plan.names(), plan.graph());
  if (!value.starts_with('%')) {
    if (auto arguments = targets.arguments(value))
      return arguments;
    if (auto results = targets.results(value))
      return results;
  }
  auto values = targets.values(value);
  if (values)
    std::erase_if(*values, [&](const Target &t) { return plan.flow().maker(t.value).node == kNone; });
  return values;
}

} // namespace

std::vector<std::string> chain(const Plan &plan, NodeId n, AxisId axis) {
  std::vector<std::string> lines;
  for (const NestEntry *e = plan.entry(n, axis); e != nullptr;) {
    const std::string here = fmt::format("{}: {}", node_text(plan, n), state_text(plan, n, *e));
    if (e->cause == kNone) {
      lines.push_back(fmt::format("{}, by {}", here, action_text(plan, e->action)));
      break;
    }
    lines.push_back(fmt::format("{}, after {}", here, relation(plan, n, e->cause)));
    n = e->cause;
    e = plan.entry(n, axis);
  }
  return lines;
}

// Evidence interns split rules, so it is asked of a copy.
struct Explainer::Waves {
  explicit Waves(const Plan &plan) : scratch(plan), waves(scratch) {}
  Plan scratch;
  Propagation waves;
};

Explainer::Explainer(const Plan &plan) : plan_(plan) {}
Explainer::~Explainer() = default;

std::vector<std::string> what_stopped(const Plan &plan, NodeId n, AxisId axis) {
  return Explainer(plan).what_stopped(n, axis);
}

std::vector<std::string> Explainer::what_stopped(NodeId n, AxisId axis) {
  const Plan &plan = plan_;
  if (plan.is_source(n))
    return {"a constant or iota: every user makes its own tile of it"};
  std::vector<std::string> lines;
  for (const Conflict *c : open_conflicts(plan))
    if (c->node == n && c->axis == axis)
      lines.push_back(fmt::format("{}: {}", name(c->kind), describe(plan, *c)));
  if (!lines.empty())
    return lines;

  if (!waves_)
    waves_ = std::make_unique<Waves>(plan);
  Propagation &waves = waves_->waves;
  for (const Evidence &e : waves.evidence(n, axis)) {
    const std::string from = node_text(plan, e.candidate.source);
    const std::string loop = factor_text(plan, n, e.candidate.factor);
    if (e.verdict == Verdict::whole)
      lines.push_back(
          fmt::format("{} offers the axis, but {} must stay whole over {}", from, node_text(plan, n), loop));
    else if (e.verdict == Verdict::candidate)
      lines.push_back(fmt::format("{} offers {}; no propagation ran since", from, loop));
    if (lines.size() == kMaxNeighbours)
      return lines;
  }
  size_t silent = 0;
  for (const Neighbour &at : waves.neighbours(n)) {
    const NestEntry *e = plan.entry(at.node, axis);
    if (e == nullptr) {
      ++silent;
      continue;
    }
    if (lines.size() == kMaxNeighbours)
      continue;
    const std::string from = node_text(plan, at.node);
    const bool producer = at.own_slot < plan.rule(n).operands.size();
    if (e->factor == kAny)
      lines.push_back(fmt::format("{} is kept whole, by {}", from, action_text(plan, e->action)));
    else if (producer && plan.rule(at.node).factors[e->factor].kind == ops::FactorKind::reduce)
      lines.push_back(fmt::format("{} sums over the axis, and its sum is whole", from));
    else if (plan.has_fixed_layout(at.node))
      lines.push_back(fmt::format("{} has a layout of its own", from));
    else
      lines.push_back(fmt::format("{} uses the axis for {}, which is not in this value: {}", from,
                                  factor_text(plan, at.node, e->factor),
                                  producer ? "it is the same on all of them" : "it needs all of it"));
  }
  if (!lines.empty()) {
    if (silent > 0)
      lines.push_back(fmt::format("{} other neighbours are not tiled on the axis", silent));
    return lines;
  }
  if (const NodeId sum = sum_behind(plan, n, axis, barren_[axis]); sum != kNone) {
    lines = chain(plan, sum, axis);
    lines.insert(lines.begin(), "computed from a sum over the axis, which devices combine");
  } else if (silent > 0) {
    lines.emplace_back("no neighbour is tiled on the axis: no action reaches here");
  }
  return lines;
}

std::string Explainer::explain(const Target &target, std::span<const AxisId> axes) {
  const Plan &plan = plan_;
  std::string text = fmt::format("{}: {}\n", describe(plan.graph(), target),
                                 sharding::to_text(layout_of(plan, target), plan.mesh()));
  std::vector<NodeId> nodes{layout_node(plan, target)};
  if (const NodeId pin = plan.pin_of(target.value); pin != kNone && target.kind == Target::Kind::value)
    nodes.push_back(pin);
  for (const NodeId n : nodes)
    for (const AxisId a : axes) {
      std::vector<std::string> lines = chain(plan, n, a);
      const bool decided = !lines.empty();
      if (plan.has_fixed_layout(n))
        lines = {fmt::format("{} is handed out in the layout asked for", node_text(plan, n))};
      else if (!decided)
        lines = what_stopped(n, a);
      const NestEntry *e = plan.entry(n, a);
      const bool pinned = plan.is_pin(n);
      text += fmt::format("  axis {}{}: {}\n", plan.mesh().axis(a).name,
                          pinned ? ", as its users get it" : "", decided ? state_text(plan, n, *e) : "whole");
      for (const std::string &line : lines)
        text += fmt::format("    {}\n", line);
    }
  return text;
}

namespace {

std::vector<AxisId> all_axes(const Plan &plan) {
  std::vector<AxisId> axes;
  for (size_t a = 0; a < plan.mesh().num_axes(); ++a)
    axes.push_back(static_cast<AxisId>(a));
  return axes;
}

} // namespace

Result<std::string> explain(const Plan &plan, std::string_view value, std::string_view axis) {
  TW_ASSIGN(const std::vector<Target> targets, find(plan, value));
  std::vector<AxisId> axes = all_axes(plan);
  if (!axis.empty()) {
    TW_ASSIGN(axes, find_axes(plan.mesh(), axis));
  }
  Explainer explainer(plan);
  std::string text;
  for (const Target &target : targets)
    text += explainer.explain(target, axes);
  return text;
}

std::string Explainer::explain(const Target &target) {
  const bool speaks = target.kind != Target::Kind::value || plan_.flow().maker(target.value).node != kNone;
  return speaks ? explain(target, all_axes(plan_)) : "";
}

std::optional<sharding::Sharding> users_layout(const Plan &plan, graph::ValueId value) {
  const NodeId n = plan.source(value);
  if (n == kNone || !plan.takes_part(n))
    return std::nullopt;
  return plan.result_sharding(n, plan.is_pin(n) ? 0 : plan.flow().maker(value).index);
}

sharding::Sharding handed_layout(const Plan &plan, size_t result) {
  return plan.operand_sharding(plan.graph().results()[result], 0);
}

Result<std::string> sharding_text(const Plan &plan, std::string_view value) {
  TW_ASSIGN(const std::vector<Target> targets, find(plan, value));
  if (targets.size() != 1)
    return fail(Code::invalid_argument, "TW-480",
                fmt::format("\"{}\" names {} values; name one", value, targets.size()));
  const Target &target = targets[0];
  if (target.kind == Target::Kind::result)
    return sharding::to_text(handed_layout(plan, target.index), plan.mesh());
  const auto layout = users_layout(plan, target.value);
  if (!layout)
    return fail(Code::failed_precondition, "TW-480",
                fmt::format("\"{}\" is inside a region that combines elements: its op speaks for it", value));
  return sharding::to_text(*layout, plan.mesh());
}

} // namespace tw::partition
