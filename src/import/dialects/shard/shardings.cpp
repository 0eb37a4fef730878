// SPDX-License-Identifier: Apache-2.0
// shard.sharding and what programs ask of one. A sharding is no value of the program: its name stands for it
// while the text is read.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/dialects/shard/ops.hpp"
#include "import/local_code.hpp"
#include "sharding/halo.hpp"

namespace tw::import::shard {

using graph::ValueId;

namespace {

size_t sharded_dims(const GridSharding &s) {
  return static_cast<size_t>(
      std::ranges::count_if(s.split_axes, [](const auto &axes) { return !axes.empty(); }));
}

// For each sharded dimension where its tiles begin, from 0, and where the last one ends.
bool check_offsets(Reader &r, const OpText &op, const GridSharding &s, const char *at) {
  size_t expected = 0;
  for (size_t d = 0; d < s.split_axes.size(); ++d)
    expected += s.is_sharded(d) ? static_cast<size_t>(s.tiles(d)) + 1 : 0;
  if (s.offsets.size() != expected)
    return r.s.fail(
        "TW-116", at,
        fmt::format("{}: {} offsets, and the {} sharded dimensions have {} altogether: those of all "
                    "tiles and the end of the last one, of each",
                    op.name, s.offsets.size(), sharded_dims(s), expected));
  for (size_t d = 0; d < s.split_axes.size(); ++d) {
    const auto offsets = s.offsets_of(d);
    if (!offsets.empty() && (offsets[0] != 0 || !std::ranges::is_sorted(offsets)))
      return r.s.fail("TW-116", at,
                      fmt::format("{}: the offsets {} of dimension {} must begin at 0 and never descend",
                                  op.name, fmt::join(offsets, ", "), d));
  }
  return true;
}

// A name that stands for a sharding has no values.
bool bind_sharding(Reader &r, const OpText &op, GridSharding sharding) {
  if (op.results.size() != 1 || op.results[0].count != 1)
    return r.s.fail("TW-109", op.at, fmt::format("{} gives one result", op.name));
  r.grid_code.shardings[op.results[0].at] = std::move(sharding);
  return r.define(op.results[0], {});
}

} // namespace

bool check_split_axes(Reader &r, const OpText &op, const Clauses &clauses) {
  std::vector<int64_t> all;
  for (const auto &axes : clauses.split_axes)
    all.insert(all.end(), axes.begin(), axes.end());
  return check_axes(r, op, *clauses.grid, all, clauses.split_at);
}

bool check_halos(Reader &r, const OpText &op, const GridSharding &s, const char *at) {
  if (!s.halos.empty() && s.halos.size() != 2 * sharded_dims(s))
    return r.s.fail("TW-116", at,
                    fmt::format("{}: {} halo sizes, and there are two for each of {} sharded dimensions",
                                op.name, s.halos.size(), sharded_dims(s)));
  for (const int64_t size : s.halos)
    if (size < 0 || size > sharding::kMaxHalo)
      return r.s.fail(
          "TW-116", at,
          fmt::format("{}: a halo of {} cells: 0 to {} are possible", op.name, size, sharding::kMaxHalo));
  return true;
}

// shard.sharding @grid split_axes = [[0], []] halo_sizes = [1, %h] : !shard.sharding
bool lower_sharding(Reader &r, OpText &op) {
  const Clauses &clauses = r.grid_code.clauses;
  const Clauses::List *halos = clauses.list("halo_sizes"), *offsets = clauses.list("sharded_dims_offsets");
  GridSharding s;
  s.grid = clauses.grid;
  s.split_axes = clauses.split_axes;
  if (s.split_axes.empty())
    return r.s.fail("TW-116", clauses.split_at,
                    fmt::format("{}: split_axes has no list: [[]] says that the array is whole", op.name));
  if (!check_split_axes(r, op, clauses))
    return false;
  if (halos != nullptr && offsets != nullptr)
    return r.s.fail(
        "TW-116", std::max(halos->at, offsets->at),
        fmt::format("{}: it has halo_sizes and sharded_dims_offsets, and only one of them may stand",
                    op.name));
  if (halos != nullptr && (!known_numbers(r, op, *halos, s.halos) || !check_halos(r, op, s, halos->at)))
    return false;
  if (offsets != nullptr &&
      (!known_numbers(r, op, *offsets, s.offsets) || !check_offsets(r, op, s, offsets->at)))
    return false;
  std::vector<std::string> lists;
  for (const auto &axes : s.split_axes)
    lists.push_back(fmt::format("[{}]", fmt::join(axes, ", ")));
  s.text = fmt::format("@{} split_axes = [{}]", s.grid->name, fmt::join(lists, ", "));
  if (!s.halos.empty())
    s.text += fmt::format(" halo_sizes = [{}]", fmt::join(s.halos, ", "));
  if (!s.offsets.empty())
    s.text += fmt::format(" sharded_dims_offsets = [{}]", fmt::join(s.offsets, ", "));
  return bind_sharding(r, op, std::move(s));
}

// shard.get_sharding %x : T -> !shard.sharding. Of a value that the text says nothing about it is whatever
// propagation gives it: what is annotated with that is sharded like the value.
bool lower_get_sharding(Reader &r, OpText &op) {
  const ValueId v = op.operands[0];
  const GridCode &code = r.grid_code;
  if (const auto used = code.used.find(v); used != code.used.end())
    return bind_sharding(r, op, used->second.sharding);
  if (const auto made = code.made.find(v); made != code.made.end())
    return bind_sharding(r, op, made->second.sharding);
  GridSharding s;
  s.like = v;
  s.text = "that of another value";
  return bind_sharding(r, op, std::move(s));
}

// shard.shard_shape dims = [8, %n] sharding = %s device = [%i, 0] : index, index
// Halos count, at the border of the array too.
bool lower_shard_shape(Reader &r, OpText &op) {
  const Clauses &clauses = r.grid_code.clauses;
  const GridSharding &s = *clauses.sharding;
  const Clauses::List &dims = *clauses.list("dims");
  if (s.like != graph::kNone)
    return r.s.fail(
        "TW-116", op.at,
        fmt::format("{}: the sharding is that of a value for which none is stated, and is not known "
                    "before the program is planned: annotate that value",
                    op.name));
  const Grid &grid = *s.grid;
  IndexMath math(r, op);
  std::vector<Index> at;
  if (!read_device(r, op, math, grid, *clauses.list("device"), at))
    return false;
  if (dims.numbers.size() < s.split_axes.size())
    return r.s.fail("TW-116", dims.at,
                    fmt::format("{}: {} dimensions, and the sharding {} speaks of {}", op.name,
                                dims.numbers.size(), s.text, s.split_axes.size()));
  const std::vector<Index> size = indices_of(math, dims);
  std::vector<ValueId> extents;
  for (size_t d = 0; d < size.size(); ++d) {
    Index tile = IndexMath::of_number(0), extent = size[d];
    const Index tiles = IndexMath::of_number(s.tiles(d)), one = IndexMath::of_number(1);
    if (s.is_sharded(d))
      for (const int64_t axis : s.split_axes[d])
        tile = math.add(math.multiply(tile, IndexMath::of_number(grid.size(static_cast<size_t>(axis)))),
                        at[static_cast<size_t>(axis)]);
    if (const auto offsets = s.offsets_of(d); !offsets.empty()) {
      if (size[d].number && *size[d].number != offsets.back())
        return r.s.fail("TW-116", dims.at,
                        fmt::format("{}: dimension {} of size {} has offsets that end at {}", op.name, d,
                                    *size[d].number, offsets.back()));
      std::vector<int64_t> table;
      for (size_t t = 0; t + 1 < offsets.size(); ++t)
        table.push_back(offsets[t + 1] - offsets[t]);
      extent = math.look_up(table, tile);
    } else if (s.is_sharded(d)) {
      extent = math.subtract(math.divide(math.multiply(math.add(tile, one), size[d]), tiles),
                             math.divide(math.multiply(tile, size[d]), tiles));
      const auto [before, after] = s.halo(d);
      extent = math.add(extent, IndexMath::of_number(before + after));
    }
    extents.push_back(math.value(extent));
  }
  return math.ok() && bind_local(r, op, extents);
}

} // namespace tw::import::shard
