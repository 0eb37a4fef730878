// SPDX-License-Identifier: Apache-2.0
// Prints types as the paper writes them: `[8{x,y}32, 16]`, axes minor to major.
#include "redistribute/type_text.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw::redistribute {

using sharding::AxisId;
using sharding::Mesh;
using sharding::Sharding;

namespace {

std::string dimension(int64_t tile, int64_t tiles, const std::string &axes, int64_t n) {
  if (axes.empty() && tile == n)
    return fmt::format("{}", n);
  return fmt::format("{}{}{{{}}}{}", tile * tiles == n ? "" : "~", tile, axes, n);
}

// All axes cut into primes, so that a part of an axis is one.
Mesh in_primes(Mesh mesh) {
  for (size_t a = mesh.num_axes(); a-- > 0;) {
    std::vector<int64_t> parts;
    int64_t rest = mesh.size(static_cast<AxisId>(a));
    for (int64_t p = 2; rest > 1; ++p)
      for (; rest % p == 0; rest /= p)
        parts.push_back(p);
    if (parts.size() > 1 && mesh.num_axes() + parts.size() <= sharding::kMaxAxes)
      if (auto fine = mesh.refine(static_cast<AxisId>(a), parts))
        mesh = std::move(*fine);
  }
  return mesh;
}

// The axes, minor first, that number the tiles of a dimension: index = sum of coordinate * weight.
std::optional<std::vector<AxisId>> axes_of(std::span<const int64_t> index, int64_t tiles, const Mesh &mesh) {
  std::vector<AxisId> axes;
  for (int64_t weight = 1; weight < tiles;) {
    size_t a = 0;
    for (; a < mesh.num_axes(); ++a)
      if (mesh.size(static_cast<AxisId>(a)) > 1 &&
          index[static_cast<size_t>(mesh.stride(static_cast<AxisId>(a)))] - index[0] == weight)
        break;
    if (a == mesh.num_axes())
      return std::nullopt;
    axes.push_back(static_cast<AxisId>(a));
    weight *= mesh.size(static_cast<AxisId>(a));
  }
  for (size_t p = 0; p < index.size(); ++p) {
    int64_t wanted = 0, weight = 1;
    for (const AxisId a : axes) {
      wanted += weight * mesh.coordinate(Position(static_cast<int64_t>(p)), a);
      weight *= mesh.size(a);
    }
    if (index[p] != wanted)
      return std::nullopt;
  }
  return axes;
}

std::string names(const std::vector<AxisId> &minor_first, const Mesh &mesh) {
  std::vector<std::string> result; // neighbouring parts of one axis are one
  for (size_t i = 0; i < minor_first.size();) {
    const sharding::Axis *major = &mesh.axis(minor_first[i]);
    int64_t size = major->size;
    for (++i; i < minor_first.size(); ++i) {
      const sharding::Axis &next = mesh.axis(minor_first[i]);
      if (next.parent != major->parent || next.pre * next.size != major->pre)
        break;
      major = &next;
      size *= next.size;
    }
    int64_t whole = 1;
    for (const sharding::Axis &axis : mesh.axes())
      whole *= axis.parent == major->parent ? axis.size : 1;
    result.push_back(size == whole ? major->parent
                                   : fmt::format("{}:({}){}", major->parent, major->pre, size));
  }
  return fmt::format("{}", fmt::join(result, ","));
}

} // namespace

std::string paper_text(const Sharding &s, std::span<const int64_t> shape, const Mesh &mesh) {
  std::vector<std::string> dims;
  const auto largest = largest_tile(s, shape, mesh);
  for (size_t d = 0; d < shape.size(); ++d) {
    const auto &axes = s.dims[d].axes;
    dims.push_back(dimension(largest[d], num_tiles(s.dims[d], mesh),
                             names({axes.rbegin(), axes.rend()}, mesh), shape[d]));
  }
  std::string text = fmt::format("[{}]", fmt::join(dims, ", "));
  for (const sharding::Partial &partial : s.partial)
    text += fmt::format(" +{}:{}", sharding::name(partial.kind), mesh.axis(partial.axis).name);
  return text;
}

std::string paper_text(const Placement &tiles, const Problem &problem) {
  const Mesh mesh = in_primes(problem.src().mesh);
  std::vector<std::string> dims;
  for (size_t d = 0; d < problem.rank(); ++d) {
    std::vector<int64_t> offsets, index;
    int64_t largest = 0;
    for (Device device = 0; static_cast<size_t>(device) < problem.num_devices(); ++device) {
      offsets.push_back(tiles.offset(device)[d]);
      largest = std::max(largest, tiles.extent(device)[d]);
    }
    std::ranges::sort(offsets);
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    const auto count = static_cast<int64_t>(offsets.size());
    for (Position p; p < problem.src().mesh.num_devices(); ++p)
      index.push_back(std::ranges::lower_bound(offsets, tiles.offset(problem.src_device(p))[d]) -
                      offsets.begin());
    const auto axes = axes_of(index, count, mesh);
    dims.push_back(dimension(largest, count, axes ? names(*axes, mesh) : "*", problem.type().dims[d]));
  }
  return fmt::format("[{}]", fmt::join(dims, ", "));
}

} // namespace tw::redistribute
