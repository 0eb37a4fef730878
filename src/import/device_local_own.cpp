// SPDX-License-Identifier: Apache-2.0
// Ops of which a scalar differs between devices: where each device slices or updates, from what it folds, and
// what it pads with.
#include <fmt/format.h>

#include "import/device_local_call.hpp"
#include "ops/element.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using graph::Shape;
using graph::ValueId;

// Starts of each device as rows of one array.
Result<ValueId> DeviceLocal::index_of(std::span<const ValueId> starts, uint64_t axes) {
  std::vector<ValueId> columns;
  Shape column = front(axes);
  const ops::NamedAttr along{"dimension", std::ssize(column)};
  column.push_back(1);
  for (const ValueId start : starts) {
    TW_ASSIGN(const ValueId all, expand(start, axes));
    TW_ASSIGN(columns.emplace_back(), reshape(all, column));
  }
  return value("stablehlo.concatenate", columns, {&along, 1});
}

// An update is a scatter of one window a device; its place is moved into the array first, as the op says.
Status DeviceLocal::update_at_own(Call &call) {
  const Shape array = local_dims(call.operands[0]), update = local_dims(call.operands[1]);
  std::vector<ValueId> starts(call.operands.begin() + 2, call.operands.end());
  for (size_t d = 0; d < starts.size(); ++d) {
    const graph::DType dtype = b_.type_of(starts[d]).dtype;
    TW_ASSIGN(const ValueId first, constant(dtype, {}, ops::element_bytes(dtype, 0), true));
    TW_ASSIGN(
        const ValueId last,
        constant(dtype, {}, ops::element_bytes(dtype, static_cast<double>(array[d] - update[d])), true));
    const ValueId bounds[] = {first, starts[d], last};
    TW_ASSIGN(starts[d], local("stablehlo.clamp", bounds, {}));
  }
  TW_ASSIGN(const ValueId index, index_of(starts, call.axes));
  TW_ASSIGN(const ValueId into, expand(call.operands[0], call.axes));
  TW_ASSIGN(const ValueId from, expand(call.operands[1], call.axes));

  const graph::TypeId scalar = b_.type({b_.type_of(into).dtype, {}});
  const graph::TypeId scalars[] = {scalar, scalar};
  const graph::RegionId region = b_.open_region(scalars);
  b_.close_region({b_.graph().region(region).args[1]});
  const auto n = static_cast<size_t>(call.in_front);
  const std::vector<ops::NamedAttr> attrs{{"update_window_dims", count_from(n, update.size())},
                                          {"input_batching_dims", count_from(0, n)},
                                          {"scatter_indices_batching_dims", count_from(0, n)},
                                          {"scatter_dims_to_operand_dims", count_from(n, array.size())},
                                          {"index_vector_dim", call.in_front}};
  const ValueId operands[] = {into, index, from};
  TW_ASSIGN(const ValueId made, value("stablehlo.scatter", operands, attrs, nullptr, {&region, 1}));
  call.made = keep(made, array, call.axes);
  return {};
}

// Folded from the identity, and each device's own value folded in last.
Status DeviceLocal::reduce_from_own(Call &call) {
  const auto kind = call.operands.size() == 2 ? ops::reduction_of(b_.graph(), call.regions[0]) : std::nullopt;
  if (!kind)
    return fail(
        Code::unimplemented, "TW-113",
        "stablehlo.reduce from a value that differs between devices is supported for one array and a region "
        "that is one of add, maximum, minimum, multiply, and, or, xor");
  const graph::DType dtype = b_.type_of(call.operands[0]).dtype;
  TW_ASSIGN(const ValueId identity, constant(dtype, {}, ops::identity_of(*kind, dtype), true));
  const ValueId operands[] = {call.operands[0], identity};
  const ops::NamedAttr along{"dimensions", call.ints("dimensions")};
  TW_ASSIGN(const ValueId folded, local("stablehlo.reduce", operands, {&along, 1}, nullptr, call.regions));
  const Shape dims = local_dims(folded);
  const ops::NamedAttr none{"broadcast_dimensions", std::vector<int64_t>()};
  TW_ASSIGN(const ValueId own,
            local("stablehlo.broadcast_in_dim", {&call.operands[1], 1}, {&none, 1}, &dims));
  const ValueId pair[] = {folded, own};
  TW_ASSIGN(call.made, local(ops::combiner_op(*kind), pair, {}));
  return {};
}

// Where no element of the array comes to lie each device puts its own value.
Status DeviceLocal::pad_with_own(Call &call) {
  std::vector<ops::NamedAttr> attrs;
  for (const char *name : {"edge_padding_low", "edge_padding_high", "interior_padding"})
    attrs.push_back({name, call.ints(name)});
  const graph::DType dtype = b_.type_of(call.operands[0]).dtype;
  TW_ASSIGN(const ValueId zero, constant(dtype, {}, std::vector<std::byte>(graph::byte_size(dtype)), true));
  TW_ASSIGN(const ValueId yes,
            constant(graph::DType::i1, local_dims(call.operands[0]), {std::byte{1}}, true));
  TW_ASSIGN(const ValueId no, constant(graph::DType::i1, {}, {std::byte{0}}, true));
  const ValueId padded[] = {call.operands[0], zero}, mask[] = {yes, no};
  TW_ASSIGN(const ValueId elements, local("stablehlo.pad", padded, attrs));
  TW_ASSIGN(const ValueId there, local("stablehlo.pad", mask, attrs));
  const Shape dims = local_dims(elements);
  const ops::NamedAttr none{"broadcast_dimensions", std::vector<int64_t>()};
  TW_ASSIGN(const ValueId own,
            local("stablehlo.broadcast_in_dim", {&call.operands[1], 1}, {&none, 1}, &dims));
  const ValueId choice[] = {there, elements, own};
  TW_ASSIGN(call.made, local("stablehlo.select", choice, {}));
  return {};
}

} // namespace tw::import
