// SPDX-License-Identifier: Apache-2.0
// The direct exchange: intersects the target box of a device with the source tiles and names a holder for
// every piece.
#include "redistribute/exchange.hpp"

#include <algorithm>
#include <optional>

namespace tw::redistribute {

using sharding::AxisId;
using sharding::Box;
using sharding::DimSharding;
using sharding::Interval;
using sharding::Mesh;
using sharding::Sharding;

namespace {

bool tiles(const Sharding &s, AxisId axis) {
  return std::ranges::any_of(s.dims,
                             [axis](const DimSharding &d) { return std::ranges::count(d.axes, axis) != 0; });
}
bool stacks(const Sharding &s, AxisId axis) {
  return std::ranges::count(s.stacked, axis, &sharding::Stacked::axis) != 0;
}

// Part of one source tile along one dimension.
struct Segment {
  Interval part;
  int64_t tile;
};

// The non-empty source tiles that meet [begin, end) of a dimension.
std::vector<Segment> segments(const DimSharding &dim, int64_t n, const Mesh &mesh, Interval wanted) {
  const int64_t F = num_tiles(dim, mesh);
  if (F == 1)
    return {{wanted, 0}};
  int64_t low = 0, high = F - 1; // the first tile that ends behind wanted.begin
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (tile(dim.rule, n, F, middle).end > wanted.begin)
      high = middle;
    else
      low = middle + 1;
  }
  std::vector<Segment> result;
  for (int64_t t = low; t < F; ++t) {
    const Interval held = tile(dim.rule, n, F, t);
    if (held.begin >= wanted.end)
      break;
    const Interval part{std::max(held.begin, wanted.begin), std::min(held.end, wanted.end)};
    if (part.size() > 0)
      result.push_back({part, t});
  }
  return result;
}

// Chooses holders for one receiver.
class Holders {
public:
  Holders(const Request &r, int64_t receiver) : r_(r), mesh_(r.mesh), receiver_(receiver) {
    for (size_t i = 0; i < mesh_.num_axes(); ++i) {
      const auto axis = static_cast<AxisId>(i);
      const bool source_tiled = tiles(r.src, axis), target_tiled = tiles(r.dst, axis),
                 stacked = stacks(r.src, axis);
      if (source_tiled && !target_tiled)
        takers_.push_back(axis);
      if (!source_tiled && !stacked && target_tiled)
        turns_.push_back(axis);
      if (stacked && !stacks(r.dst, axis))
        combined_.push_back(axis);
    }
  }

  // All mesh positions whose values make the piece that lies in source tile source_tiles[d] of each dimension
  // d.
  std::vector<int64_t> of(std::span<const int64_t> source_tiles) const {
    int64_t holder = receiver_;
    std::optional<AxisId> apart; // the outermost axis along which no holder stands beside the receiver
    for (size_t d = 0; d < source_tiles.size(); ++d) {
      int64_t index = source_tiles[d];
      const auto &axes = r_.src.dims[d].axes;
      for (size_t i = axes.size(); i-- > 0; index /= mesh_.size(axes[i])) {
        const int64_t wanted = index % mesh_.size(axes[i]), own = mesh_.coordinate(receiver_, axes[i]);
        holder += (wanted - own) * mesh_.stride(axes[i]);
        if (wanted != own && (!apart || axes[i] < *apart))
          apart = axes[i];
      }
    }
    if (apart)
      holder = take_turns(holder, *apart);
    return with_partners(holder);
  }

private:
  // Along the axes inside `apart` that the source replicates and the target tiles, all holders are equally
  // near, and the takers of one piece all stand at the same coordinate: they differ along the axes that only
  // the source tiles, so these decide whose turn it is.
  int64_t take_turns(int64_t holder, AxisId apart) const {
    int64_t turn = 0;
    for (const AxisId axis : takers_) {
      const int64_t n = mesh_.size(axis);
      turn = turn * n + (mesh_.coordinate(receiver_, axis) - mesh_.coordinate(holder, axis) + n) % n;
    }
    for (size_t i = turns_.size(); i-- > 0 && turns_[i] > apart;) {
      const AxisId axis = turns_[i];
      const int64_t n = mesh_.size(axis), own = mesh_.coordinate(receiver_, axis);
      holder += ((own + turn) % n - own) * mesh_.stride(axis);
      turn /= n;
    }
    return holder;
  }

  // Every combination of coordinates along the combined axes, ascending.
  std::vector<int64_t> with_partners(int64_t holder) const {
    for (const AxisId axis : combined_)
      holder -= mesh_.coordinate(holder, axis) * mesh_.stride(axis);
    std::vector<int64_t> result{holder};
    for (const AxisId axis : combined_) { // outermost first, so that each step keeps the order
      std::vector<int64_t> next;
      next.reserve(result.size() * static_cast<size_t>(mesh_.size(axis)));
      for (const int64_t position : result)
        for (int64_t c = 0; c < mesh_.size(axis); ++c)
          next.push_back(position + c * mesh_.stride(axis));
      result = std::move(next);
    }
    return result;
  }

  const Request &r_;
  const Mesh &mesh_;
  int64_t receiver_;
  std::vector<AxisId> takers_, turns_, combined_; // ascending, so outermost first
};

} // namespace

std::vector<Piece> direct(const Request &r, int64_t position) {
  const Box target = box_of(r.dst, r.type.dims, r.mesh, position);
  if (target.empty())
    return {};
  const size_t rank = target.rank();
  std::vector<std::vector<Segment>> along(rank);
  for (size_t d = 0; d < rank; ++d)
    along[d] = segments(r.src.dims[d], r.type.dims[d], r.mesh,
                        {target.offset[d], target.offset[d] + target.extent[d]});
  const Holders holders(r, position);
  std::vector<Piece> pieces;
  std::vector<size_t> at(rank, 0);
  std::vector<int64_t> source_tiles(rank, 0);
  for (;;) {
    Piece piece{Box::whole(r.type.dims), {}};
    for (size_t d = 0; d < rank; ++d) {
      const Segment &segment = along[d][at[d]];
      piece.box.offset[d] = segment.part.begin;
      piece.box.extent[d] = segment.part.size();
      source_tiles[d] = segment.tile;
    }
    piece.sources = holders.of(source_tiles);
    pieces.push_back(std::move(piece));
    size_t d = rank;
    while (d-- > 0) {
      if (++at[d] < along[d].size())
        break;
      at[d] = 0;
    }
    if (d == SIZE_MAX)
      return pieces;
  }
}

} // namespace tw::redistribute
