// SPDX-License-Identifier: Apache-2.0
// Values that go to neighbours: shift along an axis, and halos that take what lies in the tiles around.
#include <algorithm>

#include <fmt/format.h>

#include "import/dialects/shard/ops.hpp"
#include "import/local_code.hpp"

namespace tw::import::shard {

using graph::ValueId;

namespace {

// Pairs of source and target: in each group the device `step` places on sends to each device; around the end
// where it wraps.
std::vector<int64_t> pairs_from(const Grid &grid, const std::vector<int64_t> &axes, int64_t step,
                                bool wraps) {
  std::vector<int64_t> pairs;
  for (const auto &group : groups_of(grid, axes)) {
    const auto n = std::ssize(group);
    for (int64_t i = 0; i < n; ++i) {
      const int64_t from = wraps ? ((i + step) % n + n) % n : i + step;
      if (from < 0 || from >= n)
        continue;
      pairs.push_back(group[static_cast<size_t>(from)]);
      pairs.push_back(group[static_cast<size_t>(i)]);
    }
  }
  return pairs;
}

// The halos of one dimension, from the tiles along some axes of the op's grid.
struct HaloOf {
  size_t dim;
  std::vector<int64_t> axes;
  int64_t before, after;
};

// Halos from devices that stand along no axes of the code's own grid: a permutation for each hop. Dimension
// after dimension: what was received along those before goes on to the corners.
class HaloHops {
public:
  HaloHops(Reader &r, const OpText &op, const Grid &grid) : r_(r), op_(op), grid_(grid), implied_(r.c, op) {}

  bool update(ValueId &v, const HaloOf &halo) {
    const int64_t size = r_.c.type_of(v).dims[halo.dim], core = size - halo.before - halo.after;
    std::vector<ValueId> parts;
    const ValueId own = slice(v, halo.dim, halo.before, halo.before + core);
    for (int64_t hop = (halo.before + core - 1) / core; hop > 0; --hop)
      if (!take(own, halo, -hop, std::max<int64_t>(hop * core - halo.before, 0), core, parts))
        return false;
    parts.push_back(own);
    for (int64_t hop = 1; (hop - 1) * core < halo.after; ++hop)
      if (!take(own, halo, hop, 0, std::min(core, halo.after - (hop - 1) * core), parts))
        return false;
    v = implied_.add("stablehlo.concatenate", parts, {{"dimension", static_cast<int64_t>(halo.dim)}});
    return implied_.ok();
  }

private:
  ValueId slice(ValueId v, size_t dim, int64_t begin, int64_t end) {
    const graph::Shape dims = r_.c.type_of(v).dims;
    std::vector<int64_t> first(dims.size(), 0), last(dims.begin(), dims.end());
    first[dim] = begin;
    last[dim] = end;
    return implied_.add("stablehlo.slice", {v},
                        {{"start_indices", first},
                         {"limit_indices", last},
                         {"strides", std::vector<int64_t>(dims.size(), 1)}});
  }

  // A piece of the tile so many places on; zeros where there is none.
  bool take(ValueId own, const HaloOf &halo, int64_t step, int64_t begin, int64_t end,
            std::vector<ValueId> &parts) {
    const ValueId piece = slice(own, halo.dim, begin, end);
    if (!implied_.ok())
      return false;
    annotate_local(r_, piece, op_, 0);
    auto moved = r_.c.local.permute(piece, pairs_from(grid_, halo.axes, step, false));
    if (!moved)
      return r_.s.adopt(std::move(moved.error()), op_.at);
    annotate_local(r_, *moved, op_, 1);
    parts.push_back(*moved);
    return true;
  }

  Reader &r_;
  const OpText &op_;
  const Grid &grid_;
  Implied implied_;
};

// The dimensions that have halos.
bool read_halos(Reader &r, const OpText &op, const graph::TensorType &type, std::vector<HaloOf> &halos) {
  const Clauses &clauses = r.grid_code.clauses;
  if (!check_split_axes(r, op, clauses))
    return false;
  if (clauses.split_axes.size() > type.rank())
    return r.s.fail("TW-116", clauses.split_at,
                    fmt::format("{}: split_axes has {} lists, and {} has {} dimensions", op.name,
                                clauses.split_axes.size(), graph::to_text(type), type.rank()));
  GridSharding s;
  s.grid = clauses.grid;
  s.split_axes = clauses.split_axes;
  const Clauses::List *list = clauses.list("halo_sizes");
  if (list == nullptr)
    return true;
  if (!known_numbers(r, op, *list, s.halos) || !check_halos(r, op, s, list->at))
    return false;
  for (size_t d = 0; d < s.split_axes.size(); ++d) {
    const auto [before, after] = s.halo(d);
    if (before >= type.dims[d] || after >= type.dims[d] - before)
      return r.s.fail("TW-116", list->at,
                      fmt::format("{}: dimension {} of size {} has no cells between halos of {} and {}",
                                  op.name, d, type.dims[d], before, after));
    if (before + after == 0)
      continue;
    if (!check_branch(r, op, s.split_axes[d]))
      return false;
    halos.push_back({d, s.split_axes[d], before, after});
  }
  return true;
}

bool take_halos(Reader &r, const OpText &op, const Grid &grid, const std::vector<HaloOf> &halos, ValueId &v) {
  std::vector<DeviceLocal::LocalHalo> local;
  for (const HaloOf &halo : halos)
    if (const auto axes = r.c.local.axes_of(groups_of(grid, halo.axes)))
      local.push_back({halo.dim, *axes, halo.before, halo.after});
  if (local.size() < halos.size()) {
    HaloHops hops(r, op, grid);
    return std::ranges::all_of(halos, [&](const HaloOf &halo) { return hops.update(v, halo); });
  }
  auto taken = r.c.local.update_halos(v, local);
  if (!taken)
    return r.s.adopt(std::move(taken.error()), op.at);
  v = *taken;
  return true;
}

bool bind_moved(Reader &r, OpText &op, ValueId v) { return bind_local(r, op, {&v, 1}); }

} // namespace

// shard.shift %x on @grid grid_axes = [0, 1] shift_axis = 1 offset = 2 rotate : T -> T
// The device at coordinate i sends to the one at i - offset; where nothing is sent there are zeros.
bool lower_shift(Reader &r, OpText &op) {
  if (!check_collective(r, op) || !check_has_dims(r, op) || !check_branch(r, op, r.grid_code.clauses.axes))
    return false;
  const Clauses &clauses = r.grid_code.clauses;
  const Clauses::Number &axis = *clauses.number("shift_axis"), &offset = *clauses.number("offset");
  if (std::ranges::find(clauses.axes, axis.value) == clauses.axes.end())
    return r.s.fail("TW-118", axis.at,
                    fmt::format("{}: shift_axis is {}, which is none of its grid_axes", op.name, axis.value));
  const ValueId v = op.operands[0];
  const graph::OpId first = next_op(r);
  annotate_local(r, v, op, 0);
  const bool wraps = clauses.has("rotate");
  const int64_t n = clauses.grid->size(static_cast<size_t>(axis.value));
  const int64_t step = wraps ? offset.value % n : std::clamp(offset.value, -n, n);
  auto moved = r.c.local.permute(v, pairs_from(*clauses.grid, {axis.value}, step, wraps));
  if (!moved)
    return r.s.adopt(std::move(moved.error()), op.at);
  annotate_local(r, *moved, op, 1);
  state_moves(r, first);
  return bind_moved(r, op, *moved);
}

// shard.update_halo %x on @grid split_axes = [[0], [1]] halo_sizes = [1, 1, %h, 2] : T
bool lower_update_halo(Reader &r, OpText &op) {
  std::vector<HaloOf> halos;
  ValueId v = op.operands[0];
  if (!check_collective(r, op) || !check_has_dims(r, op) || !read_halos(r, op, r.c.type_of(v), halos))
    return false;
  const graph::OpId first = next_op(r);
  annotate_local(r, v, op, 0);
  if (!halos.empty() && !take_halos(r, op, *r.grid_code.clauses.grid, halos, v))
    return false;
  annotate_local(r, v, op, 1);
  state_moves(r, first);
  return bind_moved(r, op, v);
}

} // namespace tw::import::shard
