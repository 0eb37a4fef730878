// SPDX-License-Identifier: Apache-2.0
// Selects the conflicts that still stand and words them.
#include "partition/conflicts.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/registry.hpp"
#include "partition/target.hpp"

namespace tw::partition {

namespace {

// Every candidate is a dimension that only the result of a broadcast has: it can be made again in any tile.
bool only_broadcast(const Plan &plan, const Conflict &c) {
  const FlatRule rule(plan.rule(c.node));
  return std::ranges::all_of(c.candidates,
                             [&](const Candidate &candidate) { return rule.is_broadcast(candidate.factor); });
}

} // namespace

std::vector<const Conflict *> open_conflicts(const Plan &plan) {
  std::unordered_map<uint64_t, size_t> last;
  std::vector<const Conflict *> open;
  for (const Conflict &c : plan.conflicts()) {
    if (plan.entry(c.node, c.axis) != nullptr || plan.mesh().size(c.axis) == 1 || only_broadcast(plan, c))
      continue;
    const auto [at, is_new] = last.emplace(uint64_t{c.node} << 8 | c.axis, open.size());
    if (is_new)
      open.push_back(&c);
    else
      open[at->second] = &c;
  }
  return open;
}

std::vector<const Conflict *> real_conflicts(const Plan &plan) {
  auto open = open_conflicts(plan);
  std::erase_if(open, [](const Conflict *c) { return c->kind == Conflict::Kind::gate; });
  return open;
}

std::string_view name(Conflict::Kind kind) {
  switch (kind) {
  case Conflict::Kind::tie: return "tie";
  case Conflict::Kind::gate: return "gate";
  case Conflict::Kind::uneven: return "uneven";
  case Conflict::Kind::strided: return "strided";
  case Conflict::Kind::mismatch: return "mismatch";
  case Conflict::Kind::illegal: return "illegal";
  }
  return "";
}

LoopRole role_of(const Plan &plan, NodeId n, ops::FactorId factor) {
  if (factor == kAny)
    return {};
  const ops::Rule &rule = plan.rule(n);
  if (rule.factors[factor].kind == ops::FactorKind::reduce)
    return {LoopRole::Kind::reduce, -1, rule.factors[factor].reduction};
  const auto &values = rule.results.empty() ? rule.operands : rule.results;
  for (const auto &dims : values)
    for (size_t d = 0; d < dims.size(); ++d)
      if (std::ranges::find(dims[d], factor) != dims[d].end())
        return {LoopRole::Kind::tile, static_cast<int32_t>(d)};
  return {LoopRole::Kind::tile};
}

std::string factor_text(const Plan &plan, NodeId n, ops::FactorId factor) {
  const LoopRole role = role_of(plan, n, factor);
  switch (role.kind) {
  case LoopRole::Kind::whole: return "whole";
  case LoopRole::Kind::reduce: return std::string(sharding::name(role.reduction));
  case LoopRole::Kind::tile: break;
  }
  return role.dim < 0 ? "tile" : fmt::format("tile {}", role.dim);
}

std::string node_text(const Plan &plan, NodeId n) {
  const graph::Graph &g = plan.graph();
  if (plan.is_pin(n)) {
    std::vector<std::string> names;
    for (const graph::ValueId v : plan.pinned(n).first(std::min<size_t>(plan.pinned(n).size(), 4)))
      names.push_back(g.value_name(v));
    if (names.size() < plan.pinned(n).size())
      names.emplace_back("..");
    return fmt::format("the {} of {}", names.size() == 1 ? "pin" : "group", fmt::join(names, ", "));
  }
  if (plan.is_variable(n)) {
    const ops::Variable &variable = plan.variable(n);
    const std::string owner = node_text(plan, variable.op);
    if (variable.index == ops::Variable::kCondition)
      return "the condition of " + owner;
    return fmt::format("{} {} of {}", ops::is_loop(g, variable.op) ? "loop variable" : "result",
                       variable.index, owner);
  }
  if (const auto index = argument_index(g, n))
    return fmt::format("argument '{}'", g.argument_name(*index));
  const auto results = g.results();
  if (const auto at = std::ranges::find(results, n); at != results.end())
    return fmt::format("result '{}'", g.result_name(static_cast<size_t>(at - results.begin())));
  const std::string value = g.op(n).num_results > 0 ? g.value_name(g.result(n)) + " " : std::string();
  const std::string location = g.location_text(n);
  return fmt::format("{}{}{}", value, ops::op_def(g.op(n).code).name,
                     location.empty() ? "" : " at " + location);
}

std::string action_text(const Plan &plan, ActionId action) {
  const Action &t = plan.actions()[action];
  if (t.pos.line == 0)
    return t.text;
  const bool annotated = t.pos.file == plan.graph().file() && t.pos.column != 0; // of several in a line
  return fmt::format("{}:{}{} {}", t.pos.file, t.pos.line, annotated ? fmt::format(":{}", t.pos.column) : "",
                     t.text);
}

std::string describe(const Plan &plan, const Conflict &c) {
  std::vector<std::string> ways;
  for (const Candidate &candidate : c.candidates) {
    const NestEntry *from = plan.entry(candidate.source, c.axis);
    ways.push_back(fmt::format("{} from {} ({})", factor_text(plan, c.node, candidate.factor),
                               node_text(plan, candidate.source),
                               from != nullptr ? action_text(plan, from->action) : "undone"));
  }
  const std::string where =
      fmt::format("axis '{}' at {}", plan.mesh().axis(c.axis).name, node_text(plan, c.node));
  switch (c.kind) {
  case Conflict::Kind::tie:
  case Conflict::Kind::mismatch: return fmt::format("{}: {}", where, fmt::join(ways, ", or "));
  case Conflict::Kind::gate:
    return fmt::format("{}: {}, while other operands are whole; infer-propagate would tile them", where,
                       ways[0]);
  case Conflict::Kind::illegal: return fmt::format("{}: {}, but that must stay whole", where, ways.back());
  case Conflict::Kind::uneven:
    return fmt::format("{}: {} would cut inside blocks that the reshape keeps together", where, ways[0]);
  case Conflict::Kind::strided:
    return fmt::format(
        "{}: {} would not be contiguous, since the more major part of that dimension is not covered by axes",
        where, ways[0]);
  }
  return where;
}

} // namespace tw::partition
