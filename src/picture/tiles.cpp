// SPDX-License-Identifier: Apache-2.0
// Chooses the dimensions and tiles that a picture shows, and finds who holds them.
#include "picture/tiles.hpp"

#include <algorithm>

#include "sharding/spans_text.hpp"

namespace tw::picture {

namespace {

constexpr int64_t kMostTiles = 512; // of a picture
constexpr size_t kMostHolders = 64; // that are listed of a tile

// How many tiles a dimension shows, counted from the innermost.
int64_t limit_of(size_t from_inside) { return from_inside < 2 ? 8 : from_inside < 4 ? 4 : 2; }

Side side_of(const Subject &s, const sharding::Distribution &shown, size_t d) {
  Side side{.dim = d, .size = s.shape[d]};
  const sharding::DimSharding &dim = shown.sharding.dims[d];
  for (const AxisId a : dim.axes)
    if (s.mesh.size(a) > 1)
      side.axes.push_back(a);
  side.tiles = sharding::num_tiles(dim, s.mesh);
  return side;
}

// The first position that has tile t of a dimension; the last axis is the fastest.
int64_t first_position(const sharding::Mesh &mesh, const sharding::DimSharding &dim, int64_t t) {
  int64_t position = 0;
  for (auto axis = dim.axes.rbegin(); axis != dim.axes.rend(); ++axis) {
    position += t % mesh.size(*axis) * mesh.stride(*axis);
    t /= mesh.size(*axis);
  }
  return position;
}

// What whoever has tile t of a dimension holds of it, with what lies around the tile. It does not depend on
// other dimensions, so any position that has the tile will do.
Interval held_by(const Subject &s, size_t d, int64_t t) {
  const sharding::DimSharding &dim = s.layout.sharding.dims[d];
  return sharding::interval_of(dim, sharding::halo_of(s.layout.halos, d), s.shape[d], s.mesh,
                               Position(first_position(s.mesh, dim, t)));
}

void choose_tiles(const Subject &s, const sharding::Distribution &shown, Side &side, int64_t limit) {
  const sharding::SplitRule &rule = shown.sharding.dims[side.dim].rule;
  const auto core_of = [&](int64_t t) { return sharding::tile(rule, side.size, side.tiles, t); };
  std::vector<int64_t> full;
  side.low = 0, side.high = side.size;
  int64_t least = side.size, most = 0;
  for (int64_t t = 0; t < side.tiles; ++t) {
    const Interval core = core_of(t), held = held_by(s, side.dim, t);
    least = std::min(least, core.size()), most = std::max(most, core.size());
    side.halo = side.halo || core != held;
    if (held.size() > 0)
      full.push_back(t);
  }
  side.even = least == most;
  const auto count = static_cast<int64_t>(full.size());
  if (count <= limit)
    side.shown = full;
  else if (limit == 1)
    side.shown = {full.front()};
  else {
    side.shown.assign(full.begin(), full.begin() + (limit - 1));
    side.shown.push_back(full.back());
  }
  for (const int64_t t : side.shown) {
    const Interval core = core_of(t), held = held_by(s, side.dim, t);
    side.overlap = side.overlap || (!side.core.empty() && core.begin < side.core.back().end);
    side.core.push_back(core), side.held.push_back(held);
    side.low = std::min(side.low, held.begin), side.high = std::max(side.high, held.end);
  }
}

// Those that are cut, or have a halo; and besides the last ones that are whole, so that there are two.
std::vector<size_t> shown_dims(const Subject &s, const sharding::Distribution &shown) {
  std::vector<size_t> dims, others;
  for (size_t d = 0; d < s.shape.size(); ++d) {
    const bool cut = sharding::num_tiles(shown.sharding.dims[d], s.mesh) > 1 ||
                     !sharding::halo_of(s.layout.halos, d).empty();
    (cut ? dims : others).push_back(d);
  }
  while (dims.size() < 2 && !others.empty()) {
    dims.push_back(others.back());
    others.pop_back();
  }
  std::ranges::sort(dims);
  return dims;
}

// All places of the axes that do not tile, row-major: offsets of positions.
std::vector<int64_t> free_offsets(const sharding::Mesh &mesh, std::span<const AxisId> axes, int64_t count) {
  const auto offset = [&](int64_t i) {
    int64_t at = 0;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
      at += i % mesh.size(*axis) * mesh.stride(*axis);
      i /= mesh.size(*axis);
    }
    return at;
  };
  std::vector<int64_t> offsets;
  for (int64_t i = 0; i < count && offsets.size() + 1 < kMostHolders; ++i)
    offsets.push_back(offset(i));
  if (static_cast<int64_t>(offsets.size()) < count)
    offsets.push_back(offset(count - 1));
  return offsets;
}

void find_idle(const Subject &s, Tiles &made) {
  std::vector<std::vector<bool>> empty(s.shape.size()); // by dimension and tile
  bool any = false;
  for (size_t d = 0; d < s.shape.size(); ++d) {
    const sharding::DimSharding &dim = s.layout.sharding.dims[d];
    const int64_t tiles = sharding::num_tiles(dim, s.mesh);
    for (int64_t t = 0; t < tiles; ++t) {
      const Interval held = held_by(s, d, t);
      empty[d].push_back(held.size() <= 0);
      any = any || held.size() <= 0;
    }
  }
  if (!any)
    return;
  std::vector<bool> busy(static_cast<size_t>(s.mesh.num_devices()), false);
  for (Position p(0); p < s.mesh.num_positions(); ++p) {
    bool nothing = false;
    for (size_t d = 0; d < s.shape.size() && !nothing; ++d)
      nothing = empty[d][static_cast<size_t>(sharding::tile_index(s.layout.sharding.dims[d], s.mesh, p))];
    if (!nothing)
      busy[static_cast<size_t>(s.mesh.device_of(p).index())] = true;
  }
  for (int64_t device = 0; device < s.mesh.num_devices(); ++device)
    if (!busy[static_cast<size_t>(device)])
      made.idle.push_back(s.mesh.device_ids().empty() ? device
                                                      : s.mesh.device_ids()[static_cast<size_t>(device)]);
  std::ranges::sort(made.idle);
}

} // namespace

Tiles tiles_of(const Subject &s) {
  const sharding::Distribution shown = sharding::with_halos(s.layout, s.shape, s.mesh);
  Tiles made;
  const std::vector<size_t> dims = shown_dims(s, shown);
  for (const size_t d : dims)
    made.sides.push_back(side_of(s, shown, d));
  int64_t total = 1;
  for (size_t from_inside = 0; from_inside < made.sides.size(); ++from_inside) {
    Side &side = made.sides[made.sides.size() - 1 - from_inside];
    const int64_t wanted = std::min(side.tiles, limit_of(from_inside));
    choose_tiles(s, shown, side, wanted * total <= kMostTiles ? wanted : 1);
    total *= static_cast<int64_t>(side.shown.size());
    made.folded = made.folded || side.breaks_behind();
    for (size_t i = 0; i < side.shown.size(); ++i)
      made.folded = made.folded || side.breaks_before(i);
  }

  sharding::AxisSet tiling;
  for (const sharding::DimSharding &dim : s.layout.sharding.dims)
    for (const AxisId a : dim.axes)
      tiling.add(a);
  std::vector<AxisId> free;
  int64_t count = 1, steps = 1;
  for (AxisId a = 0; a < s.mesh.num_axes(); ++a) {
    if (tiling.contains(a) || s.mesh.size(a) == 1)
      continue;
    free.push_back(a);
    count *= s.mesh.size(a);
    if (s.mesh.is_loop(a))
      steps *= s.mesh.size(a);
    if (const sharding::Partial *partial = s.layout.sharding.find_partial(a)) {
      made.partial.push_back(*partial);
      made.num_partial *= s.mesh.size(a);
    } else if (!s.mesh.is_loop(a)) {
      made.copies.push_back(a);
      made.num_copies *= s.mesh.size(a);
    }
  }
  find_idle(s, made);
  if (std::ranges::any_of(s.shape, [](int64_t n) { return n == 0; }))
    return made;

  const std::vector<int64_t> offsets = free_offsets(s.mesh, free, count);
  for (int64_t i = 0; i < total; ++i) {
    Tile tile{.at = std::vector<size_t>(made.sides.size())};
    int64_t rest = i, first = 0;
    for (size_t k = made.sides.size(); k-- > 0;) {
      const auto places = static_cast<int64_t>(made.sides[k].shown.size());
      tile.at[k] = static_cast<size_t>(rest % places);
      rest /= places;
    }
    tile.offset.assign(s.shape.size(), 0);
    tile.extent.assign(s.shape.begin(), s.shape.end());
    for (size_t k = 0; k < made.sides.size(); ++k) {
      const Side &side = made.sides[k];
      const Interval held = side.held[tile.at[k]];
      tile.offset[side.dim] = held.begin, tile.extent[side.dim] = held.size();
      first += first_position(s.mesh, s.layout.sharding.dims[side.dim], side.shown[tile.at[k]]);
    }
    for (const int64_t offset : offsets)
      tile.positions.push_back(Position(first + offset));
    tile.holders = count;
    tile.devices = count / steps;
    made.tiles.push_back(std::move(tile));
  }
  return made;
}

std::vector<int64_t> devices_at(const sharding::Mesh &mesh, std::span<const Position> positions) {
  std::vector<int64_t> ids;
  for (const Position p : positions) {
    const int64_t device = mesh.device_of(p).index();
    ids.push_back(mesh.device_ids().empty() ? device : mesh.device_ids()[static_cast<size_t>(device)]);
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

} // namespace tw::picture
