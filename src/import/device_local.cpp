// SPDX-License-Identifier: Apache-2.0
// Values in and out of device-local code.
#include "import/device_local.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "ops/registry.hpp"

namespace tw::import {

using graph::Shape;
using graph::TypeId;
using graph::ValueId;

uint64_t DeviceLocal::bits_of(const MeshAxes &axes) {
  uint64_t bits = 0;
  for (const size_t axis : axes)
    bits |= uint64_t{1} << axis;
  return bits;
}

std::vector<int64_t> DeviceLocal::count_from(size_t first, size_t n) {
  std::vector<int64_t> list(n);
  std::iota(list.begin(), list.end(), static_cast<int64_t>(first));
  return list;
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
  TW_TRY(graph::check_size({b_.type_of(v).dtype, dims}));
  const ops::NamedAttr attr{"broadcast_dimensions", mapping};
  TW_ASSIGN(const ValueId made, value("stablehlo.broadcast_in_dim", {&v, 1}, {&attr, 1}, &dims));
  return keep(made, local, all);
}

// What the device at coordinate 0 of these axes holds, or at `at`, one entry an axis of the mesh, for all
// along them.
Result<ValueId> DeviceLocal::first_of(ValueId v, uint64_t axes, const std::vector<int64_t> &at) {
  const uint64_t has = mask(v);
  if ((has & axes) == 0)
    return v;
  const Shape local = local_dims(v);
  const Shape whole = b_.type_of(v).dims;
  std::vector<int64_t> starts(whole.size(), 0), limits(whole.begin(), whole.end());
  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (has & axes & (uint64_t{1} << axis)) {
      starts[place(has, axis)] = at.empty() ? 0 : at[axis];
      limits[place(has, axis)] = starts[place(has, axis)] + 1;
    }
  const std::vector<ops::NamedAttr> attrs{{"start_indices", starts},
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
  const uint64_t has = mask(whole);
  const Shape around = local_dims(whole);
  Shape split = front(has), local; // dimensions cut into axes and tiles; tiles
  std::vector<int64_t> at(sizes_.size(), -1), rest;
  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (has >> axis & 1)
      at[axis] = static_cast<int64_t>(place(has, axis));
  uint64_t axes = has;
  for (size_t d = 0; d < around.size(); ++d) {
    int64_t tiles = 1;
    for (const size_t axis : dims[d]) {
      if (axes >> axis & 1)
        return fail(Code::invalid_argument, "TW-107",
                    has >> axis & 1
                        ? fmt::format("the value is local to the axis \"{}\" already", refs_[axis].name)
                        : fmt::format("the axis \"{}\" cuts two dimensions", refs_[axis].name));
      axes |= uint64_t{1} << axis;
      at[axis] = static_cast<int64_t>(split.size());
      split.push_back(sizes_[axis]);
      tiles *= sizes_[axis];
    }
    if (around[d] % tiles != 0)
      return fail(Code::unimplemented, "TW-113",
                  fmt::format("dimension {} of size {} does not divide into {} equal tiles, as device-local "
                              "code needs",
                              d, around[d], tiles));
    rest.push_back(static_cast<int64_t>(split.size()));
    split.push_back(around[d] / tiles);
    local.push_back(around[d] / tiles);
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

Result<ValueId> DeviceLocal::as_addends(ValueId v, const MeshAxes &axes) {
  const uint64_t has = mask(v), all = has | bits_of(axes);
  const Shape local = local_dims(v);
  const graph::DType dtype = b_.type_of(v).dtype;
  Shape one = front(all);
  std::vector<int64_t> behind(one.size() + local.size(), 0);
  for (const size_t axis : axes)
    if (!(has >> axis & 1)) {
      behind[place(all, axis)] = one[place(all, axis)] - 1;
      one[place(all, axis)] = 1;
    }
  one.insert(one.end(), local.begin(), local.end());
  TW_ASSIGN(const ValueId first, reshape(v, one));
  TW_ASSIGN(const ValueId zero, constant(dtype, {}, zero_of(dtype), true));
  const ValueId operands[] = {first, zero};
  const std::vector<int64_t> none(behind.size(), 0);
  const std::vector<ops::NamedAttr> attrs{
      {"edge_padding_low", none}, {"edge_padding_high", behind}, {"interior_padding", none}};
  TW_ASSIGN(const ValueId made, value("stablehlo.pad", operands, attrs));
  return keep(made, local, all);
}

Result<ValueId> DeviceLocal::add_up(ValueId v, const MeshAxes &axes) {
  const TypeId scalar = b_.type({b_.type_of(v).dtype, {}});
  return reduce(v, bits_of(axes), combiner(scalar, sharding::Reduction::sum));
}

Result<ValueId> DeviceLocal::spread(ValueId local, std::span<const MeshAxes> dims, const MeshAxes &manual) {
  uint64_t axes = 0;
  for (const MeshAxes &d : dims)
    axes |= bits_of(d);
  TW_ASSIGN(const ValueId one, first_of(local, bits_of(manual) & ~axes));
  return expand(one, axes);
}

Result<ValueId> DeviceLocal::leave(ValueId local, std::span<const MeshAxes> dims, const MeshAxes &manual) {
  uint64_t axes = 0;
  for (const MeshAxes &d : dims)
    axes |= bits_of(d);
  TW_ASSIGN(const ValueId all, spread(local, dims, manual));
  const uint64_t has = mask(all), stay = has & ~axes;
  const Shape tile = local_dims(all);
  std::vector<int64_t> permutation;
  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (stay >> axis & 1)
      permutation.push_back(static_cast<int64_t>(place(has, axis)));
  const size_t in_front = front(has).size();
  Shape around;
  for (size_t d = 0; d < tile.size(); ++d) {
    int64_t size = tile[d];
    for (const size_t axis : dims[d]) {
      permutation.push_back(static_cast<int64_t>(place(has, axis)));
      size *= sizes_[axis];
    }
    permutation.push_back(static_cast<int64_t>(in_front + d));
    around.push_back(size);
  }
  TW_ASSIGN(const ValueId moved, transpose(all, permutation));
  Shape whole = front(stay);
  whole.insert(whole.end(), around.begin(), around.end());
  TW_ASSIGN(const ValueId made, reshape(moved, whole));
  return keep(made, around, stay);
}

// --- processes ---

Result<ValueId> DeviceLocal::stack(std::span<const ValueId> values) {
  const Shape local = b_.type_of(values[0]).dims;
  Shape row{1};
  row.insert(row.end(), local.begin(), local.end());
  std::vector<ValueId> rows(values.size());
  for (size_t id = 0; id < values.size(); ++id) {
    TW_ASSIGN(rows[static_cast<size_t>(positions_[id])], reshape(values[id], row));
  }
  const ops::NamedAttr attr{"dimension", int64_t{0}};
  TW_ASSIGN(const ValueId flat, value("stablehlo.concatenate", rows, {&attr, 1}));
  Shape dims = front(every_axis());
  dims.insert(dims.end(), local.begin(), local.end());
  TW_ASSIGN(const ValueId made, reshape(flat, dims));
  return keep(made, local, every_axis());
}

Result<ValueId> DeviceLocal::of_device(ValueId v, int64_t id) {
  TW_ASSIGN(const ValueId all, expand(v, every_axis()));
  const Shape local = local_dims(all);
  Shape flat{std::ssize(positions_)};
  flat.insert(flat.end(), local.begin(), local.end());
  TW_ASSIGN(const ValueId rows, reshape(all, flat));
  std::vector<int64_t> begin(flat.size(), 0), end(flat.begin(), flat.end());
  begin[0] = positions_[static_cast<size_t>(id)];
  end[0] = begin[0] + 1;
  const std::vector<ops::NamedAttr> attrs{
      {"start_indices", begin}, {"limit_indices", end}, {"strides", std::vector<int64_t>(flat.size(), 1)}};
  TW_ASSIGN(const ValueId row, value("stablehlo.slice", {&rows, 1}, attrs));
  return reshape(row, local);
}

} // namespace tw::import
