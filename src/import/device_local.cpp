// SPDX-License-Identifier: Apache-2.0
// Values in and out of device-local code.
#include "import/device_local.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "ops/registry.hpp"
#include "sharding/mesh.hpp"

namespace tw::import {

using annotation::AxisRef;
using annotation::MeshDecl;

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

Status DeviceLocal::use_mesh(const MeshDecl &mesh, std::span<const AxisRef> parts) {
  std::vector<AxisRef> refs;
  std::vector<int64_t> sizes;
  for (const auto &[name, size] : mesh.axes) {
    std::set<int64_t> cuts{1, size}; // where parts begin and end, as products of what lies before
    for (const AxisRef &part : parts)
      if (part.name == name && part.size != 0)
        cuts.insert({part.pre, part.pre * part.size});
    if (size == 1) {
      refs.push_back({name, 1, 0});
      sizes.push_back(1);
    }
    for (auto next = cuts.begin(), last = next++; next != cuts.end(); last = next++) {
      if (*next % *last != 0)
        return fail(Code::invalid_argument, "TW-113",
                    fmt::format("no parts of axis \"{}\" of size {} begin at both {} and {}", name, size,
                                *last, *next));
      refs.push_back(cuts.size() == 2 ? AxisRef{name, 1, 0} : AxisRef{name, *last, *next / *last});
      sizes.push_back(*next / *last);
    }
  }
  const bool same = mesh.name == mesh_ && refs == refs_ && sizes == sizes_ && mesh.device_ids == device_ids_;
  if (has_mesh() && same)
    return {};
  if (has_mesh() && (processes_ || !manual_.empty()))
    return mesh.name == mesh_
               ? (std::ranges::all_of(parts, [&](const AxisRef &part) { return axes_of(part).has_value(); })
                      ? Status()
                      : fail(Code::unimplemented, "TW-113",
                             "device-local code over parts of axes inside such code over whole ones"))
               : fail(Code::unimplemented, "TW-113",
                      fmt::format("device-local code over mesh @{} inside such code over @{}", mesh.name,
                                  mesh_));
  if (refs.size() > sharding::kMaxAxes)
    return fail(Code::out_of_range, "TW-113",
                fmt::format("device-local code over a mesh of more than {} axes", sharding::kMaxAxes));
  int64_t devices = 1;
  for (const int64_t size : sizes) {
    if (size > (int64_t{1} << 20) / devices)
      return fail(Code::out_of_range, "TW-113", "device-local code over more than 2^20 devices");
    devices *= size;
  }
  mesh_ = mesh.name;
  refs_ = std::move(refs);
  sizes_ = std::move(sizes);
  device_ids_ = mesh.device_ids;
  values_.clear(); // what was local before has left
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

bool DeviceLocal::is_manual(std::string_view name) const {
  return std::ranges::any_of(manual_, [&](size_t axis) { return refs_[axis].name == name; });
}

std::optional<MeshAxes> DeviceLocal::axes_of(const AxisRef &ref) const {
  MeshAxes axes;
  int64_t reached = 1;
  for (size_t axis = 0; axis < refs_.size(); ++axis)
    if (const AxisRef &own = refs_[axis]; own.name == ref.name) {
      if (ref.size == 0) {
        axes.push_back(axis);
      } else if (own.pre >= ref.pre && own.pre * sizes_[axis] <= ref.pre * ref.size) {
        axes.push_back(axis);
        reached *= sizes_[axis];
      }
    }
  return ref.size == 0 || reached == ref.size ? std::optional(axes) : std::nullopt;
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

// --- lists of devices ---

std::vector<std::pair<std::string, int64_t>> DeviceLocal::cut_devices(std::span<const int64_t> iota) const {
  std::set<int64_t> cuts{1};
  int64_t behind = 1;
  for (size_t i = iota.size(); i-- > 0;)
    cuts.insert(behind *= iota[i]);
  for (const int64_t cut : findings_.cuts())
    if (behind % cut == 0 &&
        std::ranges::all_of(cuts, [&](int64_t c) { return c % cut == 0 || cut % c == 0; }))
      cuts.insert(cut);
  std::vector<std::pair<std::string, int64_t>> axes;
  for (auto outer = cuts.rbegin(), inner = std::next(outer); inner != cuts.rend(); outer = inner++)
    axes.emplace_back(fmt::format("{}", axes.size()), *outer / *inner);
  if (axes.empty() && !iota.empty())
    axes.emplace_back("0", 1);
  return axes;
}

std::optional<MeshAxes> DeviceLocal::axes_between(int64_t from, int64_t to) const {
  MeshAxes axes;
  int64_t reached = from;
  for (size_t axis = sizes_.size(); axis-- > 0;)
    if (sizes_[axis] > 1 && strides_[axis] >= from && strides_[axis] * sizes_[axis] <= to) {
      if (strides_[axis] != reached)
        break;
      axes.insert(axes.begin(), axis);
      reached *= sizes_[axis];
    }
  if (reached == to)
    return axes;
  findings_.add_cut(from);
  findings_.add_cut(to);
  return std::nullopt;
}

bool DeviceLocal::cut_axis(size_t axis, int64_t parts) const {
  if (sizes_[axis] % parts != 0)
    return false;
  findings_.add_cut(strides_[axis] * (sizes_[axis] / parts));
  return true;
}

// --- processes ---

Status DeviceLocal::use_processes(int64_t replicas, int64_t partitions) {
  TW_TRY(use_mesh({"processes", {{"replica", replicas}, {"partition", partitions}}, {}}));
  replicas_ = replicas;
  processes_ = true;
  return {};
}

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
