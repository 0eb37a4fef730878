// SPDX-License-Identifier: Apache-2.0
// Which devices a device takes from, as rows of a table, and the axes along which that changes anything:
// permutations, and collectives of groups that lie along no axes. Along all other axes each device does the
// same with what it has.
#include <algorithm>

#include <fmt/format.h>

#include "import/device_local.hpp"

namespace tw::import {

using graph::Shape;
using graph::ValueId;

// Positions along these axes alone, row-major, as positions of the mesh.
std::vector<int64_t> DeviceLocal::positions_along(const MeshAxes &axes) const {
  std::vector<int64_t> positions{0};
  for (const size_t axis : axes) {
    std::vector<int64_t> more;
    for (const int64_t p : positions)
      for (int64_t c = 0; c < sizes_[axis]; ++c)
        more.push_back(p + c * strides_[axis]);
    positions = std::move(more);
  }
  return positions;
}

// An axis does not matter where every device takes from devices at its own coordinate, and the devices at
// coordinate 0 say which.
DeviceLocal::Rows DeviceLocal::rows_of(const std::vector<int64_t> &from, size_t width) const {
  const auto row_is_carried_along = [&](size_t axis, size_t p) {
    const int64_t step = static_cast<int64_t>(p) / strides_[axis] % sizes_[axis] * strides_[axis];
    const size_t first = p - static_cast<size_t>(step);
    for (size_t j = 0; j < width; ++j) {
      const int64_t at_first = from[first * width + j];
      if (at_first < 0
              ? from[p * width + j] >= 0
              : at_first / strides_[axis] % sizes_[axis] != 0 || from[p * width + j] != at_first + step)
        return false;
    }
    return true;
  };
  Rows rows;
  rows.width = width;
  for (size_t axis = 0; axis < sizes_.size(); ++axis) {
    bool carried = true;
    for (size_t p = 0; carried && p < positions_.size(); ++p)
      carried = row_is_carried_along(axis, p);
    if (!carried)
      rows.axes.push_back(axis);
  }
  const std::vector<int64_t> positions = positions_along(rows.axes);
  for (const int64_t p : positions)
    for (size_t j = 0; j < width; ++j) {
      const int64_t source = from[static_cast<size_t>(p) * width + j];
      rows.from.push_back(source < 0 ? -1 : std::ranges::lower_bound(positions, source) - positions.begin());
    }
  return rows;
}

// The axes become one dimension, behind those of the axes before them; none are one device.
Result<DeviceLocal::Merged> DeviceLocal::merge_axes(ValueId v, const MeshAxes &axes) {
  TW_ASSIGN(const ValueId all, expand(v, bits_of(axes)));
  const uint64_t has = mask(all);
  const size_t first_axis = axes.empty() ? sizes_.size() : axes[0];
  Merged merged{graph::kNone, 0, has, {}};
  std::vector<int64_t> behind;
  for (size_t axis = 0; axis < sizes_.size(); ++axis) {
    if ((has >> axis & 1) == 0)
      continue;
    const auto at = static_cast<int64_t>(place(has, axis));
    const bool one_of_them = std::ranges::count(axes, axis) != 0;
    if (!one_of_them && axis > first_axis)
      behind.push_back(at);
    else
      merged.order.push_back(at);
    merged.at += axis < first_axis ? 1 : 0;
  }
  merged.order.insert(merged.order.end(), behind.begin(), behind.end());
  const size_t rank = b_.type_of(all).rank();
  for (const int64_t d : count_from(merged.order.size(), rank - merged.order.size()))
    merged.order.push_back(d);
  TW_ASSIGN(const ValueId moved, transpose(all, merged.order));
  Shape dims = b_.type_of(moved).dims;
  const auto first = dims.begin() + static_cast<std::ptrdiff_t>(merged.at);
  int64_t devices = 1;
  for (const size_t axis : axes)
    devices *= sizes_[axis];
  dims.insert(dims.erase(first, first + std::ssize(axes)), devices);
  TW_ASSIGN(merged.value, reshape(moved, dims));
  return merged;
}

// And back, with these local dimensions behind.
Result<ValueId> DeviceLocal::split_axes(ValueId v, const Merged &merged, const MeshAxes &axes,
                                        const Shape &local) {
  Shape dims = b_.type_of(v).dims;
  const auto at = dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(merged.at));
  Shape sizes;
  for (const size_t axis : axes)
    sizes.push_back(sizes_[axis]);
  dims.insert(at, sizes.begin(), sizes.end());
  TW_ASSIGN(const ValueId split, reshape(v, dims));
  const size_t in_front = front(merged.axes).size();
  std::vector<int64_t> back(in_front);
  for (size_t i = 0; i < in_front; ++i)
    back[static_cast<size_t>(merged.order[i])] = static_cast<int64_t>(i);
  for (const int64_t d : count_from(in_front, local.size()))
    back.push_back(d);
  TW_ASSIGN(const ValueId made, transpose(split, back));
  return keep(made, local, merged.axes);
}

// Runs of rows that stay together are slices; where nothing is sent there are zeros. So a plan over the mesh
// finds one permutation again.
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
  const Rows rows = rows_of(from, 1);
  if (rows.axes.empty())
    return rows.from[0] == 0 ? Result<ValueId>(v) : zeros(b_.type_of(v).dtype, local_dims(v));
  TW_ASSIGN(const Merged merged, merge_axes(v, rows.axes));
  const Shape local = local_dims(v), whole = b_.type_of(merged.value).dims;
  std::vector<ValueId> pieces;
  for (size_t begin = 0, end = 0; begin < rows.from.size(); begin = end) {
    const int64_t first = rows.from[begin];
    for (end = begin + 1; end < rows.from.size(); ++end)
      if (rows.from[end] != (first < 0 ? -1 : first + static_cast<int64_t>(end - begin)))
        break;
    Shape dims = whole;
    dims[merged.at] = static_cast<int64_t>(end - begin);
    TW_ASSIGN(pieces.emplace_back(), first < 0 ? zeros(b_.type_of(v).dtype, dims)
                                               : slice_rows(merged.value, merged.at, first, dims));
  }
  const ops::NamedAttr along{"dimension", static_cast<int64_t>(merged.at)};
  TW_ASSIGN(const ValueId joined, value("stablehlo.concatenate", pieces, {&along, 1}));
  return split_axes(joined, merged, rows.axes, local);
}

Result<ValueId> DeviceLocal::zeros(graph::DType dtype, const Shape &dims) {
  return constant(dtype, dims, std::vector<std::byte>(graph::byte_size(dtype)), true);
}

// As many along dimension `at` as `dims` has there, from `first` on.
Result<ValueId> DeviceLocal::slice_rows(ValueId v, size_t at, int64_t first, const Shape &dims) {
  std::vector<int64_t> begin(dims.size(), 0), end(dims.begin(), dims.end());
  begin[at] = first;
  end[at] += first;
  const std::vector<ops::NamedAttr> attrs{
      {"start_indices", begin}, {"limit_indices", end}, {"strides", std::vector<int64_t>(dims.size(), 1)}};
  return value("stablehlo.slice", {&v, 1}, attrs);
}

} // namespace tw::import
