// SPDX-License-Identifier: Apache-2.0
// Finds the facts of a program, each once.
#include "report/facts.hpp"

#include <algorithm>
#include <map>

#include "report/conflicts.hpp"
#include "report/describe.hpp"
#include "runtime/executable.hpp"
#include "sharding/axis_names.hpp"
#include "sharding/spans_text.hpp"

namespace tw::report {
namespace {

// Whether every device has a tile of the same shape: known without looking at each.
bool all_alike(const sharding::Distribution &layout, const graph::Shape &dims, const sharding::Mesh &mesh) {
  if (!layout.halos.empty())
    return false;
  for (size_t d = 0; d < dims.size(); ++d) {
    const sharding::DimSharding &dim = layout.sharding.dims[d];
    const int64_t tiles = num_tiles(dim, mesh), first = tile(dim.rule, dims[d], tiles, 0).size();
    for (int64_t t = 1; t < tiles; ++t)
      if (tile(dim.rule, dims[d], tiles, t).size() != first)
        return false;
  }
  return true;
}

LocalShapes local_shapes(const sharding::Distribution &layout, const graph::Shape &dims,
                         const sharding::Mesh &mesh) {
  LocalShapes shapes;
  shapes.first = box_of(layout, dims, mesh, sharding::Position(0)).extent;
  if (all_alike(layout, dims, mesh))
    return shapes;
  std::map<std::vector<int64_t>, int64_t> counts;
  for (sharding::Position d; d < mesh.num_positions(); ++d)
    if (mesh.without(d, mesh.loop_axes()) == d) // no step or thread of a device that was looked at
      ++counts[box_of(layout, dims, mesh, d).extent];
  if (counts.size() > 1) {
    shapes.distinct.assign(counts.rbegin(), counts.rend());
    std::ranges::stable_sort(shapes.distinct, std::greater(), [](const auto &shape) {
      return sharding::Box{{}, shape.first}.elements();
    });
  }
  return shapes;
}

ValueFacts value_facts(const Subject &s, const spmd::Instr &instr) {
  const spmd::Program &p = *s.program;
  const bool argument = instr.kind == spmd::InstrKind::argument;
  const spmd::ValueRef v = argument ? instr.first_result : p.operands(instr)[0];
  const graph::TensorType &type = p.type(v);
  const sharding::Distribution layout = p.handed_out(instr);
  ValueFacts facts{
      instr.index,
      v,
      argument ? p.graph().argument_name(instr.index) : p.graph().result_name(instr.index),
      graph::to_short_text(type),
      layout.halos.empty() ? to_text(layout.sharding, type.dims, p.mesh())
                           : to_text(layout.sharding, layout.halos, p.mesh()),
      local_shapes(layout, type.dims, p.mesh()),
      graph::TensorType{type.dtype, largest_tile(layout.sharding, layout.halos, type.dims, p.mesh())}.bytes(),
      {}};
  if (s.plan)
    facts.cause = argument ? cause_of_node(*s.plan, instr.op) : cause_of_result(*s.plan, instr.index);
  return facts;
}

CollectiveFacts collective_facts(const Subject &s, uint32_t index, int64_t times) {
  const spmd::Program &p = *s.program;
  const spmd::Collective &c = p.collectives()[index];
  const graph::OpId op = op_of(c);
  CollectiveFacts facts{index,
                        c.summary.kind,
                        {},
                        sharding::axis_names(c.summary.axes, p.mesh()),
                        graph::to_short_text(p.graph().type(c.value)),
                        local_type(p, c),
                        c.summary.bytes_received_max,
                        times,
                        p.graph().value_name(c.value),
                        {},
                        op_name(p.graph(), op),
                        op == graph::kNone ? std::string() : p.graph().location_text(op),
                        cause_of_collective(s, c),
                        {},
                        c.unplanned};
  if (c.summary.reduction != sharding::Reduction::raw)
    facts.reduction = c.summary.reduction;
  for (const spmd::ValueRef v : p.operands(p.instrs()[c.instr]))
    facts.values.push_back(p.graph().value_name(p.values()[v].origin));
  if (c.is_planned())
    facts.plan = plan_of(c);
  for (const redistribute::Move *move : c.moves)
    facts.scratch_bytes += move->scratch_bytes();
  return facts;
}

Facts find_facts(const Subject &s) {
  const spmd::Program &p = *s.program;
  const graph::Graph &graph = p.graph();
  Facts facts;
  facts.title = graph.module_name().empty() ? brief(graph.file()) : std::string(graph.module_name());
  facts.ops = p.num_planned_ops() - graph.arguments().size() - graph.results().size();
  facts.collective_of.assign(p.instrs().size(), graph::kNone);
  facts.statistics = statistics_of(s);
  for (const spmd::Instr &instr : p.instrs())
    if (instr.kind == spmd::InstrKind::argument)
      facts.arguments.push_back(value_facts(s, instr));
    else if (instr.kind == spmd::InstrKind::result)
      facts.results.push_back(value_facts(s, instr));
  for (uint32_t i = 0; i < p.collectives().size(); ++i)
    if (p.collectives()[i].summary.kind != redistribute::Kind::copy) {
      facts.collective_of[p.collectives()[i].instr] = static_cast<uint32_t>(facts.collectives.size());
      facts.collectives.push_back(collective_facts(s, i, facts.statistics->times[i]));
    }
  return facts;
}

} // namespace

std::shared_ptr<Kept> nothing_kept() { return std::make_shared<Kept>(); }

std::shared_ptr<const spmd::Statistics> statistics_of(const Subject &s) {
  return s.kept->statistics.get([&] { return spmd::find_statistics(*s.program); });
}

std::shared_ptr<const Facts> facts_of(const Subject &s) {
  return s.kept->facts.get([&] { return find_facts(s); });
}

Result<std::shared_ptr<const runtime::PlannedMemory>> memory_of(const Subject &s) {
  return s.kept->memory.get_or_fail([&]() -> Result<runtime::PlannedMemory> {
    runtime::Options options;
    options.without = s.steps_without;
    TW_ASSIGN(runtime::Planned planned, runtime::Executable::plan(s.program, std::move(options)));
    runtime::PlannedMemory memory{std::move(planned.peak), {}};
    for (const runtime::Step &step : planned.schedule.steps)
      memory.instr_of.push_back(step.instrs.empty() ? graph::kNone : step.instrs.front());
    return memory;
  });
}

Result<int64_t> peak_bytes(const Subject &s) {
  TW_ASSIGN(const auto memory, memory_of(s));
  return memory->peak.bytes;
}

std::shared_ptr<const std::vector<ConflictReport>> conflicts_of(const Subject &s) {
  return s.kept->conflicts.get_unless_given_up([&] { return conflict_reports(s); });
}

std::shared_ptr<const std::vector<ConflictReport>> disagreements_of(const Subject &s) {
  return s.kept->disagreements.get_unless_given_up([&] { return disagreement_reports(s); });
}

std::shared_ptr<const std::vector<Outcome>> expectations_of(const Subject &s) {
  return s.kept->expectations.get_unless_given_up([&] { return check_expectations(s); });
}

} // namespace tw::report
