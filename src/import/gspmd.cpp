// SPDX-License-Identifier: Apache-2.0
// GSPMD's sharding strings, and the one mesh whose axes say the same.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "import/shardings.hpp"

namespace tw::import {
namespace {

constexpr int64_t kMaxDevices = int64_t{1} << 32;
constexpr uint32_t kMaxTupleDepth = 4;

bool parse_ints(Scanner &s, char open, char close, std::vector<int64_t> &values) {
  if (!s.expect(open, "in a sharding"))
    return false;
  do {
    if (!s.integer(values.emplace_back()))
      return false;
  } while (s.accept(','));
  return s.expect(close, "in a sharding");
}

// Product of positive sizes, or 0 where one is not positive or the product is too large.
int64_t device_count(const std::vector<int64_t> &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size < 1 || __builtin_mul_overflow(count, size, &count) || count > kMaxDevices)
      return 0;
  return count;
}

bool check(Scanner &s, const TileAssignment &a, const char *at) {
  const int64_t count = device_count(a.tiles);
  if (count == 0 || a.subgroups > a.tiles.size())
    return s.fail("TW-107", at, "the tile counts must be positive, their product at most 2^32");
  if (a.iota.empty())
    return static_cast<int64_t>(a.devices.size()) == count ||
           s.fail("TW-107", at, fmt::format("{} devices are listed for {} tiles", a.devices.size(), count));
  if (device_count(a.iota) != count)
    return s.fail("TW-107", at, fmt::format("the device order does not have {} devices", count));
  std::vector<int64_t> sorted = a.transpose;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i)
    if (sorted.size() != a.iota.size() || sorted[i] != static_cast<int64_t>(i))
      return s.fail("TW-107", at, fmt::format("T(..) must be a permutation of {} dimensions", a.iota.size()));
  return true;
}

bool parse_tiles(Scanner &s, ShardingAnnotation &sharding) {
  TileAssignment a;
  const char *at = s.here();
  if (!s.expect('=', "after devices") || !parse_ints(s, '[', ']', a.tiles))
    return false;
  if (s.accept("<=")) {
    if (!parse_ints(s, '[', ']', a.iota) || (s.accept('T') && !parse_ints(s, '(', ')', a.transpose)))
      return false;
  } else {
    do {
      if (!s.integer(a.devices.emplace_back()))
        return false;
    } while (s.accept(','));
  }
  sharding.kind = ShardingAnnotation::Kind::tiles;
  while (!s.failed() && s.peek() != '}' && !s.at_end()) {
    if (s.accept("last_tile_dim_replicate")) {
      a.subgroups = 1;
    } else if (s.accept("last_tile_dims")) {
      if (!s.expect('=', "after last_tile_dims") || !s.expect('{', "before subgroup kinds"))
        return false;
      do {
        ++a.subgroups;
        if (s.accept("manual"))
          sharding.kind = ShardingAnnotation::Kind::manual;
        else if (!s.accept("replicated"))
          return s.fail_here("replicated or manual", "as the kind of a subgroup");
      } while (s.accept(','));
      if (!s.expect('}', "after subgroup kinds"))
        return false;
    } else if (s.accept("metadata")) {
      std::string_view metadata;
      if (!s.expect('=', "after metadata") || !s.skip_term(metadata))
        return false;
    } else {
      return s.fail_here("'}'", "at the end of a sharding");
    }
  }
  if (!check(s, a, at))
    return false;
  sharding.assignment = std::move(a);
  return true;
}

bool parse_one(Scanner &s, std::vector<ShardingAnnotation> &shardings, uint32_t depth) {
  const char *start = s.here();
  if (depth > kMaxTupleDepth || !s.expect('{', "before a sharding"))
    return s.fail_here("a sharding that is not nested deeper", {});
  if (s.peek() == '{') { // one a result
    do {
      if (!parse_one(s, shardings, depth + 1))
        return false;
    } while (s.accept(','));
    return s.expect('}', "after shardings");
  }
  ShardingAnnotation sharding;
  if (s.accept("maximal")) {
    sharding.kind = ShardingAnnotation::Kind::maximal;
    if (!s.expect("device", "after maximal") || !s.expect('=', "after device") || !s.integer(sharding.device))
      return false;
  } else if (s.accept("manual")) {
    sharding.kind = ShardingAnnotation::Kind::manual;
  } else if (s.accept("devices")) {
    if (!parse_tiles(s, sharding))
      return false;
  } else if (!s.accept("replicated")) {
    return s.fail_here("replicated, maximal, manual or devices=[..]", "in a sharding");
  }
  if (!s.expect('}', "at the end of a sharding"))
    return false;
  sharding.text.assign(start, s.cursor().at);
  shardings.push_back(std::move(sharding));
  return true;
}

// An explicit device list that counts through its tiles with a fixed stride a dimension is an iota, reshaped and transposed.
bool find_iota(TileAssignment &a) {
  if (!a.iota.empty())
    return true;
  const size_t n = a.devices.size();
  for (int64_t device : a.devices)
    if (device < 0 || device >= static_cast<int64_t>(n))
      return false;
  if (a.devices[0] != 0)
    return false;
  std::vector<int64_t> strides(a.tiles.size(), 0);
  size_t inner = n;
  for (size_t i = 0; i < a.tiles.size(); ++i) {
    inner /= static_cast<size_t>(a.tiles[i]);
    if (a.tiles[i] > 1)
      strides[i] = a.devices[inner] - a.devices[0];
  }
  for (size_t flat = 0; flat < n; ++flat) {
    int64_t device = a.devices[0];
    size_t rest = flat;
    for (size_t i = a.tiles.size(); i-- > 0; rest /= static_cast<size_t>(a.tiles[i]))
      device += strides[i] * static_cast<int64_t>(rest % static_cast<size_t>(a.tiles[i]));
    if (device != a.devices[flat])
      return false;
  }
  std::vector<size_t> order(a.tiles.size()); // tile dimensions, largest stride first
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) { return strides[x] > strides[y]; });
  int64_t expected = 1;
  for (size_t i = order.size(); i-- > 0;) {
    if (a.tiles[order[i]] > 1 && strides[order[i]] != expected)
      return false;
    expected *= a.tiles[order[i]];
  }
  a.transpose.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    a.iota.push_back(a.tiles[order[i]]);
    a.transpose[order[i]] = static_cast<int64_t>(i);
  }
  return true;
}

// A run of devices' digits: the axis part of this size that `pre` devices' worth of more major axes precede.
struct Piece {
  int64_t pre, size;
};

// The pieces that each tile dimension takes, major to minor; nothing where a tile count cuts across the device order.
std::optional<std::vector<std::vector<Piece>>> pieces_of(const TileAssignment &a) {
  std::vector<Piece> axes; // in transposed order
  for (size_t j = 0; j < a.iota.size(); ++j) {
    const auto k = a.transpose.empty() ? j : static_cast<size_t>(a.transpose[j]);
    axes.push_back({std::accumulate(a.iota.begin(), a.iota.begin() + static_cast<ptrdiff_t>(k), int64_t{1},
                                    std::multiplies<>()),
                    a.iota[k]});
  }
  std::vector<std::vector<Piece>> dims;
  size_t next = 0;
  for (int64_t need : a.tiles) {
    auto &pieces = dims.emplace_back();
    while (need > 1) {
      if (axes[next].size == 1) {
        ++next;
        continue;
      }
      Piece &axis = axes[next];
      const int64_t take = need % axis.size == 0 ? axis.size : axis.size % need == 0 ? need : 0;
      if (take == 0)
        return std::nullopt;
      pieces.push_back({axis.pre, take});
      axis = {axis.pre * take, axis.size / take};
      need /= take;
    }
  }
  return dims;
}

} // namespace

Result<std::vector<ShardingAnnotation>> parse_gspmd(std::string_view text) {
  Scanner s(text, "", 1);
  std::vector<ShardingAnnotation> shardings;
  if (s.at_end()) // an empty string says nothing
    return shardings;
  if (!parse_one(s, shardings, 0) || (!s.at_end() && !s.fail_here("the end of the sharding", {}))) {
    const Error error = s.take_error();
    return fail(Code::invalid_argument, "TW-107",
                fmt::format("sharding \"{}\": {}", text.substr(0, 80), error.message()));
  }
  return shardings;
}

void express_by_mesh(Annotations &annotations) {
  struct Found {
    ShardingAnnotation *sharding;
    std::vector<std::vector<Piece>> dims;
  };
  std::vector<Found> found;
  std::vector<int64_t> cuts;
  int64_t devices = 0;
  for (Annotation &annotation : annotations.all) {
    ShardingAnnotation &sharding = annotation.sharding;
    if (sharding.kind != ShardingAnnotation::Kind::tiles)
      continue;
    const int64_t count = device_count(sharding.assignment->tiles);
    TileAssignment a = *sharding.assignment;
    if (!find_iota(a) || (devices != 0 && count != devices))
      return;
    devices = count;
    auto dims = pieces_of(a);
    if (!dims)
      return;
    for (const auto &pieces : *dims)
      for (const Piece &piece : pieces) {
        cuts.push_back(piece.pre);
        cuts.push_back(piece.pre * piece.size);
      }
    found.push_back({&sharding, std::move(*dims)});
  }
  if (found.empty())
    return;
  cuts.push_back(1);
  cuts.push_back(devices);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  MeshDecl mesh{"gspmd", {}, {}};
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (cuts[i + 1] % cuts[i] != 0)
      return; // no chain of axes has all these cuts
    mesh.axes.emplace_back(fmt::format("axis{}", i), cuts[i + 1] / cuts[i]);
  }
  for (Found &f : found) {
    ShardingAnnotation &sharding = *f.sharding;
    sharding.kind = ShardingAnnotation::Kind::axes;
    sharding.mesh = mesh.name;
    sharding.dims.assign(f.dims.size() - sharding.assignment->subgroups, {});
    for (size_t d = 0; d < sharding.dims.size(); ++d)
      for (const Piece &piece : f.dims[d])
        for (size_t i = 0; i + 1 < cuts.size(); ++i)
          if (cuts[i] >= piece.pre && cuts[i] < piece.pre * piece.size)
            sharding.dims[d].axes.push_back({mesh.axes[i].first, 1, 0});
  }
  annotations.meshes.push_back(std::move(mesh));
}

bool ShardingAnnotation::constrains() const {
  if (kind != Kind::axes || !unreduced.empty())
    return true;
  return std::any_of(dims.begin(), dims.end(), [](const DimAnnotation &dim) { return !dim.axes.empty(); });
}

const MeshDecl *Annotations::find_mesh(std::string_view name) const {
  const auto mesh =
      std::find_if(meshes.begin(), meshes.end(), [&](const MeshDecl &m) { return m.name == name; });
  return mesh == meshes.end() ? nullptr : &*mesh;
}

const MeshDecl *Annotations::declared_mesh() const {
  const MeshDecl *decl = nullptr;
  for (const Annotation &a : all)
    if (decl == nullptr && !a.sharding.mesh.empty())
      decl = find_mesh(a.sharding.mesh);
  for (const MeshDecl &m : meshes)
    if (decl == nullptr && !m.axes.empty())
      decl = &m;
  return decl;
}

} // namespace tw::import
