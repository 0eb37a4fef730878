// SPDX-License-Identifier: Apache-2.0
// Values in and out of device-local code, and its collectives.
#include "import/device_local.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/reduction.hpp"
#include "ops/registry.hpp"
#include "sharding/mesh.hpp"

namespace tw::import {

using graph::Shape;
using graph::TypeId;
using graph::ValueId;

namespace {

uint64_t bits_of(const MeshAxes &axes) {
  uint64_t bits = 0;
  for (const size_t axis : axes)
    bits |= uint64_t{1} << axis;
  return bits;
}

std::vector<int64_t> count_from(size_t first, size_t n) {
  std::vector<int64_t> list(n);
  std::iota(list.begin(), list.end(), static_cast<int64_t>(first));
  return list;
}

} // namespace

Status DeviceLocal::use_mesh(const MeshDecl &mesh) {
  if (has_mesh()) {
    std::vector<std::pair<std::string, int64_t>> known;
    for (size_t i = 0; i < names_.size(); ++i)
      known.emplace_back(names_[i], sizes_[i]);
    if (mesh.name != mesh_ || mesh.axes != known)
      return fail(Code::unimplemented, "TW-113",
                  fmt::format("device-local code over two meshes, @{} and @{}", mesh_, mesh.name));
    return {};
  }
  if (mesh.axes.size() > sharding::kMaxAxes)
    return fail(Code::out_of_range, "TW-113",
                fmt::format("device-local code over a mesh of more than {} axes", sharding::kMaxAxes));
  mesh_ = mesh.name;
  int64_t devices = 1;
  for (const auto &[name, size] : mesh.axes) {
    names_.push_back(name);
    sizes_.push_back(size);
    if (size > (int64_t{1} << 20) / devices)
      return fail(Code::out_of_range, "TW-113", "device-local code over more than 2^20 devices");
    devices *= size;
  }
  strides_.assign(sizes_.size(), 1);
  for (size_t i = sizes_.size(); i-- > 1;)
    strides_[i - 1] = strides_[i] * sizes_[i];
  positions_ = count_from(0, static_cast<size_t>(devices));
  if (!mesh.device_ids.empty()) {
    std::ranges::fill(positions_, -1);
    bool all = mesh.device_ids.size() == positions_.size();
    for (size_t p = 0; all && p < positions_.size(); ++p) {
      const int64_t id = mesh.device_ids[p];
      all = id >= 0 && id < devices && positions_[static_cast<size_t>(id)] < 0;
      if (all)
        positions_[static_cast<size_t>(id)] = static_cast<int64_t>(p);
    }
    if (!all)
      return fail(Code::invalid_argument, "TW-113",
                  fmt::format("the device ids of mesh @{} are not those of its {} devices", mesh_, devices));
  }
  return {};
}

MeshAxes DeviceLocal::axes_of(ValueId v) const {
  MeshAxes axes;
  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (mask(v) >> axis & 1)
      axes.push_back(axis);
  return axes;
}

Shape DeviceLocal::front(uint64_t axes) const {
  Shape dims;
  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (axes >> axis & 1)
      dims.push_back(sizes_[axis]);
  return dims;
}

size_t DeviceLocal::place(uint64_t axes, size_t axis) {
  return static_cast<size_t>(std::popcount(axes & ((uint64_t{1} << axis) - 1)));
}

TypeId DeviceLocal::type_with(TypeId local, uint64_t axes) {
  graph::TensorType type = b_.graph().type_at(local);
  const Shape more = front(axes);
  type.dims.insert(type.dims.begin(), more.begin(), more.end());
  return b_.type(type);
}

// Notes that a value is local, of these dimensions and with these axes in front.
ValueId DeviceLocal::keep(ValueId v, Shape local_dims, uint64_t axes) {
  if (axes != 0)
    values_[v] = {b_.type({b_.type_of(v).dtype, std::move(local_dims)}), axes};
  return v;
}

// --- ops on whole arrays ---

Result<graph::OpId> DeviceLocal::make(std::string_view op, std::span<const ValueId> operands,
                                      std::span<const ops::NamedAttr> attrs, const Shape *dims,
                                      std::span<const graph::RegionId> regions) {
  const graph::OpCode code = *ops::find_op(op);
  TW_ASSIGN(auto slots, ops::check_attrs(ops::op_def(code), attrs));
  std::vector<TypeId> stated;
  if (dims != nullptr)
    stated.push_back(b_.type({b_.type_of(operands[0]).dtype, *dims}));
  return ops::add(b_, code, operands, std::move(slots), stated, loc_, regions);
}

Result<ValueId> DeviceLocal::value(std::string_view op, std::span<const ValueId> operands,
                                   std::span<const ops::NamedAttr> attrs, const Shape *dims,
                                   std::span<const graph::RegionId> regions) {
  TW_ASSIGN(const graph::OpId id, make(op, operands, attrs, dims, regions));
  return b_.graph().result(id);
}

Result<ValueId> DeviceLocal::reshape(ValueId v, const Shape &dims) {
  if (b_.type_of(v).dims == dims)
    return v;
  return value("stablehlo.reshape", {&v, 1}, {}, &dims);
}

Result<ValueId> DeviceLocal::transpose(ValueId v, const std::vector<int64_t> &permutation) {
  if (std::ranges::is_sorted(permutation))
    return v;
  const ops::NamedAttr attr{"permutation", permutation};
  return value("stablehlo.transpose", {&v, 1}, {&attr, 1});
}

Result<ValueId> DeviceLocal::expand(ValueId v, uint64_t axes) {
  const uint64_t has = mask(v), all = has | axes;
  if (has == all)
    return v;
  const Shape local = local_dims(v);
  Shape dims = front(all);
  std::vector<int64_t> mapping;
  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (has >> axis & 1)
      mapping.push_back(static_cast<int64_t>(place(all, axis)));
  for (const int64_t d : count_from(dims.size(), local.size()))
    mapping.push_back(d);
  dims.insert(dims.end(), local.begin(), local.end());
  const ops::NamedAttr attr{"broadcast_dimensions", mapping};
  TW_ASSIGN(const ValueId made, value("stablehlo.broadcast_in_dim", {&v, 1}, {&attr, 1}, &dims));
  return keep(made, local, all);
}

// What the device at coordinate 0 of these axes holds, for all along them.
Result<ValueId> DeviceLocal::first_of(ValueId v, uint64_t axes) {
  const uint64_t has = mask(v);
  if ((has & axes) == 0)
    return v;
  const Shape local = local_dims(v);
  const Shape whole = b_.type_of(v).dims;
  std::vector<int64_t> limits(whole.begin(), whole.end());
  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (has & axes & (uint64_t{1} << axis))
      limits[place(has, axis)] = 1;
  const std::vector<ops::NamedAttr> attrs{{"start_indices", std::vector<int64_t>(whole.size(), 0)},
                                          {"limit_indices", limits},
                                          {"strides", std::vector<int64_t>(whole.size(), 1)}};
  TW_ASSIGN(const ValueId cut, value("stablehlo.slice", {&v, 1}, attrs));
  Shape dims = front(has & ~axes);
  dims.insert(dims.end(), local.begin(), local.end());
  TW_ASSIGN(const ValueId made, reshape(cut, dims));
  return keep(made, local, has & ~axes);
}

Result<ValueId> DeviceLocal::constant(graph::DType dtype, Shape dims, std::vector<std::byte> bytes,
                                      bool splat) {
  const graph::TypeId type = b_.type({dtype, std::move(dims)});
  const graph::ConstantId id =
      b_.constant({type, splat, std::make_shared<const std::vector<std::byte>>(std::move(bytes))});
  const graph::OpCode code = *ops::find_op("stablehlo.constant");
  const ops::NamedAttr attr{"value", id};
  TW_ASSIGN(auto slots, ops::check_attrs(ops::op_def(code), {&attr, 1}));
  TW_ASSIGN(const graph::OpId op, ops::add(b_, code, {}, std::move(slots), {&type, 1}, loc_));
  return b_.graph().result(op);
}

// --- in and out ---

Result<ValueId> DeviceLocal::enter(ValueId whole, std::span<const MeshAxes> dims) {
  const Shape global = b_.type_of(whole).dims;
  Shape split, local; // dims cut into axes and tiles; tiles
  std::vector<int64_t> at(sizes_.size(), -1), rest;
  uint64_t axes = 0;
  for (size_t d = 0; d < global.size(); ++d) {
    int64_t tiles = 1;
    for (const size_t axis : dims[d]) {
      if (axes >> axis & 1)
        return fail(Code::invalid_argument, "TW-107",
                    fmt::format("the axis \"{}\" cuts two dimensions", names_[axis]));
      axes |= uint64_t{1} << axis;
      at[axis] = static_cast<int64_t>(split.size());
      split.push_back(sizes_[axis]);
      tiles *= sizes_[axis];
    }
    if (global[d] % tiles != 0)
      return fail(Code::unimplemented, "TW-113",
                  fmt::format("dimension {} of size {} does not divide into {} equal tiles, as device-local "
                              "code needs",
                              d, global[d], tiles));
    rest.push_back(static_cast<int64_t>(split.size()));
    split.push_back(global[d] / tiles);
    local.push_back(global[d] / tiles);
  }
  std::vector<int64_t> permutation;
  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (at[axis] >= 0)
      permutation.push_back(at[axis]);
  permutation.insert(permutation.end(), rest.begin(), rest.end());
  TW_ASSIGN(const ValueId cut, reshape(whole, split));
  TW_ASSIGN(const ValueId made, transpose(cut, permutation));
  return keep(made, local, axes);
}

Result<ValueId> DeviceLocal::leave(ValueId local, std::span<const MeshAxes> dims) {
  uint64_t axes = 0;
  for (const MeshAxes &d : dims)
    axes |= bits_of(d);
  TW_ASSIGN(const ValueId one, first_of(local, ~axes));
  TW_ASSIGN(const ValueId all, expand(one, axes));
  const Shape tile = local_dims(all);
  const size_t in_front = front(axes).size();
  std::vector<int64_t> permutation;
  Shape global;
  for (size_t d = 0; d < tile.size(); ++d) {
    int64_t size = tile[d];
    for (const size_t axis : dims[d]) {
      permutation.push_back(static_cast<int64_t>(place(axes, axis)));
      size *= sizes_[axis];
    }
    permutation.push_back(static_cast<int64_t>(in_front + d));
    global.push_back(size);
  }
  TW_ASSIGN(const ValueId moved, transpose(all, permutation));
  return reshape(moved, global);
}

// --- collectives ---

Result<MeshAxes> DeviceLocal::axes_of_groups(std::span<const int64_t> ids, size_t group_size) const {
  const auto no_axes = [&] {
    return fail(Code::unimplemented, "TW-113",
                fmt::format("the groups {} of {} devices each are not along axes of the mesh @{}",
                            fmt::join(ids, ","), group_size, mesh_));
  };
  if (ids.empty()) {
    MeshAxes all;
    for (size_t axis = 0; axis < sizes_.size(); ++axis)
      all.push_back(axis);
    return all;
  }
  std::vector<int64_t> at; // positions
  for (const int64_t id : ids) {
    if (id < 0 || id >= std::ssize(positions_))
      return fail(Code::invalid_argument, "TW-113",
                  fmt::format("device {} is in no mesh: @{} has {} devices", id, mesh_, positions_.size()));
    at.push_back(positions_[static_cast<size_t>(id)]);
  }
  std::vector<int64_t> sorted = at;
  std::ranges::sort(sorted);
  if (sorted != count_from(0, positions_.size()) || group_size == 0)
    return no_axes();
  // How members of the first group stand to each other, minor axis first; then all groups must be like it.
  MeshAxes axes;
  for (size_t done = 1; done < group_size;) {
    const int64_t step = at[done] - at[0];
    size_t axis = 0;
    while (axis < sizes_.size() && (strides_[axis] != step || sizes_[axis] == 1))
      ++axis;
    if (axis == sizes_.size() || std::ranges::count(axes, axis) != 0)
      return no_axes();
    axes.insert(axes.begin(), axis);
    done *= static_cast<size_t>(sizes_[axis]);
  }
  for (size_t i = 0; i < at.size(); ++i) {
    const int64_t base = at[i / group_size * group_size];
    int64_t member = static_cast<int64_t>(i % group_size), expected = base;
    for (size_t a = axes.size(); a-- > 0; member /= sizes_[axes[a]]) {
      if (base / strides_[axes[a]] % sizes_[axes[a]] != 0)
        return no_axes();
      expected += member % sizes_[axes[a]] * strides_[axes[a]];
    }
    if (member != 0 || at[i] != expected)
      return no_axes();
  }
  return axes;
}

Result<ValueId> DeviceLocal::all_gather(ValueId v, const MeshAxes &axes, size_t dim) {
  TW_ASSIGN(const ValueId all, expand(v, bits_of(axes)));
  const uint64_t has = mask(all), stay = has & ~bits_of(axes);
  Shape local = local_dims(all);
  const size_t in_front = front(has).size();
  std::vector<int64_t> permutation;
  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (stay >> axis & 1)
      permutation.push_back(static_cast<int64_t>(place(has, axis)));
  for (size_t d = 0; d < local.size(); ++d) {
    if (d == dim)
      for (const size_t axis : axes) {
        permutation.push_back(static_cast<int64_t>(place(has, axis)));
        local[d] *= sizes_[axis];
      }
    permutation.push_back(static_cast<int64_t>(in_front + d));
  }
  TW_ASSIGN(const ValueId moved, transpose(all, permutation));
  Shape dims = front(stay);
  dims.insert(dims.end(), local.begin(), local.end());
  TW_ASSIGN(const ValueId made, reshape(moved, dims));
  return keep(made, local, stay);
}

Result<ValueId> DeviceLocal::reduce(ValueId v, uint64_t axes, graph::RegionId region) {
  const auto kind = ops::reduction_of(b_.graph(), region);
  if (!kind)
    return fail(Code::unimplemented, "TW-113",
                "a collective whose region is not one of add, maximum, minimum, multiply, and, or, xor");
  TW_ASSIGN(const ValueId all, expand(v, axes));
  const uint64_t has = mask(all);
  const Shape local = local_dims(all);
  std::vector<int64_t> dimensions;
  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (axes >> axis & 1)
      dimensions.push_back(static_cast<int64_t>(place(has, axis)));
  const graph::DType dtype = b_.type_of(all).dtype;
  TW_ASSIGN(const ValueId identity, constant(dtype, {}, ops::identity_of(*kind, dtype), true));
  const ops::NamedAttr attr{"dimensions", dimensions};
  const ValueId operands[] = {all, identity};
  TW_ASSIGN(const ValueId made, value("stablehlo.reduce", operands, {&attr, 1}, nullptr, {&region, 1}));
  return keep(made, local, has & ~axes);
}

Result<ValueId> DeviceLocal::all_reduce(ValueId v, const MeshAxes &axes, graph::RegionId region) {
  return reduce(v, bits_of(axes), region);
}

Result<ValueId> DeviceLocal::scatter_dim(ValueId v, const MeshAxes &axes, size_t dim) {
  const uint64_t has = mask(v), all = has | bits_of(axes);
  const Shape before = b_.type_of(v).dims;
  Shape local = local_dims(v);
  const size_t cut_at = before.size() - local.size() + dim;
  int64_t tiles = 1;
  Shape split(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(cut_at));
  for (const size_t axis : axes) {
    split.push_back(sizes_[axis]);
    tiles *= sizes_[axis];
  }
  if (local[dim] % tiles != 0)
    return fail(
        Code::invalid_argument, "TW-113",
        fmt::format("dimension {} of size {} does not divide among {} devices", dim, local[dim], tiles));
  local[dim] /= tiles;
  split.push_back(local[dim]);
  split.insert(split.end(), before.begin() + static_cast<std::ptrdiff_t>(cut_at) + 1, before.end());
  TW_ASSIGN(const ValueId cut, reshape(v, split));
  std::vector<int64_t> permutation;
  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (const auto from = std::ranges::find(axes, axis); from != axes.end())
      permutation.push_back(static_cast<int64_t>(cut_at) + (from - axes.begin()));
    else if (has >> axis & 1)
      permutation.push_back(static_cast<int64_t>(place(has, axis)));
  for (size_t d = before.size() - local.size(); d < split.size(); ++d)
    if (d < cut_at || d >= cut_at + axes.size())
      permutation.push_back(static_cast<int64_t>(d));
  TW_ASSIGN(const ValueId made, transpose(cut, permutation));
  return keep(made, local, all);
}

Result<ValueId> DeviceLocal::reduce_scatter(ValueId v, const MeshAxes &axes, size_t dim,
                                            graph::RegionId region) {
  TW_ASSIGN(const ValueId sum, reduce(v, bits_of(axes), region));
  return scatter_dim(sum, axes, dim);
}

// Every device's dimension is cut among the takers, and what each takes of the others stands side by side.
Result<ValueId> DeviceLocal::all_to_all(ValueId v, const MeshAxes &axes, size_t split_dim,
                                        size_t concat_dim) {
  TW_ASSIGN(const ValueId all, expand(v, bits_of(axes)));
  const uint64_t has = mask(all);
  const Shape before = b_.type_of(all).dims;
  Shape local = local_dims(all);
  const size_t in_front = before.size() - local.size(), cut_at = in_front + split_dim;
  int64_t tiles = 1;
  Shape split(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(cut_at));
  for (const size_t axis : axes) {
    split.push_back(sizes_[axis]);
    tiles *= sizes_[axis];
  }
  if (local[split_dim] % tiles != 0)
    return fail(Code::invalid_argument, "TW-113",
                fmt::format("dimension {} of size {} does not divide among {} devices", split_dim,
                            local[split_dim], tiles));
  local[split_dim] /= tiles;
  split.push_back(local[split_dim]);
  split.insert(split.end(), before.begin() + static_cast<std::ptrdiff_t>(cut_at) + 1, before.end());
  TW_ASSIGN(const ValueId cut, reshape(all, split));
  std::vector<int64_t> permutation;
  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (const auto from = std::ranges::find(axes, axis); from != axes.end())
      permutation.push_back(static_cast<int64_t>(cut_at) + (from - axes.begin()));
    else if (has >> axis & 1)
      permutation.push_back(static_cast<int64_t>(place(has, axis)));
  for (size_t d = 0; d < local.size(); ++d) {
    if (d == concat_dim)
      for (const size_t axis : axes)
        permutation.push_back(static_cast<int64_t>(place(has, axis)));
    permutation.push_back(static_cast<int64_t>(in_front + d + (d >= split_dim ? axes.size() : 0)));
  }
  local[concat_dim] *= tiles;
  TW_ASSIGN(const ValueId moved, transpose(cut, permutation));
  Shape dims = front(has);
  dims.insert(dims.end(), local.begin(), local.end());
  TW_ASSIGN(const ValueId made, reshape(moved, dims));
  return keep(made, local, has);
}

Result<ValueId> DeviceLocal::broadcast(ValueId v, const MeshAxes &axes) { return first_of(v, bits_of(axes)); }

Result<ValueId> DeviceLocal::permute(ValueId v, std::span<const int64_t> pairs) {
  const size_t devices = positions_.size();
  std::vector<int64_t> from(devices, -1), sends(devices, 0);
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const int64_t source = pairs[i], target = pairs[i + 1];
    for (const int64_t id : {source, target})
      if (id < 0 || id >= static_cast<int64_t>(devices))
        return fail(Code::invalid_argument, "TW-113",
                    fmt::format("device {} is in no mesh: @{} has {} devices", id, mesh_, devices));
    int64_t &source_of = from[static_cast<size_t>(positions_[static_cast<size_t>(target)])];
    if (source_of >= 0 || ++sends[static_cast<size_t>(source)] > 1)
      return fail(Code::invalid_argument, "TW-113",
                  fmt::format("the pair {} to {} names a source or a target twice", source, target));
    source_of = positions_[static_cast<size_t>(source)];
  }
  const uint64_t every = (uint64_t{1} << sizes_.size()) - 1;
  TW_ASSIGN(const ValueId all, expand(v, every));
  const Shape local = local_dims(all), whole = b_.type_of(all).dims;
  const graph::DType dtype = b_.type_of(all).dtype;
  Shape flat{static_cast<int64_t>(devices)};
  flat.insert(flat.end(), local.begin(), local.end());
  TW_ASSIGN(const ValueId rows, reshape(all, flat));

  std::vector<std::byte> indices(devices * sizeof(int64_t)), hit(devices);
  for (size_t d = 0; d < devices; ++d) {
    const int64_t source = std::max<int64_t>(from[d], 0);
    std::memcpy(indices.data() + d * sizeof(source), &source, sizeof(source));
    hit[d] = std::byte{from[d] >= 0};
  }
  TW_ASSIGN(const ValueId index,
            constant(graph::DType::s64, {static_cast<int64_t>(devices)}, std::move(indices), false));
  Shape row = flat;
  row[0] = 1;
  const std::vector<ops::NamedAttr> attrs{{"offset_dims", count_from(1, local.size())},
                                          {"collapsed_slice_dims", std::vector<int64_t>{0}},
                                          {"start_index_map", std::vector<int64_t>{0}},
                                          {"index_vector_dim", int64_t{1}},
                                          {"slice_sizes", std::vector<int64_t>(row)}};
  const ValueId operands[] = {rows, index};
  TW_ASSIGN(ValueId taken, value("stablehlo.gather", operands, attrs));
  if (std::ranges::count(from, -1) != 0) {
    TW_ASSIGN(const ValueId mask_of,
              constant(graph::DType::i1, {static_cast<int64_t>(devices)}, std::move(hit), false));
    const ops::NamedAttr over{"broadcast_dimensions", std::vector<int64_t>{0}};
    const graph::TypeId mask_type = b_.type({graph::DType::i1, flat});
    const graph::OpCode code = *ops::find_op("stablehlo.broadcast_in_dim");
    TW_ASSIGN(auto slots, ops::check_attrs(ops::op_def(code), {&over, 1}));
    TW_ASSIGN(const graph::OpId mask_op,
              ops::add(b_, code, {&mask_of, 1}, std::move(slots), {&mask_type, 1}, loc_));
    TW_ASSIGN(const ValueId zeros,
              constant(dtype, flat, std::vector<std::byte>(graph::byte_size(dtype)), true));
    const ValueId choice[] = {b_.graph().result(mask_op), taken, zeros};
    TW_ASSIGN(taken, value("stablehlo.select", choice, {}));
  }
  TW_ASSIGN(const ValueId made, reshape(taken, whole));
  return keep(made, local, every);
}

graph::RegionId DeviceLocal::copy_region(graph::RegionId region) {
  const auto kind = ops::reduction_of(b_.graph(), region);
  if (!kind)
    return region;
  const TypeId scalar = b_.graph().value(b_.graph().region(region).args[0]).type;
  const std::vector<TypeId> types{scalar, scalar};
  const graph::RegionId copy = b_.open_region(types);
  const std::vector<ValueId> arguments = b_.graph().region(copy).args;
  const graph::OpId op =
      b_.add_op({*ops::find_op(ops::combiner_op(*kind)), arguments, {&scalar, 1}, 0, loc_});
  b_.close_region({b_.graph().result(op)});
  return copy;
}

Result<ValueId> DeviceLocal::partition_id() {
  const uint64_t every = (uint64_t{1} << sizes_.size()) - 1;
  std::vector<std::byte> ids(positions_.size() * sizeof(uint32_t));
  for (size_t id = 0; id < positions_.size(); ++id) {
    const auto number = static_cast<uint32_t>(id);
    std::memcpy(ids.data() + static_cast<size_t>(positions_[id]) * sizeof(number), &number, sizeof(number));
  }
  TW_ASSIGN(const ValueId made, constant(graph::DType::u32, front(every), std::move(ids), false));
  return keep(made, {}, every);
}

} // namespace tw::import
