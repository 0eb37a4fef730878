// SPDX-License-Identifier: Apache-2.0
// What each op becomes where its operands have dimensions in front: one entry a way to carry them along.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/device_local_call.hpp"
#include "ops/attributes.hpp"
#include "ops/call_attributes.hpp"
#include "ops/opaque_rule.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using graph::Attrs;
using graph::Shape;
using graph::TypeId;
using graph::ValueId;
using ops::OpKind;

Status (DeviceLocal::*DeviceLocal::way_of(const ops::OpDef &def))(Call &) {
  using D = DeviceLocal;
  if ((def.flags & ops::kElementwise) != 0)
    return &D::elementwise;
  if ((def.flags & ops::kBatches) != 0)
    return &D::batched;
  switch (def.kind) {
  case OpKind::convolution: return &D::convolution;
  case OpKind::custom_call: return &D::foreign;
  case OpKind::dynamic_slice: return &D::dynamic_slice;
  case OpKind::dynamic_update_slice: return &D::dynamic_update_slice;
  case OpKind::pad: return &D::pad;
  case OpKind::reduce: return &D::reduce;
  case OpKind::reduce_window:
  case OpKind::select_and_scatter: return &D::windows;
  default: return &D::each_device;
  }
}

Result<graph::OpId> DeviceLocal::add(graph::OpCode code, std::span<const ValueId> operands,
                                     const Attrs &attrs, std::span<const TypeId> stated,
                                     std::span<const graph::RegionId> regions) {
  const ops::OpDef &def = ops::op_def(code);
  std::vector<TypeId> types;
  uint64_t axes = 0;
  for (const ValueId v : operands) {
    types.push_back(type(v));
    axes |= mask(v);
  }
  Attrs slots = attrs;
  slots.resize(def.attrs.size());
  TW_ASSIGN(const auto results, ops::infer_types(b_, code, types, slots, stated, regions));

  const auto way = way_of(def);
  Call call{code,    def,  {operands.begin(), operands.end()},       std::move(slots), results,
            regions, axes, static_cast<int64_t>(front(axes).size()), graph::kNone};
  if ((def.flags & ops::kElementwise) != 0) {
    TW_ASSIGN(call.made, fold(call));
  } else {
    TW_ASSIGN(call.made, look_up(call));
  }
  if (call.made == graph::kNone)
    TW_TRY((this->*way)(call));

  if (call.made != graph::kNone)
    return b_.graph().value(call.made).def;
  const auto axes_of = [&](TypeId local) { // a token is one for all devices
    return b_.graph().type_at(local).dtype == graph::DType::token ? 0 : axes;
  };
  std::vector<TypeId> made_types;
  for (const TypeId local : results)
    made_types.push_back(type_with(local, axes_of(local)));
  TW_ASSIGN(const graph::OpId made,
            ops::add(b_, call.code, call.operands, std::move(call.attrs), made_types, loc_, call.regions));
  for (size_t i = 0; i < results.size(); ++i)
    if (axes_of(results[i]) != 0)
      values_[b_.graph().result(made, static_cast<uint32_t>(i))] = {results[i], axes};
  return made;
}

ops::Tokens tokens_of(const graph::Graph &graph, std::span<const ValueId> operands,
                      std::span<const graph::TypeId> results) {
  ops::Tokens tokens;
  for (const ValueId v : operands)
    tokens.operands.push_back(graph.type(v).dtype == graph::DType::token);
  for (const graph::TypeId type : results)
    tokens.results.push_back(graph.type_at(type).dtype == graph::DType::token);
  return tokens;
}

// Every device calls it for what it holds: the dimensions in front go together, and of the others nothing is
// known but what is stated.
std::string DeviceLocal::rule_of_call(graph::OpId call, std::string stated) const {
  const graph::Graph &graph = b_.graph();
  const std::span<const ValueId> operands = graph.operands(call);
  std::vector<ValueId> results;
  std::vector<graph::TypeId> result_types;
  for (uint32_t i = 0; i < graph.op(call).num_results; ++i) {
    results.push_back(graph.result(call, i));
    result_types.push_back(graph.value(results.back()).type);
  }
  uint64_t axes = 0; // of operands and results alike
  for (const std::span<const ValueId> all : {operands, std::span<const ValueId>(results)})
    for (const ValueId v : all)
      axes |= mask(v);
  const Shape in_front = front(axes);
  if (stated.empty()) {
    const auto own_dims = [&](ValueId v) {
      return b_.type_of(v).dtype == graph::DType::token ? 0 : b_.type_of(v).rank() - in_front.size();
    };
    const auto list = [&](std::span<const ValueId> all) {
      std::string text;
      for (const ValueId v : all)
        text +=
            fmt::format("{}[{}]", text.empty() ? "" : ", ", fmt::join(std::vector(own_dims(v), '*'), ", "));
      return text;
    };
    stated = fmt::format("({})->({})", list(operands), list(results));
  }
  return ops::sharding_rule_with_dims(stated, in_front, tokens_of(graph, operands, result_types));
}

Status DeviceLocal::same(Call &call) {
  for (ValueId &v : call.operands) {
    TW_ASSIGN(v, expand(v, call.axes));
  }
  return {};
}

// Layouts in memory that a call states speak of the dimensions of its arrays.
Status DeviceLocal::foreign(Call &call) {
  if (auto *dictionary = std::get_if<std::string>(&call.attrs[ops::slot::custom_call::attributes]))
    *dictionary = ops::with_dims_in_front(*dictionary, call.in_front,
                                          tokens_of(b_.graph(), call.operands, call.results));
  for (ValueId &v : call.operands)
    if (b_.type_of(v).dtype != graph::DType::token) {
      TW_ASSIGN(v, expand(v, call.axes));
    }
  return {};
}

// A scalar beside arrays (select's condition, clamp's bounds) that differs between devices stands for all
// elements of a device.
Status DeviceLocal::elementwise(Call &call) {
  const size_t rank = b_.graph().type_at(call.results[0]).rank();
  for (ValueId &v : call.operands) {
    const bool scalar = rank > 0 && local_dims(v).empty();
    if (scalar && !differs(v))
      continue;
    TW_ASSIGN(v, expand(v, call.axes));
    if (!scalar)
      continue;
    Shape dims = front(call.axes);
    std::vector<int64_t> mapping;
    for (size_t d = 0; d < dims.size(); ++d)
      mapping.push_back(static_cast<int64_t>(d));
    const Shape &more = b_.graph().type_at(call.results[0]).dims;
    dims.insert(dims.end(), more.begin(), more.end());
    const ops::NamedAttr attr{"broadcast_dimensions", mapping};
    TW_ASSIGN(v, value("stablehlo.broadcast_in_dim", {&v, 1}, {&attr, 1}, &dims));
  }
  return {};
}

Status DeviceLocal::batched(Call &call) {
  call.follow_dims(front(call.axes));
  return same(call);
}

Status DeviceLocal::reduce(Call &call) {
  const size_t inputs = call.operands.size() / 2;
  for (size_t i = inputs; i < call.operands.size(); ++i)
    if (differs(call.operands[i]))
      return reduce_from_own(call);
  call.follow_dims(front(call.axes));
  for (size_t i = 0; i < call.operands.size(); ++i) {
    ValueId &v = call.operands[i];
    if (i < inputs) {
      TW_ASSIGN(v, expand(v, call.axes));
    }
  }
  return {};
}

Status DeviceLocal::pad(Call &call) {
  if (differs(call.operands[1]))
    return pad_with_own(call);
  call.follow_dims(front(call.axes));
  TW_ASSIGN(call.operands[0], expand(call.operands[0], call.axes));
  return {};
}

// Slices that all devices start alike begin at 0 in front.
Result<std::vector<ValueId>> DeviceLocal::starts_with_front(std::span<const ValueId> starts,
                                                            int64_t in_front) {
  const graph::DType dtype = b_.type_of(starts[0]).dtype;
  TW_ASSIGN(const ValueId zero, constant(dtype, {}, std::vector<std::byte>(graph::byte_size(dtype)), true));
  std::vector<ValueId> all(static_cast<size_t>(in_front), zero);
  all.insert(all.end(), starts.begin(), starts.end());
  return all;
}

// Where all devices start at one place it is a longer slice, else a gather of one slice a device.
Status DeviceLocal::dynamic_slice(Call &call) {
  const std::vector<ValueId> starts(call.operands.begin() + 1, call.operands.end());
  if (!any_differs(starts)) {
    call.operands.resize(1);
    TW_ASSIGN(call.operands[0], expand(call.operands[0], call.axes));
    if (starts.empty())
      return {};
    TW_ASSIGN(const auto all, starts_with_front(starts, call.in_front));
    call.operands.insert(call.operands.end(), all.begin(), all.end());
    call.follow_dims(front(call.axes));
    return {};
  }
  TW_ASSIGN(const ValueId index, index_of(starts, call.axes));
  TW_ASSIGN(const ValueId array, expand(call.operands[0], call.axes));
  std::vector<int64_t> front_dims, local_dims, sizes(static_cast<size_t>(call.in_front), 1);
  for (int64_t d = 0; d < call.in_front; ++d)
    front_dims.push_back(d);
  for (size_t d = 0; d < starts.size(); ++d)
    local_dims.push_back(call.in_front + static_cast<int64_t>(d));
  const auto &given = call.ints("slice_sizes");
  sizes.insert(sizes.end(), given.begin(), given.end());
  const std::vector<ops::NamedAttr> attrs{{"offset_dims", local_dims},
                                          {"operand_batching_dims", front_dims},
                                          {"start_indices_batching_dims", front_dims},
                                          {"start_index_map", local_dims},
                                          {"index_vector_dim", call.in_front},
                                          {"slice_sizes", sizes}};
  call.code = ops::code_of(OpKind::gather);
  TW_ASSIGN(call.attrs, ops::check_attrs(ops::op_def(call.code), attrs));
  call.operands = {array, index};
  return {};
}

Status DeviceLocal::dynamic_update_slice(Call &call) {
  const std::vector<ValueId> starts(call.operands.begin() + 2, call.operands.end());
  if (any_differs(starts))
    return update_at_own(call);
  call.operands.resize(2);
  TW_TRY(same(call));
  if (starts.empty())
    return {};
  TW_ASSIGN(const auto all, starts_with_front(starts, call.in_front));
  call.operands.insert(call.operands.end(), all.begin(), all.end());
  return {};
}

} // namespace tw::import
