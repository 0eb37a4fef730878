// SPDX-License-Identifier: Apache-2.0
// Collectives of device-local code as reductions, transposes, reshapes and gathers of the dimensions in
// front. Groups along mesh axes move these dimensions, so that a plan over the mesh finds the collectives
// again; in any other groups members exchange what they need (device_local_rows.cpp).
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "import/device_local.hpp"
#include "ops/element.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using graph::Shape;
using graph::TypeId;
using graph::ValueId;

namespace {

tl::unexpected<Error> unknown_region() {
  return fail(Code::unimplemented, "TW-113",
              "a collective whose region is not one of add, maximum, minimum, multiply, and, or, xor");
}

} // namespace

std::vector<std::byte> DeviceLocal::zero_of(graph::DType dtype) {
  return std::vector<std::byte>(graph::byte_size(dtype));
}

std::optional<std::vector<std::byte>> DeviceLocal::identity_of(graph::RegionId region,
                                                               graph::DType dtype) const {
  const auto kind = ops::reduction_of(b_.graph(), region);
  return kind ? std::optional(ops::identity_of(*kind, dtype)) : std::nullopt;
}

// --- groups along axes ---

Result<ValueId> DeviceLocal::gather_axes(ValueId v, const MeshAxes &axes, size_t dim) {
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
    return unknown_region();
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

// Cuts local dimension `dim` into tiles along axes, and moves these in front, instead of those that are there
// of them.
Result<DeviceLocal::Cut> DeviceLocal::cut_dim(ValueId v, const MeshAxes &axes, size_t dim) {
  const uint64_t has = mask(v);
  const Shape before = b_.type_of(v).dims;
  Cut cut{v, {}, local_dims(v), before.size() - local_dims(v).size() + dim};
  Shape split(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(cut.at));
  for (const size_t axis : axes) {
    split.push_back(sizes_[axis]);
    cut.local[dim] /= sizes_[axis];
  }
  split.push_back(cut.local[dim]);
  split.insert(split.end(), before.begin() + static_cast<std::ptrdiff_t>(cut.at) + 1, before.end());
  TW_ASSIGN(cut.value, reshape(v, split));
  for (size_t axis = 0; axis < sizes_.size(); ++axis)
    if (const auto from = std::ranges::find(axes, axis); from != axes.end())
      cut.front.push_back(static_cast<int64_t>(cut.at) + (from - axes.begin()));
    else if (has >> axis & 1)
      cut.front.push_back(static_cast<int64_t>(place(has, axis)));
  return cut;
}

Result<ValueId> DeviceLocal::scatter_dim(ValueId v, const MeshAxes &axes, size_t dim) {
  TW_ASSIGN(const Cut cut, cut_dim(v, axes, dim));
  std::vector<int64_t> permutation = cut.front;
  const size_t rank = b_.type_of(cut.value).dims.size();
  for (size_t d = cut.at - dim; d < rank; ++d)
    if (d < cut.at || d >= cut.at + axes.size())
      permutation.push_back(static_cast<int64_t>(d));
  TW_ASSIGN(const ValueId made, transpose(cut.value, permutation));
  return keep(made, cut.local, mask(v) | bits_of(axes));
}

// Every device's dimension is cut among the takers, and what each takes of the others stands side by side.
Result<ValueId> DeviceLocal::exchange_axes(ValueId v, const MeshAxes &axes, size_t split_dim,
                                           size_t concat_dim) {
  TW_ASSIGN(const ValueId all, expand(v, bits_of(axes)));
  TW_ASSIGN(const Cut cut, cut_dim(all, axes, split_dim));
  const uint64_t has = mask(all);
  Shape local = cut.local;
  std::vector<int64_t> permutation = cut.front;
  for (size_t d = 0; d < local.size(); ++d) {
    if (d == concat_dim)
      for (const size_t axis : axes)
        permutation.push_back(static_cast<int64_t>(place(has, axis)));
    permutation.push_back(static_cast<int64_t>(cut.at - split_dim + d + (d >= split_dim ? axes.size() : 0)));
  }
  for (const size_t axis : axes)
    local[concat_dim] *= sizes_[axis];
  TW_ASSIGN(const ValueId moved, transpose(cut.value, permutation));
  Shape dims = front(has);
  dims.insert(dims.end(), local.begin(), local.end());
  TW_ASSIGN(const ValueId made, reshape(moved, dims));
  return keep(made, local, has);
}

Result<ValueId> DeviceLocal::local(std::string_view op, std::span<const ValueId> operands,
                                   std::span<const ops::NamedAttr> attrs, const Shape *dims,
                                   std::span<const graph::RegionId> regions) {
  const graph::OpCode code = *ops::find_op(op);
  TW_ASSIGN(const auto slots, ops::check_attrs(ops::op_def(code), attrs));
  std::vector<TypeId> stated;
  if (dims != nullptr)
    stated.push_back(b_.type({b_.type_of(operands[0]).dtype, *dims}));
  TW_ASSIGN(const graph::OpId id, add(code, operands, slots, stated, regions));
  return b_.graph().result(id);
}

// --- the collectives ---

Status DeviceLocal::divides(ValueId v, size_t dim, const DeviceGroups &groups) const {
  if (local_dims(v)[dim] % std::ssize(groups[0]) == 0)
    return {};
  return fail(Code::invalid_argument, "TW-113",
              fmt::format("dimension {} of size {} does not divide among {} devices", dim, local_dims(v)[dim],
                          groups[0].size()));
}

Result<ValueId> DeviceLocal::all_gather(ValueId v, const DeviceGroups &groups, size_t dim) {
  if (const auto axes = axes_of(groups))
    return gather_axes(v, *axes, dim);
  TW_ASSIGN(const ValueId all, members(v, groups, zero_of(b_.type_of(v).dtype)));
  return merge_members(all, dim);
}

Result<ValueId> DeviceLocal::fold_members(ValueId members, graph::RegionId region) {
  const graph::DType dtype = b_.type_of(members).dtype;
  TW_ASSIGN(const ValueId init, constant(dtype, {}, *identity_of(region, dtype), true));
  const ValueId operands[] = {members, init};
  const ops::NamedAttr attr{"dimensions", std::vector<int64_t>{0}};
  return local("stablehlo.reduce", operands, {&attr, 1}, nullptr, {&region, 1});
}

// Along no axes each member folds its part of all values, and the others take it from there; or what is to be
// folded is so small that all of it goes to all.
Result<ValueId> DeviceLocal::all_reduce(ValueId v, DeviceGroups groups, graph::RegionId region) {
  for (auto &group : groups)
    std::ranges::sort(group); // a sum knows no order of members
  if (const auto axes = axes_of(groups))
    return reduce(v, bits_of(*axes), region);
  const auto identity = identity_of(region, b_.type_of(v).dtype);
  if (!identity)
    return unknown_region();
  const Shape dims = local_dims(v);
  const int64_t size = std::ssize(groups[0]), n = b_.graph().type_at(type(v)).elements(),
                part = (n + size - 1) / size;
  if (2 * part >= n || std::ranges::any_of(groups, [](const auto &group) { return group[0] < 0; })) {
    TW_ASSIGN(const ValueId all, members(v, groups, *identity));
    return fold_members(all, region);
  }
  TW_ASSIGN(ValueId flat, reshape_local(v, {n}));
  if (part * size != n) {
    TW_ASSIGN(const ValueId filler, constant(b_.type_of(v).dtype, {}, *identity, true));
    const ValueId operands[] = {flat, filler};
    const std::vector<ops::NamedAttr> attrs{{"edge_padding_low", std::vector<int64_t>{0}},
                                            {"edge_padding_high", std::vector<int64_t>{part * size - n}},
                                            {"interior_padding", std::vector<int64_t>{0}}};
    TW_ASSIGN(flat, local("stablehlo.pad", operands, attrs));
  }
  TW_ASSIGN(const ValueId own, reduce_scatter(flat, groups, 0, region));
  TW_ASSIGN(const ValueId folded, all_gather(own, groups, 0));
  TW_ASSIGN(const ValueId unpadded, part *size == n ? Result<ValueId>(folded) : slice_local(folded, 0, 0, n));
  return reshape_local(unpadded, dims);
}

Result<ValueId> DeviceLocal::reduce_scatter(ValueId v, const DeviceGroups &groups, size_t dim,
                                            graph::RegionId region) {
  TW_TRY(divides(v, dim, groups));
  if (const auto axes = axes_of(groups)) {
    TW_ASSIGN(const ValueId sum, reduce(v, bits_of(*axes), region));
    return scatter_dim(sum, *axes, dim);
  }
  const auto identity = identity_of(region, b_.type_of(v).dtype);
  if (!identity)
    return unknown_region();
  TW_ASSIGN(const ValueId parts, cut_members(v, std::ssize(groups[0]), dim));
  TW_ASSIGN(const ValueId all, members(parts, groups, *identity, true));
  return fold_members(all, region);
}

Result<ValueId> DeviceLocal::all_to_all(ValueId v, const DeviceGroups &groups, size_t split_dim,
                                        size_t concat_dim) {
  TW_TRY(divides(v, split_dim, groups));
  if (const auto axes = axes_of(groups))
    return exchange_axes(v, *axes, split_dim, concat_dim);
  TW_ASSIGN(const ValueId parts, cut_members(v, std::ssize(groups[0]), split_dim));
  TW_ASSIGN(const ValueId all, members(parts, groups, zero_of(b_.type_of(v).dtype), true));
  return merge_members(all, concat_dim);
}

// What the member of this number in groups along axes holds, for all of them.
Result<ValueId> DeviceLocal::member_of(ValueId v, const MeshAxes &axes, int64_t number) {
  std::vector<int64_t> at(sizes_.size(), 0);
  for (size_t i = axes.size(); i-- > 0; number /= sizes_[axes[i]])
    at[axes[i]] = number % sizes_[axes[i]];
  return first_of(v, bits_of(axes), at);
}

Result<ValueId> DeviceLocal::all_slice(ValueId v, const DeviceGroups &groups, size_t dim) {
  TW_TRY(divides(v, dim, groups));
  if (const auto axes = axes_of(groups); axes && (mask(v) & bits_of(*axes)) == 0)
    return scatter_dim(v, *axes, dim);
  Shape dims = local_dims(v);
  TW_ASSIGN(const ValueId parts, cut_members(v, std::ssize(groups[0]), dim));
  DeviceGroups own;
  for (const int64_t number : numbers_in(groups))
    own.push_back({number});
  TW_ASSIGN(const ValueId part, pick_local(parts, own));
  dims[dim] /= std::ssize(groups[0]);
  return reshape_local(part, dims);
}

Result<ValueId> DeviceLocal::broadcast(ValueId v, const DeviceGroups &groups,
                                       std::span<const int64_t> roots) {
  if (const auto axes = axes_of(groups); axes && std::ranges::count(roots, roots[0]) == std::ssize(roots))
    return member_of(v, *axes, roots[0]);
  std::vector<int64_t> from(positions_.size(), -1);
  for (size_t g = 0; g < groups.size(); ++g)
    for (const int64_t id : groups[g])
      if (id >= 0)
        from[static_cast<size_t>(id)] = groups[g][static_cast<size_t>(roots[g])];
  return take(v, from, zero_of(b_.type_of(v).dtype));
}

Result<ValueId> DeviceLocal::broadcast(ValueId v, const DeviceGroups &groups, ValueId root) {
  const graph::DType index = b_.type_of(root).dtype;
  TW_ASSIGN(const ValueId all, members(v, groups, zero_of(b_.type_of(v).dtype)));
  TW_ASSIGN(const ValueId zero, constant(index, {}, zero_of(index), true));
  Shape dims = local_dims(all);
  std::vector<ValueId> operands(1 + dims.size(), zero);
  operands[0] = all;
  operands[1] = root;
  dims[0] = 1;
  const ops::NamedAttr attr{"slice_sizes", std::vector<int64_t>(dims)};
  TW_ASSIGN(const ValueId one, local("stablehlo.dynamic_slice", operands, {&attr, 1}));
  dims.erase(dims.begin());
  return reshape_local(one, dims);
}

graph::RegionId DeviceLocal::copy_region(graph::RegionId region) {
  const auto kind = ops::reduction_of(b_.graph(), region);
  if (!kind)
    return region;
  return combiner(b_.graph().value(b_.graph().region(region).args[0]).type, *kind);
}

// A region that folds two of these scalars.
graph::RegionId DeviceLocal::combiner(TypeId scalar, sharding::Reduction kind) {
  const std::vector<TypeId> types{scalar, scalar};
  const graph::RegionId copy = b_.open_region(types);
  const std::vector<ValueId> arguments = b_.graph().region(copy).args;
  const graph::OpId op = b_.add_op({*ops::find_op(ops::combiner_op(kind)), arguments, {&scalar, 1}, 0, loc_});
  b_.close_region({b_.graph().result(op)});
  return copy;
}

} // namespace tw::import
