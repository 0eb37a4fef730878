// SPDX-License-Identifier: Apache-2.0
// Turns a sequence of collectives, which knows only tiles, into exchange steps between buffers.
#include "redistribute/sequence_plan.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "redistribute/step_builder.hpp"
#include "sharding/sharding.hpp"

namespace tw::redistribute {

using sharding::Box;
using sharding::DimSharding;
using sharding::SplitRule;

namespace {

// Whether tiles of this dimension are where Tilings says they are.
bool nests(const DimSharding &dim, int64_t n, int64_t tiles) {
  const SplitRule rule = normalise(dim.rule, n, tiles);
  return tiles == 1 ||
         (rule.kind == SplitRule::Kind::balanced && (rule.unit == 1 || n / rule.unit % tiles == 0));
}

sharding::Interval tile_of(int64_t n, int64_t shards, int64_t index) {
  return tile(SplitRule{}, n, shards, index);
}

// One state of a sequence: which tile of each dimension every mesh position has.
struct ShardState {
  std::span<const int64_t> shards;
  std::span<const int32_t> tiles;
};

// The positions that have each tile, in order.
class Holders {
public:
  Holders(const ShardState &state, size_t devices) : state_(state), rank_(state.shards.size()) {
    const auto count =
        std::accumulate(state.shards.begin(), state.shards.end(), int64_t{1}, std::multiplies<>());
    first_.assign(static_cast<size_t>(count) + 1, 0);
    place_.resize(devices);
    members_.resize(devices);
    for (size_t d = 0; d < devices; ++d)
      ++first_[tile_of(d) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<size_t> next(first_.begin(), first_.end() - 1);
    for (size_t d = 0; d < devices; ++d) {
      const size_t t = tile_of(d);
      place_[d] = next[t] - first_[t];
      members_[next[t]++] = d;
    }
  }

  size_t tile_of(size_t d) const { return number(state_.tiles.subspan(d * rank_, rank_)); }
  template <class Index> size_t number(const Index &index) const {
    size_t t = 0;
    for (size_t i = 0; i < rank_; ++i)
      t = t * static_cast<size_t>(state_.shards[i]) + static_cast<size_t>(index[i]);
    return t;
  }
  std::span<const size_t> of(size_t tile) const {
    return {members_.data() + first_[tile], members_.data() + first_[tile + 1]};
  }
  size_t place(size_t d) const { return place_[d]; } // of a device among those that have its tile

private:
  ShardState state_;
  size_t rank_;
  std::vector<size_t> first_, place_, members_;
};

Placement placement_of(const Problem &problem, const Tilings &t, const ShardState &state) {
  Placement result(problem.rank(), problem.num_devices());
  for (size_t p = 0; p < problem.num_devices(); ++p) {
    const Device d = problem.src_device(Position(static_cast<int64_t>(p)));
    for (size_t i = 0; i < problem.rank(); ++i) {
      const sharding::Interval part =
          tile_of(t.shape[i], state.shards[i], state.tiles[p * problem.rank() + i]);
      result.offset(d)[i] = part.begin;
      result.extent(d)[i] = part.size();
    }
    if (std::ranges::count(result.extent(d), 0) != 0) // an empty tile lies nowhere
      std::ranges::fill(result.extent(d), 0);
  }
  return result;
}

// The tiles of a dimension that are not empty, in order: there may be far more empty ones.
class TilesOf {
public:
  TilesOf(int64_t n, int64_t shards) {
    for (int64_t t = 0; t < shards; ++t)
      if (const sharding::Interval part = tile_of(n, shards, t); part.size() > 0)
        tiles_.push_back({static_cast<int32_t>(t), part});
  }
  struct Tile {
    int32_t index;
    sharding::Interval part;
  };
  // Those that meet an interval which is not empty.
  std::span<const Tile> meeting(sharding::Interval wanted) const {
    const auto first =
        std::ranges::upper_bound(tiles_, wanted.begin, {}, [](const Tile &t) { return t.part.end; });
    const auto last =
        std::ranges::lower_bound(tiles_, wanted.end, {}, [](const Tile &t) { return t.part.begin; });
    return {first, last};
  }

private:
  std::vector<Tile> tiles_;
};

// Every device takes what it lacks from devices that have it; equals among the takers of a tile turn to
// equals among its holders.
void add_pieces(const Problem &problem, const Tilings &t, const ShardState &before, const ShardState &after,
                uint32_t buffer, StepBuilder &out) {
  const size_t devices = problem.num_devices(), rank = problem.rank();
  const Holders holders(before, devices), takers(after, devices);
  std::vector<TilesOf> tiles;
  for (size_t i = 0; i < rank; ++i)
    tiles.emplace_back(t.shape[i], before.shards[i]);
  std::vector<std::span<const TilesOf::Tile>> met(rank);
  std::vector<sharding::Interval> target(rank);
  std::vector<size_t> at(rank);
  std::vector<int32_t> index(rank);
  Box piece = Box::whole(t.shape);
  for (size_t p = 0; p < devices; ++p) {
    bool empty = false;
    for (size_t i = 0; i < rank; ++i) {
      target[i] = tile_of(t.shape[i], after.shards[i], after.tiles[p * rank + i]);
      empty = empty || target[i].size() == 0;
      met[i] = empty ? std::span<const TilesOf::Tile>() : tiles[i].meeting(target[i]);
    }
    if (empty)
      continue;
    std::ranges::fill(at, 0);
    for (;;) {
      for (size_t i = 0; i < rank; ++i) {
        const auto &[number, held] = met[i][at[i]];
        index[i] = number;
        piece.offset[i] = std::max(held.begin, target[i].begin);
        piece.extent[i] = std::min(held.end, target[i].end) - piece.offset[i];
      }
      const size_t wanted = holders.number(index);
      const auto having = holders.of(wanted);
      const size_t from = holders.tile_of(p) == wanted ? p : having[takers.place(p) % having.size()];
      out.add(problem.src_device(Position(static_cast<int64_t>(p))), piece,
              Source{problem.src_device(Position(static_cast<int64_t>(from))), buffer});
      size_t i = rank;
      while (i-- > 0) {
        if (++at[i] < met[i].size())
          break;
        at[i] = 0;
      }
      if (i == SIZE_MAX)
        break;
    }
  }
}

} // namespace

Result<Tilings> tilings_of(const Problem &problem) {
  const auto devices = static_cast<int64_t>(problem.num_devices());
  const auto &src = problem.src(), &dst = problem.dst();
  if (src.mesh.num_devices() != devices || dst.mesh.num_devices() != devices)
    return fail(Code::unimplemented, "TW-523",
                "a sequence of collectives needs source and target on the same devices: use direct or level");
  if (!src.sharding.partial.empty())
    return fail(Code::unimplemented, "TW-523",
                "a sequence of collectives does not move partial values: use direct or level");
  Tilings t;
  t.shape = problem.type().dims;
  for (const sharding::Axis &axis : src.mesh.axes())
    t.axes.push_back(axis.size);
  const auto rank = problem.rank();
  for (const Layout *side : {&src, &dst}) {
    auto &shards = side == &src ? t.src_shards : t.dst_shards;
    for (size_t i = 0; i < rank; ++i) {
      shards.push_back(num_tiles(side->sharding.dims[i], side->mesh));
      if (!nests(side->sharding.dims[i], t.shape[i], shards.back()))
        return fail(Code::unimplemented, "TW-523",
                    fmt::format("a sequence of collectives needs cuts that nest, and dimension {} is not "
                                "split in balance in the {}: use direct or level",
                                i, side == &src ? "source" : "target"));
    }
  }
  for (Position p; p < devices; ++p) {
    const Device d = problem.src_device(p);
    for (size_t i = 0; i < rank; ++i) {
      t.src_tiles.push_back(static_cast<int32_t>(tile_index(src.sharding.dims[i], src.mesh, p)));
      t.dst_tiles.push_back(
          static_cast<int32_t>(tile_index(dst.sharding.dims[i], dst.mesh, problem.dst_position(d))));
    }
  }
  return t;
}

bool plan_sequence(const Tilings &tilings, OpSet ops, int64_t cap, Plan &plan) {
  auto found = find_sequence(tilings, ops, cap);
  if (!found)
    return false;
  plan.fig11_cost = found->cost;
  plan.exact = found->exact;
  plan.certificate = std::move(found->certificate);
  if (found->steps.empty()) // the tile stays what it is, and still has to arrive
    found->steps.push_back({Kind::copy, {}, {}, tilings.src_shards, tilings.src_tiles});
  const Problem &problem = *plan.problem;
  plan.buffers = {placement_of(problem, tilings, {tilings.src_shards, tilings.src_tiles})};
  for (const CutStep &c : found->steps)
    plan.buffers.push_back(placement_of(problem, tilings, {c.shards, c.tiles}));
  plan.steps = Steps(Steps::Later{[problem = plan.problem, tilings, steps = std::move(found->steps)] {
    std::vector<Step> made;
    ShardState before{tilings.src_shards, tilings.src_tiles};
    for (const CutStep &c : steps) {
      const ShardState after{c.shards, c.tiles};
      StepBuilder builder(*problem);
      const auto buffer = static_cast<uint32_t>(made.size());
      add_pieces(*problem, tilings, before, after, buffer, builder);
      made.push_back(builder.finish(buffer + 1));
      made.back().kind = c.kind;
      describe(made.back(), *problem);
      before = after;
    }
    return made;
  }});
  return true;
}

} // namespace tw::redistribute
