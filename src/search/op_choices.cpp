// SPDX-License-Identifier: Apache-2.0
// Nests are put on a copy of the plan, which knows what may stand there. Partial values are handed on as
// spmd/defer_sums.cpp does it.
#include "search/op_choices.hpp"

#include <algorithm>
#include <optional>

#include "ops/joined_slice.hpp"
#include "ops/registry.hpp"

namespace tw::search {

using cost::Picoseconds;
using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::Plan;
using sharding::AxisId;
using sharding::Reduction;
using sharding::Sharding;
using spmd::ShardingId;

namespace {

constexpr size_t kMostChoices = 800;

} // namespace

OpChoices::OpChoices(const Plan &plan, spmd::Lowering &lowering, const cost::Terms &terms,
                     std::optional<AxisId> only)
    : plan_(plan), graph_(plan.graph()), lowering_(lowering), terms_(terms), scratch_(plan),
      reductions_of_value_(graph_.values().size(), 0) {
  scratch_.begin_action({"relax", {}});
  for (AxisId axis = 0; axis < plan.mesh().num_axes(); ++axis)
    if (plan.mesh().size(axis) > 1 && !plan.mesh().is_loop(axis) && axis == only.value_or(axis))
      axes_.push_back(axis);
}

uint32_t OpChoices::kind_of(OpId op) {
  std::vector<uint32_t> key{plan_.rules().rule_id(op)};
  for (const ValueId v : graph_.operands(op)) {
    key.push_back(terms_.is_inner(v));
    key.push_back(partial_kinds(op, v));
  }
  for (uint32_t i = 0; i < graph_.op(op).num_results; ++i)
    key.push_back(terms_.is_inner(graph_.result(op, i)));
  for (const partition::NestEntry &e : plan_.nest(op)) {
    key.push_back(e.axis << 8 | e.factor);
    key.push_back(e.split);
  }
  const auto [known, fresh] = known_.try_emplace(std::move(key), kNone);
  if (fresh && !ops::is_joined_slice(graph_, op))
    known->second = make_kind(op);
  if (known->second != kNone)
    note_partial(op, kinds_[known->second]);
  return known->second;
}

// How the parts may combine in which an op could take a value, a bit each.
uint32_t OpChoices::partial_kinds(OpId op, ValueId v) const {
  return ops::op_def(graph_.op(op).code).linear != nullptr && graph_.op(op).num_results == 1 &&
                 graph_.region_of(v) == graph_.op(op).parent
             ? reductions_of_value_[v]
             : 0;
}
void OpChoices::note_partial(OpId op, const Kind &kind) {
  for (uint32_t i = 0; i < graph_.op(op).num_results; ++i)
    for (const Choice &choice : kind.choices)
      for (const sharding::Partial &p : lowering_.sharding(choice.results[i]).partial)
        if (p.kind != Reduction::region)
          reductions_of_value_[graph_.result(op, i)] |= uint32_t{1} << static_cast<uint32_t>(p.kind);
}

uint32_t OpChoices::make_kind(OpId op) {
  Kind kind;
  seen_.clear();
  add_nests(op, kind);
  for (const AxisId axis : axes_)
    if (!add_partial(op, axis, kind))
      return kNone;
  if (kind.choices.size() > kMostChoices)
    return kNone;
  for (const Choice &choice : kind.choices)
    kind.times.push_back(terms_.is_counted(op) ? static_cast<double>(time_of(op, choice)) : 0);
  kinds_.push_back(std::move(kind));
  return static_cast<uint32_t>(kinds_.size() - 1);
}

void OpChoices::add(Kind &kind, Choice choice) {
  std::vector<uint32_t> key = choice.operands;
  key.insert(key.end(), choice.results.begin(), choice.results.end());
  for (const AxisId axis : choice.sums)
    key.push_back(axis);
  if (seen_.insert(std::move(key)).second)
    kind.choices.push_back(std::move(choice));
}

void OpChoices::add_nests(OpId op, Kind &kind) {
  if (kind.choices.size() > kMostChoices)
    return;
  Choice choice;
  for (uint32_t i = 0; i < graph_.operands(op).size(); ++i)
    choice.operands.push_back(
        lowering_.intern(scratch_.operand_sharding(op, i), graph_.type(graph_.operands(op)[i])));
  for (uint32_t i = 0; i < graph_.op(op).num_results; ++i)
    choice.results.push_back(
        lowering_.intern(scratch_.result_sharding(op, i), graph_.type(graph_.result(op, i))));
  for (const partition::NestEntry &e : scratch_.nest(op)) {
    choice.axes.add(e.axis);
    choice.nest.emplace_back(e.axis, e.factor);
  }
  if (!choice.results.empty())
    choice.sums = lowering_.sharding(choice.results[0]).partial_axes();
  add(kind, std::move(choice));
  const auto &factors = plan_.rule(op).factors;
  for (const AxisId axis : axes_)
    for (size_t f = 0; f < factors.size(); ++f) {
      if (factors[f].kind == ops::FactorKind::whole || scratch_.entry(op, axis) != nullptr)
        continue;
      const Plan::Stamp before = scratch_.stamp();
      if (scratch_.set(op, axis, static_cast<ops::FactorId>(f)).has_value())
        add_nests(op, kind);
      scratch_.undo_to(before);
    }
}

// Choices that take operands in parts over an axis, and make a result in parts. False where there are too
// many ways.
bool OpChoices::add_partial(OpId op, AxisId axis, Kind &kind) {
  constexpr size_t kMostPartial = 4; // operands
  const auto operands = graph_.operands(op);
  std::vector<uint32_t> able;
  uint32_t kinds = 0;
  for (uint32_t i = 0; i < operands.size() && i < 64; ++i)
    if (const uint32_t some = partial_kinds(op, operands[i])) {
      able.push_back(i);
      kinds |= some;
    }
  if (able.size() > kMostPartial)
    return false;
  const ops::OpViewHolder view(graph_, op);
  for (uint32_t bit = 0; bit < 32; ++bit)
    for (uint64_t some = 1; (kinds >> bit & 1) != 0 && some < uint64_t{1} << able.size(); ++some) {
      uint64_t mask = 0;
      for (size_t i = 0; i < able.size(); ++i)
        if ((some >> i & 1) != 0 && (partial_kinds(op, operands[able[i]]) >> bit & 1) != 0)
          mask |= uint64_t{1} << able[i];
      const auto reduction = static_cast<Reduction>(bit);
      if (mask == 0 || !ops::op_def(graph_.op(op).code).linear(view.view(), mask, reduction))
        continue;
      for (size_t i = 0, n = kind.choices.size(); i < n && kind.choices.size() <= kMostChoices; ++i)
        if (auto choice = in_parts(op, kind.choices[i], axis, mask, reduction))
          add(kind, *std::move(choice));
    }
  return true;
}

std::optional<Choice> OpChoices::in_parts(OpId op, const Choice &of, AxisId axis, uint64_t mask,
                                          Reduction reduction) {
  if (of.axes.contains(axis))
    return std::nullopt;
  for (const sharding::Partial &other : lowering_.sharding(of.results[0]).partial)
    if (other.kind != reduction)
      return std::nullopt;
  Choice choice = of;
  const auto make_partial = [&](ShardingId &id, ValueId v) {
    Sharding s = lowering_.sharding(id);
    s.partial.insert(std::ranges::lower_bound(s.partial, axis, {}, &sharding::Partial::axis),
                     {axis, reduction});
    id = lowering_.intern(std::move(s), graph_.type(v));
  };
  for (uint32_t i = 0; i < choice.operands.size(); ++i)
    if ((mask >> i & 1) != 0)
      make_partial(choice.operands[i], graph_.operands(op)[i]);
  make_partial(choice.results[0], graph_.result(op));
  choice.axes.add(axis);
  return choice;
}

Picoseconds OpChoices::time_of(OpId op, const Choice &choice) {
  std::vector<const Sharding *> operands, results;
  sharding::AxisSet sums = choice.sums;
  for (const ShardingId s : choice.operands) {
    operands.push_back(&lowering_.sharding(s));
    sums -= operands.back()->partial_axes();
  }
  for (const ShardingId s : choice.results)
    results.push_back(&lowering_.sharding(s));
  int64_t parts = 1;
  for (const AxisId axis : sums)
    parts *= plan_.mesh().size(axis);
  return terms_.op_time(op, operands, results, parts);
}

} // namespace tw::search
