// SPDX-License-Identifier: Apache-2.0
// Reads distributed types.
#include "import/dist_type.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "graph/limits.hpp"
#include "import/dialects/partir/forms.hpp"

namespace tw::import {

namespace {

using Axis = DistType::Axis;

bool wrong(Reader &r, const char *at, std::string message) {
  return r.s.fail("TW-425", at, std::move(message));
}

// Of a range<n,w>: n.
std::optional<int64_t> extent_of(const sharding::Range &range) {
  int64_t extent = 0;
  const char *end = range.extent.data() + range.extent.size();
  const auto [stop, error] = std::from_chars(range.extent.data(), end, extent);
  return error == std::errc() && stop == end && !range.extent.empty() ? std::optional(extent) : std::nullopt;
}

std::string range_axis(const DistType &type, const sharding::Range &range) {
  const std::string text = sharding::text_of(range);
  std::string axis = text;
  for (int n = 1; type.find(axis) != nullptr; ++n)
    axis = fmt::format("{}#{}", text, n);
  return axis;
}

bool cut_dim(Reader &r, DistType &type, uint32_t axis, const char *at) {
  for (const auto &cuts : type.cuts)
    if (std::ranges::find(cuts, axis) != cuts.end())
      return wrong(r, at,
                   fmt::format("the axis \"{}\" tiles two dimensions, or one twice", type.axes[axis].name));
  if (type.axes[axis].stacked)
    return wrong(r, at,
                 fmt::format("over the axis \"{}\" the pieces are stacked, so it tiles nothing",
                             type.axes[axis].name));
  type.cuts.back().push_back(axis);
  return true;
}

bool begin_dim(Reader &r, DistType &type, int64_t size, const char *at) {
  if (size < 0 || size > graph::kMaxBytes)
    return wrong(r, at, fmt::format("there is no dimension of {} elements", size));
  if (type.dims.size() == graph::kMaxRank)
    return wrong(r, at, fmt::format("more than {} dimensions", graph::kMaxRank));
  type.dims.push_back(size);
  type.cuts.emplace_back();
  return true;
}

// 32{0,1}: axes by their places, major to minor.
bool read_counted_dim(Reader &r, DistType &type) {
  const char *at = r.s.here();
  int64_t size = 0, place = 0;
  if (!r.s.integer(size) || !begin_dim(r, type, size, at))
    return false;
  if (!r.s.accept('{'))
    return true;
  do {
    const char *place_at = r.s.here();
    if (!r.s.integer(place))
      return false;
    if (place < 0 || place >= std::ssize(type.axes))
      return wrong(r, place_at,
                   fmt::format("there is no axis {}: the type names {}", place, type.axes.size()));
    if (!cut_dim(r, type, static_cast<uint32_t>(place), place_at))
      return false;
  } while (r.s.accept(','));
  return r.s.expect('}', "after the axes of a dimension");
}

// dist_tensor<["a":range<2>, stacked "b":range<4>],[32{0}, 8]>; slides forget the first bracket.
bool read_counted(Reader &r, DistType &type) {
  if (!r.s.expect('<', "after dist_tensor"))
    return false;
  r.s.accept('[');
  while (r.s.peek() != ']') {
    Axis axis;
    axis.stacked = r.s.accept("stacked");
    std::string_view name;
    if (!r.s.string(name) || !r.s.expect(':', "after the name of an axis") ||
        !partir_dialect::read_range(r, axis.range))
      return false;
    axis.name = unescape_name(name);
    if (type.find(axis.name) != nullptr)
      return wrong(r, name.data(), fmt::format("the axis \"{}\" is named twice", axis.name));
    type.axes.push_back(std::move(axis));
    if (!r.s.accept(','))
      break;
  }
  if (!r.s.expect(']', "after the axes of a type") || !r.s.expect(',', "before the dimensions of a type") ||
      !r.s.expect('[', "before the dimensions of a type"))
    return false;
  while (r.s.peek() != ']') {
    if (!read_counted_dim(r, type))
      return false;
    if (!r.s.accept(','))
      break;
  }
  return r.s.expect(']', "after the dimensions of a type") && r.s.expect('>', "after a type");
}

// r*s, or a number.
bool read_named_dim(Reader &r, DistType &type, const std::vector<std::string_view> &names) {
  const char *at = r.s.here();
  int64_t size = 0;
  if (is_digit(r.s.peek()))
    return r.s.integer(size) && begin_dim(r, type, size, at);
  bool first = true;
  do {
    const char *name_at = r.s.here();
    std::string_view name;
    if (!r.read_name(name))
      return false;
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      return wrong(r, name_at, fmt::format("the type binds no range {}", name));
    const auto axis = static_cast<uint32_t>(found - names.begin());
    const auto extent = extent_of(type.axes[axis].range);
    if (!extent)
      return wrong(r, name_at,
                   fmt::format("a {} does not say the size of the dimension: expected range(32,16)",
                               sharding::text_of(type.axes[axis].range)));
    if ((first && !begin_dim(r, type, *extent, name_at)) || !cut_dim(r, type, axis, name_at))
      return false;
    first = false;
  } while (r.s.accept('*'));
  return true;
}

// distributed_tensor<(r:range(32,16), @stacked s:range(8,4)) -> [r, 8]>
bool read_named(Reader &r, DistType &type) {
  std::vector<std::string_view> names;
  if (!r.s.expect('<', "after distributed_tensor") || !r.s.expect('(', "before the ranges of a type"))
    return false;
  while (r.s.peek() != ')') {
    Axis axis;
    axis.stacked = r.s.accept("@stacked");
    const char *at = r.s.here();
    std::string_view name;
    if (!r.read_name(name) || !r.s.expect(':', "after the name of a range") ||
        !partir_dialect::read_range(r, axis.range))
      return false;
    if (std::ranges::find(names, name) != names.end())
      return wrong(r, at, fmt::format("the range {} is bound twice", name));
    names.push_back(name);
    const auto &axes = r.loops.program.axes;
    const bool named = std::ranges::find(axes, name, &sharding::Axis::name) != axes.end();
    axis.name = named ? std::string(name) : range_axis(type, axis.range);
    type.axes.push_back(std::move(axis));
    if (!r.s.accept(','))
      break;
  }
  if (!r.s.expect(')', "after the ranges of a type") ||
      !r.s.expect("->", "before the dimensions of a type") ||
      !r.s.expect('[', "before the dimensions of a type"))
    return false;
  while (r.s.peek() != ']') {
    if (!read_named_dim(r, type, names))
      return false;
    if (!r.s.accept(','))
      break;
  }
  return r.s.expect(']', "after the dimensions of a type") && r.s.expect('>', "after a type");
}

// An axis of the mesh, "x" or x.
bool read_mesh_axis(Reader &r, DistType &type, uint32_t &axis) {
  const char *at = r.s.here();
  std::string_view name;
  if (r.s.peek() == '"' ? !r.s.string(name) : !r.read_name(name))
    return false;
  const auto &axes = r.loops.program.axes;
  const auto known = std::ranges::find(axes, unescape_name(name), &sharding::Axis::name);
  if (known == axes.end())
    return wrong(r, at, fmt::format("the mesh has no axis \"{}\"", name));
  if (type.find(known->name) == nullptr)
    type.axes.push_back({known->name, {known->size, "", ""}, false, ""});
  axis = static_cast<uint32_t>(type.find(known->name) - type.axes.data());
  return true;
}

// 8{"x","y"}32: a tile, axes minor to major, the whole; ~9{"x"}33: the largest of tiles that differ.
bool read_papers_dim(Reader &r, DistType &type) {
  const char *at = r.s.here();
  const bool differ = r.s.accept('~');
  int64_t tile = 0, whole = 0, tiles = 1;
  if (!r.s.integer(tile) || !begin_dim(r, type, tile, at))
    return false;
  if (!r.s.accept('{'))
    return !differ || wrong(r, at, "a dimension without axes has one tile");
  while (r.s.peek() != '}') {
    const char *axis_at = r.s.here();
    uint32_t axis = 0;
    if (!read_mesh_axis(r, type, axis) || !cut_dim(r, type, axis, axis_at))
      return false;
    tiles *= type.axes[axis].range.tiles;
    if (tiles > sharding::kMaxDevices)
      return wrong(r, at, fmt::format("more than {} tiles", sharding::kMaxDevices));
    if (!r.s.accept(','))
      break;
  }
  std::ranges::reverse(type.cuts.back());
  const char *whole_at = nullptr;
  if (!r.s.expect('}', "after the axes of a dimension") || (whole_at = r.s.here(), !r.s.integer(whole)))
    return false;
  if (whole < 0 || whole > graph::kMaxBytes)
    return wrong(r, whole_at, fmt::format("there is no dimension of {} elements", whole));
  if (tile != (whole + tiles - 1) / tiles || differ != (whole % tiles != 0))
    return wrong(r, at,
                 fmt::format("{} tiles of {} elements are not the {} that are stated", tiles, tile, whole));
  type.dims.back() = whole;
  return true;
}

// +sum:x +max:y
bool read_reductions(Reader &r, DistType &type) {
  while (r.s.accept('+')) {
    const char *at = r.s.here();
    const std::string word(r.s.word());
    uint32_t axis = 0;
    if (word.empty() || !r.s.expect(':', "after a reduction such as +sum") || !read_mesh_axis(r, type, axis))
      return r.s.fail_here("a reduction over an axis such as +sum:x", {});
    DistType::Axis &reduced = type.axes[axis];
    for (const auto &cuts : type.cuts)
      if (!reduced.reduction.empty() || std::ranges::find(cuts, axis) != cuts.end())
        return wrong(r, at, fmt::format("the axis \"{}\" has two meanings", reduced.name));
    reduced.reduction = word;
  }
  return true;
}

bool read_papers(Reader &r, DistType &type) {
  if (!r.s.expect('[', "before the dimensions of a type"))
    return false;
  while (r.s.peek() != ']') {
    if (!read_papers_dim(r, type))
      return false;
    if (!r.s.accept(','))
      break;
  }
  return r.s.expect(']', "after the dimensions of a type") && read_reductions(r, type);
}

} // namespace

bool DistType::is_stacked() const { return std::ranges::any_of(axes, &Axis::stacked); }

bool DistType::is_in_pieces() const {
  return std::ranges::any_of(axes, [](const Axis &axis) { return axis.stacked || !axis.reduction.empty(); });
}

const Axis *DistType::find(const std::string &axis) const {
  const auto found = std::ranges::find(axes, axis, &Axis::name);
  return found == axes.end() ? nullptr : &*found;
}

bool read_dist_type(Reader &r, DistType &type) {
  if (r.s.accept("dist_tensor"))
    return read_counted(r, type);
  if (r.s.accept("distributed_tensor"))
    return read_named(r, type);
  return r.s.peek() == '[' ? read_papers(r, type)
                           : r.s.fail_here("a distributed type such as [16{\"a\"}32, 8]", {});
}

} // namespace tw::import
