// SPDX-License-Identifier: Apache-2.0
// Marks the ops that a result of the program or a side effect needs; nothing else is emitted.
#include <algorithm>

#include <fmt/format.h>

#include "spmd/lowering.hpp"

#include "ops/registry.hpp"

namespace tw::spmd {

namespace {

// The first value from outside that an op of a region reads, kNone where there is none.
graph::ValueId find_capture(const graph::Graph &graph, graph::RegionId id) {
  std::vector<graph::RegionId> inside{id};
  const auto is_inside = [&](graph::ValueId v) {
    const graph::Value &value = graph.value(v);
    const graph::RegionId home = value.def != graph::kNone ? graph.op(value.def).parent : value.region;
    return std::ranges::find(inside, home) != inside.end();
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

} // namespace

Status mark_live(Lowering &lowering) {
  const graph::Graph &graph = lowering.graph;
  lowering.live.assign(graph.ops().size(), false);
  const auto &body = graph.region(0).ops;
  for (size_t i = body.size(); i-- > 0;) { // users come after what they use
    const graph::OpId id = body[i];
    const graph::Op &op = graph.op(id);
    if ((ops::op_def(op.code).flags & ops::kSideEffect) != 0)
      lowering.live[id] = true;
    if (!lowering.live[id])
      continue;
    for (const graph::ValueId v : graph.operands(id))
      if (graph.value(v).def != graph::kNone)
        lowering.live[graph.value(v).def] = true;
    for (uint32_t r = 0; r < op.num_regions; ++r)
      if (const graph::ValueId captured = find_capture(graph, op.first_region + r); captured != graph::kNone)
        return fail(Code::unimplemented, "TW-501",
                    fmt::format("a region of {} uses {} from outside; only its own arguments are supported",
                                ops::op_def(op.code).name, graph.value_name(captured)));
  }
  return {};
}

} // namespace tw::spmd
