// SPDX-License-Identifier: Apache-2.0
// Small questions to a program: boxes, memory, liveness, what it communicates.
#include "spmd/program.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "base/saturating.hpp"
#include "ops/trip_count.hpp"
#include "ops/variables.hpp"
#include "sharding/box_run.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {

bool Program::uses_init(const Instr &i, Position position) const {
  for (size_t a = 0; a < mesh_.num_axes(); ++a)
    if (i.reduce_axes.contains(a) && mesh_.coordinate(position, static_cast<sharding::AxisId>(a)) != 0)
      return false;
  return true;
}

sharding::Box Program::box(ValueRef v, Position position) const {
  return box_of(sharding(values_[v].sharding), type(v).dims, mesh_, position);
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
    bytes += c.summary.axes.capacity();
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

namespace {

// What outlives a step of a loop over an axis, and how often things are there at once.
void stretch_over_axis_loops(const Program &program, Liveness &live) {
  const std::vector<AxisLoop> loops = find_axis_loops(program);
  std::vector<sharding::AxisSet> kept = find_kept(program, loops);
  for (ValueRef v = 0; v < kept.size(); ++v) // a variable under one of its other names
    kept[live.alias[v]] |= kept[v];
  live.copies.assign(live.first.size(), 1);
  for (const AxisLoop &loop : loops) {
    const bool threads = program.mesh().axis(loop.axis).kind == sharding::AxisKind::threads;
    for (ValueRef v = 0; v < live.first.size(); ++v) {
      const uint32_t def = program.values()[v].def;
      if (live.alias[v] != v)
        continue;
      if (def > loop.begin && def < loop.end) {
        const Instr &maker = program.instrs()[def];
        const bool accumulated = maker.kind == InstrKind::accumulate &&
                                 (program.loop_axes(maker) - program.loop_axes(v)).contains(loop.axis);
        if (accumulated || kept[v].contains(loop.axis))
          live.first[v] = std::min(live.first[v], loop.begin);
        if (!accumulated && (threads || kept[v].contains(loop.axis)))
          live.copies[v] *= program.mesh().size(loop.axis);
      }
      if (live.first[v] <= loop.begin && live.last[v] > loop.begin)
        live.last[v] = std::max(live.last[v], loop.end);
    }
  }
}

bool is_run(const Program &program, ValueRef tile, ValueRef whole) {
  for (Position p; p < program.mesh().num_positions(); ++p)
    if (sharding::run_offset(program.box(tile, p), program.box(whole, p)) < 0)
      return false;
  return true;
}

// A tile that a step of a loop over an axis puts into a whole is made there where it is one run of it.
void place_tiles(const Program &program, Liveness &live) {
  for (auto i = static_cast<uint32_t>(program.instrs().size());
       i-- > 0;) { // what tiles are tiles of comes first
    const Instr &instr = program.instrs()[i];
    if (instr.kind != InstrKind::accumulate || program.reduction_of(instr) != sharding::Reduction::raw)
      continue;
    const ValueRef tile = program.operands(instr)[0], whole = live.alias[instr.first_result];
    if (live.alias[tile] != tile ||
        program.instrs()[program.values()[tile].def].kind == InstrKind::argument ||
        !is_run(program, tile, whole))
      continue;
    live.alias[tile] = whole;
    live.first[whole] = std::min(live.first[whole], live.first[tile]);
  }
}

} // namespace

Liveness find_liveness(const Program &program) {
  Liveness live;
  const std::vector<Regions> all = find_regions(program);
  for (ValueRef v = 0; v < program.values().size(); ++v) {
    live.first.push_back(program.values()[v].def);
    live.alias.push_back(v);
  }
  for (const Regions &regions : all) {
    const Instr &first = program.instrs()[regions.markers[0]];
    for (size_t k = 1; k < regions.markers.size(); ++k) {
      const Instr &marker = program.instrs()[regions.markers[k]];
      for (uint32_t i = 0; i < marker.num_results; ++i)
        if (regions.is_loop)
          live.alias[marker.first_result + i] = first.first_result + i;
        else // the first branch leaves its yields there
          live.first[marker.first_result + i] = regions.markers[1];
    }
  }
  place_tiles(program, live);
  live.last = live.first;
  for (uint32_t i = 0; i < program.instrs().size(); ++i)
    for (const ValueRef v : program.operands(program.instrs()[i]))
      live.last[live.alias[v]] = std::max(live.last[live.alias[v]], i);
  stretch_over_axis_loops(program, live);
  for (const Regions &regions : all) {
    if (!regions.is_loop)
      continue;
    const uint32_t begin = regions.markers.front(), end = regions.markers.back();
    const Instr &first = program.instrs()[begin];
    for (ValueRef v = 0; v < live.first.size(); ++v) {
      const bool carried = v >= first.first_result && v < first.first_result + first.num_results;
      if (live.alias[v] == v && (carried || (live.first[v] <= begin && live.last[v] > begin)))
        live.last[v] = std::max(live.last[v], end);
    }
  }
  return live;
}

namespace {

// What the caller holds: arguments, and the results, which are written where the caller wants them.
std::vector<bool> find_held_by_caller(const Program &program) {
  std::vector<bool> held(program.values().size(), false);
  for (const Instr &instr : program.instrs()) {
    if (instr.kind == InstrKind::argument)
      held[instr.first_result] = true;
    if (instr.kind == InstrKind::result)
      held[program.operands(instr)[0]] = true;
  }
  return held;
}

// Bytes of the largest tile of each value, asked once for each type and layout.
std::vector<int64_t> tile_bytes(const Program &program) {
  const graph::Graph &graph = program.graph();
  std::map<std::pair<graph::TypeId, ShardingId>, int64_t> known;
  std::vector<int64_t> bytes;
  for (const Value &value : program.values()) {
    const graph::TensorType &type = graph.type(value.origin);
    const auto [at, fresh] = known.try_emplace({graph.value(value.origin).type, value.sharding}, 0);
    if (fresh)
      at->second = static_cast<int64_t>(byte_size(type.dtype)) *
                   largest_tile_elements(program.sharding(value.sharding), type.dims, program.mesh());
    bytes.push_back(at->second);
  }
  return bytes;
}

} // namespace

MemoryUse plan_memory(const Program &program) {
  const Liveness live = find_liveness(program);
  const std::vector<int64_t> bytes = tile_bytes(program);
  const std::vector<bool> held = find_held_by_caller(program);
  MemoryUse memory;
  std::vector<int64_t> change(program.instrs().size() + 1,
                              0); // of what is alive, at the beginning of each instruction
  for (ValueRef v = 0; v < bytes.size(); ++v)
    if (!held[v] && live.alias[v] == v) {
      change[live.first[v]] += bytes[v] * live.copies[v];
      change[live.last[v] + 1] -= bytes[v] * live.copies[v];
    }
  for (const Instr &instr : program.instrs()) {
    if (instr.kind == InstrKind::argument)
      memory.argument_bytes += bytes[instr.first_result];
    if (instr.kind == InstrKind::result)
      memory.result_bytes += bytes[program.operands(instr)[0]];
  }
  std::vector<int64_t> scratch(program.instrs().size(), 0);
  for (const Collective &collective : program.collectives())
    for (const PlannedMove &move : collective.planned)
      scratch[collective.instr] += move.scratch_bytes;
  int64_t alive = 0, most = -1;
  for (uint32_t i = 0; i < program.instrs().size(); ++i) {
    alive += change[i];
    if (alive + scratch[i] > most) {
      most = alive + scratch[i];
      memory.peak_instr = i;
    }
  }
  memory.peak_bytes = memory.argument_bytes + memory.result_bytes + std::max<int64_t>(most, 0);
  return memory;
}

void count_runs(const Program &program, Statistics &statistics) {
  struct Loop {
    graph::OpId op; // kNone: over an axis
    std::optional<int64_t> turns;
    uint32_t region; // in which of its regions we are
  };
  std::vector<Loop> around;
  statistics.times.assign(program.collectives().size(), 1);
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
    if (instr.kind != InstrKind::collective)
      continue;
    const bool moves = program.collectives()[instr.index].summary.kind != redistribute::Kind::copy;
    for (const Loop &loop : around) {
      statistics.unknown_trips |= moves && !loop.turns;
      statistics.times[instr.index] =
          saturating_mul(statistics.times[instr.index], loop.turns ? *loop.turns + (loop.region == 0) : 1);
    }
  }
}

Statistics find_statistics(const Program &program) {
  Statistics statistics;
  count_runs(program, statistics);
  const graph::Graph &graph = program.graph();
  std::map<std::tuple<graph::TypeId, ShardingId, ShardingId>, int64_t> moves; // and how often
  for (size_t id = 0; id < program.collectives().size(); ++id) {
    const Collective &c = program.collectives()[id];
    const auto kind = static_cast<size_t>(c.summary.kind);
    ++statistics.counts[kind];
    statistics.uncombined[kind] += program.num_combined(c);
    statistics.executed[kind] = saturating_add(statistics.executed[kind], statistics.times[id]);
    const Instr &instr = program.instrs()[c.instr];
    for (uint32_t i = 0; i < instr.num_operands; ++i) {
      const Value &from = program.values()[program.operands(instr)[i]];
      int64_t &times = moves[{graph.value(from.origin).type, from.sharding,
                              program.values()[instr.first_result + i].sharding}];
      times = saturating_add(times, statistics.times[id]);
    }
  }
  std::vector<int64_t> uneven; // bytes per device of the moves in which devices differ
  for (const auto &[move, times] : moves) {
    const auto &[type, src, dst] = move;
    const auto problem = redistribute::Problem::within(program.mesh(), graph.type_at(type),
                                                       program.sharding(src), program.sharding(dst));
    const redistribute::Summary summary = redistribute::summarise(problem);
    statistics.bytes_received_mean += summary.bytes_received_mean * static_cast<double>(times);
    if (summary.even) {
      statistics.bytes_received_max =
          saturating_add(statistics.bytes_received_max, saturating_mul(summary.bytes_received_max, times));
      continue;
    }
    const std::vector<int64_t> received = redistribute::bytes_received(problem);
    const sharding::Mesh &mesh = program.mesh();
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
