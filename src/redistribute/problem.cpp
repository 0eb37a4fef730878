// SPDX-License-Identifier: Apache-2.0
// Checks that two layouts are of one array, and numbers the devices of both.
#include "redistribute/problem.hpp"

#include <algorithm>
#include <optional>
#include <utility>

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
  if (position < 0) {
    std::ranges::fill(offset, 0);
    std::ranges::fill(extent, 0);
    return;
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    const sharding::DimSharding &dim = layout.sharding.dims[i];
    const sharding::Interval part =
        layout.halos.empty()
            ? tile(dim.rule, shape[i], num_tiles(dim, layout.mesh), tile_index(dim, layout.mesh, position))
            : interval_of(dim, layout.halo(i), shape[i], layout.mesh, position);
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

// What is combined must combine in one way that is known here.
Status check_combined(const Layout &src, const Layout &dst) {
  std::optional<Reduction> reduction;
  for (const Partial &s : src.sharding.partial) {
    if (stacks(dst.sharding, s))
      continue;
    const std::string &axis = src.mesh.axis(s.axis).name;
    if (s.kind == Reduction::raw)
      return fail(
          Code::invalid_argument, "TW-520",
          fmt::format("values that are partial (raw) over axis '{}' do not combine: keep the axis partial, "
                      "or tile a dimension with it",
                      axis));
    if (s.kind == Reduction::region)
      return fail(Code::invalid_argument, "TW-520",
                  fmt::format("values partial over axis '{}' combine by the region of an op, which a "
                              "redistribution alone does not have",
                              axis));
    if (reduction && *reduction != s.kind)
      return fail(Code::unimplemented, "TW-520",
                  fmt::format("one redistribution would have to combine by {} and by {}",
                              sharding::name(*reduction), sharding::name(s.kind)));
    reduction = s.kind;
  }
  return {};
}

// What is lost is whole tiles of devices of the source.
Status check_lost(const Layout &src, const Layout &dst, std::span<const int64_t> lost) {
  std::vector<int64_t> ids;
  for (Position position; position < src.mesh.num_devices() && !lost.empty(); ++position)
    ids.push_back(src.mesh.device_id(position));
  std::ranges::sort(ids);
  for (size_t i = 0; i < lost.size(); ++i) {
    if (!std::ranges::binary_search(ids, lost[i]))
      return fail(Code::invalid_argument, "TW-529",
                  fmt::format("device {} cannot be lost: the source is on mesh {} and has no such device",
                              lost[i], src.mesh.text()));
    if (i > 0 && lost[i] == lost[i - 1])
      return fail(Code::invalid_argument, "TW-529", fmt::format("device {} is lost twice", lost[i]));
  }
  if (lost.empty())
    return {};
  if (!src.halos.empty() || !dst.halos.empty())
    return fail(Code::unimplemented, "TW-529",
                "tiles with halos cannot be moved where devices are lost: move them without halos, and then "
                "to halos");
  if (!src.sharding.partial.empty() || !dst.sharding.partial.empty())
    return fail(Code::unimplemented, "TW-529",
                "values are partial, and a lost device may have had an addend that no other device has: "
                "reduce them before devices can be lost");
  return {};
}

Status check_devices(const Mesh &mesh) {
  for (const AxisId axis : mesh.loop_axes())
    return fail(Code::invalid_argument, "TW-520",
                fmt::format("mesh axis '{}' is of kind {}: a redistribution is between devices, so leave the "
                            "axis out of the mesh",
                            mesh.axis(axis).name, sharding::name(mesh.axis(axis).kind)));
  return {};
}

} // namespace

void Problem::make_scalar_an_array() { // a box of no dimensions could not be empty
  if (type_.rank() != 0)
    return;
  type_.dims = {1};
  src_.sharding.dims.emplace_back();
  dst_.sharding.dims.emplace_back();
}

void Problem::find_combined() {
  for (const Partial &s : src_.sharding.partial)
    if (!stacks(dst_.sharding, s)) {
      combined_.push_back(s.axis);
      reduction_ = s.kind;
    }
}

void Problem::number_devices() {
  num_devices_ = static_cast<size_t>(src_.mesh.num_positions());
  if (same_mesh_ && src_.mesh.device_ids().empty())
    return;
  const auto is_lost = [&](int64_t id) { return std::ranges::binary_search(lost_, id); };
  for (const Mesh *mesh : {&src_.mesh, &dst_.mesh})
    for (Position position; position < mesh->num_devices(); ++position)
      if (const int64_t id = mesh->device_id(position); mesh == &dst_.mesh || !is_lost(id))
        ids_.push_back(id);
  std::ranges::sort(ids_);
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
  num_devices_ = ids_.size();
  const auto number = [&](const Mesh &mesh, std::vector<Position> &position_of,
                          std::vector<Device> &device_at) {
    position_of.assign(ids_.size(), sharding::kNoPosition);
    for (Position position; position < mesh.num_devices(); ++position) {
      const int64_t id = mesh.device_id(position);
      const Device d = &mesh == &src_.mesh && is_lost(id) ? -1 : find_device(id);
      if (d >= 0)
        position_of[static_cast<size_t>(d)] = position;
      device_at.push_back(d);
    }
  };
  number(src_.mesh, src_position_, src_device_);
  number(dst_.mesh, dst_position_, dst_device_);
}

Problem Problem::within(const Mesh &mesh, graph::TensorType type, Sharding src, Sharding dst) {
  Problem p;
  p.type_ = std::move(type);
  p.src_.mesh = mesh.device_ids().empty() ? mesh : *Mesh::create({mesh.axes().begin(), mesh.axes().end()});
  p.dst_.mesh = p.src_.mesh;
  p.src_.sharding = std::move(src);
  p.dst_.sharding = std::move(dst);
  p.same_mesh_ = true;
  p.make_scalar_an_array();
  p.find_combined();
  p.number_devices();
  return p;
}

Result<Problem> Problem::create(graph::TensorType type, Layout src, Layout dst, std::vector<int64_t> lost) {
  for (Layout *layout : {&src, &dst})
    if (std::ranges::all_of(layout->halos, &sharding::Halo::empty))
      layout->halos.clear();
  TW_TRY(graph::check_size(type));
  for (const Layout *layout : {&src, &dst}) {
    TW_TRY(check_devices(layout->mesh));
    TW_TRY(sharding::verify(layout->sharding, layout->halos, type.dims, layout->mesh));
  }
  for (const Layout *layout : {&src, &dst}) // tiles are as large as arrays may be, with their halos
    TW_TRY(graph::check_size(
        {type.dtype, sharding::largest_tile(layout->sharding, layout->halos, type.dims, layout->mesh)}));
  for (const Layout *layout : {&src, &dst})
    for (const sharding::DimSharding &dim : layout->sharding.dims)
      if (dim.rule.kind == sharding::SplitRule::Kind::spans)
        return fail(Code::unimplemented, "TW-520",
                    "tiles that overlap or leave elements out (spans) are planned inside programs only");
  std::ranges::sort(lost);
  TW_TRY(check_lost(src, dst, lost));
  Problem p;
  p.lost_ = std::move(lost);
  p.same_mesh_ = src.mesh == dst.mesh && p.lost_.empty();
  TW_TRY(check_partial(src, dst, p.same_mesh_));
  TW_TRY(check_combined(src, dst));
  p.type_ = std::move(type);
  p.src_ = std::move(src);
  p.dst_ = std::move(dst);
  p.make_scalar_an_array();
  p.find_combined();
  p.number_devices();
  return p;
}

void Problem::src_tile(Device d, std::span<int64_t> offset, std::span<int64_t> extent) const {
  find_tile(src_, type_.dims, src_position(d), offset, extent);
}

void Problem::dst_tile(Device d, std::span<int64_t> offset, std::span<int64_t> extent) const {
  find_tile(dst_, type_.dims, dst_position(d), offset, extent);
}

bool Problem::has_spans() const {
  const auto is_span = [](const sharding::DimSharding &dim) {
    return dim.rule.kind == sharding::SplitRule::Kind::spans;
  };
  return std::ranges::any_of(src_.sharding.dims, is_span) || std::ranges::any_of(dst_.sharding.dims, is_span);
}

int64_t Problem::num_terms() const {
  int64_t terms = 1;
  for (const AxisId axis : combined_)
    terms *= src_.mesh.size(axis);
  return terms;
}

std::vector<int64_t> Problem::device_ids() const {
  std::vector<int64_t> ids = ids_;
  for (auto id = static_cast<int64_t>(ids.size()); id < static_cast<int64_t>(num_devices_); ++id)
    ids.push_back(id);
  return ids;
}

Device Problem::find_device(int64_t id) const {
  if (ids_.empty())
    return id >= 0 && id < static_cast<int64_t>(num_devices_) ? static_cast<Device>(id) : -1;
  const auto at = std::ranges::lower_bound(ids_, id);
  return at != ids_.end() && *at == id ? static_cast<Device>(at - ids_.begin()) : -1;
}

Box Problem::src_box_at(Position position) const {
  Box box{std::vector<int64_t>(rank()), std::vector<int64_t>(rank())};
  find_tile(src_, type_.dims, position, box.offset, box.extent);
  return box;
}

Box Problem::dst_box(Device d) const {
  Box box{std::vector<int64_t>(rank()), std::vector<int64_t>(rank())};
  dst_tile(d, box.offset, box.extent);
  return box;
}

} // namespace tw::redistribute
