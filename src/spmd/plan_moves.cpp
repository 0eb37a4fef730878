// SPDX-License-Identifier: Apache-2.0
// Plans how the collectives of a program go over the levels of its mesh: as the redistribution of their
// arrays, by the same planner. Without levels every device takes what it lacks straight from a holder. In a
// loop over steps or threads each of these is planned for itself, since nothing moves between them; outside
// of it there is one for all.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "redistribute/cost.hpp"
#include "redistribute/planner.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {
namespace {

using redistribute::Link;
using redistribute::Move;
using redistribute::Problem;
using redistribute::Topology;
using sharding::AxisId;
using sharding::AxisSet;
using sharding::Mesh;
using sharding::Sharding;

// Until somebody measures them: a network between the outermost groups, memory that several processors share
// between others.
constexpr Link kNetwork{25, 25, 1}, kShared{2, 2, 3};

// What a region folds it must have whole, part by part in the order of the devices.
constexpr std::string_view kByRegion =
    "a region combines it, and takes the part of each device as it is, in the order of the devices";

// Collectives with the same loops over steps and threads around them.
class MovePlanner {
public:
  // Without a topology nothing is planned.
  MovePlanner(Lowering &lowering, const Mesh &mesh, std::optional<Topology> topology)
      : lowering_(lowering), mesh_(mesh), plans_(topology.has_value()) {
    if (!topology)
      return;
    options_.topology = *std::move(topology);
    options_.model.links.assign(options_.topology.num_levels(), kShared);
    options_.model.links.front() = kNetwork;
    options_.model.links.back() = Link{};
    options_.scratch_bytes = lowering.options.scratch_bytes;
  }

  Status plan(Collective &collective) {
    Program &program = *lowering_.program;
    const Instr &instr = program.instrs()[collective.instr];
    const bool by_region = collective.summary.reduction == sharding::Reduction::region;
    if (plans_ && by_region)
      collective.unplanned = kByRegion;
    for (uint32_t i = 0; i < instr.num_operands; ++i) {
      const Value &from = program.values()[program.operands(instr)[i]],
                  &to = program.values()[instr.first_result + i];
      const Move *&move = collective.moves[i];
      const Key key{program.graph().value(from.origin).type, from.sharding, to.sharding};
      auto at = known_.find(key);
      if (at == known_.end()) {
        const Move *made = nullptr;
        if (!plans_ || by_region) {
          made = &straight(key, lowering_.sharding(key.src), lowering_.sharding(key.dst));
        } else {
          TW_ASSIGN(Move::Planned planned, make(key, *move));
          made = &program.moves_->add(std::move(planned), move->summary());
        }
        at = known_.emplace(key, made).first;
      }
      move = at->second;
    }
    return {};
  }

private:
  struct Key {
    graph::TypeId type;
    ShardingId src, dst;
    auto operator<=>(const Key &) const = default;
  };

  // Of this planner's mesh.
  const Move &straight(const Key &key, Sharding src, Sharding dst) const {
    return lowering_.program->moves_->add(mesh_, lowering_.program->graph().type_at(key.type), std::move(src),
                                          std::move(dst));
  }

  // `known`: the same on the whole mesh.
  Result<Move::Planned> make(const Key &key, const Move &known) {
    Sharding src = lowering_.sharding(key.src), dst = lowering_.sharding(key.dst);
    keep_steps_apart(src, dst);
    const bool is_known = mesh_ == lowering_.mesh && mesh_.loop_axes().empty();
    const auto problem = (is_known ? known : straight(key, std::move(src), std::move(dst))).shared_problem();
    if (!problem->combined().empty() && lowering_.options.keep_sum_order)
      return plan_by(redistribute::Method::direct, problem);
    // The least time, but nothing crosses between groups that need not: there all devices of a group share a
    // link.
    TW_ASSIGN(Move::Planned best, plan_by(redistribute::Method::automatic, problem));
    auto by_level = plan_by(redistribute::Method::level, problem);
    const auto outer = [](const Move::Planned &move) { // without what devices of one innermost group exchange
      return std::span(move.bytes_by_level).first(move.bytes_by_level.size() - 1);
    };
    if (by_level && std::ranges::lexicographical_compare(outer(*by_level), outer(best)))
      return *std::move(by_level);
    return best;
  }

  // Each step has an array of its own, even where that is the same in all: whoever waited for another step of
  // its loop would wait for ever. So both sides are partial over the loops, in a way that nothing combines.
  void keep_steps_apart(Sharding &src, Sharding &dst) const {
    for (const AxisId axis : mesh_.loop_axes())
      if (src.find_partial(axis) == nullptr)
        for (Sharding *s : {&src, &dst})
          s->partial.push_back({axis, sharding::Reduction::raw});
  }

  Result<Move::Planned> plan_by(redistribute::Method method,
                                const std::shared_ptr<const Problem> &problem) const {
    redistribute::PlanOptions options = options_;
    options.method = method;
    TW_ASSIGN(const redistribute::Costed made, redistribute::make_plan(problem, options));
    return Move::Planned{made.plan, redistribute::bytes_by_level(*made.plan, options_.topology),
                         made.cost.scratch_bytes, made.plan->method == redistribute::Method::direct};
  }

  Lowering &lowering_;
  const Mesh mesh_;
  const bool plans_;
  redistribute::PlanOptions options_;
  std::map<Key, const Move *> known_;
};

// By device of the mesh.
Result<Topology> topology_of(const Mesh &mesh, std::string_view levels) {
  const std::vector<int64_t> ids = redistribute::ids_of_devices(mesh);
  std::vector<int64_t> ascending = ids;
  std::ranges::sort(ascending);
  TW_ASSIGN(const Topology by_id, Topology::parse(levels, ascending));
  Topology by_device = by_id;
  for (size_t level = 0; level < by_id.groups.size(); ++level)
    for (size_t d = 0; d < ids.size(); ++d)
      by_device.groups[level][d] =
          by_id.groups[level]
                      [static_cast<size_t>(std::ranges::lower_bound(ascending, ids[d]) - ascending.begin())];
  return by_device;
}

// By position of a mesh of these devices: a group at one step is not that of another.
Topology at_positions(const Topology &by_device, const Mesh &mesh) {
  Topology by_position;
  for (const std::vector<int32_t> &of_device : by_device.groups) {
    auto &groups = by_position.groups.emplace_back();
    for (Position p; p < mesh.num_positions(); ++p) {
      int64_t group = of_device[static_cast<size_t>(mesh.device_of(p).index())];
      for (const AxisId axis : mesh.loop_axes())
        group = group * mesh.size(axis) + mesh.coordinate(p, axis);
      groups.push_back(static_cast<int32_t>(group));
    }
  }
  return by_position;
}

} // namespace

Status plan_moves(Lowering &lowering) {
  const AxisSet loops = lowering.mesh.loop_axes();
  std::optional<Topology> topology;
  if (!lowering.options.levels.empty()) {
    TW_ASSIGN(topology, topology_of(lowering.mesh, lowering.options.levels));
    lowering.program->level_names_ = topology->names;
  } else if (loops.empty()) {
    return {};
  }
  std::map<AxisSet, MovePlanner> planners; // by the loops around
  AxisSet around;
  for (const Instr &instr : lowering.program->instrs_) {
    if (instr.kind == InstrKind::loop)
      around.add(static_cast<AxisId>(instr.index));
    if (instr.kind == InstrKind::end_loop)
      around.remove(static_cast<AxisId>(instr.index));
    if (instr.kind != InstrKind::collective)
      continue;
    auto at = planners.find(around);
    if (at == planners.end()) {
      const Mesh mesh = lowering.mesh.collapsed(loops - around);
      at = planners
               .try_emplace(around, lowering, mesh,
                            topology ? std::optional(at_positions(*topology, mesh)) : std::nullopt)
               .first;
    }
    TW_TRY(at->second.plan(lowering.program->collectives_[instr.index]));
  }
  return {};
}

} // namespace tw::spmd
