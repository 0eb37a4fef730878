// SPDX-License-Identifier: Apache-2.0
// Finds arguments and results of which some devices hold nothing. Those of one dimension, size and tiling
// share a note.
#include "report/notes.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/facts.hpp"

namespace tw::report {
namespace {

// A dimension with fewer elements than tiles, or cut so that some tiles hold none.
struct EmptyTiles {
  size_t dim;
  int64_t size, tiles;
  std::string axes; // "model=8,data=64"
  int64_t devices;  // that hold nothing of the array
  auto operator<=>(const EmptyTiles &) const = default;
};

bool has_empty_tile(const sharding::DimSharding &dim, int64_t size, int64_t tiles) {
  for (int64_t t = 0; t < tiles; ++t)
    if (tile(dim.rule, size, tiles, t).size() == 0)
      return true;
  return false;
}

int64_t devices_without(const LocalShapes &local) {
  int64_t devices = 0;
  for (const auto &[shape, count] : local.distinct)
    if (std::ranges::count(shape, 0) != 0)
      devices += count;
  return devices;
}

using Names = std::map<EmptyTiles, std::vector<std::string>>;

void look_at(const spmd::Program &p, const ValueFacts &facts, Names &names) {
  const graph::TensorType &type = p.type(facts.value);
  if (type.elements() == 0)
    return;
  const sharding::Sharding &sharding = p.sharding(p.values()[facts.value].sharding);
  for (size_t d = 0; d < type.dims.size(); ++d) {
    const sharding::DimSharding &dim = sharding.dims[d];
    const int64_t tiles = num_tiles(dim, p.mesh());
    if (tiles == 1 || !has_empty_tile(dim, type.dims[d], tiles))
      continue;
    std::vector<std::string> axes;
    for (const sharding::AxisId axis : dim.axes)
      axes.push_back(fmt::format("{}={}", p.mesh().axis(axis).name, p.mesh().size(axis)));
    names[{d, type.dims[d], tiles, fmt::format("{}", fmt::join(axes, ",")), devices_without(facts.local)}]
        .push_back(facts.name);
  }
}

std::string text_of(const EmptyTiles &empty, std::vector<std::string> names, int64_t devices) {
  constexpr size_t kShown = 4;
  const size_t more = names.size() - std::min(names.size(), kShown);
  names.resize(names.size() - more);
  return fmt::format("{} of {} devices hold nothing of {}{}: dimension {} of size {} is tiled over {}, which "
                     "makes {} tiles",
                     empty.devices, devices, fmt::join(names, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more), empty.dim, empty.size, empty.axes,
                     empty.tiles);
}

} // namespace

std::vector<std::string> notes_of(const Subject &s) {
  const spmd::Program &p = *s.program;
  std::vector<std::string> notes = s.notes;
  Names names;
  const auto facts = facts_of(s);
  for (const auto *values : {&facts->arguments, &facts->results})
    for (const ValueFacts &value : *values)
      look_at(p, value, names);
  for (auto &[empty, of] : names)
    notes.push_back(text_of(empty, std::move(of), p.mesh().num_devices()));
  if (s.plan && p.mesh().num_axes() == 0)
    notes.emplace_back("no mesh was given, so there is one device: give one, as data=4,model=2 (tw: --mesh)");
  return notes;
}

} // namespace tw::report
