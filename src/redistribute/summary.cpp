// SPDX-License-Identifier: Apache-2.0
// What an exchange amounts to: its kind, the axes over which data moves, and the bytes that devices receive.
#include "redistribute/exchange.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <optional>

#include "redistribute/problem.hpp"
#include "redistribute/received.hpp"
#include "redistribute/tile_walk.hpp"

namespace tw::redistribute {

using sharding::AxisId;
using sharding::DimSharding;
using sharding::Interval;
using sharding::Mesh;
using sharding::SplitRule;

namespace {

using sharding::AxisSet;

constexpr std::array<std::string_view, kNumKinds> kNames = {
    "copy", "all_gather", "all_reduce", "reduce_scatter", "all_to_all", "permute", "exchange"};

AxisSet set_of(std::span<const AxisId> axes) {
  AxisSet set;
  for (const AxisId axis : axes)
    set.add(axis);
  return set;
}

bool is_even(const SplitRule &rule, int64_t n, int64_t tiles) {
  return tiles == 1 || (rule.kind <= SplitRule::Kind::ceil && n / rule.unit % tiles == 0);
}

// Whether each of the outer tiles is exactly `inner` of the finer ones.
bool nests(const SplitRule &outer, const SplitRule &fine, int64_t n, int64_t tiles, int64_t inner) {
  if (tiles == 1 || (is_even(outer, n, tiles) && is_even(fine, n, tiles * inner)))
    return true;
  if (outer.kind == SplitRule::Kind::balanced && fine.kind == SplitRule::Kind::balanced &&
      outer.unit == fine.unit)
    return true;
  for (int64_t t = 0; t < tiles; ++t)
    if (tile(outer, n, tiles, t) != Interval{tile(fine, n, tiles * inner, t * inner).begin,
                                             tile(fine, n, tiles * inner, (t + 1) * inner - 1).end})
      return false;
  return true;
}

// Whether each of the finer tiles, which may overlap, lies in its outer one.
bool holds(const SplitRule &outer, const SplitRule &fine, int64_t n, int64_t tiles, int64_t inner) {
  for (int64_t t = 0; t < tiles * inner; ++t) {
    const Interval held = tile(outer, n, tiles, t / inner), wanted = tile(fine, n, tiles * inner, t);
    if (wanted.size() > 0 && (wanted.begin < held.begin || wanted.end > held.end))
      return false;
  }
  return true;
}

bool same_tiles(const SplitRule &a, const SplitRule &b, int64_t n, int64_t tiles) {
  return a == b || nests(a, b, n, tiles, 1);
}

// How one dimension changes.
struct DimChange {
  enum class Kind : uint8_t {
    same,
    sliced,   // every target tile lies in the source tile of the same device
    gathered, // every target tile is made of whole source tiles
    other,
  };
  Kind kind = Kind::same;
  int64_t n = 1;
  const SplitRule *source_rule = nullptr, *target_rule = nullptr;
  std::vector<AxisId> source_axes, target_axes; // those of size above 1
  int64_t source_tiles = 1, target_tiles = 1;
  AxisSet lost, gained; // axes behind the common prefix

  bool even() const {
    return is_even(*source_rule, n, source_tiles) && is_even(*target_rule, n, target_tiles);
  }
};

DimChange change_of(const DimSharding &source, const DimSharding &target, int64_t n, const Mesh &mesh) {
  DimChange c;
  c.n = n;
  c.source_rule = &source.rule;
  c.target_rule = &target.rule;
  const auto matters = [&](AxisId axis) { return mesh.size(axis) > 1; };
  std::ranges::copy_if(source.axes, std::back_inserter(c.source_axes), matters);
  std::ranges::copy_if(target.axes, std::back_inserter(c.target_axes), matters);
  c.source_tiles = num_tiles(source, mesh);
  c.target_tiles = num_tiles(target, mesh);
  const auto [from, to] = std::ranges::mismatch(c.source_axes, c.target_axes);
  c.lost = set_of({from, c.source_axes.end()});
  c.gained = set_of({to, c.target_axes.end()});
  using Kind = DimChange::Kind;
  const bool from_spans = source.rule.kind == SplitRule::Kind::spans;
  if (from_spans || target.rule.kind == SplitRule::Kind::spans)
    c.kind =
        c.lost.empty() && holds(source.rule, target.rule, n, c.source_tiles, c.target_tiles / c.source_tiles)
            ? Kind::sliced
            : Kind::other;
  else if (c.lost.empty() && c.gained.empty())
    c.kind = same_tiles(source.rule, target.rule, n, c.source_tiles) ? Kind::same : Kind::other;
  else if (c.lost.empty())
    c.kind = nests(source.rule, target.rule, n, c.source_tiles, c.target_tiles / c.source_tiles)
                 ? Kind::sliced
                 : Kind::other;
  else if (c.gained.empty())
    c.kind = nests(target.rule, source.rule, n, c.target_tiles, c.source_tiles / c.target_tiles)
                 ? Kind::gathered
                 : Kind::other;
  else
    c.kind = Kind::other;
  TW_ASSERT(!from_spans || c.kind != Kind::other); // tiles that overlap are no source but of local slices
  if (c.kind == Kind::other && c.lost.empty())     // the same axes cut elsewhere: all of them move data
    c.lost = set_of(c.source_axes);
  return c;
}

// The whole change, and what decides its kind.
struct Change {
  std::vector<DimChange> dims;
  AxisSet combined;  // partial axes that are reduced
  int64_t group = 1; // product of their sizes
  sharding::Reduction reduction = sharding::Reduction::raw;
  AxisSet lost, gained;

  bool all(std::initializer_list<DimChange::Kind> kinds) const {
    return std::ranges::all_of(dims,
                               [&](const DimChange &d) { return std::ranges::count(kinds, d.kind) != 0; });
  }
};

Change change_of(const Problem &problem) {
  const Mesh &mesh = problem.src().mesh;
  Change change;
  for (size_t d = 0; d < problem.rank(); ++d) {
    change.dims.push_back(change_of(problem.src().sharding.dims[d], problem.dst().sharding.dims[d],
                                    problem.type().dims[d], mesh));
    change.lost |= change.dims.back().lost;
    change.gained |= change.dims.back().gained;
  }
  for (const AxisId axis : problem.combined())
    if (mesh.size(axis) > 1) {
      change.combined.add(axis);
      change.group *= mesh.size(axis);
      change.reduction = problem.reduction();
    }
  TW_ASSERT(change.combined.empty() || change.reduction != sharding::Reduction::raw);
  return change;
}

// Whether every target tile is one whole source tile, or empty.
bool takes_whole_tiles(const DimChange &d) {
  if (d.source_tiles != d.target_tiles)
    return false;
  if (d.target_rule->kind != SplitRule::Kind::spans)
    return same_tiles(*d.source_rule, *d.target_rule, d.n, d.source_tiles);
  std::vector<Interval> tiles; // of the source, ascending
  for (int64_t t = 0; t < d.source_tiles; ++t)
    tiles.push_back(tile(*d.source_rule, d.n, d.source_tiles, t));
  std::erase_if(tiles, [](const Interval &t) { return t.size() <= 0; });
  for (int64_t t = 0; t < d.target_tiles; ++t) {
    const Interval wanted = tile(*d.target_rule, d.n, d.target_tiles, t);
    const auto found = std::ranges::lower_bound(tiles, wanted.begin, {}, &Interval::begin);
    if (wanted.size() > 0 && (found == tiles.end() || *found != wanted))
      return false;
  }
  return true;
}

Kind kind_of(const Change &c) {
  using Dim = DimChange::Kind;
  if (!c.combined.empty()) {
    if (!c.all({Dim::same, Dim::sliced}))
      return Kind::exchange;
    const AxisSet scattered = c.combined & c.gained;
    return scattered.empty()         ? Kind::all_reduce
           : scattered == c.combined ? Kind::reduce_scatter
                                     : Kind::exchange;
  }
  if (c.all({Dim::same, Dim::sliced}))
    return Kind::copy;
  if (c.all({Dim::same, Dim::sliced, Dim::gathered})) {
    const AxisSet moved = c.lost & c.gained;
    if (moved.empty())
      return Kind::all_gather;
    return moved == c.lost ? Kind::all_to_all : Kind::exchange;
  }
  return std::ranges::all_of(c.dims, takes_whole_tiles) ? Kind::permute : Kind::exchange;
}

// 2S(g-1)/g, rounded up; S is at most 2^62.
int64_t all_reduce_bytes(int64_t size, int64_t group) {
  const int64_t rest = size % group * 2 * (group - 1);
  return size / group * 2 * (group - 1) + rest / group + (rest % group != 0 ? 1 : 0);
}

// Counts the bytes of devices.
class Meter {
public:
  Meter(const Change &c, Kind kind, int64_t byte_size) : c_(c), kind_(kind), byte_size_(byte_size) {}

  // What a device receives.
  int64_t bytes(TileElements e) const {
    return kind_ == Kind::all_reduce ? all_reduce_bytes(e.wanted * byte_size_, c_.group)
                                     : e.received(c_.group) * byte_size_;
  }

  // So many devices that hold and want as much.
  void add(TileElements e, int64_t count = 1) {
    const int64_t received = bytes(e);
    max_ = std::max(max_, received);
    min_ = devices_ == 0 ? received : std::min(min_, received);
    devices_ += count;
    const auto size = static_cast<double>(e.wanted * byte_size_), group = static_cast<double>(c_.group);
    sum_ += static_cast<double>(count) *
            (kind_ == Kind::all_reduce ? 2.0 * size * (group - 1) / group : static_cast<double>(received));
  }

  int64_t max() const { return max_; }
  bool even() const { return min_ == max_; }
  double mean() const { return sum_ / static_cast<double>(devices_); }

private:
  const Change &c_;
  Kind kind_;
  int64_t byte_size_;
  int64_t max_ = 0, min_ = 0, devices_ = 0;
  double sum_ = 0;
};

int64_t tile_at(std::span<const AxisId> axes, std::span<const int64_t> coordinates, const Mesh &mesh) {
  int64_t index = 0;
  for (const AxisId axis : axes)
    index = index * mesh.size(axis) + coordinates[axis];
  return index;
}

TileElements elements_at(const Change &c, std::span<const int64_t> coordinates, const Mesh &mesh) {
  TileElements e;
  for (const DimChange &d : c.dims)
    e.add(tile(*d.source_rule, d.n, d.source_tiles, tile_at(d.source_axes, coordinates, mesh)),
          tile(*d.target_rule, d.n, d.target_tiles, tile_at(d.target_axes, coordinates, mesh)));
  return e;
}

// Visits every coordinate along some axes, the last one fastest; the others stay 0.
template <class Visit> void each_coordinate(const Mesh &mesh, AxisSet axes, Visit visit) {
  std::vector<int64_t> at(mesh.num_axes(), 0);
  for (;;) {
    visit(std::as_const(at));
    size_t a = at.size();
    while (a-- > 0) {
      if (axes.contains(a) && ++at[a] < mesh.size(static_cast<AxisId>(a)))
        break;
      at[a] = 0;
    }
    if (a == SIZE_MAX)
      return;
  }
}

// A dimension whose tiles of one size go elsewhere: the axes behind those with which both lists begin.
struct Elsewhere {
  std::span<const AxisId> source_axes, target_axes;
  int64_t source_size, target_size; // of tiles
};

// On how many of so many devices, which are all places along some axes, the tiles of all dimensions meet,
// where a coordinate or several alone decide that: lists of axes then have equal sizes at each place, and say
// which coordinates are to be the same.
std::optional<int64_t> count_meeting(std::span<const Elsewhere> dims, const Mesh &mesh, int64_t devices) {
  std::vector<AxisId> same(mesh.num_axes()); // the coordinate along another axis is to be as this one is
  std::iota(same.begin(), same.end(), AxisId{0});
  const auto last = [&](AxisId axis) {
    while (same[axis] != axis)
      axis = same[axis];
    return axis;
  };
  for (const Elsewhere &d : dims)
    for (size_t i = 0; i < std::min(d.source_axes.size(), d.target_axes.size()); ++i) {
      if (mesh.size(d.source_axes[i]) != mesh.size(d.target_axes[i]))
        return std::nullopt;
      const AxisId from = last(d.source_axes[i]), to = last(d.target_axes[i]);
      if (from == to)
        continue;
      same[from] = to;
      devices /= mesh.size(from);
    }
  return devices;
}

// Of tiles of one size. Devices differ only in how much they hold of dimensions whose tiles go elsewhere, and
// most often hold all of a tile or nothing: none needs to be looked at, however large the mesh is. False
// where that is not so.
bool measure_even(const Change &c, const Mesh &mesh, Meter &meter) {
  if (!std::ranges::all_of(c.dims, &DimChange::even))
    return false;
  TileElements common;
  std::vector<Elsewhere> dims;
  AxisSet axes;
  for (const DimChange &d : c.dims) {
    common.wanted *= d.n / d.target_tiles;
    if (d.kind != DimChange::Kind::other) {
      common.held *= d.n / (d.kind == DimChange::Kind::gathered ? d.source_tiles : d.target_tiles);
      continue;
    }
    const auto alike =
        static_cast<size_t>(std::ranges::mismatch(d.source_axes, d.target_axes).in1 - d.source_axes.begin());
    dims.push_back({std::span(d.source_axes).subspan(alike), std::span(d.target_axes).subspan(alike),
                    d.n / d.source_tiles, d.n / d.target_tiles});
    axes |= set_of(dims.back().source_axes) | set_of(dims.back().target_axes);
  }
  int64_t devices = 1;
  for (const AxisId axis : axes)
    devices *= mesh.size(axis);
  const auto meeting = count_meeting(dims, mesh, devices);
  if (!meeting)
    return false;
  TileElements e = common;
  for (const Elsewhere &d : dims)
    e.held *= std::min(d.source_size, d.target_size);
  meter.add(e, *meeting);
  e.held = 0;
  if (*meeting < devices)
    meter.add(e, devices - *meeting);
  return true;
}

// What devices have of some dimensions, and how many of those that differ along their axes.
using Shares = std::map<std::pair<int64_t, int64_t>, int64_t>; // of elements wanted and held

Shares shares_of(std::span<const DimChange *const> dims, AxisSet axes, const Mesh &mesh) {
  Shares shares;
  TileWalk walk(axes, mesh);
  for (const DimChange *d : dims)
    walk.add(d->n, {d->source_rule, d->source_tiles, d->source_axes},
             {d->target_rule, d->target_tiles, d->target_axes});
  TileElements last = walk.elements();
  int64_t alike = 1; // neighbours most often have equal shares
  const auto count = [&] { shares[{last.wanted, last.held}] += alike; };
  while (walk.next()) {
    const TileElements e = walk.elements();
    if (e.wanted == last.wanted && e.held == last.held) {
      ++alike;
      continue;
    }
    count();
    last = e;
    alike = 1;
  }
  count();
  return shares;
}

// Of tiles of any sizes: dimensions that have no axis in common are counted by themselves.
void measure(const Change &c, const Mesh &mesh, Meter &meter) {
  struct Group {
    AxisSet axes;
    std::vector<const DimChange *> dims;
  };
  std::vector<Group> groups;
  for (const DimChange &d : c.dims) {
    Group joined{set_of(d.source_axes) | set_of(d.target_axes), {&d}};
    std::erase_if(groups, [&](const Group &other) {
      if ((other.axes & joined.axes).empty())
        return false;
      joined.axes |= other.axes;
      joined.dims.insert(joined.dims.end(), other.dims.begin(), other.dims.end());
      return true;
    });
    groups.push_back(std::move(joined));
  }
  Shares all{{{1, 1}, 1}};
  for (const Group &group : groups) {
    Shares next;
    for (const auto &[share, count] : shares_of(group.dims, group.axes, mesh))
      for (const auto &[before, times] : all)
        next[{before.first * share.first, before.second * share.second}] += times * count;
    all = std::move(next);
  }
  for (const auto &[share, count] : all)
    meter.add({share.first, share.second}, count);
}

} // namespace

std::string_view name(Kind k) { return kNames[static_cast<size_t>(k)]; }

Summary summarise(const Problem &problem) {
  TW_ASSERT(problem.same_mesh());
  const Mesh &mesh = problem.src().mesh;
  const Change change = change_of(problem);
  Summary summary;
  summary.kind = kind_of(change);
  if (summary.kind == Kind::copy)
    return summary;
  summary.reduction = change.reduction;
  AxisSet axes = change.lost | change.combined;
  if (summary.kind == Kind::permute || summary.kind == Kind::exchange)
    axes |= change.gained;
  summary.axes.assign(axes.begin(), axes.end());
  Meter meter(change, summary.kind, problem.item_size());
  if (!measure_even(change, mesh, meter))
    measure(change, mesh, meter);
  summary.bytes_received_max = meter.max();
  summary.bytes_received_mean = meter.mean();
  summary.even = meter.even();
  return summary;
}

Summary &Summary::operator+=(const Summary &other) {
  bytes_received_max += other.bytes_received_max; // as if one device had the most of each
  bytes_received_mean += other.bytes_received_mean;
  even = even && other.even;
  return *this;
}

std::vector<int64_t> bytes_received(const Problem &problem) {
  const Mesh &mesh = problem.src().mesh;
  const Change change = change_of(problem);
  const Meter meter(change, kind_of(change), problem.item_size());
  std::vector<int64_t> bytes;
  bytes.reserve(static_cast<size_t>(mesh.num_positions()));
  each_coordinate(mesh, AxisSet::first(mesh.num_axes()), [&](std::span<const int64_t> at) {
    bytes.push_back(meter.bytes(elements_at(change, at, mesh)));
  });
  return bytes;
}

} // namespace tw::redistribute
