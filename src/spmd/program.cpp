// SPDX-License-Identifier: Apache-2.0
// Small questions to a program: boxes, loops, what it communicates.
#include "spmd/program.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "base/saturating.hpp"
#include "ops/trip_count.hpp"
#include "ops/variables.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {

bool Program::uses_init(const Instr &i, Position position) const {
  for (size_t a = 0; a < mesh_.num_axes(); ++a)
    if (i.reduce_axes.contains(a) && mesh_.coordinate(position, static_cast<sharding::AxisId>(a)) != 0)
      return false;
  return true;
}

int64_t Program::num_sum_parts(const Instr &i) const {
  sharding::AxisSet split = i.reduce_axes;
  for (const ValueRef v : operands(i))
    split -= sharding(values_[v].sharding).partial_axes();
  int64_t parts = 1;
  for (const sharding::AxisId axis : split)
    parts *= mesh_.size(axis);
  return parts;
}

sharding::Box Program::box(ValueRef v, Position position) const {
  return box_of(sharding(values_[v].sharding), type(v).dims, mesh_, position);
}

sharding::Distribution Program::handed_out(const Instr &signature) const {
  const bool is_argument = signature.kind == InstrKind::argument;
  const ValueRef v = is_argument ? signature.first_result : operands(signature)[0];
  for (size_t i = 0; i < graph_->arguments().size() && !given_.empty(); ++i)
    if (const auto given = given_.find(graph_->arguments()[i]);
        given != given_.end() && given->second.type == values_[v].sharding &&
        (is_argument ? signature.op == given->first
                     : graph_->alias_of_argument(i) == static_cast<int32_t>(signature.index)))
      return given->second.layout;
  return {sharding(values_[v].sharding), {}};
}

sharding::AxisSet Program::loop_axes(ValueRef v) const {
  sharding::AxisSet axes;
  if (mesh_.loop_axes().empty())
    return axes;
  const sharding::Sharding &s = sharding(values_[v].sharding);
  for (const sharding::DimSharding &dim : s.dims)
    for (const sharding::AxisId axis : dim.axes)
      axes.add(axis);
  for (const sharding::Partial &partial : s.partial)
    axes.add(partial.axis);
  return axes & mesh_.loop_axes();
}

std::optional<sharding::AxisId> Program::combined_threads(const Instr &i) const {
  if (i.kind == InstrKind::accumulate && !mesh_.loop_axes().empty())
    for (const sharding::Partial &partial : sharding(values_[operands(i)[0]].sharding).partial)
      if (mesh_.axis(partial.axis).kind == sharding::AxisKind::threads &&
          std::ranges::count(sharding(values_[i.first_result].sharding).partial, partial) == 0)
        return partial.axis;
  return std::nullopt;
}

sharding::AxisSet Program::loop_axes(const Instr &i) const {
  if (combined_threads(i))
    return loop_axes(i.first_result);
  sharding::AxisSet axes;
  for (const ValueRef v : operands(i))
    axes |= loop_axes(v);
  for (uint32_t r = 0; r < i.num_results; ++r)
    axes |= loop_axes(i.first_result + r);
  return axes;
}

sharding::Reduction Program::reduction_of(const Instr &accumulate) const {
  const auto &left = sharding(values_[accumulate.first_result].sharding).partial;
  for (const sharding::Partial &partial : sharding(values_[operands(accumulate)[0]].sharding).partial)
    if (std::ranges::count(left, partial) == 0)
      return partial.kind;
  return sharding::Reduction::raw;
}

size_t Program::memory_bytes() const {
  size_t bytes = instrs_.capacity() * sizeof(Instr) + values_.capacity() * sizeof(Value) +
                 operand_refs_.capacity() * sizeof(ValueRef) + collectives_.capacity() * sizeof(Collective);
  for (const Collective &c : collectives_)
    bytes += c.summary.axes.capacity() + c.moves.capacity() * sizeof(c.moves[0]);
  for (const sharding::Sharding &s : shardings_) {
    bytes += sizeof(s) + s.dims.capacity() * sizeof(sharding::DimSharding) +
             s.partial.capacity() * sizeof(sharding::Partial);
    for (const sharding::DimSharding &dim : s.dims)
      bytes += dim.axes.capacity();
  }
  return bytes;
}

std::vector<Regions> find_regions(const Program &program) {
  std::vector<Regions> closed, open;
  for (uint32_t i = 0; i < program.instrs().size(); ++i) {
    const Instr &instr = program.instrs()[i];
    if (instr.kind != InstrKind::region)
      continue;
    if (instr.index == 0)
      open.push_back({{}, ops::is_loop(program.graph(), instr.op)});
    open.back().markers.push_back(i);
    if (instr.index != program.graph().op(instr.op).num_regions)
      continue;
    closed.push_back(std::move(open.back()));
    open.pop_back();
  }
  return closed;
}

std::vector<AxisLoop> find_axis_loops(const Program &program) {
  std::vector<AxisLoop> closed, open;
  for (uint32_t i = 0; i < program.instrs().size(); ++i) {
    const Instr &instr = program.instrs()[i];
    if (instr.kind == InstrKind::loop)
      open.push_back({static_cast<sharding::AxisId>(instr.index), i, 0});
    if (instr.kind != InstrKind::end_loop)
      continue;
    open.back().end = i;
    closed.push_back(open.back());
    open.pop_back();
  }
  return closed;
}

std::vector<sharding::AxisSet> find_kept(const Program &program, std::span<const AxisLoop> loops) {
  std::vector<sharding::AxisSet> kept(program.values().size());
  if (loops.empty())
    return kept;
  // Per axis which loop each instruction stands in, numbered from 1.
  std::map<sharding::AxisId, std::vector<uint32_t>> around;
  for (uint32_t l = 0; l < loops.size(); ++l) {
    auto &in = around.try_emplace(loops[l].axis, program.instrs().size(), 0).first->second;
    std::fill(in.begin() + loops[l].begin, in.begin() + loops[l].end, l + 1);
  }
  for (uint32_t i = 0; i < program.instrs().size(); ++i)
    for (const ValueRef v : program.operands(program.instrs()[i]))
      for (const sharding::AxisId axis : program.loop_axes(v) - kept[v]) {
        const auto &in = around[axis];
        if (in[i] != in[program.values()[v].def])
          kept[v].add(axis);
      }
  return kept;
}

Runs find_runs(const Program &program, int64_t unknown) {
  struct Loop {
    graph::OpId op; // kNone: over an axis
    std::optional<int64_t> turns;
    uint32_t region; // in which of its regions we are
  };
  std::vector<Loop> around;
  Runs runs;
  for (const Instr &instr : program.instrs()) {
    if (instr.kind == InstrKind::loop)
      around.push_back({graph::kNone, program.mesh().size(static_cast<sharding::AxisId>(instr.index)), 1});
    if (instr.kind == InstrKind::end_loop)
      around.pop_back();
    if (instr.kind == InstrKind::region && ops::is_loop(program.graph(), instr.op)) {
      if (instr.index == 0)
        around.push_back({instr.op, ops::trip_count(program.graph(), instr.op), 0});
      else if (instr.index == program.graph().op(instr.op).num_regions)
        around.pop_back();
      else
        around.back().region = instr.index;
    }
    int64_t times = 1;
    bool guessed = false;
    for (const Loop &loop : around) {
      guessed |= !loop.turns;
      times = saturating_mul(times, loop.turns ? *loop.turns + (loop.region == 0) : unknown);
    }
    runs.times.push_back(times);
    runs.guessed.push_back(guessed);
  }
  return runs;
}

void count_runs(const Program &program, Statistics &statistics) {
  const Runs runs = find_runs(program);
  statistics.times.assign(program.collectives().size(), 1);
  for (size_t id = 0; id < program.collectives().size(); ++id) {
    const Collective &c = program.collectives()[id];
    statistics.times[id] = runs.times[c.instr];
    statistics.unknown_trips |= c.summary.kind != redistribute::Kind::copy && runs.guessed[c.instr];
  }
}

Statistics find_statistics(const Program &program) {
  Statistics statistics;
  count_runs(program, statistics);
  const graph::Graph &graph = program.graph();
  struct Moved {
    const redistribute::Move *move;
    int64_t times = 0;
  };
  std::map<std::tuple<graph::TypeId, ShardingId, ShardingId>, Moved> moves;
  for (size_t id = 0; id < program.collectives().size(); ++id) {
    const Collective &c = program.collectives()[id];
    const auto kind = static_cast<size_t>(c.summary.kind);
    ++statistics.counts[kind];
    statistics.uncombined[kind] += program.num_combined(c);
    statistics.executed[kind] = saturating_add(statistics.executed[kind], statistics.times[id]);
    const Instr &instr = program.instrs()[c.instr];
    for (uint32_t i = 0; i < instr.num_operands; ++i) {
      const Value &from = program.values()[program.operands(instr)[i]];
      Moved &moved = moves[{graph.value(from.origin).type, from.sharding,
                            program.values()[instr.first_result + i].sharding}];
      moved.move = c.moves[i];
      moved.times = saturating_add(moved.times, statistics.times[id]);
    }
  }
  std::vector<int64_t> uneven; // bytes per device of the moves in which devices differ
  for (const auto &[key, moved] : moves) {
    const auto &[move, times] = moved;
    const redistribute::Summary &summary = move->summary();
    statistics.bytes_received_mean += summary.bytes_received_mean * static_cast<double>(times);
    if (summary.even) {
      statistics.bytes_received_max =
          saturating_add(statistics.bytes_received_max, saturating_mul(summary.bytes_received_max, times));
      continue;
    }
    const std::vector<int64_t> received = redistribute::bytes_received(move->problem());
    const sharding::Mesh &mesh = move->problem().src().mesh;
    const int64_t steps =
        mesh.num_positions() / mesh.num_devices(); // each position is there once in so many turns
    uneven.resize(static_cast<size_t>(mesh.num_devices()), 0);
    std::vector<int64_t> all(uneven.size(), 0);
    for (Position position; position < mesh.num_positions(); ++position)
      all[static_cast<size_t>(mesh.device_of(position).index())] += received[static_cast<size_t>(position)];
    for (size_t device = 0; device < all.size(); ++device)
      uneven[device] = saturating_add(uneven[device], saturating_mul(all[device], times) / steps);
  }
  if (!uneven.empty())
    statistics.bytes_received_max = saturating_add(statistics.bytes_received_max, std::ranges::max(uneven));
  return statistics;
}

} // namespace tw::spmd
