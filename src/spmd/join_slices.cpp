// SPDX-License-Identifier: Apache-2.0
// Makes the slices that a concatenation joins, or that are padded, in the tiles that are read of them, so
// that what they cut moves once: x of two slices of it in another order (a roll, a permutation of tiles) is
// one exchange, and everything behind it is local.
#include <algorithm>
#include <map>

#include "ops/attributes.hpp"
#include "ops/joined_slice.hpp"
#include "ops/registry.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {

namespace {

using graph::OpId;
using graph::ValueId;
using sharding::DimSharding;
using sharding::Interval;

class Joiner {
public:
  explicit Joiner(Lowering &lowering) : lowering_(lowering), graph_(lowering.graph), mesh_(lowering.mesh) {}

  // The slices that an op reads, those of one array together.
  void join(OpId reader) {
    const NodeTypes &types = lowering_.node(reader);
    const auto operands = graph_.operands(reader);
    std::map<ValueId, std::vector<Piece>> pieces; // of each array
    for (uint32_t i = 0; i < operands.size(); ++i)
      if (const OpId slice = graph_.value(operands[i]).def; is_free(slice, types.operands[i]))
        pieces[graph_.operands(slice)[0]].push_back(
            {slice, types.operands[i], wanted(slice, types.operands[i])});
    for (const auto &[array, of_array] : pieces)
      retype(array, of_array);
  }

private:
  struct Piece {
    OpId slice;
    ShardingId made;              // the tiles that the reader needs
    std::vector<Interval> wanted; // of the array, per tile
  };

  // A slice whose tiles are nobody's business but the reader's, which tiles the dimension that is cut by
  // devices.
  bool is_free(OpId slice, ShardingId made) const {
    if (slice == graph::kNone || !ops::is_joined_slice(graph_, slice) || lowering_.plan.is_source(slice) ||
        lowering_.types_of[slice] == graph::kNone ||
        lowering_.plan.pin_of(graph_.result(slice)) != graph::kNone)
      return false;
    const DimSharding &dim = lowering_.sharding(made).dims[ops::joined_slice(graph_, slice).dim];
    return !dim.axes.empty() &&
           std::ranges::none_of(dim.axes, [&](sharding::AxisId axis) { return mesh_.is_loop(axis); });
  }

  std::vector<Interval> wanted(OpId slice, ShardingId made) const {
    const auto [d, begin] = ops::joined_slice(graph_, slice);
    const DimSharding &dim = lowering_.sharding(made).dims[d];
    const int64_t n = graph_.type(graph_.result(slice)).dims[d], tiles = num_tiles(dim, mesh_);
    std::vector<Interval> intervals;
    for (int64_t t = 0; t < tiles; ++t) {
      const Interval tile = sharding::tile(dim.rule, n, tiles, t);
      intervals.push_back(tile.size() > 0 ? Interval{begin + tile.begin, begin + tile.end} : Interval{});
    }
    return intervals;
  }

  // All from one layout of the array where no device needs more of it for that, else each from its own.
  void retype(ValueId array, const std::vector<Piece> &pieces) {
    std::vector<Interval> all(pieces[0].wanted.size());
    std::vector<int64_t> needed(all.size(), 0);
    bool same_tiles = true;
    for (const Piece &piece : pieces) {
      same_tiles &= lowering_.sharding(piece.made).dims[cut_dim(piece)].axes ==
                    lowering_.sharding(pieces[0].made).dims[cut_dim(piece)].axes;
      for (size_t t = 0; same_tiles && t < all.size(); ++t) {
        const Interval part = piece.wanted[t];
        needed[t] += part.size();
        if (part.size() > 0)
          all[t] = all[t].size() == 0
                       ? part
                       : Interval{std::min(all[t].begin, part.begin), std::max(all[t].end, part.end)};
      }
    }
    for (size_t t = 0; t < all.size(); ++t)
      same_tiles &= all[t].size() <= needed[t];
    for (const Piece &piece : pieces)
      retype(array, piece, same_tiles ? all : piece.wanted);
  }

  void retype(ValueId array, const Piece &piece, const std::vector<Interval> &tiles) {
    const graph::TensorType &type = graph_.type(array);
    sharding::Sharding from = lowering_.sharding(piece.made);
    const size_t d = cut_dim(piece);
    from.dims[d].rule = sharding::make_spans(tiles, type.dims[d]);
    lowering_.set_types(piece.slice, {{lowering_.intern(std::move(from), type)}, {piece.made}, {}});
  }

  size_t cut_dim(const Piece &piece) const { return ops::joined_slice(graph_, piece.slice).dim; }

  Lowering &lowering_;
  const graph::Graph &graph_;
  const sharding::Mesh &mesh_;
};

} // namespace

bool joins_slices(const graph::Graph &graph, OpId op) {
  return ops::is(graph, op, ops::OpKind::concatenate) || ops::is(graph, op, ops::OpKind::pad);
}

Status join_slices(Lowering &lowering) {
  Joiner joiner(lowering);
  const auto consider = [&](OpId op) {
    if (joins_slices(lowering.graph, op) && lowering.live[op] && lowering.types_of[op] != graph::kNone)
      joiner.join(op);
  };
  if (lowering.scope) {
    lowering.scope->nodes.each([&](partition::NodeId n) {
      if (lowering.plan.is_op(n))
        consider(n);
    });
    return {};
  }
  for (OpId op = 0; op < lowering.graph.ops().size(); ++op)
    consider(op);
  return {};
}

} // namespace tw::spmd
