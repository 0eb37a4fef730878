// SPDX-License-Identifier: Apache-2.0
// Numbers of devices: what follows from partition_id and constants alone is known here, and has only those
// axes in front along which it differs. So an axis_index, which programs compute as remainder(partition_id /
// stride, size), differs along its own axis, and costs nothing.
#include <algorithm>
#include <bit>
#include <cstring>

#include "import/device_local_call.hpp"
#include "import/implied.hpp"
#include "ops/element.hpp"
#include "ops/folding.hpp"
#include "ops/literal.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using graph::Shape;
using graph::TypeId;
using graph::ValueId;

namespace {

constexpr int64_t kMostExact = int64_t{1} << 53; // whole numbers that a double holds exactly

}

Result<ValueId> DeviceLocal::number(graph::DType dtype, int64_t (*of)(int64_t id, int64_t partitions)) {
  std::vector<int64_t> of_devices;
  for (int64_t id = 0; id < std::ssize(positions_); ++id)
    of_devices.push_back(of(id, num_partitions()));
  return numbers(dtype, of_devices);
}

Result<ValueId> DeviceLocal::numbers(graph::DType dtype, std::span<const int64_t> of_devices) {
  std::vector<std::byte> bytes(positions_.size() * graph::byte_size(dtype));
  for (size_t id = 0; id < positions_.size(); ++id) {
    const auto one = ops::element_bytes(dtype, static_cast<double>(of_devices[id]));
    std::ranges::copy(one, bytes.begin() +
                               static_cast<std::ptrdiff_t>(static_cast<size_t>(positions_[id]) * one.size()));
  }
  return numbers_along(dtype, every_axis(), std::move(bytes));
}

std::optional<std::vector<int64_t>> DeviceLocal::known_numbers(ValueId v) const {
  const auto bytes = elements_of(v, every_axis());
  const graph::DType dtype = b_.type_of(v).dtype;
  if (!bytes || (!graph::is_int(dtype) && dtype != graph::DType::i1))
    return std::nullopt;
  std::vector<int64_t> of_devices(positions_.size());
  ops::visit_dtype(dtype, [&]<class E>(E) {
    if constexpr (std::is_integral_v<typename E::Value>)
      for (size_t id = 0; id < positions_.size(); ++id) {
        typename E::Storage stored;
        std::memcpy(&stored, bytes->data() + static_cast<size_t>(positions_[id]) * sizeof stored,
                    sizeof stored);
        of_devices[id] = static_cast<int64_t>(E::load(stored));
      }
  });
  return of_devices;
}

// The numbers of each place along these axes, `local` of them, as a constant along those axes that matter.
Result<ValueId> DeviceLocal::numbers_along(graph::DType dtype, uint64_t axes, std::vector<std::byte> bytes,
                                           const Shape &local) {
  const auto size = static_cast<size_t>(graph::TensorType{dtype, local}.bytes());
  for (size_t axis = sizes_.size(); axis-- > 0;) {
    if ((axes >> axis & 1) == 0)
      continue;
    size_t row = size; // what stands behind one place along the axis
    for (size_t inner = axis + 1; inner < sizes_.size(); ++inner)
      row *= axes >> inner & 1 ? static_cast<size_t>(sizes_[inner]) : 1;
    const size_t block = row * static_cast<size_t>(sizes_[axis]);
    std::vector<std::byte> first;
    bool same = true;
    for (size_t at = 0; at < bytes.size() && same; at += block) {
      for (size_t other = row; other < block && same; other += row)
        same = std::memcmp(bytes.data() + at, bytes.data() + at + other, row) == 0;
      first.insert(first.end(), bytes.data() + at, bytes.data() + at + row);
    }
    if (!same)
      continue;
    bytes = std::move(first);
    axes &= ~(uint64_t{1} << axis);
  }
  Shape dims = front(axes);
  dims.insert(dims.end(), local.begin(), local.end());
  TW_ASSIGN(const ValueId made, constant(dtype, std::move(dims), std::move(bytes), false));
  return keep(made, local, axes);
}

// The elements of a constant, or of a whole number that constants decide, one for each place along these
// axes.
std::optional<std::vector<std::byte>> DeviceLocal::elements_of(ValueId v, uint64_t axes) const {
  const graph::Constant *literal = ops::literal_of_value(b_.graph(), v);
  const Shape local = local_dims(v);
  if (std::ranges::count(local, 1) != std::ssize(local) || (literal == nullptr && !local.empty()))
    return std::nullopt;
  std::vector<std::byte> decided;
  if (literal == nullptr) {
    const auto number = differs(v) ? std::nullopt : fold_integers(b_.graph(), v);
    if (!number || std::abs((*number)[0]) > kMostExact)
      return std::nullopt;
    decided = ops::element_bytes(b_.type_of(v).dtype, static_cast<double>((*number)[0]));
  }
  const uint64_t has = mask(v);
  const size_t size = graph::byte_size(b_.type_of(v).dtype);
  std::vector<size_t> from{0}; // places among those that it has, row by row
  for (size_t axis = 0; axis < sizes_.size(); ++axis) {
    if ((axes >> axis & 1) == 0)
      continue;
    const auto n = static_cast<size_t>(sizes_[axis]);
    std::vector<size_t> more;
    for (const size_t place : from)
      for (size_t c = 0; c < n; ++c)
        more.push_back(has >> axis & 1 ? place * n + c : place);
    from = std::move(more);
  }
  std::vector<std::byte> bytes;
  for (const size_t place : from) {
    const std::byte *at =
        literal == nullptr ? decided.data() : literal->bytes->data() + (literal->splat ? 0 : place * size);
    bytes.insert(bytes.end(), at, at + size);
  }
  return bytes;
}

// An op on single whole numbers that are all known; kNone: it is another one.
Result<ValueId> DeviceLocal::fold(const Call &call) {
  const graph::TensorType made =
      call.results.size() == 1 ? b_.graph().type_at(call.results[0]) : graph::TensorType();
  if (call.results.size() != 1 || !made.dims.empty() || graph::is_float(made.dtype) ||
      graph::is_complex(made.dtype) || positions_.size() > kMostFolded)
    return graph::kNone;
  const Shape dims = front(call.axes);
  const graph::TensorType result{made.dtype, dims};
  std::vector<std::vector<std::byte>> elements;
  std::vector<graph::TensorType> types;
  for (const ValueId v : call.operands) {
    auto known = elements_of(v, call.axes);
    if (!known)
      return graph::kNone;
    elements.push_back(std::move(*known));
    types.push_back({b_.type_of(v).dtype, dims});
  }
  std::vector<const graph::TensorType *> type_list;
  for (const graph::TensorType &type : types)
    type_list.push_back(&type);
  const graph::TensorType *results[] = {&result};
  const std::vector<ops::ArrayBytes> operands(elements.begin(), elements.end());
  TW_ASSIGN(auto bytes, ops::fold(call.def, {b_.graph(), call.attrs, type_list, results, {}}, operands));
  return bytes ? numbers_along(made.dtype, call.axes, std::move(*bytes)) : graph::kNone;
}

// An element of a constant at a place that is known, or a number that is known in another shape; kNone: it is
// another op.
Result<ValueId> DeviceLocal::look_up(const Call &call) {
  static const graph::OpCode slice = *ops::find_op("stablehlo.dynamic_slice");
  static const graph::OpCode reshape = *ops::find_op("stablehlo.reshape");
  if ((call.code != slice && call.code != reshape) || positions_.size() > kMostFolded)
    return graph::kNone;
  const graph::TensorType made = b_.graph().type_at(call.results[0]);
  const graph::Constant *table = ops::literal_of_value(b_.graph(), call.operands[0]);
  if (!graph::is_int(made.dtype) || made.elements() != 1 || table == nullptr)
    return graph::kNone;
  if (call.code == reshape) {
    auto bytes = elements_of(call.operands[0], call.axes);
    return bytes ? numbers_along(made.dtype, call.axes, std::move(*bytes), made.dims) : graph::kNone;
  }
  if (differs(call.operands[0]))
    return graph::kNone;
  const Shape dims = local_dims(call.operands[0]);
  const size_t size = graph::byte_size(made.dtype);
  std::vector<size_t> places(positions_.size());
  for (size_t d = 0; d < dims.size(); ++d) {
    const auto known = known_numbers(call.operands[d + 1]);
    if (!known)
      return graph::kNone;
    for (size_t id = 0; id < places.size(); ++id) { // as the op clamps them
      const int64_t at = std::clamp<int64_t>((*known)[id], 0, std::max<int64_t>(dims[d] - 1, 0));
      places[id] = places[id] * static_cast<size_t>(dims[d]) + static_cast<size_t>(at);
    }
  }
  std::vector<std::byte> bytes(places.size() * size);
  for (size_t id = 0; id < places.size(); ++id)
    std::memcpy(bytes.data() + static_cast<size_t>(positions_[id]) * size,
                table->bytes->data() + (table->splat ? 0 : places[id] * size), size);
  return numbers_along(made.dtype, every_axis(), std::move(bytes), made.dims);
}

} // namespace tw::import
