// SPDX-License-Identifier: Apache-2.0
// tw_mesh.h: meshes and boxes.
#include <algorithm>

#include <fmt/format.h>

#include "base/check_utf8.hpp"
#include "base/text_reader.hpp"
#include "base/utf8.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "sharding/halo.hpp"
#include "sharding/parts.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

// As Mesh::parse takes it, so that the text of a mesh reads back, or as a split names its parts. Imported
// modules may have any text there.
Status check_axis_name(std::string_view name) {
  TW_TRY(check_utf8(name, "the name of a mesh axis"));
  const auto parts = sharding::parts_in(name);
  const bool is_part =
      parts.size() == 1 && name == fmt::format("{}:({}){}", parts[0].axis, parts[0].pre, parts[0].size);
  const std::string_view axis = is_part ? parts[0].axis : name;
  if (!axis.empty() && std::ranges::all_of(axis, is_name_char))
    return {};
  return fail(Code::invalid_argument, "TW-302",
              fmt::format("mesh axis '{}': a name is of letters, digits, '_', '-', '.', at least one of them",
                          shown(name)));
}

} // namespace

tw_status_t tw_mesh_parse(const char *text, tw_mesh_t **out_mesh) {
  return guard([&]() -> Status {
    TW_TRY(require(text, "text"));
    TW_TRY(require(out_mesh, "out_mesh"));
    TW_ASSIGN(auto mesh, sharding::Mesh::parse(text));
    *out_mesh = new tw_mesh(std::move(mesh));
    return {};
  });
}

tw_status_t tw_mesh_create(const char *const *axis_names, const int64_t *axis_sizes, size_t num_axes,
                           tw_mesh_t **out_mesh) {
  return guard([&]() -> Status {
    TW_TRY(require(out_mesh, "out_mesh"));
    if (num_axes) {
      TW_TRY(require(axis_names, "axis_names"));
      TW_TRY(require(axis_sizes, "axis_sizes"));
    }
    std::vector<sharding::Axis> axes;
    for (size_t i = 0; i < num_axes; ++i) {
      TW_TRY(require_at(axis_names[i], "axis_names", i));
      TW_TRY(check_axis_name(axis_names[i]));
      axes.push_back({axis_names[i], axis_sizes[i], axis_names[i], 1});
    }
    TW_ASSIGN(auto mesh, sharding::Mesh::create(std::move(axes)));
    *out_mesh = new tw_mesh(std::move(mesh));
    return {};
  });
}

tw_status_t tw_mesh_with_devices(const tw_mesh_t *mesh, const int64_t *device_ids, size_t num_devices,
                                 tw_mesh_t **out_mesh) {
  return guard([&]() -> Status {
    TW_TRY(require(mesh, "mesh"));
    TW_TRY(require(device_ids, "device_ids"));
    TW_TRY(require(out_mesh, "out_mesh"));
    const auto axes = mesh->mesh.axes();
    TW_ASSIGN(auto other,
              sharding::Mesh::create({axes.begin(), axes.end()}, {device_ids, device_ids + num_devices}));
    *out_mesh = new tw_mesh(std::move(other));
    return {};
  });
}

tw_mesh_t *tw_mesh_retain(tw_mesh_t *mesh) {
  if (mesh)
    mesh->retain();
  return mesh;
}
void tw_mesh_release(tw_mesh_t *mesh) {
  if (mesh)
    mesh->release();
}

size_t tw_mesh_num_axes(const tw_mesh_t *mesh) { return mesh ? mesh->mesh.num_axes() : 0; }
const char *tw_mesh_axis_name(const tw_mesh_t *mesh, size_t axis) {
  return axis < tw_mesh_num_axes(mesh) ? mesh->mesh.axes()[axis].name.c_str() : nullptr;
}
int64_t tw_mesh_axis_size(const tw_mesh_t *mesh, size_t axis) {
  return axis < tw_mesh_num_axes(mesh) ? mesh->mesh.axes()[axis].size : 0;
}
int64_t tw_mesh_num_devices(const tw_mesh_t *mesh) { return mesh ? mesh->mesh.num_devices() : 0; }
tw_axis_kind_t tw_mesh_axis_kind(const tw_mesh_t *mesh, size_t axis) {
  return axis < tw_mesh_num_axes(mesh) ? static_cast<tw_axis_kind_t>(mesh->mesh.axes()[axis].kind)
                                       : static_cast<tw_axis_kind_t>(TW_AXIS_SIGNED);
}
int64_t tw_mesh_num_positions(const tw_mesh_t *mesh) { return mesh ? mesh->mesh.num_positions() : 0; }
int64_t tw_mesh_device_id(const tw_mesh_t *mesh, int64_t position) {
  if (position < 0 || position >= tw_mesh_num_positions(mesh))
    return -1;
  const sharding::DeviceIndex device = mesh->mesh.device_of(sharding::Position(position));
  const auto ids = mesh->mesh.device_ids();
  return ids.empty() ? device.index() : ids[static_cast<size_t>(device.index())];
}
static_assert(TW_AXIS_SERIAL == static_cast<int>(sharding::AxisKind::serial) &&
                  TW_AXIS_THREADS == static_cast<int>(sharding::AxisKind::threads),
              "tw_axis_kind_t follows sharding::AxisKind");

tw_status_t tw_mesh_axis_part(const tw_mesh_t *mesh, size_t axis, tw_axis_part_t *out_part) {
  return guard([&]() -> Status {
    TW_TRY(require(mesh, "mesh"));
    TW_TRY(require(out_part, "out_part"));
    if (axis >= mesh->mesh.num_axes())
      return fail(Code::out_of_range, "TW-722",
                  fmt::format("axis {} of the mesh \"{}\" of {} axes", axis, mesh->mesh.text(),
                              mesh->mesh.num_axes()));
    const sharding::Axis &of = mesh->mesh.axes()[axis];
    *out_part = {of.parent.c_str(), of.pre, of.size, {}};
    return {};
  });
}

tw_status_t tw_mesh_box(const tw_mesh_t *mesh, const char *sharding_text, const int64_t *dims, size_t ndims,
                        int64_t device, int64_t *out_offset, int64_t *out_extent) {
  return guard([&]() -> Status {
    TW_TRY(require(mesh, "mesh"));
    TW_TRY(require(sharding_text, "sharding"));
    if (ndims) {
      TW_TRY(require(dims, "dims"));
      TW_TRY(require(out_offset, "out_offset"));
      TW_TRY(require(out_extent, "out_extent"));
    }
    for (size_t d = 0; d < ndims; ++d)
      if (dims[d] < 0)
        return fail(Code::invalid_argument, "TW-722", fmt::format("dims[{}] is {}", d, dims[d]));
    if (device < 0 || device >= mesh->mesh.num_devices())
      return fail(Code::out_of_range, "TW-704",
                  fmt::format("device {} is not on the mesh \"{}\" of {} devices", device, mesh->mesh.text(),
                              mesh->mesh.num_devices()));
    const std::span<const int64_t> shape(dims, ndims);
    TW_ASSIGN(const auto parts, sharding::with_parts(mesh->mesh, sharding_text));
    TW_ASSIGN(const auto layout, sharding::parse_distribution(sharding_text, parts, shape));
    TW_TRY(sharding::verify(layout.sharding, layout.halos, shape, parts));
    const auto box = sharding::box_of(layout, shape, parts, sharding::Position(device));
    std::copy(box.offset.begin(), box.offset.end(), out_offset);
    std::copy(box.extent.begin(), box.extent.end(), out_extent);
    return {};
  });
}
