// SPDX-License-Identifier: Apache-2.0
// Marks the ops that a result of the program or a side effect needs; nothing else is emitted.
#include <algorithm>

#include <fmt/format.h>

#include "spmd/lowering.hpp"

#include "ops/attributes.hpp"
#include "ops/literal.hpp"
#include "ops/registry.hpp"

namespace tw::spmd {

namespace {

// The first value from outside that an op of a region reads and that is no scalar literal, kNone where there
// is none.
graph::ValueId find_capture(const graph::Graph &graph, graph::RegionId id) {
  std::vector<graph::RegionId> inside{id};
  const auto is_inside = [&](graph::ValueId v) {
    return ops::is_scalar_constant(graph, v) || std::ranges::find(inside, graph.region_of(v)) != inside.end();
  };
  for (size_t i = 0; i < inside.size(); ++i) { // grows by nested regions
    const graph::Region &region = graph.region(inside[i]);
    for (const graph::OpId op : region.ops) {
      for (const graph::ValueId v : graph.operands(op))
        if (!is_inside(v))
          return v;
      for (uint32_t r = 0; r < graph.op(op).num_regions; ++r)
        inside.push_back(graph.op(op).first_region + r);
    }
    for (const graph::ValueId v : region.yields)
      if (!is_inside(v))
        return v;
  }
  return graph::kNone;
}

// An op that does more than compute its results.
bool has_effect(const graph::Graph &graph, graph::OpId id) {
  const ops::OpDef &def = ops::op_def(graph.op(id).code);
  if ((def.flags & ops::kOpaque) == 0)
    return (def.flags & ops::kSideEffect) != 0;
  return ops::OpViewHolder(graph, id).view().integer(ops::slot::custom_call::has_side_effect) != 0;
}

// What has an effect, or holds something in a body that has.
std::vector<bool> find_effects(const Lowering &lowering) {
  const graph::Graph &graph = lowering.graph;
  std::vector<bool> effect(graph.ops().size());
  for (graph::OpId id = 0; id < graph.ops().size(); ++id) { // owners of regions come after what these hold
    const graph::Op &op = graph.op(id);
    effect[id] = effect[id] || has_effect(graph, id);
    if (effect[id] && op.parent != 0 && lowering.variables().is_body(op.parent))
      effect[graph.region(op.parent).parent] = true;
  }
  return effect;
}

class Marker {
public:
  explicit Marker(Lowering &lowering)
      : lowering_(lowering), graph_(lowering.graph), effect_(find_effects(lowering)) {}

  Status mark(graph::RegionId body) {
    const auto &ops = graph_.region(body).ops;
    for (size_t i = ops.size(); i-- > 0;) { // users come after what they use
      const graph::OpId id = ops[i];
      if (effect_[id])
        lowering_.live[id] = true;
      if (!lowering_.live[id])
        continue;
      need(graph_.operands(id));
      const graph::Op &op = graph_.op(id);
      for (uint32_t r = 0; r < op.num_regions; ++r)
        TW_TRY(enter(id, op.first_region + r));
    }
    return {};
  }

private:
  void need(std::span<const graph::ValueId> values) {
    for (const graph::ValueId v : values)
      if (graph_.value(v).def != graph::kNone)
        lowering_.live[graph_.value(v).def] = true;
  }

  Status enter(graph::OpId owner, graph::RegionId region) {
    if (lowering_.variables().is_body(region)) {
      need(graph_.region(region).yields);
      return mark(region);
    }
    if (const graph::ValueId captured = find_capture(graph_, region); captured != graph::kNone)
      return fail(
          Error(Code::unimplemented, "TW-501",
                fmt::format("a region of {} uses {} from outside; only its own arguments and scalar "
                            "constants are supported",
                            ops::op_def(graph_.op(owner).code).name, graph_.value_name(captured)))
              .at({std::string(graph_.file()), graph_.location(owner).line, graph_.location(owner).column}));
    return {};
  }

  Lowering &lowering_;
  const graph::Graph &graph_;
  const std::vector<bool> effect_;
};

} // namespace

Status mark_live(Lowering &lowering) {
  lowering.live.assign(lowering.graph.ops().size(), false);
  return Marker(lowering).mark(0);
}

} // namespace tw::spmd
