// SPDX-License-Identifier: Apache-2.0
// Writes tiles, closed dimensions and split sums of annotations into nests, and runs waves turn by turn.
#include "partition/annotated_nests.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "ops/halo.hpp"
#include "partition/axis_order.hpp"
#include "partition/choices.hpp"

namespace tw::partition {

using sharding::AxisId;

namespace {

// Whether the pin cuts the dimension of one of its factors otherwise than by cutting tiles of `from` further.
bool cuts_anew(const Plan &plan, NodeId from, NodeId pin, ops::FactorId factor) {
  const auto &dims = plan.rule(pin).results[0];
  const auto dim =
      std::ranges::find_if(dims, [&](const ops::DimFactors &factors) { return factors[0] == factor; });
  const Axes theirs =
                 axes_of(plan, from, plan.rule(from).results[0][static_cast<size_t>(dim - dims.begin())][0]),
             ours = axes_of(plan, pin, factor);
  return theirs.size() > ours.size() || !std::equal(theirs.begin(), theirs.end(), ours.begin());
}

} // namespace

void note_left_out(std::vector<std::string> &notes, const annotation::Annotation &a, std::string_view what,
                   std::string_view why) {
  notes.push_back(fmt::format("{}:{}: {}sharding {} is left out: {}", a.pos.file, a.pos.line,
                              what.empty() ? "" : fmt::format("{} ", what), a.sharding.text, why));
}

ActionId AnnotatedNests::begin_action(const BoundAnnotation &bound) {
  return plan_.begin_action({bound.annotation->sharding.text, bound.annotation->pos});
}

void AnnotatedNests::write() {
  for (const BoundAnnotation &bound : all_) {
    const bool says_nothing = std::ranges::all_of(
        bound.dims, [](const BoundAnnotation::Dim &dim) { return dim.open && dim.axes.empty(); });
    const bool is_partial = leave_partial(bound);
    if (says_nothing && bound.whole.empty() && !(bound.dims.empty() && bound.unreduced.empty()))
      continue;
    const Place at = place_of(bound, is_partial);
    write_tiles(bound, at);
    follow_halo(bound.target);
    write_limits(bound, at);
    follow_halo(bound.target);
  }
}

// What keeps halos does so around the tiles that its statement says, whatever layout its operand has: moved
// behind it, halos would be gone.
void AnnotatedNests::follow_halo(const Target &target) {
  const NodeId pin = target.kind == Target::Kind::value ? plan_.pin_of(target.value) : graph::kNone;
  const NodeId keeper = plan_.flow().maker(target.value).node;
  if (pin == graph::kNone || !plan_.is_op(keeper) || !ops::kept_halo(plan_.graph(), keeper) ||
      !plan_.takes_part(keeper))
    return;
  const auto &dims = plan_.rule(keeper).results[0], &pinned = plan_.rule(pin).results[0];
  const auto follow = [&](const NestEntry &e) {
    for (size_t d = 0; d < dims.size(); ++d)
      if (pinned[d][0] == e.factor && dims[d].size() == 1) {
        const sharding::SplitRule cut = plan_.split(e.split);
        return plan_.set(keeper, e.axis, dims[d][0], &cut);
      }
    return plan_.set(keeper, e.axis, kAny);
  };
  const std::vector<NestEntry> stated(plan_.nest(pin).begin(), plan_.nest(pin).end());
  for (const NestEntry &e : stated)
    if (e.cause == graph::kNone && plan_.entry(keeper, e.axis) == nullptr && !follow(e))
      return; // left to propagation
  for (size_t d = 0; d < dims.size(); ++d)
    for (const ops::FactorId f : dims[d])
      if (plan_.is_closed(pin, pinned[d][0]))
        plan_.close(keeper, f);
}

AnnotatedNests::Place AnnotatedNests::place_of(const BoundAnnotation &bound, bool is_partial) {
  const Target &target = bound.target;
  if (is_partial) {
    const Port maker = plan_.flow().maker(target.value);
    return {maker.node, plan_.rule(maker.node).results[maker.index], true};
  }
  const NodeId n = node_of(plan_, target);
  const ops::Rule &rule = plan_.rule(n);
  return {n, target.kind == Target::Kind::result ? rule.operands[0] : rule.results[0], false};
}

// Whether the value is now left partial over the axes that are said to be unreduced.
bool AnnotatedNests::leave_partial(const BoundAnnotation &bound) {
  if (bound.unreduced.empty())
    return false;
  begin_action(bound);
  bool all = true;
  for (const AxisId axis : bound.unreduced)
    if (const auto status = make_partial(bound.target.value, axis); !status) {
      note_left_out(notes_, *bound.annotation,
                    fmt::format("the unreduced axis '{}' of", plan_.mesh().axis(axis).name),
                    status.error().message());
      all = false;
    }
  return all && plan_.pin_of(bound.target.value) == graph::kNone;
}

// The value is made as partial sums over an axis: what makes it hands on such values, or the longest of its
// own sums is split.
Status AnnotatedNests::make_partial(graph::ValueId v, AxisId axis) {
  while (const auto held = behind_barrier(plan_.graph(), v))
    v = *held;
  const NodeId maker = plan_.flow().maker(v).node;
  sums_.follow(maker);
  if (sums_.hands_on(maker, axis))
    return {};
  const ops::Rule &rule = plan_.rule(maker);
  std::optional<ops::FactorId> longest;
  for (size_t f = 0; f < rule.factors.size(); ++f)
    if (const ops::Factor &factor = rule.factors[f]; factor.kind == ops::FactorKind::reduce &&
                                                     factor.reduction == sharding::Reduction::sum &&
                                                     (!longest || rule.factors[*longest].size < factor.size))
      longest = static_cast<ops::FactorId>(f);
  if (!longest)
    return fail(Code::invalid_argument, "TW-406", "what makes the value is no sum");
  if (const NestEntry *e = plan_.entry(maker, axis); e != nullptr && e->factor == *longest)
    return {};
  return plan_.set(maker, axis, *longest);
}

void AnnotatedNests::write_tiles(const BoundAnnotation &bound, const Place &at) {
  std::set<int32_t> priorities;
  for (const BoundAnnotation::Dim &dim : bound.dims)
    if (!dim.axes.empty())
      priorities.insert(dim.priority);
  for (const int32_t priority : priorities) {
    turns_[{priority, bound.target.kind == Target::Kind::result}].push_back(begin_action(bound));
    for (size_t d = 0; d < bound.dims.size(); ++d)
      if (bound.dims[d].priority == priority && !bound.dims[d].cuts.empty()) {
        if (auto status = cut(bound, at, d); !status)
          note(bound, status.error());
      } else if (bound.dims[d].priority == priority) {
        for (const AxisId axis : bound.dims[d].axes)
          if (auto status = tile(bound, at, d, axis); !status)
            note(bound, status.error());
      }
  }
}

// Along all axes of a dimension at once, where its annotation says.
Status AnnotatedNests::cut(const BoundAnnotation &bound, const Place &at, size_t dim) {
  const BoundAnnotation::Dim &said = bound.dims[dim];
  const ops::DimFactors &factors = at.dims[dim];
  for (const AxisId axis : said.axes)
    if (plan_.entry(at.node, axis) != nullptr)
      return fail(Code::invalid_argument, "TW-404",
                  fmt::format("{}: an earlier sharding has axis '{}'", describe(plan_.graph(), bound.target),
                              plan_.mesh().axis(axis).name));
  if (std::ranges::any_of(factors, [&](ops::FactorId f) { return plan_.is_closed(at.node, f); }))
    return fail(Code::invalid_argument, "TW-404",
                fmt::format("{}: an earlier sharding closes dimension {}",
                            describe(plan_.graph(), bound.target), dim));
  sharding::SplitRule rule;
  rule.kind = sharding::SplitRule::Kind::cuts;
  rule.cuts = std::make_shared<const std::vector<int64_t>>(said.cuts);
  return partition::tile(plan_, bound.target, static_cast<int64_t>(dim), said.axes, &rule);
}

Status AnnotatedNests::tile(const BoundAnnotation &bound, const Place &at, size_t dim, AxisId axis) {
  const ops::DimFactors &factors = at.dims[dim];
  if (const NestEntry *e = plan_.entry(at.node, axis);
      e != nullptr && std::ranges::find(factors, e->factor) != factors.end())
    return {}; // the same value may be annotated twice alike
  if (std::ranges::any_of(factors, [&](ops::FactorId f) { return plan_.is_closed(at.node, f); }))
    return fail(Code::invalid_argument, "TW-404",
                fmt::format("{}: an earlier sharding closes dimension {}",
                            describe(plan_.graph(), bound.target), dim));
  if (!at.is_partial)
    return partition::tile(plan_, bound.target, static_cast<int64_t>(dim), {axis});
  return factors.empty() ? Status() : plan_.set(at.node, axis, factors[0]);
}

// Closed dimensions take no further axis; where all are, the value is whole over the axes that it does not
// name.
void AnnotatedNests::write_limits(const BoundAnnotation &bound, const Place &at) {
  for (size_t d = 0; d < bound.dims.size(); ++d)
    if (!bound.dims[d].open)
      for (const ops::FactorId f : at.dims[d])
        plan_.close(at.node, f);
  if (!at.is_partial && (bound.is_closed() || !bound.whole.empty()))
    begin_action(bound);
  for (size_t i = 0; i < plan_.mesh().num_axes() && !at.is_partial; ++i) {
    const auto axis = static_cast<AxisId>(i);
    const bool whole = bound.is_closed() || std::ranges::find(bound.whole, axis) != bound.whole.end();
    if (whole && !bound.names(axis) && plan_.entry(at.node, axis) == nullptr)
      if (auto status = keep_whole(plan_, bound.target, {axis}); !status)
        note(bound, status.error());
  }
}

// A constraint on a value with a layout of its own: what lies between is made as that value is, and the
// constraint moves it. Not yet for what `silent` actions say.
void AnnotatedNests::follow_operand(const Target &target, const ActionSet &silent) {
  const auto held =
      target.kind == Target::Kind::value ? behind_barrier(plan_.graph(), target.value) : std::nullopt;
  if (!held || plan_.is_source(plan_.flow().maker(*held).node))
    return;
  const NodeId barrier = plan_.flow().maker(target.value).node, from = plan_.source(*held),
               pin = plan_.pin_of(target.value);
  if (pin == graph::kNone || from == graph::kNone)
    return;
  if (!plan_.is_pin(from) && !argument_index(plan_.graph(), from))
    return;
  for (size_t i = 0; i < plan_.mesh().num_axes(); ++i) {
    const auto axis = static_cast<AxisId>(i);
    const NestEntry *theirs = plan_.entry(from, axis), *ours = plan_.entry(pin, axis);
    const auto is_silent = [&](const NestEntry *e) {
      return e->cause == graph::kNone && silent.contains(e->action);
    };
    if (theirs == nullptr || ours == nullptr || ours->factor == kAny ||
        plan_.entry(barrier, axis) != nullptr || is_silent(theirs) || is_silent(ours))
      continue;
    if (theirs->factor == kAny) { // cut along the axes of both it would move twice
      if (cuts_anew(plan_, from, pin, ours->factor) && !plan_.set(barrier, axis, kAny))
        return; // left to propagation
      continue;
    }
    const auto &dims = plan_.rule(from).results[0];
    for (size_t d = 0; d < dims.size(); ++d)
      if (dims[d][0] == theirs->factor && plan_.rule(pin).results[0][d][0] != ours->factor) {
        const auto cut = plan_.split(theirs->split);
        if (auto status = plan_.set(barrier, axis, plan_.rule(barrier).results[0][d][0], &cut); !status)
          break; // left to propagation
      }
  }
}

// What operands and the statement of a maker want of one axis stays undecided in waves. The statement is
// about this op, so it has its way. Not yet what `silent` actions say.
bool AnnotatedNests::follow_statement(const BoundAnnotation &bound, const ActionSet &silent) {
  const Target &target = bound.target;
  if (!bound.annotation->sharding.of_maker || target.kind != Target::Kind::value)
    return false;
  const Port maker = plan_.flow().maker(target.value);
  const NodeId pin = plan_.pin_of(target.value);
  if (pin == graph::kNone || !plan_.is_op(maker.node) || plan_.is_source(maker.node) ||
      behind_barrier(plan_.graph(), target.value))
    return false;
  bool followed = false;
  const auto &dims = plan_.rule(maker.node).results[maker.index];
  const std::vector<NestEntry> stated(plan_.nest(pin).begin(), plan_.nest(pin).end());
  for (const NestEntry &e : stated) {
    if (e.factor == kAny || e.cause != graph::kNone || silent.contains(e.action) ||
        plan_.entry(maker.node, e.axis) != nullptr)
      continue;
    for (size_t d = 0; d < dims.size(); ++d)
      if (plan_.rule(pin).results[0][d][0] == e.factor && dims[d].size() == 1) {
        const sharding::SplitRule cut = plan_.split(e.split);
        followed = plan_.set(maker.node, e.axis, dims[d][0], &cut).has_value() || followed;
      }
  }
  return followed;
}

void AnnotatedNests::propagate() {
  (void)Choices::least_of_policies(plan_, false, [&](bool) -> Result<size_t> { return run_turns(); });
}

size_t AnnotatedNests::run_turns() {
  size_t times = 0;
  ActionSet silent;
  for (const auto &[turn, actions] : turns_)
    for (const ActionId action : actions)
      silent.insert(action);
  for (auto turn = turns_.begin(); turn != turns_.end(); ++turn) {
    ActionSet heard;
    for (const ActionId action : turn->second) {
      silent.erase(action);
      if (turn != turns_.begin())
        heard.insert(action);
    }
    for (const BoundAnnotation &bound : all_)
      follow_operand(bound.target, silent);
    plan_.propagate(Mode::infer_propagate, silent, heard);
    ++times;
    bool followed = false;
    for (const BoundAnnotation &bound : all_)
      followed = follow_statement(bound, silent) || followed;
    if (followed) {
      plan_.propagate(Mode::infer_propagate, silent);
      ++times;
    }
  }
  return times;
}

} // namespace tw::partition
