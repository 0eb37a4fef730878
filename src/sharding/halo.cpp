// SPDX-License-Identifier: Apache-2.0
// Tiles with halos: where they lie, what they hold, and whether they are well-formed.
#include "sharding/halo.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sharding/verify_rule.hpp"

namespace tw::sharding {

Interval interval_of(const DimSharding &dim, const Halo &halo, int64_t n, const Mesh &mesh,
                     Position position) {
  const Interval core = tile(dim.rule, n, num_tiles(dim, mesh), tile_index(dim, mesh, position));
  return {core.begin - halo.before, core.end + halo.after};
}

int64_t element_at(const Halo &halo, int64_t n, int64_t coordinate) {
  if (halo.wraps() && n > 0)
    return (coordinate % n + n) % n;
  return coordinate < 0 || coordinate >= n ? -1 : coordinate;
}

std::vector<Interval> elements_of(const Halo &halo, int64_t n, Interval held) {
  const int64_t size = std::max<int64_t>(held.size(), 0);
  std::vector<Interval> parts;
  if (!halo.wraps() || n == 0) {
    parts = {{std::max<int64_t>(held.begin, 0), std::min(held.end, n)}};
  } else if (size >= n) {
    parts = {{0, n}};
  } else {
    const int64_t begin = (held.begin % n + n) % n;
    parts = {{0, begin + size - n}, {begin, std::min(begin + size, n)}};
  }
  std::erase_if(parts, [](const Interval &part) { return part.size() <= 0; });
  return parts;
}

Box box_of(const Distribution &s, std::span<const int64_t> shape, const Mesh &mesh, Position position) {
  TW_ASSERT(s.sharding.dims.size() == shape.size());
  Box box = Box::whole(shape);
  for (size_t d = 0; d < shape.size(); ++d) {
    const Interval held = interval_of(s.sharding.dims[d], halo_of(s.halos, d), shape[d], mesh, position);
    box.offset[d] = held.begin;
    box.extent[d] = held.size();
  }
  return box;
}

std::vector<int64_t> largest_tile(const Sharding &s, const Halos &halos, std::span<const int64_t> shape,
                                  const Mesh &mesh) {
  std::vector<int64_t> sizes = largest_tile(s, shape, mesh);
  for (size_t d = 0; d < sizes.size(); ++d)
    sizes[d] += halo_of(halos, d).before + halo_of(halos, d).after;
  return sizes;
}

Status verify(const DimSharding &dim, const Halo &halo, int64_t n, const Mesh &mesh, size_t d) {
  TW_TRY(verify_rule(dim.rule, n, num_tiles(dim, mesh), d));
  if (std::min(halo.before, halo.after) < 0 || std::max(halo.before, halo.after) > kMaxHalo)
    return fail(Code::invalid_argument, "TW-313",
                fmt::format("dimension {}: a halo of {} before a tile and {} after it: expected 0 to {}", d,
                            halo.before, halo.after, kMaxHalo));
  if (!halo.empty() && dim.rule.kind >= SplitRule::Kind::cuts)
    return fail(Code::invalid_argument, "TW-313",
                fmt::format("dimension {} has both explicit {} and the halo [{},{}]: leave out one of them",
                            d, dim.rule.kind == SplitRule::Kind::cuts ? "cuts" : "spans", halo.before,
                            halo.after));
  return {};
}

Status verify(const Sharding &s, const Halos &halos, std::span<const int64_t> shape, const Mesh &mesh) {
  TW_TRY(verify(s, shape, mesh));
  if (!halos.empty() && halos.size() != shape.size())
    return fail(Code::invalid_argument, "TW-310",
                fmt::format("halos of {} dimensions for an array of {}", halos.size(), shape.size()));
  for (size_t d = 0; d < shape.size(); ++d)
    TW_TRY(verify(s.dims[d], halo_of(halos, d), shape[d], mesh, d));
  return {};
}

} // namespace tw::sharding
