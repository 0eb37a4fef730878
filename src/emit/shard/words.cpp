// SPDX-License-Identifier: Apache-2.0
// Axes are their numbers. A part of an axis is an axis of the grid: its devices are counted the same.
#include "emit/shard/words.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loops/spelling.hpp"

namespace tw::emit::shard {

using sharding::AxisId;
using sharding::AxisKind;
using sharding::Mesh;
using sharding::SplitRule;

Status check_mesh(const Mesh &mesh) {
  for (const sharding::Axis &axis : mesh.axes())
    if (axis.kind != AxisKind::device)
      return fail(Code::unimplemented, "TW-730",
                  fmt::format("axis '{}' of size {} is {}, and every axis of a grid counts devices; plan "
                              "without it, or emit loops or spmd",
                              axis.name, axis.size,
                              axis.kind == AxisKind::serial ? "a loop of steps" : "threads of one device"));
  for (sharding::Position p; p < mesh.num_devices(); ++p)
    if (mesh.device_id(p) != p)
      return fail(Code::unimplemented, "TW-730",
                  fmt::format("device {} stands at place {} of the mesh {}, and a grid counts its devices in "
                              "order; plan on a mesh without device ids, or emit stablehlo+sdy",
                              mesh.device_id(p), int64_t{p}, mesh.text()));
  return {};
}

std::string grid_name(const Mesh &mesh) {
  if (mesh.num_axes() == 0)
    return "mesh";
  const std::string &first = mesh.axis(0).name;
  const std::string name = first.substr(0, first.rfind('.'));
  for (size_t i = 0; i < mesh.num_axes(); ++i)
    if (mesh.axis(static_cast<AxisId>(i)).name != fmt::format("{}.{}", name, i))
      return "mesh";
  return name;
}

std::string grid_text(const Mesh &mesh) {
  std::vector<int64_t> shape;
  if (mesh.num_axes() == 0)
    shape.push_back(1);
  for (const sharding::Axis &axis : mesh.axes())
    shape.push_back(axis.size);
  return fmt::format("  shard.grid @{}(shape = {})\n", loops::name_or_quoted(grid_name(mesh)),
                     fmt::join(shape, "x"));
}

std::string axes_comment(const Mesh &mesh) {
  const std::string name = grid_name(mesh);
  if (mesh.num_axes() == 0 || mesh.axis(0).name == name + ".0")
    return {};
  std::vector<std::string_view> names;
  for (const sharding::Axis &axis : mesh.axes())
    names.push_back(axis.name);
  return fmt::format("// The axes of @{} are {}.\n", name, fmt::join(names, ", "));
}

std::string axes_text(const std::vector<AxisId> &axes) {
  return fmt::format("[{}]", fmt::join(std::vector<int>(axes.begin(), axes.end()), ", "));
}

bool is_in_parts(const sharding::Sharding &sharding, const Mesh &mesh) {
  return std::ranges::any_of(sharding.partial,
                             [&](const sharding::Partial &partial) { return mesh.size(partial.axis) > 1; });
}

bool has_halo(const sharding::Sharding &sharding, const ops::KeptHalo &halo) {
  for (size_t d = 0; d < sharding.dims.size(); ++d)
    if (!sharding.dims[d].axes.empty() && (halo.before[d] != 0 || halo.after[d] != 0))
      return true;
  return false;
}

std::optional<std::string> sharding_text(const sharding::Sharding &sharding, const graph::TensorType &global,
                                         const Mesh &mesh, const std::optional<ops::KeptHalo> &halo) {
  if (is_in_parts(sharding, mesh))
    return std::nullopt;
  std::vector<std::string> split = {"[]"};
  std::vector<int64_t> offsets, halos;
  bool balanced = true;
  for (size_t d = 0; d < sharding.dims.size(); ++d) {
    const sharding::DimSharding &dim = sharding.dims[d];
    if (dim.axes.empty())
      continue;
    const int64_t n = global.dims[d], tiles = num_tiles(dim, mesh);
    if (dim.rule.kind == SplitRule::Kind::spans)
      return std::nullopt;
    split.resize(d + 1, "[]");
    split[d] = axes_text(dim.axes);
    balanced = balanced && normalise(dim.rule, n, tiles) == SplitRule{};
    for (int64_t t = 0; t < tiles; ++t)
      offsets.push_back(tile(dim.rule, n, tiles, t).begin);
    offsets.push_back(n);
    if (halo)
      halos.insert(halos.end(), {halo->before[d], halo->after[d]});
  }
  std::string text =
      fmt::format("@{} split_axes = [{}]", loops::name_or_quoted(grid_name(mesh)), fmt::join(split, ", "));
  const bool around = halo && has_halo(sharding, *halo);
  if (around && !balanced)
    return std::nullopt;
  if (around)
    text += fmt::format(" halo_sizes = [{}]", fmt::join(halos, ", "));
  if (!balanced)
    text += fmt::format(" sharded_dims_offsets = [{}]", fmt::join(offsets, ", "));
  return text;
}

} // namespace tw::emit::shard
