// SPDX-License-Identifier: Apache-2.0
// Which device each device takes from, as rows of a table, and the axes along which that changes anything:
// permutations, groups that lie along no axes, and what moves from or to one member of each group. Along all
// other axes each device does the same with what it has.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "import/device_local.hpp"
#include "ops/reduction.hpp"

namespace tw::import {

using graph::Shape;
using graph::ValueId;

namespace {

constexpr size_t kMostMessages = 1 << 20; // of one collective, as slices of the array of all devices

std::vector<std::byte> bytes_of(std::span<const int64_t> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

} // namespace

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
DeviceLocal::Rows DeviceLocal::rows_of(const std::vector<int64_t> &from, int64_t parts) const {
  const auto is_carried_along = [&](size_t axis, size_t p) {
    const int64_t step = static_cast<int64_t>(p) / strides_[axis] % sizes_[axis] * strides_[axis];
    const int64_t at_first = from[p - static_cast<size_t>(step)];
    return at_first < 0
               ? from[p] < 0
               : at_first / parts / strides_[axis] % sizes_[axis] == 0 && from[p] == at_first + step * parts;
  };
  Rows rows;
  for (size_t axis = 0; axis < sizes_.size(); ++axis) {
    bool carried = true;
    for (size_t p = 0; carried && p < positions_.size(); ++p)
      carried = is_carried_along(axis, p);
    if (!carried)
      rows.axes.push_back(axis);
  }
  const std::vector<int64_t> positions = positions_along(rows.axes);
  for (const int64_t p : positions) {
    const int64_t source = from[static_cast<size_t>(p)];
    rows.from.push_back(
        source < 0 ? -1
                   : (std::ranges::lower_bound(positions, source / parts) - positions.begin()) * parts +
                         source % parts);
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

Result<ValueId> DeviceLocal::permute(ValueId v, std::span<const int64_t> pairs) {
  const auto devices = std::ssize(positions_);
  std::vector<int64_t> from(positions_.size(), -1), sends(positions_.size(), 0);
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const int64_t source = pairs[i], target = pairs[i + 1];
    for (const int64_t id : {source, target})
      if (id < 0 || id >= devices)
        return fail(Code::invalid_argument, "TW-113",
                    fmt::format("device {} is in no mesh: @{} has {} devices", id, mesh_, devices));
    int64_t &source_of = from[static_cast<size_t>(target)];
    if (source_of >= 0 || ++sends[static_cast<size_t>(source)] > 1)
      return fail(Code::invalid_argument, "TW-113",
                  fmt::format("the pair {} to {} names a source or a target twice", source, target));
    source_of = source;
  }
  return take(v, from, zero_of(b_.type_of(v).dtype));
}

// Runs of rows that stay together are slices; where nothing is sent there is `fill`. So a plan over the mesh
// finds one exchange again, of what devices lack.
Result<ValueId> DeviceLocal::take(ValueId v, std::span<const int64_t> from, std::vector<std::byte> fill,
                                  bool of_parts) {
  Shape local = local_dims(v);
  const int64_t parts = of_parts ? local[0] : 1;
  std::vector<int64_t> at_positions(positions_.size(), -1);
  for (size_t id = 0; id < positions_.size(); ++id)
    if (from[id] >= 0)
      at_positions[static_cast<size_t>(positions_[id])] =
          positions_[static_cast<size_t>(from[id] / parts)] * parts + from[id] % parts;
  const Rows rows = rows_of(at_positions, parts);
  const graph::DType dtype = b_.type_of(v).dtype;
  if (rows.axes.empty() && !of_parts)
    return rows.from[0] == 0 ? Result<ValueId>(v) : constant(dtype, local, std::move(fill), true);
  TW_ASSIGN(Merged merged, merge_axes(v, rows.axes));
  if (of_parts) {
    TW_ASSIGN(merged.value, merge_parts(merged, local.size()));
    local.erase(local.begin());
  }
  const Shape whole = b_.type_of(merged.value).dims;
  std::vector<ValueId> pieces;
  for (size_t begin = 0, end = 0; begin < rows.from.size(); begin = end) {
    const int64_t first = rows.from[begin];
    for (end = begin + 1; end < rows.from.size(); ++end)
      if (rows.from[end] != (first < 0 ? -1 : first + static_cast<int64_t>(end - begin)))
        break;
    Shape dims = whole;
    dims[merged.at] = static_cast<int64_t>(end - begin);
    TW_ASSIGN(pieces.emplace_back(), first < 0 ? constant(dtype, dims, fill, true)
                                               : slice_rows(merged.value, merged.at, first, dims));
  }
  const ops::NamedAttr along{"dimension", static_cast<int64_t>(merged.at)};
  TW_ASSIGN(const ValueId joined, value("stablehlo.concatenate", pieces, {&along, 1}));
  return split_axes(joined, merged, rows.axes, local);
}

// Local dimension 0, of `rank` local ones, joins the devices as their minor part.
Result<ValueId> DeviceLocal::merge_parts(const Merged &merged, size_t rank) {
  Shape dims = b_.type_of(merged.value).dims;
  const size_t part = dims.size() - rank;
  std::vector<int64_t> order = count_from(0, dims.size());
  order.erase(order.begin() + static_cast<std::ptrdiff_t>(part));
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(merged.at) + 1, static_cast<int64_t>(part));
  TW_ASSIGN(const ValueId moved, transpose(merged.value, order));
  dims[merged.at] *= dims[part];
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(part));
  return reshape(moved, dims);
}

// --- groups along no axes ---

// Of local dimension 0 each device takes the entries that its row of a table names: no data moves.
Result<ValueId> DeviceLocal::pick_local(ValueId v, const DeviceGroups &table) {
  const auto n = std::ssize(table[0]);
  std::vector<int64_t> entries(positions_.size() * table[0].size());
  for (size_t id = 0; id < positions_.size(); ++id)
    std::ranges::copy(table[id], entries.begin() + positions_[id] * n);
  TW_ASSIGN(const ValueId index, numbers_along(graph::DType::s64, every_axis(), bytes_of(entries), {n}));
  const uint64_t axes = mask(v) | mask(index);
  TW_ASSIGN(const ValueId all, expand(v, axes));
  TW_ASSIGN(const ValueId indices, expand(index, axes));
  Shape local = local_dims(all), sizes = b_.type_of(all).dims;
  const size_t in_front = sizes.size() - local.size();
  std::fill_n(sizes.begin(), in_front + 1, 1);
  local[0] = n;
  const auto front_dims = count_from(0, in_front);
  const std::vector<int64_t> taken{static_cast<int64_t>(in_front)};
  const std::vector<ops::NamedAttr> attrs{{"offset_dims", count_from(in_front + 1, local.size() - 1)},
                                          {"collapsed_slice_dims", taken},
                                          {"operand_batching_dims", front_dims},
                                          {"start_indices_batching_dims", front_dims},
                                          {"start_index_map", taken},
                                          {"index_vector_dim", static_cast<int64_t>(in_front + 1)},
                                          {"slice_sizes", std::vector<int64_t>(sizes)}};
  const ValueId operands[] = {all, indices};
  TW_ASSIGN(const ValueId made, value("stablehlo.gather", operands, attrs));
  return keep(made, local, axes);
}

// A device's number in its group, by id; 0 of those in none.
std::vector<int64_t> DeviceLocal::numbers_in(const DeviceGroups &groups) const {
  std::vector<int64_t> numbers(positions_.size(), 0);
  for (const auto &group : groups)
    for (size_t i = 0; i < group.size(); ++i)
      if (group[i] >= 0)
        numbers[static_cast<size_t>(group[i])] = static_cast<int64_t>(i);
  return numbers;
}

// In round k each device sends to the member k places before it, so a round is a permutation, and what has
// come is put into the order of the members.
Result<ValueId> DeviceLocal::members(ValueId v, const DeviceGroups &groups,
                                     const std::vector<std::byte> &fill, bool of_parts) {
  const auto size = std::ssize(groups[0]);
  if (groups[0].size() > kMostMessages / positions_.size())
    return fail(Code::out_of_range, "TW-113",
                fmt::format("{} devices in groups of {} along no axes of the mesh: more than {} messages",
                            positions_.size(), groups[0].size(), kMostMessages));
  const std::vector<int64_t> own = numbers_in(groups);
  DeviceGroups to_send(own.size()), in_order(own.size());
  for (size_t id = 0; id < own.size(); ++id)
    for (int64_t k = 0; k < size; ++k) {
      to_send[id].push_back((own[id] - k + size) % size);
      in_order[id].push_back((k - own[id] + size) % size);
    }
  if (of_parts) {
    TW_ASSIGN(v, pick_local(v, to_send));
  }
  std::vector<ValueId> rounds;
  for (int64_t k = 0; k < size; ++k) {
    std::vector<int64_t> from(own.size(), -1);
    for (const auto &group : groups)
      for (int64_t i = 0; i < size; ++i)
        if (const int64_t id = group[static_cast<size_t>(i)]; id >= 0)
          from[static_cast<size_t>(id)] = group[static_cast<size_t>((i + k) % size)];
    TW_ASSIGN(const ValueId sent, of_parts ? slice_local(v, 0, k, k + 1) : add_dim(v));
    TW_ASSIGN(rounds.emplace_back(), take(sent, from, fill));
  }
  const ops::NamedAttr along{"dimension", int64_t{0}};
  TW_ASSIGN(const ValueId all, local("stablehlo.concatenate", rounds, {&along, 1}));
  return pick_local(all, in_order);
}

// --- from and to one member of each group ---

std::vector<int64_t> DeviceLocal::from_members(const DeviceGroups &groups, std::span<const int64_t> roots,
                                               size_t member) const {
  std::vector<int64_t> from(positions_.size(), -1);
  for (size_t g = 0; g < groups.size(); ++g)
    from[static_cast<size_t>(groups[g][static_cast<size_t>(roots[g])])] = groups[g][member];
  return from;
}

Result<ValueId> DeviceLocal::gather_to(ValueId v, const DeviceGroups &groups, std::span<const int64_t> roots,
                                       size_t dim) {
  std::vector<ValueId> pieces(groups[0].size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    TW_ASSIGN(pieces[i], take(v, from_members(groups, roots, i), zero_of(b_.type_of(v).dtype)));
  }
  const ops::NamedAttr along{"dimension", static_cast<int64_t>(dim)};
  return local("stablehlo.concatenate", pieces, {&along, 1});
}

Result<ValueId> DeviceLocal::reduce_to(ValueId v, const DeviceGroups &groups, std::span<const int64_t> roots,
                                       sharding::Reduction kind) {
  ValueId folded = graph::kNone;
  for (size_t i = 0; i < groups[0].size(); ++i) {
    TW_ASSIGN(const ValueId piece, take(v, from_members(groups, roots, i), zero_of(b_.type_of(v).dtype)));
    const ValueId pair[] = {folded, piece};
    TW_ASSIGN(folded, i == 0 ? Result<ValueId>(piece) : local(ops::combiner_op(kind), pair, {}));
  }
  return folded;
}

Result<ValueId> DeviceLocal::scatter_from(ValueId v, const DeviceGroups &groups,
                                          std::span<const int64_t> roots, size_t dim) {
  const auto size = std::ssize(groups[0]);
  TW_TRY(divides(v, dim, groups));
  TW_ASSIGN(const ValueId parts, cut_members(v, size, dim));
  if (std::ranges::count(roots, roots[0]) != std::ssize(roots) ||
      groups.size() * groups[0].size() != positions_.size())
    return scatter_parts(parts, groups, roots, dim);
  // In the order of the devices that get them, so that what goes to neighbours goes as one piece.
  std::vector<size_t> order(groups[0].size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return positions_[static_cast<size_t>(groups[0][i])]; });
  const bool in_order = std::ranges::is_sorted(order);
  std::vector<ValueId> pieces;
  std::vector<int64_t> from(positions_.size(), -1);
  for (size_t i = 0; i < order.size(); ++i) {
    const auto part = static_cast<int64_t>(order[i]);
    if (!in_order) {
      TW_ASSIGN(pieces.emplace_back(), slice_local(parts, 0, part, part + 1));
    }
    for (size_t g = 0; g < groups.size(); ++g)
      from[static_cast<size_t>(groups[g][order[i]])] =
          groups[g][static_cast<size_t>(roots[g])] * size + static_cast<int64_t>(i);
  }
  const ops::NamedAttr along{"dimension", int64_t{0}};
  TW_ASSIGN(const ValueId ordered,
            in_order ? Result<ValueId>(parts) : local("stablehlo.concatenate", pieces, {&along, 1}));
  return take(ordered, from, zero_of(b_.type_of(v).dtype), true);
}

// Where groups do otherwise, by their roots or since some do nothing: part by part, each to all who get it.
Result<ValueId> DeviceLocal::scatter_parts(ValueId parts, const DeviceGroups &groups,
                                           std::span<const int64_t> roots, size_t dim) {
  std::vector<ValueId> pieces;
  DeviceGroups own;
  for (const int64_t number : numbers_in(groups))
    own.push_back({number});
  for (size_t i = 0; i < groups[0].size(); ++i) {
    std::vector<int64_t> from(positions_.size(), -1);
    for (size_t g = 0; g < groups.size(); ++g)
      from[static_cast<size_t>(groups[g][i])] = groups[g][static_cast<size_t>(roots[g])];
    const auto part = static_cast<int64_t>(i);
    TW_ASSIGN(const ValueId piece, slice_local(parts, 0, part, part + 1));
    TW_ASSIGN(pieces.emplace_back(), take(piece, from, zero_of(b_.type_of(parts).dtype)));
  }
  const ops::NamedAttr along{"dimension", int64_t{0}};
  TW_ASSIGN(const ValueId all, local("stablehlo.concatenate", pieces, {&along, 1}));
  TW_ASSIGN(const ValueId part, pick_local(all, own));
  return merge_members(part, dim);
}

// --- local dimensions ---

Result<ValueId> DeviceLocal::slice_local(ValueId v, size_t dim, int64_t begin, int64_t end) {
  const Shape dims = local_dims(v);
  std::vector<int64_t> first(dims.size(), 0), last(dims.begin(), dims.end());
  first[dim] = begin;
  last[dim] = end;
  const std::vector<ops::NamedAttr> attrs{
      {"start_indices", first}, {"limit_indices", last}, {"strides", std::vector<int64_t>(dims.size(), 1)}};
  return local("stablehlo.slice", {&v, 1}, attrs);
}

Result<ValueId> DeviceLocal::reshape_local(ValueId v, const Shape &dims) {
  return local_dims(v) == dims ? Result<ValueId>(v) : local("stablehlo.reshape", {&v, 1}, {}, &dims);
}

Result<ValueId> DeviceLocal::add_dim(ValueId v) {
  Shape dims = local_dims(v);
  dims.insert(dims.begin(), 1);
  return reshape_local(v, dims);
}

// Dimension `dim` becomes so many parts, in a new dimension 0; and back, where `dim` counts without that one.
Result<ValueId> DeviceLocal::cut_members(ValueId v, int64_t parts, size_t dim) {
  Shape dims = local_dims(v);
  dims[dim] /= parts;
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(dim), parts);
  TW_ASSIGN(const ValueId cut, reshape_local(v, dims));
  std::vector<int64_t> permutation = count_from(0, dims.size());
  std::rotate(permutation.begin(), permutation.begin() + static_cast<std::ptrdiff_t>(dim),
              permutation.begin() + static_cast<std::ptrdiff_t>(dim) + 1);
  const ops::NamedAttr attr{"permutation", permutation};
  return local("stablehlo.transpose", {&cut, 1}, {&attr, 1});
}

Result<ValueId> DeviceLocal::merge_members(ValueId v, size_t dim) {
  Shape dims = local_dims(v);
  std::vector<int64_t> permutation = count_from(1, dims.size() - 1);
  permutation.insert(permutation.begin() + static_cast<std::ptrdiff_t>(dim), 0);
  const ops::NamedAttr attr{"permutation", permutation};
  TW_ASSIGN(const ValueId moved, local("stablehlo.transpose", {&v, 1}, {&attr, 1}));
  dims[1 + dim] *= dims[0];
  dims.erase(dims.begin());
  return reshape_local(moved, dims);
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
