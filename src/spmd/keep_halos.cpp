// SPDX-License-Identifier: Apache-2.0
// Widens the tiles of values of which devices keep what lies around: one move brings a tile and its halo, and
// elementwise ops of such values make their results that wide too. What reads around a tile then finds it
// where it is.
#include <algorithm>
#include <optional>
#include <utility>

#include "ops/halo.hpp"
#include "ops/registry.hpp"
#include "sharding/spans_text.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {

namespace {

using graph::OpId;
using graph::ValueId;
using sharding::DimSharding;
using sharding::Interval;

class Keeper {
public:
  explicit Keeper(Lowering &lowering) : lowering_(lowering), graph_(lowering.graph), plan_(lowering.plan) {}

  void consider(OpId op) {
    if (!lowering_.live[op] || lowering_.types_of[op] == graph::kNone || plan_.is_source(op))
      return;
    if (const auto halo = ops::kept_halo(graph_, op))
      widen(op, *halo);
    else if (!lowering_.tiles_without_halo.empty() &&
             (ops::op_def(graph_.op(op).code).flags & ops::kElementwise) != 0)
      hand_on(op);
  }

private:
  void widen(OpId op, const ops::KeptHalo &halo) {
    const ValueId v = graph_.result(op);
    const ShardingId tiles = lowering_.node(op).results[0];
    sharding::Sharding wide = lowering_.sharding(tiles);
    if (!wide.partial.empty())
      return;
    for (size_t d = 0; d < wide.dims.size(); ++d)
      widen(wide.dims[d], graph_.type(v).dims[d], halo.before[d], halo.after[d]);
    const ShardingId kept = lowering_.intern(std::move(wide), graph_.type(v));
    if (kept == tiles)
      return;
    lowering_.tiles_without_halo.emplace(kept, tiles);
    retype(op, {{kept}, {kept}, {}});
  }

  // Around empty tiles too; at the border of the array there is nothing. Tiles of steps and threads follow
  // each other in one device, so they stay as they are.
  void widen(DimSharding &dim, int64_t n, int64_t before, int64_t after) const {
    const int64_t tiles = num_tiles(dim, lowering_.mesh);
    const auto is_loop = [&](sharding::AxisId axis) { return lowering_.mesh.is_loop(axis); };
    if (tiles == 1 || std::ranges::any_of(dim.axes, is_loop) || (before == 0 && after == 0) ||
        dim.rule.kind == sharding::SplitRule::Kind::spans)
      return;
    dim.rule = sharding::spans_around(dim, {before, after}, n, lowering_.mesh);
  }

  // The halos that all operands have, where some have one; others are whole along those dimensions.
  void hand_on(OpId op) {
    const NodeTypes types = lowering_.node(op);
    if (types.results.size() != 1 || !lowering_.sharding(types.results[0]).partial.empty())
      return;
    std::optional<ShardingId> kept;
    for (const ValueId v : graph_.operands(op))
      if (const auto held = held_type(v); held && without_halo(*held) == types.results[0])
        if (!kept || lowering_.lies_in(graph_.value(v).type, *held, *kept))
          kept = held;
    if (!kept)
      return;
    NodeTypes wide{{}, {*kept}, {}};
    for (uint32_t i = 0; i < types.operands.size(); ++i) {
      const ValueId v = graph_.operands(op)[i];
      const bool is_array = graph_.type(v).rank() != 0;
      if (is_array && !lowering_.is_source(v) && !holds(v, *kept))
        return;
      wide.operands.push_back(is_array ? *kept : types.operands[i]);
    }
    retype(op, std::move(wide));
  }

  bool holds(ValueId v, ShardingId type) const {
    const auto held = held_type(v);
    return held && lowering_.sharding(*held).partial.empty() &&
           lowering_.lies_in(graph_.value(v).type, type, *held);
  }

  // In which the users of a value find it; nothing for a source, which is made in any.
  std::optional<ShardingId> held_type(ValueId v) const {
    if (lowering_.is_source(v))
      return std::nullopt;
    if (const partition::NodeId pin = plan_.pin_of(v); pin != graph::kNone)
      return lowering_.node(pin).results[0];
    const partition::Port maker = plan_.flow().maker(v);
    if (maker.node == graph::kNone || lowering_.types_of[maker.node] == graph::kNone)
      return std::nullopt;
    return lowering_.node(maker.node).results[maker.index];
  }
  std::optional<ShardingId> without_halo(ShardingId kept) const {
    const auto found = lowering_.tiles_without_halo.find(kept);
    return found == lowering_.tiles_without_halo.end() ? std::nullopt : std::optional(found->second);
  }

  // A node, and the pin of what it makes where that has the same tiles.
  void retype(OpId op, NodeTypes types) {
    const ShardingId kept = types.results[0], tiles = lowering_.node(op).results[0];
    set(op, std::move(types));
    const partition::NodeId pin = plan_.pin_of(graph_.result(op));
    if (pin != graph::kNone && plan_.pinned(pin).size() == 1 && lowering_.node(pin).results[0] == tiles)
      set(pin, {{kept}, {kept}, {}});
  }
  void set(partition::NodeId n, NodeTypes types) {
    lowering_.types_of[n] = static_cast<uint32_t>(lowering_.types.size());
    lowering_.types.push_back(std::move(types));
  }

  Lowering &lowering_;
  const graph::Graph &graph_;
  const partition::Plan &plan_;
};

} // namespace

Status keep_halos(Lowering &lowering) {
  Keeper keeper(lowering);
  if (lowering.scope) {
    for (const partition::NodeId n : lowering.scope->nodes)
      if (lowering.plan.is_op(n))
        keeper.consider(n);
    return {};
  }
  for (OpId op = 0; op < lowering.graph.ops().size(); ++op)
    keeper.consider(op);
  return {};
}

} // namespace tw::spmd
