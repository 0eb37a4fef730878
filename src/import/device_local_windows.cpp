// SPDX-License-Identifier: Apache-2.0
// Windows and convolutions where operands have dimensions in front.
#include <fmt/format.h>

#include "import/device_local_call.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using graph::Shape;
using graph::ValueId;

// The dimensions in front become the middle part of local dimension `dim`, behind its `outer` most major
// parts.
Result<ValueId> DeviceLocal::fold_front(ValueId v, size_t dim, int64_t outer) {
  const Shape in_front = front(mask(v)), local = local_dims(v);
  const size_t n = in_front.size();
  Shape split = in_front, folded = local;
  for (size_t d = 0; d < local.size(); ++d) {
    if (d == dim)
      split.push_back(outer);
    split.push_back(d == dim ? local[d] / outer : local[d]);
  }
  std::vector<int64_t> permutation;
  for (size_t d = 0; d <= local.size(); ++d) {
    permutation.push_back(static_cast<int64_t>(n + d));
    if (d == dim)
      for (size_t f = 0; f < n; ++f)
        permutation.push_back(static_cast<int64_t>(f));
  }
  for (const int64_t size : in_front)
    folded[dim] *= size;
  TW_ASSIGN(const ValueId cut, reshape(v, split));
  TW_ASSIGN(const ValueId moved, transpose(cut, permutation));
  return reshape(moved, folded);
}

// And back, from an array that is not local yet.
Result<ValueId> DeviceLocal::unfold_front(ValueId v, uint64_t axes, size_t dim, int64_t outer) {
  const Shape in_front = front(axes), folded = b_.type_of(v).dims;
  int64_t devices = 1;
  for (const int64_t size : in_front)
    devices *= size;
  Shape split, local = folded;
  local[dim] /= devices;
  std::vector<int64_t> permutation, rest;
  for (size_t d = 0; d < folded.size(); ++d) {
    rest.push_back(static_cast<int64_t>(split.size()));
    if (d != dim) {
      split.push_back(folded[d]);
      continue;
    }
    split.push_back(outer);
    for (const int64_t size : in_front) {
      permutation.push_back(static_cast<int64_t>(split.size()));
      split.push_back(size);
    }
    rest.push_back(static_cast<int64_t>(split.size()));
    split.push_back(local[dim] / outer);
  }
  permutation.insert(permutation.end(), rest.begin(), rest.end());
  Shape dims = in_front;
  dims.insert(dims.end(), local.begin(), local.end());
  TW_ASSIGN(const ValueId cut, reshape(v, split));
  TW_ASSIGN(const ValueId moved, transpose(cut, permutation));
  TW_ASSIGN(const ValueId made, reshape(moved, dims));
  return keep(made, local, axes);
}

// Where all devices have one kernel they are more images, else they are groups of features.
Status DeviceLocal::convolution(Call &call) {
  const std::vector<int64_t> lhs = call.ints("lhs_dimensions"), rhs = call.ints("rhs_dimensions"),
                             result = call.ints("result_dimensions");
  const int64_t batch_groups = call.integer("batch_group_count", 1);
  size_t dim = static_cast<size_t>(result[0]);
  int64_t outer = 1;
  if (!differs(call.operands[1])) {
    outer = batch_groups;
    TW_ASSIGN(call.operands[0], fold_front(call.operands[0], static_cast<size_t>(lhs[0]), outer));
    outer = 1; // the groups are features of the result
  } else {
    int64_t devices = 1;
    for (const int64_t size : front(call.axes))
      devices *= size;
    TW_TRY(same(call));
    dim = static_cast<size_t>(result[1]);
    const bool of_batch = batch_groups > 1;
    TW_ASSIGN(call.operands[0], fold_front(call.operands[0], static_cast<size_t>(lhs[of_batch ? 0 : 1]), 1));
    TW_ASSIGN(call.operands[1], fold_front(call.operands[1], static_cast<size_t>(rhs[1]), 1));
    call.integer(of_batch ? "batch_group_count" : "feature_group_count", 1) *= devices;
  }
  TW_ASSIGN(const graph::OpId folded,
            ops::add(b_, call.code, call.operands, std::move(call.attrs), {}, loc_, call.regions));
  TW_ASSIGN(call.made, unfold_front(b_.graph().result(folded), call.axes, dim, outer));
  return {};
}

// Windows of one element along the dimensions in front.
Status DeviceLocal::windows(Call &call) {
  const bool scatters = call.def.kind == ops::OpKind::select_and_scatter;
  const size_t arrays = scatters ? 2 : call.operands.size() / 2;
  for (size_t i = 0; i < call.operands.size(); ++i)
    if (i < arrays) {
      TW_ASSIGN(call.operands[i], expand(call.operands[i], call.axes));
    } else if (differs(call.operands[i])) {
      return fail(Code::unimplemented, "TW-113",
                  fmt::format("{} with an initial value that differs between devices is not supported",
                              call.def.name));
    }
  for (const char *name : {"window_dimensions", "window_strides", "base_dilations", "window_dilations"})
    if (call.has(name))
      call.prepend(name, 1);
  if (call.has("padding")) { // two a dimension
    call.prepend("padding", 0);
    call.prepend("padding", 0);
  }
  return {};
}

} // namespace tw::import
