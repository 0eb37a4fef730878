// SPDX-License-Identifier: Apache-2.0
// Collectives of device-local code as reductions, transposes, reshapes and gathers of the dimensions in
// front. Groups along mesh axes move these dimensions, so that a plan over the mesh finds the collectives
// again; any other groups pick rows.
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

constexpr size_t kMaxTable = 1 << 24; // devices times members of a group

tl::unexpected<Error> unknown_region() {
  return fail(Code::unimplemented, "TW-113",
              "a collective whose region is not one of add, maximum, minimum, multiply, and, or, xor");
}

std::vector<std::byte> bytes_of(std::span<const int64_t> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

} // namespace

// --- groups ---

Status DeviceLocal::check(const DeviceGroups &groups) const {
  std::vector<bool> seen(positions_.size(), false);
  for (const auto &group : groups) {
    if (group.empty() || group.size() != groups[0].size())
      return fail(Code::invalid_argument, "TW-113", "groups of devices must be equally large; -1 fills up");
    for (const int64_t id : group) {
      if (id == -1)
        continue;
      if (id < 0 || id >= std::ssize(positions_))
        return fail(Code::invalid_argument, "TW-113",
                    fmt::format("device {} is in no mesh: @{} has {} devices", id, mesh_, positions_.size()));
      if (seen[static_cast<size_t>(id)])
        return fail(Code::invalid_argument, "TW-113", fmt::format("device {} is in two groups", id));
      seen[static_cast<size_t>(id)] = true;
    }
  }
  return {};
}

std::optional<MeshAxes> DeviceLocal::axes_of(const DeviceGroups &groups) const {
  if (groups.empty())
    return std::nullopt;
  const size_t size = groups[0].size();
  std::vector<int64_t> at; // positions
  for (const auto &group : groups)
    for (const int64_t id : group)
      at.push_back(id < 0 ? -1 : positions_[static_cast<size_t>(id)]);
  std::vector<int64_t> sorted = at;
  std::ranges::sort(sorted);
  if (sorted != count_from(0, positions_.size()))
    return std::nullopt;
  // How members of the first group stand to each other, minor axis first; then all groups must be like it.
  MeshAxes axes;
  for (size_t done = 1; done < size;) {
    const int64_t step = at[done] - at[0];
    size_t axis = 0;
    while (axis < sizes_.size() && (strides_[axis] != step || sizes_[axis] == 1))
      ++axis;
    if (axis == sizes_.size() || std::ranges::count(axes, axis) != 0)
      return std::nullopt;
    axes.insert(axes.begin(), axis);
    done *= static_cast<size_t>(sizes_[axis]);
  }
  for (size_t i = 0; i < at.size(); ++i) {
    const int64_t base = at[i / size * size];
    int64_t member = static_cast<int64_t>(i % size), expected = base;
    for (size_t a = axes.size(); a-- > 0; member /= sizes_[axes[a]]) {
      if (base / strides_[axes[a]] % sizes_[axes[a]] != 0)
        return std::nullopt;
      expected += member % sizes_[axes[a]] * strides_[axes[a]];
    }
    if (member != 0 || at[i] != expected)
      return std::nullopt;
  }
  return axes;
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

// --- any groups ---

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

DeviceLocal::Rows DeviceLocal::rows_of(const DeviceGroups &groups) const {
  const size_t size = groups[0].size();
  std::vector<int64_t> from(positions_.size() * size, -1);
  for (const auto &group : groups)
    for (const int64_t id : group)
      for (size_t j = 0; id >= 0 && j < size; ++j)
        if (group[j] >= 0)
          from[static_cast<size_t>(positions_[static_cast<size_t>(id)]) * size + j] =
              positions_[static_cast<size_t>(group[j])];
  return rows_of(from, size);
}

Result<ValueId> DeviceLocal::members(ValueId v, const DeviceGroups &groups, std::vector<std::byte> missing) {
  if (groups[0].size() > kMaxTable / positions_.size())
    return fail(Code::out_of_range, "TW-113",
                fmt::format("{} devices in groups of {} along no axes of the mesh: the table of their "
                            "members would have more than {} entries",
                            positions_.size(), groups[0].size(), kMaxTable));
  const Rows rows = rows_of(groups);
  TW_ASSIGN(const Merged merged, merge_axes(v, rows.axes));
  const auto size = static_cast<int64_t>(rows.width), devices = std::ssize(rows.from) / size;
  Shape local = local_dims(v), row = b_.type_of(merged.value).dims;
  row[merged.at] = 1;
  Shape gathered = b_.type_of(merged.value).dims;
  const auto at = static_cast<int64_t>(merged.at), behind = std::ssize(gathered) - std::ssize(local);
  gathered.insert(gathered.begin() + behind, size);
  local.insert(local.begin(), size);
  const graph::DType dtype = b_.type_of(merged.value).dtype;
  TW_TRY(graph::check_size({dtype, gathered}));

  std::vector<int64_t> indices(rows.from), offsets = count_from(0, gathered.size());
  std::vector<std::byte> there(rows.from.size(), std::byte{1});
  for (size_t i = 0; i < indices.size(); ++i)
    if (indices[i] < 0) {
      indices[i] = 0;
      there[i] = std::byte{0};
    }
  std::erase_if(offsets, [&](int64_t d) { return d == at || d == behind; });
  const Shape table{devices, size};
  TW_ASSIGN(const ValueId index, constant(graph::DType::s64, table, bytes_of(indices), false));
  const std::vector<ops::NamedAttr> attrs{{"offset_dims", offsets},
                                          {"collapsed_slice_dims", std::vector<int64_t>{at}},
                                          {"start_index_map", std::vector<int64_t>{at}},
                                          {"index_vector_dim", int64_t{2}},
                                          {"slice_sizes", std::vector<int64_t>(row)}};
  const ValueId operands[] = {merged.value, index};
  TW_ASSIGN(ValueId taken, value("stablehlo.gather", operands, attrs));
  if (std::ranges::count(there, std::byte{0}) != 0) {
    TW_ASSIGN(const ValueId mask_of, constant(graph::DType::i1, table, std::move(there), false));
    const ops::NamedAttr over{"broadcast_dimensions", std::vector<int64_t>{at, behind}};
    TW_ASSIGN(const ValueId mask_all,
              value("stablehlo.broadcast_in_dim", {&mask_of, 1}, {&over, 1}, &gathered));
    TW_ASSIGN(const ValueId other, constant(dtype, gathered, std::move(missing), true));
    const ValueId choice[] = {mask_all, taken, other};
    TW_ASSIGN(taken, value("stablehlo.select", choice, {}));
  }
  return split_axes(taken, merged, rows.axes, local);
}

// Of `width` along a dimension, at a device's number in its group.
Result<ValueId> DeviceLocal::own_part(ValueId v, const DeviceGroups &groups, size_t dim, int64_t width) {
  const Rows rows = rows_of(groups);
  std::vector<int64_t> starts;
  for (size_t p = 0; p < rows.from.size() / rows.width; ++p) {
    const std::span<const int64_t> row(rows.from.data() + p * rows.width, rows.width);
    const auto own = std::ranges::find(row, static_cast<int64_t>(p));
    starts.push_back(own == row.end() ? 0 : (own - row.begin()) * width);
  }
  const uint64_t axes = bits_of(rows.axes);
  TW_ASSIGN(const ValueId flat, constant(graph::DType::s64, front(axes), bytes_of(starts), false));
  const ValueId start = keep(flat, {}, axes);
  TW_ASSIGN(const ValueId zero, zeros(graph::DType::s64, {}));
  std::vector<int64_t> sizes = local_dims(v);
  std::vector<ValueId> operands(1 + sizes.size(), zero);
  operands[0] = v;
  operands[1 + dim] = start;
  sizes[dim] = width;
  const ops::NamedAttr attr{"slice_sizes", sizes};
  return local("stablehlo.dynamic_slice", operands, {&attr, 1});
}

// Local dimension 0 joins dimension `dim` of the rest, as its major part.
Result<ValueId> DeviceLocal::merge_members(ValueId v, size_t dim) {
  Shape dims = local_dims(v);
  std::vector<int64_t> permutation = count_from(1, dims.size() - 1);
  permutation.insert(permutation.begin() + static_cast<std::ptrdiff_t>(dim), 0);
  const ops::NamedAttr attr{"permutation", permutation};
  TW_ASSIGN(const ValueId moved, local("stablehlo.transpose", {&v, 1}, {&attr, 1}));
  dims[1 + dim] *= dims[0];
  dims.erase(dims.begin());
  return local("stablehlo.reshape", {&moved, 1}, {}, &dims);
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
  TW_ASSIGN(const ValueId all,
            members(v, groups, std::vector<std::byte>(graph::byte_size(b_.type_of(v).dtype))));
  return merge_members(all, dim);
}

Result<ValueId> DeviceLocal::all_reduce(ValueId v, const DeviceGroups &groups, graph::RegionId region) {
  if (const auto axes = axes_of(groups))
    return reduce(v, bits_of(*axes), region);
  const auto kind = ops::reduction_of(b_.graph(), region);
  if (!kind)
    return unknown_region();
  const auto identity = ops::identity_of(*kind, b_.type_of(v).dtype);
  TW_ASSIGN(const ValueId all, members(v, groups, identity));
  TW_ASSIGN(const ValueId init, constant(b_.type_of(v).dtype, {}, identity, true));
  const ValueId operands[] = {all, init};
  const ops::NamedAttr attr{"dimensions", std::vector<int64_t>{0}};
  return local("stablehlo.reduce", operands, {&attr, 1}, nullptr, {&region, 1});
}

Result<ValueId> DeviceLocal::reduce_scatter(ValueId v, const DeviceGroups &groups, size_t dim,
                                            graph::RegionId region) {
  TW_TRY(divides(v, dim, groups));
  TW_ASSIGN(const ValueId sum, all_reduce(v, groups, region));
  if (const auto axes = axes_of(groups))
    return scatter_dim(sum, *axes, dim);
  return own_part(sum, groups, dim, local_dims(sum)[dim] / std::ssize(groups[0]));
}

Result<ValueId> DeviceLocal::all_to_all(ValueId v, const DeviceGroups &groups, size_t split_dim,
                                        size_t concat_dim) {
  TW_TRY(divides(v, split_dim, groups));
  if (const auto axes = axes_of(groups))
    return exchange_axes(v, *axes, split_dim, concat_dim);
  TW_ASSIGN(const ValueId all,
            members(v, groups, std::vector<std::byte>(graph::byte_size(b_.type_of(v).dtype))));
  TW_ASSIGN(const ValueId own,
            own_part(all, groups, 1 + split_dim, local_dims(all)[1 + split_dim] / std::ssize(groups[0])));
  return merge_members(own, concat_dim);
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
  return own_part(v, groups, dim, local_dims(v)[dim] / std::ssize(groups[0]));
}

Result<ValueId> DeviceLocal::broadcast(ValueId v, const DeviceGroups &groups, ValueId root, int64_t number) {
  if (const auto axes = axes_of(groups); axes && root == graph::kNone)
    return member_of(v, *axes, number);
  TW_ASSIGN(const ValueId all,
            members(v, groups, std::vector<std::byte>(graph::byte_size(b_.type_of(v).dtype))));
  const graph::DType index = root == graph::kNone ? graph::DType::s64 : b_.type_of(root).dtype;
  TW_ASSIGN(const ValueId zero, constant(index, {}, std::vector<std::byte>(graph::byte_size(index)), true));
  Shape dims = local_dims(all);
  std::vector<ValueId> operands(1 + dims.size(), zero);
  operands[0] = all;
  if (root != graph::kNone) {
    operands[1] = root;
  } else {
    TW_ASSIGN(operands[1], constant(index, {}, bytes_of({{number}}), true));
  }
  dims[0] = 1;
  const ops::NamedAttr attr{"slice_sizes", std::vector<int64_t>(dims)};
  TW_ASSIGN(const ValueId one, local("stablehlo.dynamic_slice", operands, {&attr, 1}));
  dims.erase(dims.begin());
  return local("stablehlo.reshape", {&one, 1}, {}, &dims);
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

} // namespace tw::import
