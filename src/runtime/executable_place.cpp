// SPDX-License-Identifier: Apache-2.0
// Where everything lies: collectives are prepared, so that it is known which may run in place, then memory is
// laid out.
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/watch.hpp"
#include "comm/array_steps.hpp"
#include "comm/local/by_taker.hpp"
#include "ops/strided.hpp"
#include "runtime/preparation.hpp"

namespace tw::runtime {

using ops::dense_strides;
using spmd::Instr;
using spmd::InstrKind;

namespace {

// Who takes part in a collective, by device of its moves.
std::vector<Position> members_of(const spmd::Program &program, const Step &step) {
  const sharding::AxisSet unused = program.mesh().loop_axes() - step.around;
  std::vector<Position> members;
  for (Position p; p < program.mesh().num_positions(); ++p)
    if (program.mesh().without(p, unused) == p)
      members.push_back(p);
  return members;
}

// In which order the devices' parts of what a reduction makes follow each other: that of the tiles that they
// reduced. Who had none, and no initial value, has no part: -1.
std::vector<int64_t> order_of_parts(const spmd::Program &program, const Layouts &layouts, spmd::ValueRef made,
                                    std::span<const Position> position) {
  const Instr &reduction = program.instrs()[program.values()[made].def];
  const LayoutId reduced = layouts.of(program.operands(reduction)[0]);
  std::vector<size_t> members(position.size());
  std::vector<int64_t> rank(members.size(), -1);
  std::iota(members.begin(), members.end(), 0);
  const auto box = [&](size_t m) -> const sharding::Box & { return layouts.box(reduced, position[m]); };
  std::ranges::stable_sort(members, {}, [&](size_t m) { return box(m).offset; });
  for (size_t i = 0; i < members.size(); ++i)
    if (!box(members[i]).empty() || program.uses_init(reduction, position[members[i]]))
      rank[members[i]] = static_cast<int64_t>(i);
  return rank;
}

// What decides whether a collective that nobody runs may be in place, by array. Those of layers that are
// alike have the same.
using MovedAlike = std::vector<std::pair<sharding::AxisSet, const redistribute::Move *>>;
MovedAlike moved_alike(const spmd::Program &program, const Step &step, const Sharing &sharing) {
  const spmd::Collective &collective = program.collectives()[program.instrs()[step.instrs[0]].index];
  MovedAlike all;
  for (size_t a = 0; a < step.results.size(); ++a)
    all.emplace_back(sharing.of(step.results[a]), collective.moves[a]);
  return all;
}

Result<bool> in_place_of(std::span<const comm::Transfer> transfers) {
  return comm::may_run_in_place(transfers);
}
Result<bool> in_place_of(const comm::RegionReduce &) { return false; }

} // namespace

// `prepare` makes what moves between some positions, on whatever the devices are.
template <class Prepare>
auto Executable::prepare_collective(const Preparation &p, const Step &step,
                                    std::span<const Position> position, Prepare &&prepare) {
  const spmd::Program &program = *program_;
  const Instr &in = program.instrs()[step.instrs[0]];
  const spmd::Collective &collective = program.collectives()[in.index];
  if (collective.summary.reduction == sharding::Reduction::region) {
    std::vector<graph::TensorType> types;
    for (const spmd::ValueRef v : step.results)
      types.push_back(program.type(v));
    const graph::Graph &graph = program.graph();
    const auto rank = order_of_parts(program, p.layouts, step.operands[0], position);
    return prepare(
        comm::RegionReduce{*collective.moves[0], types, graph, graph.op(in.op).first_region, rank});
  }
  const bool reads_arguments =
      device_->as_queues() == nullptr || p.options.in_place; // where the caller has them
  const auto lies_in_argument = [&](spmd::ValueRef v) {
    const spmd::ValueRef root = p.schedule.views[v].root;
    return reads_arguments && program.instrs()[program.values()[root].def].kind == InstrKind::argument;
  };
  const Sharing &sharing = p.schedule.sharing;
  // Devices of a move are numbered as those who take part.
  std::vector<std::vector<redistribute::TileOwner>> owners(step.results.size());
  std::vector<comm::Transfer> transfers;
  for (size_t a = 0; a < step.results.size(); ++a) {
    if (const sharding::AxisSet axes = sharing.of(step.results[a]); !axes.empty())
      for (const Position at : position)
        owners[a].push_back(
            {false, static_cast<redistribute::Device>(
                        std::ranges::lower_bound(position, sharing.leader(axes, at)) - position.begin())});
    transfers.push_back({*collective.moves[a], owners[a], p.schedule.from_zero[step.operands[a]],
                         lies_in_argument(step.operands[a])});
  }
  return prepare(transfers);
}

// Whether something of it moves between processes; all of them come to the same.
bool Executable::goes_to_others(const Preparation &p, const Step &step, std::span<const Position> position) {
  if (!communicator_->is_shared())
    return false;
  const auto process = communicator_->process_by_position(program_->mesh());
  const auto of = [&](Position m) { return process[static_cast<size_t>(position[static_cast<size_t>(m)])]; };
  const auto prepare = [](const auto &what) { return comm::ByTaker::prepare(what); };
  const auto moves = prepare_collective(p, step, position, prepare);
  if (!moves)
    return true; // then the communicator says why
  for (size_t round = 0; round < (*moves)->num_rounds(); ++round)
    for (Position taker; taker < std::ssize(position); ++taker)
      for (const Position source : (*moves)->sources(round, taker))
        if (of(source) != of(taker))
          return true;
  return false;
}

Status Executable::place(Preparation &p) {
  const Schedule &schedule = p.schedule;
  p.collectives.resize(schedule.steps.size());
  p.movers.resize(schedule.steps.size());
  p.members.resize(schedule.steps.size());
  const device::QueueKind *const queues = device_->as_queues();
  std::vector<bool> in_place(schedule.steps.size(), false);
  std::map<MovedAlike, bool> known;
  for (size_t i = 0; i < schedule.steps.size(); ++i)
    if (const Step &step = schedule.steps[i]; step.kind == Step::Kind::collective) {
      TW_TRY(check_watch());
      std::vector<Position> members = members_of(*program_, step);
      if (queues != nullptr && !goes_to_others(p, step, members)) {
        std::vector<int32_t> units;
        for (const Position at : members)
          units.push_back(is_local(at) ? unit(at) : -1);
        const auto prepare = [&](const auto &what) { return queues->make_mover(what, units); };
        TW_ASSIGN(p.movers[i], prepare_collective(p, step, members, prepare));
        in_place[i] = p.movers[i]->may_run_in_place();
      } else if (!p.runs) {
        const auto prepare = [](const auto &what) { return in_place_of(what); };
        const auto [at, fresh] = known.try_emplace(moved_alike(*program_, step, schedule.sharing));
        if (fresh) {
          TW_ASSIGN(at->second, prepare_collective(p, step, members, prepare));
        }
        in_place[i] = at->second;
      } else {
        const auto prepare = [&](const auto &what) { return communicator_->prepare(what); };
        TW_ASSIGN(p.collectives[i], prepare_collective(p, step, members, prepare));
        in_place[i] = p.collectives[i]->may_run_in_place();
      }
      p.members[i] = std::move(members);
    }

  tiles_ = p.options.tiles;
  const Memory &memory = p.memory.emplace(*program_, p.layouts, schedule, in_place,
                                          queues != nullptr && !p.options.in_place ? ReadInPlace::nothing
                                          : tiles_                                 ? ReadInPlace::tiles
                                                                                   : ReadInPlace::arrays);
  for (uint32_t a = 0; a < program_->graph().arguments().size(); ++a)
    donated_.push_back(memory.donated_to(a));
  const sharding::Mesh &mesh = program_->mesh();
  for (Position at; at < mesh.num_positions(); ++at)
    if (mesh.without(at, mesh.loop_axes()) == at) {
      if (is_local(at))
        local_positions_.push_back(at);
      arena_bytes_.push_back(is_local(at) ? memory.arena_bytes(at) : 0);
      used_bytes_.push_back(is_local(at) ? memory.used_bytes(at) : 0);
    }
  argument_bytes_.assign(arena_bytes_.size(), 0);
  for (const Instr &in : program_->instrs())
    if (in.kind == InstrKind::argument && memory.is_in_place(in.index))
      for (const Position d : local_positions_)
        argument_bytes_[static_cast<size_t>(mesh.device_of(d).index())] +=
            p.layouts.bytes(in.first_result, d);
  find_tiles(p.layouts);
  find_owners(p);
  return {};
}

Location Executable::locate(const Preparation &p, spmd::ValueRef v, Position position) const {
  const Location at = p.memory->locate(v, position);
  return is_local(position) ? in_caller(at, position) : at;
}

// Devices with queues have a base for each argument of their own; a tile that devices share is its leader's.
Location Executable::in_caller(Location at, Position position) const {
  const bool has_queues = device_->as_queues() != nullptr;
  if (at.base != 0 && (has_queues || tiles_))
    at.base = static_cast<uint32_t>((at.base - 1) * local_positions_.size() +
                                    local_index(has_queues ? position : Position(at.arena)) + 1);
  return at;
}

size_t Executable::local_index(Position position) const {
  const sharding::Mesh &mesh = program_->mesh();
  return static_cast<size_t>(mesh.device_of(position).index() - devices_.first);
}

void Executable::find_tiles(const Layouts &layouts) {
  if (!tiles_)
    return;
  const graph::Graph &graph = program_->graph();
  argument_tiles_.resize(graph.arguments().size() * local_positions_.size());
  result_tiles_.resize(graph.results().size() * local_positions_.size());
  for (const Instr &in : program_->instrs()) {
    const bool takes = in.kind == InstrKind::argument;
    if (!takes && in.kind != InstrKind::result)
      continue;
    const LayoutId layout = layouts.of(takes ? in.first_result : program_->operands(in)[0]);
    for (size_t h = 0; h < local_positions_.size(); ++h)
      (takes ? argument_tiles_ : result_tiles_)[in.index * local_positions_.size() + h] =
          layouts.box(layout, local_positions_[h]);
  }
  inputs_.resize(argument_tiles_.size());
  outputs_.resize(result_tiles_.size());
}

void Executable::find_owners(const Preparation &p) {
  if (!tiles_)
    return;
  argument_owners_.resize(argument_tiles_.size());
  result_owners_.resize(result_tiles_.size());
  const size_t n = local_positions_.size();
  const auto find = [&](const Instr &in, std::vector<uint32_t> &owners, const auto &place_at) {
    std::map<decltype(place_at(Position())), uint32_t> first;
    for (size_t k = 0; k < n; ++k) {
      const auto tile = static_cast<uint32_t>(in.index * n + k);
      owners[tile] = tile;
      if (!(in.kind == InstrKind::argument ? argument_tiles_ : result_tiles_)[tile].empty())
        owners[tile] = first.try_emplace(place_at(local_positions_[k]), tile).first->second;
    }
  };
  for (const Instr &in : program_->instrs())
    if (in.kind == InstrKind::argument) {
      const sharding::AxisSet axes = p.schedule.sharing.of(in.first_result);
      find(in, argument_owners_, [&](Position at) { return p.schedule.sharing.leader(axes, at); });
    } else if (in.kind == InstrKind::result) {
      const spmd::ValueRef value = program_->operands(in)[0];
      find(in, result_owners_, [&](Position at) {
        const Location place = p.memory->locate(value, at);
        return std::tuple(place.arena, place.base, place.offset,
                          p.layouts.box(p.layouts.of(value), at).offset);
      });
    }
}

} // namespace tw::runtime
