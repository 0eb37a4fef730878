// SPDX-License-Identifier: Apache-2.0
// Reads off the types along which axes a step and what it makes are whole.
#include "runtime/sharing.hpp"

#include <algorithm>
#include <utility>

#include "ops/attributes.hpp"
#include "ops/call_attributes.hpp"
#include "ops/registry.hpp"

namespace tw::runtime {

using sharding::AxisId;
using sharding::AxisSet;
using spmd::InstrKind;
using spmd::ValueRef;

Sharing::Sharing(const spmd::Program &program, std::initializer_list<std::span<const Step>> steps,
                 std::vector<int64_t> process)
    : program_(&program), process_(std::move(process)), of_value_(program.values().size()) {
  const sharding::Mesh &mesh = program.mesh();
  process_.resize(static_cast<size_t>(mesh.num_positions()), 0);
  if (mesh.loop_axes().empty())
    for (const AxisId axis : AxisSet::first(mesh.num_axes())) {
      const std::vector<Position> leaders = find_leaders(AxisSet(axis));
      for (Position p; p < mesh.num_positions(); ++p)
        if (leaders[static_cast<size_t>(p)] != p) { // some position follows another
          axes_.add(axis);
          break;
        }
    }
  for (const spmd::Instr &in : program.instrs())
    if (in.kind == InstrKind::argument)
      of_value_[in.first_result] = whole_along(in.first_result);
  for (const std::span<const Step> some : steps)
    for (const Step &step : some)
      for (const ValueRef v : step.results)
        of_value_[v] = of_result(step, v);
  const auto need_leaders = [&](AxisSet axes) {
    if (!axes.empty() && !leaders_.contains(axes))
      leaders_.emplace(axes, find_leaders(axes));
  };
  std::ranges::for_each(of_value_, need_leaders);
  for (const std::span<const Step> some : steps)
    for (const Step &step : some)
      need_leaders(of(step));
}

std::vector<Position> Sharing::find_leaders(AxisSet axes) const {
  const sharding::Mesh &mesh = program_->mesh();
  std::map<std::pair<Position, int64_t>, Position> first; // by place without the axes, and process
  std::vector<Position> leaders;
  for (Position p; p < mesh.num_positions(); ++p)
    leaders.push_back(
        first.try_emplace({mesh.without(p, axes), process_[static_cast<size_t>(p)]}, p).first->second);
  return leaders;
}

AxisSet Sharing::whole_along(ValueRef v) const {
  const sharding::Sharding &sharding = program_->sharding(program_->values()[v].sharding);
  AxisSet whole = axes_;
  for (const AxisId axis : AxisSet::first(program_->mesh().num_axes()))
    if (sharding.uses(axis) || sharding.find_partial(axis) != nullptr)
      whole.remove(axis);
  return whole;
}

AxisSet Sharing::of_result(const Step &step, ValueRef v) const {
  if (step.kind == Step::Kind::assign) // a variable has one type, whoever assigns it
    return whole_along(v);
  if (step.kind != Step::Kind::collective)
    return of(step);
  const auto &collective = program_->collectives()[program_->instrs()[step.instrs[0]].index];
  return collective.summary.reduction == sharding::Reduction::region
             ? AxisSet()
             : whole_along(v); // a broadcast gives each device its own
}

namespace {

// Not what does more than compute its results on each device, but where the program says that this is to be
// done once.
bool may_run_once(const graph::Graph &graph, graph::OpId op) {
  const ops::OpDef &def = ops::op_def(graph.op(op).code);
  if ((def.flags & ops::kOpaque) == 0)
    return (def.flags & ops::kSideEffect) == 0;
  const ops::OpViewHolder call(graph, op);
  return call.view().integer(ops::slot::custom_call::has_side_effect) == 0 || ops::is_made_once(call.view());
}

} // namespace

AxisSet Sharing::of(const Step &step) const {
  if (axes_.empty())
    return {};
  switch (step.kind) {
  case Step::Kind::assign: {
    AxisSet axes;
    for (const ValueRef v : step.results)
      axes |= whole_along(v);
    return axes;
  }
  case Step::Kind::kernel:
  case Step::Kind::fused:
  case Step::Kind::chain:
  case Step::Kind::product: break;
  default: return {};
  }
  const graph::OpId op = program_->instrs()[step.instrs[0]].op;
  if (!may_run_once(program_->graph(), op))
    return {};
  AxisSet whole = axes_;
  for (const auto *values : {&step.operands, &step.results})
    for (const ValueRef v : *values)
      whole &= whole_along(v);
  for (const FusedRead &read : step.reads)
    whole &= whole_along(read.value) | (read.combined ? AxisSet(*read.combined) & axes_ : AxisSet());
  return whole;
}

} // namespace tw::runtime
