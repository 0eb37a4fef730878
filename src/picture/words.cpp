// SPDX-License-Identifier: Apache-2.0
// Words of pictures.
#include "picture/words.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "base/utf8.hpp"
#include "sharding/spans_text.hpp"

namespace tw::picture {

namespace {

// Marks, embeddings, overrides and isolates of the Unicode bidirectional algorithm, and line separators.
constexpr std::string_view kUnseen[] = {
    "\u061c", "\u200b", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202b",
    "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\ufeff",
};
constexpr const char *kUnseenNames[] = {
    "\\u061c", "\\u200b", "\\u200e", "\\u200f", "\\u2028", "\\u2029", "\\u202a", "\\u202b",
    "\\u202c", "\\u202d", "\\u202e", "\\u2066", "\\u2067", "\\u2068", "\\u2069", "\\ufeff",
};

std::string axis_text(const sharding::Mesh &mesh, AxisId a) {
  return fmt::format("{} {}", plain(mesh.axis(a).name), mesh.size(a));
}

std::string dims_text(std::span<const int64_t> dims) { return fmt::format("[{}]", fmt::join(dims, ",")); }

} // namespace

std::string plain(std::string_view text) {
  std::string made = shown(text);
  for (size_t i = 0; i < std::size(kUnseen); ++i)
    for (size_t at = made.find(kUnseen[i]); at != std::string::npos; at = made.find(kUnseen[i], at))
      made.replace(at, kUnseen[i].size(), kUnseenNames[i]);
  return made;
}

std::string type_words(const Subject &s) {
  const std::string dims = dims_text(s.shape);
  return s.dtype == graph::DType::invalid ? dims : std::string(graph::name(s.dtype)) + dims;
}

std::string sharding_words(const Subject &s) {
  const sharding::Distribution shown = sharding::with_halos(s.layout, s.shape, s.mesh);
  return plain(sharding::to_text(shown.sharding, shown.halos, s.mesh));
}

std::vector<std::string> device_words(std::span<const int64_t> ids, int64_t count) {
  std::vector<std::string> ways;
  const auto listed = static_cast<int64_t>(ids.size());
  if (listed == 0)
    return ways;
  if (listed == count && count <= 8)
    ways.push_back(fmt::format("{}", fmt::join(ids, ", ")));
  const int64_t step = listed > 1 ? ids[1] - ids[0] : 1;
  const bool regular =
      ids.back() - ids.front() == step * (count - 1) &&
      std::ranges::adjacent_find(ids.first(static_cast<size_t>(std::max<int64_t>(listed - 1, 1))),
                                 [&](int64_t a, int64_t b) { return b - a != step; }) ==
          ids.first(static_cast<size_t>(std::max<int64_t>(listed - 1, 1))).end();
  if (count > 2 && regular && step == 1)
    ways.push_back(fmt::format("{}-{}", ids.front(), ids.back()));
  else if (count > 2)
    ways.push_back(fmt::format("{}, {}, .. {}", ids[0], ids[1], ids.back()));
  if (count > 1)
    ways.push_back(fmt::format("x {}", count));
  return ways;
}

std::string side_words(const Side &side) {
  bool folded = side.breaks_behind();
  for (size_t i = 0; i < side.shown.size(); ++i)
    folded = folded || side.breaks_before(i);
  return folded ? fmt::format("dim {}: {} in {} tiles", side.dim, side.size, side.tiles)
                : fmt::format("dim {}: {}", side.dim, side.size);
}

std::vector<AxisWords> axis_words(const Subject &s, const Tiles &tiles) {
  std::vector<AxisWords> words;
  for (AxisId a = 0; a < s.mesh.num_axes(); ++a) {
    if (s.mesh.size(a) == 1)
      continue;
    const std::string axis = axis_text(s.mesh, a);
    const char *kind = s.mesh.axis(a).kind == sharding::AxisKind::serial    ? " steps"
                       : s.mesh.axis(a).kind == sharding::AxisKind::threads ? " threads"
                                                                            : "";
    const auto side = std::ranges::find_if(
        tiles.sides, [&](const Side &one) { return std::ranges::find(one.axes, a) != one.axes.end(); });
    if (side != tiles.sides.end())
      words.push_back({a, Role::tiles, fmt::format("{}{}: tiles dim {}", axis, kind, side->dim)});
    else if (const sharding::Partial *partial = s.layout.sharding.find_partial(a))
      words.push_back(
          {a, Role::partial, fmt::format("{}{}: partial ({})", axis, kind, sharding::name(partial->kind))});
    else if (s.mesh.is_loop(a))
      words.push_back({a, Role::steps, fmt::format("{}{}: the same in each", axis, kind)});
    else
      words.push_back({a, Role::copies, fmt::format("{}: copies", axis)});
  }
  return words;
}

std::vector<std::string> notes(const Subject &s, const Tiles &tiles) {
  std::vector<std::string> lines;
  const std::vector<int64_t> most =
      sharding::largest_tile(s.layout.sharding, s.layout.halos, s.shape, s.mesh);
  double elements = 1;
  for (const int64_t n : most)
    elements *= static_cast<double>(n);
  const bool even = tiles.idle.empty() && std::ranges::all_of(tiles.sides, &Side::even);
  std::string held = fmt::format("each device holds {}{}", even ? "" : "at most ", dims_text(most));
  if (s.dtype != graph::DType::invalid)
    held += ", " + bytes_text(elements * static_cast<double>(graph::byte_size(s.dtype)));
  lines.push_back(std::move(held));
  for (const Side &side : tiles.sides) {
    const sharding::Halo halo =
        sharding::halo_of(sharding::with_halos(s.layout, s.shape, s.mesh).halos, side.dim);
    if (!halo.empty())
      lines.push_back(fmt::format("halo of dim {}: {} before and {} after each tile{}", side.dim, halo.before,
                                  halo.after, halo.wraps() ? ", wraps around" : ""));
  }
  if (!tiles.idle.empty()) {
    const std::vector<std::string> ways = device_words(tiles.idle, static_cast<int64_t>(tiles.idle.size()));
    lines.push_back(tiles.idle.size() == 1 ? fmt::format("device {} holds nothing", tiles.idle[0])
                                           : fmt::format("devices {} hold nothing", ways.front()));
  }
  return lines;
}

} // namespace tw::picture
