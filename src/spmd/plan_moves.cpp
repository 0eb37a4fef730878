// SPDX-License-Identifier: Apache-2.0
// Plans how the collectives of a program go over the levels of its mesh: as the redistribution of their
// arrays, by the same planner. Without levels every device takes what it lacks straight from a holder. So it
// does in a program of steps or threads, whose places are no devices, and where tiles overlap (windows).
#include <algorithm>
#include <map>
#include <utility>

#include "redistribute/cost.hpp"
#include "redistribute/planner.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {
namespace {

using redistribute::Device;
using redistribute::Link;
using redistribute::Topology;

// Until somebody measures them: a network between the outermost groups, memory that several processors share
// between others.
constexpr Link kNetwork{25, 25, 1}, kShared{2, 2, 3};

class MovePlanner {
public:
  MovePlanner(Lowering &lowering, Topology topology)
      : lowering_(lowering),
        mesh_(*sharding::Mesh::create({lowering.mesh.axes().begin(), lowering.mesh.axes().end()})) {
    options_.topology = std::move(topology);
    options_.model.links.assign(options_.topology.num_levels(), kShared);
    options_.model.links.front() = kNetwork;
    options_.model.links.back() = Link{};
    options_.scratch_bytes = lowering.options.scratch_bytes;
  }

  Status plan(Collective &collective) {
    const Program &program = *lowering_.program;
    const Instr &instr = program.instrs()[collective.instr];
    for (uint32_t i = 0; i < instr.num_results; ++i)
      for (const ValueRef v : {program.operands(instr)[i], instr.first_result + i})
        if (overlaps(lowering_.sharding(program.values()[v].sharding)))
          return {};
    for (uint32_t i = 0; i < instr.num_operands; ++i) {
      const Value &from = program.values()[program.operands(instr)[i]],
                  &to = program.values()[instr.first_result + i];
      const Key key{lowering_.graph.value(from.origin).type, from.sharding, to.sharding};
      auto at = known_.find(key);
      if (at == known_.end()) {
        TW_ASSIGN(PlannedMove made, make(key));
        at = known_.emplace(key, std::move(made)).first;
      }
      collective.planned.push_back(at->second);
    }
    return {};
  }

private:
  struct Key {
    graph::TypeId type;
    ShardingId src, dst;
    auto operator<=>(const Key &) const = default;
  };

  static bool overlaps(const sharding::Sharding &s) {
    return std::ranges::any_of(s.dims, [](const sharding::DimSharding &dim) {
      return dim.rule.kind == sharding::SplitRule::Kind::spans;
    });
  }

  Result<PlannedMove> make(const Key &key) {
    TW_ASSIGN(auto problem, redistribute::Problem::create(lowering_.graph.type_at(key.type),
                                                          {mesh_, lowering_.sharding(key.src)},
                                                          {mesh_, lowering_.sharding(key.dst)}));
    const auto shared = std::make_shared<const redistribute::Problem>(std::move(problem));
    if (!shared->combined().empty() && lowering_.options.keep_sum_order)
      return plan_by(redistribute::Method::direct, shared);
    // The least time, but nothing crosses between groups that need not: there all devices of a group share a
    // link.
    TW_ASSIGN(PlannedMove best, plan_by(redistribute::Method::automatic, shared));
    auto by_level = plan_by(redistribute::Method::level, shared);
    const auto outer = [](const PlannedMove &move) { // without what devices of one innermost group exchange
      return std::span(move.bytes_by_level).first(move.bytes_by_level.size() - 1);
    };
    if (by_level && std::ranges::lexicographical_compare(outer(*by_level), outer(best)))
      return *std::move(by_level);
    return best;
  }

  Result<PlannedMove> plan_by(redistribute::Method method,
                              const std::shared_ptr<const redistribute::Problem> &problem) const {
    redistribute::PlanOptions options = options_;
    options.method = method;
    TW_ASSIGN(const redistribute::Costed made, redistribute::make_plan(problem, options));
    return PlannedMove{made.plan, redistribute::bytes_by_level(*made.plan, options_.topology),
                       made.cost.scratch_bytes};
  }

  Lowering &lowering_;
  const sharding::Mesh mesh_; // its devices numbered by position
  redistribute::PlanOptions options_;
  std::map<Key, PlannedMove> known_;
};

// By position of the mesh.
Result<Topology> topology_of(const sharding::Mesh &mesh, std::string_view levels) {
  std::vector<int64_t> ids;
  for (Position p; p < mesh.num_positions(); ++p)
    ids.push_back(mesh.device_id(p));
  std::vector<int64_t> ascending = ids;
  std::ranges::sort(ascending);
  TW_ASSIGN(const Topology by_id, Topology::parse(levels, ascending));
  Topology by_position = by_id;
  for (size_t level = 0; level < by_id.groups.size(); ++level)
    for (size_t p = 0; p < ids.size(); ++p)
      by_position.groups[level][p] =
          by_id.groups[level]
                      [static_cast<size_t>(std::ranges::lower_bound(ascending, ids[p]) - ascending.begin())];
  return by_position;
}

} // namespace

Status plan_moves(Lowering &lowering) {
  if (lowering.options.levels.empty() || !lowering.mesh.loop_axes().empty())
    return {};
  TW_ASSIGN(Topology topology, topology_of(lowering.mesh, lowering.options.levels));
  MovePlanner planner(lowering, std::move(topology));
  for (Collective &collective : lowering.program->collectives_)
    if (collective.summary.reduction != sharding::Reduction::region)
      TW_TRY(planner.plan(collective));
  return {};
}

} // namespace tw::spmd
