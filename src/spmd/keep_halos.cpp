// SPDX-License-Identifier: Apache-2.0
// Widens the tiles of values of which devices keep what lies around: one move brings a tile and its halo, and
// elementwise ops of such values make their results that wide too. What reads around a tile then finds it
// where it is. A pad of one is made of all that is there.
#include <algorithm>
#include <optional>
#include <utility>

#include "ops/attributes.hpp"
#include "ops/halo.hpp"
#include "ops/registry.hpp"
#include "sharding/spans_text.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {

namespace {

using graph::OpId;
using graph::ValueId;
using sharding::DimSharding;

class Keeper {
public:
  explicit Keeper(Lowering &lowering) : lowering_(lowering), graph_(lowering.graph), plan_(lowering.plan) {}

  void consider(OpId op) {
    if (!lowering_.live[op] || lowering_.types_of[op] == graph::kNone || plan_.is_source(op))
      return;
    if (ops::kept_halo(graph_, op))
      widen(op);
    else if (lowering_.tiles_without_halo.empty())
      return;
    else if (ops::is(graph_, op, ops::OpKind::pad))
      pad_all(op);
    else if ((ops::op_def(graph_.op(op).code).flags & ops::kElementwise) != 0)
      hand_on(op);
  }

private:
  void widen(OpId op) {
    const ShardingId tiles = lowering_.node(op).results[0];
    const ShardingId kept = with_halo(lowering_, graph_.result(op), tiles, op);
    if (kept != tiles)
      retype(op, {{kept}, {kept}, {}});
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

  // Tiles of a pad that are as wide as what is held of its operand allows, where its own lie in them.
  void pad_all(OpId op) {
    const ValueId padded = graph_.operands(op)[0];
    const NodeTypes types = lowering_.node(op);
    const auto held = held_type(padded);
    if (!held || !without_halo(*held) || !holds(padded, types.operands[0]))
      return;
    const ShardingId tiles = types.results[0];
    const graph::TensorType &type = graph_.type(graph_.result(op));
    sharding::Sharding wide = lowering_.sharding(tiles);
    const sharding::Sharding &from = lowering_.sharding(*held), &read = lowering_.sharding(types.operands[0]);
    for (size_t d = 0; d < wide.dims.size(); ++d) {
      if (from.dims[d] == read.dims[d])
        continue;
      const auto spans = padded_tiles(op, d, from.dims[d], wide.dims[d]);
      if (!spans)
        return;
      wide.dims[d].rule = sharding::make_spans(*spans, type.dims[d]);
    }
    const ShardingId kept = lowering_.intern(std::move(wide), type);
    if (kept == tiles)
      return;
    lowering_.tiles_without_halo.emplace(kept, tiles);
    retype(op, {{*held, types.operands[1]}, {kept}, {}});
  }

  // What a pad makes of each tile of a dimension, the edges from the tiles at the ends; nothing where that
  // lacks something of the tiles that it has.
  std::optional<std::vector<sharding::Interval>> padded_tiles(OpId op, size_t d, const DimSharding &from,
                                                              const DimSharding &made) const {
    const ops::OpViewHolder holder(graph_, op);
    const ops::OpView &pad = holder.view();
    const int64_t low = pad.ints(ops::slot::pad::edge_padding_low)[d];
    const int64_t high = pad.ints(ops::slot::pad::edge_padding_high)[d];
    if (from.axes != made.axes || low < 0 || high < 0 || pad.ints(ops::slot::pad::interior_padding)[d] != 0)
      return std::nullopt;
    const int64_t n = pad.operands[0]->dims[d], to = pad.results[0]->dims[d];
    const int64_t tiles = num_tiles(from, lowering_.mesh);
    std::vector<sharding::Interval> spans;
    for (int64_t t = 0; t < tiles; ++t) {
      const sharding::Interval own = sharding::tile(made.rule, to, tiles, t);
      const sharding::Interval held = sharding::tile(from.rule, n, tiles, t);
      const sharding::Interval all{held.begin == 0 ? 0 : held.begin + low,
                                   held.end == n ? to : held.end + low};
      const bool is_within = all.begin <= own.begin && own.end <= all.end;
      if (own.size() > 0 && (held.size() == 0 || !is_within))
        return std::nullopt;
      spans.push_back(held.size() > 0 ? all : own);
    }
    return spans;
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
  void set(partition::NodeId n, NodeTypes types) { lowering_.set_types(n, std::move(types)); }

  Lowering &lowering_;
  const graph::Graph &graph_;
  const partition::Plan &plan_;
};

// Tiles of steps and threads follow each other in one device, so they stay as they are.
bool may_have_halo(const DimSharding &dim, const sharding::Mesh &mesh) {
  const auto is_loop = [&](sharding::AxisId axis) { return mesh.is_loop(axis); };
  return num_tiles(dim, mesh) != 1 && std::ranges::none_of(dim.axes, is_loop) &&
         dim.rule.kind != sharding::SplitRule::Kind::spans;
}

} // namespace

sharding::Halos halos_around(const Lowering &lowering, ShardingId tiles, OpId keep_halo) {
  const auto halo = *ops::kept_halo(lowering.graph, keep_halo);
  const sharding::Sharding &s = lowering.sharding(tiles);
  sharding::Halos halos(s.dims.size());
  for (size_t d = 0; d < halos.size(); ++d)
    if (may_have_halo(s.dims[d], lowering.mesh))
      halos[d] = {halo.before[d], halo.after[d]};
  return halos;
}

ShardingId with_halo(Lowering &lowering, ValueId v, ShardingId tiles, OpId keep_halo) {
  const sharding::Halos halos = halos_around(lowering, tiles, keep_halo);
  const graph::TensorType &type = lowering.graph.type(v);
  sharding::Sharding wide = lowering.sharding(tiles);
  if (!wide.partial.empty())
    return tiles;
  for (size_t d = 0; d < wide.dims.size(); ++d) // around empty tiles too, but nothing around the array
    if (!halos[d].empty())
      wide.dims[d].rule = sharding::spans_around(wide.dims[d], halos[d], type.dims[d], lowering.mesh);
  const ShardingId kept = lowering.intern(std::move(wide), type);
  if (kept != tiles)
    lowering.tiles_without_halo.emplace(kept, tiles);
  return kept;
}

Status keep_halos(Lowering &lowering) {
  Keeper keeper(lowering);
  for (OpId op = 0; op < lowering.graph.ops().size(); ++op)
    keeper.consider(op);
  return {};
}

} // namespace tw::spmd
