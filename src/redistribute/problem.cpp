// SPDX-License-Identifier: Apache-2.0
// Checks that two layouts are of one array, and counts the devices of both.
#include "redistribute/problem.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tw::redistribute {

using sharding::AxisId;
using sharding::Box;
using sharding::Mesh;
using sharding::Partial;
using sharding::Reduction;
using sharding::Sharding;

namespace {

// The tile at a position of a layout; nothing where there is none.
void find_tile(const Layout &layout, std::span<const int64_t> shape, Position position,
               std::span<int64_t> offset, std::span<int64_t> extent) {
  for (size_t i = 0; i < shape.size(); ++i) {
    const sharding::Interval part =
        position < 0 ? sharding::Interval{}
                     : interval_of(layout.sharding.dims[i], layout.halo(i), shape[i], layout.mesh, position);
    offset[i] = part.begin;
    extent[i] = part.size();
  }
}

bool stacks(const Sharding &s, const Partial &partial) { return std::ranges::count(s.partial, partial) != 0; }

// Axes that stay partial must mean the same devices on both sides.
Status check_partial(const Layout &src, const Layout &dst, bool same_mesh) {
  for (const Partial &s : dst.sharding.partial) {
    const std::string &axis = dst.mesh.axis(s.axis).name;
    if (!same_mesh)
      return fail(
          Code::unimplemented, "TW-520",
          fmt::format("the target stays partial over axis '{}', on another mesh: reduce it before or after",
                      axis));
    if (!stacks(src.sharding, s))
      return fail(
          Code::invalid_argument, "TW-520",
          fmt::format(
              "the target is partial ({}) over axis '{}' and the source is not: values cannot be taken apart",
              sharding::name(s.kind), axis));
  }
  return {};
}

} // namespace

Result<Problem> Problem::create(graph::TensorType type, Layout src, Layout dst) {
  for (Layout *layout : {&src, &dst})
    if (std::ranges::all_of(layout->halos, &sharding::Halo::empty))
      layout->halos.clear();
  TW_TRY(graph::check_size(type));
  TW_TRY(sharding::verify(src.sharding, src.halos, type.dims, src.mesh));
  TW_TRY(sharding::verify(dst.sharding, dst.halos, type.dims, dst.mesh));
  for (const Layout *layout : {&src, &dst}) // tiles are as large as arrays may be, with their halos
    TW_TRY(graph::check_size(
        {type.dtype, sharding::largest_tile(layout->sharding, layout->halos, type.dims, layout->mesh)}));
  for (const Layout *layout : {&src, &dst})
    for (const sharding::DimSharding &dim : layout->sharding.dims)
      if (dim.rule.kind == sharding::SplitRule::Kind::spans)
        return fail(Code::unimplemented, "TW-520",
                    "tiles that overlap or leave elements out (spans) are planned inside programs only");
  if (type.rank() == 0) { // a box of no dimensions could not be empty
    type.dims = {1};
    src.sharding.dims.emplace_back();
    dst.sharding.dims.emplace_back();
  }
  Problem p;
  p.same_mesh_ = src.mesh == dst.mesh;
  TW_TRY(check_partial(src, dst, p.same_mesh_));
  for (const Partial &s : src.sharding.partial) {
    if (stacks(dst.sharding, s))
      continue;
    if (s.kind == Reduction::raw)
      return fail(
          Code::invalid_argument, "TW-520",
          fmt::format("values that are partial (raw) over axis '{}' do not combine: keep the axis partial, "
                      "or tile a dimension with it",
                      src.mesh.axis(s.axis).name));
    if (s.kind == Reduction::region)
      return fail(Code::invalid_argument, "TW-520",
                  fmt::format("values partial over axis '{}' combine by the region of an op, which a "
                              "redistribution alone does not have",
                              src.mesh.axis(s.axis).name));
    if (!p.combined_.empty() && p.reduction_ != s.kind)
      return fail(Code::unimplemented, "TW-520",
                  fmt::format("one redistribution would have to combine by {} and by {}",
                              sharding::name(p.reduction_), sharding::name(s.kind)));
    p.combined_.push_back(s.axis);
    p.reduction_ = s.kind;
  }
  for (const Mesh *mesh : {&src.mesh, &dst.mesh})
    for (Position position; position < mesh->num_devices(); ++position)
      p.ids_.push_back(mesh->device_id(position));
  std::ranges::sort(p.ids_);
  p.ids_.erase(std::unique(p.ids_.begin(), p.ids_.end()), p.ids_.end());
  const auto number = [&](const Mesh &mesh, std::vector<Position> &position_of,
                          std::vector<Device> &device_at) {
    position_of.assign(p.ids_.size(), sharding::kNoPosition);
    for (Position position; position < mesh.num_devices(); ++position) {
      const auto at = std::ranges::lower_bound(p.ids_, mesh.device_id(position)) - p.ids_.begin();
      position_of[static_cast<size_t>(at)] = position;
      device_at.push_back(static_cast<Device>(at));
    }
  };
  number(src.mesh, p.src_position_, p.src_device_);
  number(dst.mesh, p.dst_position_, p.dst_device_);
  p.type_ = std::move(type);
  p.src_ = std::move(src);
  p.dst_ = std::move(dst);
  return p;
}

void Problem::src_tile(Device d, std::span<int64_t> offset, std::span<int64_t> extent) const {
  find_tile(src_, type_.dims, src_position(d), offset, extent);
}

void Problem::dst_tile(Device d, std::span<int64_t> offset, std::span<int64_t> extent) const {
  find_tile(dst_, type_.dims, dst_position(d), offset, extent);
}

Device Problem::find_device(int64_t id) const {
  const auto at = std::ranges::lower_bound(ids_, id);
  return at != ids_.end() && *at == id ? static_cast<Device>(at - ids_.begin()) : -1;
}

Box Problem::src_box(Device d) const {
  Box box{std::vector<int64_t>(rank()), std::vector<int64_t>(rank())};
  src_tile(d, box.offset, box.extent);
  return box;
}

Box Problem::dst_box(Device d) const {
  Box box{std::vector<int64_t>(rank()), std::vector<int64_t>(rank())};
  dst_tile(d, box.offset, box.extent);
  return box;
}

} // namespace tw::redistribute
