// SPDX-License-Identifier: Apache-2.0
// Ops that move elements to or from places that are read from arrays.
#include <utility>

#include "device/cuda/generated.hpp"
#include "kernels/generated/dynamic_slice.hpp"
#include "kernels/generated/host_functions.hpp"
#include "kernels/generated/indexed.hpp"
#include "ops/attributes.hpp"
#include "ops/reduction.hpp"

namespace tw::device::cuda {
namespace {

namespace generated = kernels::generated;
using kernels::Request;
using kernels::Tile;
using ops::OpKind;

tl::unexpected<Error> held_elsewhere() {
  return tl::unexpected(no_kernel("an element that it needs is on another device"));
}

// The result begins as operand 0, where it does not lie there.
void copy_first(KernelPlan &plan, const Tile &array) {
  const auto size = static_cast<int64_t>(graph::byte_size(array.dtype));
  const std::vector<kernels::BoxMove> whole = {{0, {array.elements()}, 0, 0, {1}, {1}}};
  for (auto *parts : {&plan.parts, &plan.anywhere}) {
    parts->push_back(box_part(plan, whole, operand_places(1), {Place::Where::result, 0}, size,
                              parts == &plan.parts ? 16 : size));
    parts->back().only_apart = true;
  }
}

// Elements of one slice of this device.
int64_t window_elements(const generated::IndexedSlices &request) {
  int64_t n = 1;
  for (size_t d = 0; d < request.slices.extent.size(); ++d)
    n *= request.picture.slices_to_indices[d] < 0 ? request.slices.extent[d] : 1;
  return n;
}

} // namespace

MadeKernel dynamic_kernel(const Request &r) {
  const bool updates = r.def.kind == OpKind::dynamic_update_slice;
  const Tile &array = updates ? r.results[0] : r.operands[0],
             &window = updates ? r.operands[1] : r.results[0];
  const size_t first = updates ? 2 : 1;
  if (updates && (r.operands[0].offset != array.offset || r.operands[0].extent != array.extent))
    return held_elsewhere();
  generated::DynamicSlice slice{array.dtype, graph::DType::s32, array.extent, window.extent};
  for (size_t d = 0; d < array.extent.size(); ++d) {
    if (d > 0 && r.operands[first + d].dtype != r.operands[first].dtype)
      return tl::unexpected(no_kernel("its starts differ in type"));
    slice.index = r.operands[first + d].dtype;
    slice.most.push_back(array.global[d] - window.global[d]);
    slice.begin.push_back(array.offset[d] - window.offset[d]);
  }
  KernelPlan plan{updates ? "cuda:dynamic_update" : "cuda:dynamic_slice", {}};
  std::vector<Place> operands = operand_places(r.operands.size());
  if (updates) {
    copy_first(plan, array);
    operands.erase(operands.begin());
  }
  for (auto *parts : {&plan.parts, &plan.anywhere})
    if (updates || parts == &plan.parts)
      parts->push_back({updates ? generated::dynamic_update_source(slice, kEntry)
                                : generated::dynamic_slice_source(slice, kEntry),
                        operands, result_places(1)});
  return CompiledKernel::make(std::move(plan));
}

MadeKernel indexed_kernel(const Request &r) {
  const bool scatters = r.def.kind == OpKind::scatter;
  const size_t n = r.results.size();
  const Tile &array = scatters ? r.results[0] : r.operands[0],
             &indices = scatters ? r.operands[n] : r.operands[1],
             &slices = scatters ? r.operands[n + 1] : r.results[0];
  const generated::IndexedSlices request{array.dtype,
                                         indices.dtype,
                                         scatters ? ops::scatter_indexing(r.op) : ops::gather_indexing(r.op),
                                         {array.global, array.offset, array.extent},
                                         {slices.global, slices.offset, slices.extent},
                                         indices.extent};
  // Slices and index vectors are the same part of the batch; a vector is whole.
  for (size_t d = 0; d < slices.extent.size(); ++d)
    if (const int64_t i = request.picture.slices_to_indices[d]; i >= 0)
      if (slices.offset[d] != indices.offset[static_cast<size_t>(i)] ||
          slices.extent[d] != indices.extent[static_cast<size_t>(i)])
        return held_elsewhere();
  KernelPlan plan{scatters ? "cuda:scatter" : "cuda:gather", {}};
  if (!scatters) {
    plan.parts.push_back(
        {generated::gather_slices_source(request, r.op.ints(ops::slot::gather::slice_sizes), kEntry),
         operand_places(2), result_places(1)});
    return CompiledKernel::make(std::move(plan));
  }
  TW_ASSIGN(auto region, generated::scalar_region(r.op.graph, r.op.regions[0]));
  if (r.same_bits)
    TW_TRY(generated::take_host_bits(region.nodes));
  std::vector<graph::DType> dtypes;
  for (size_t i = 0; i < n; ++i) {
    if (r.operands[i].offset != r.results[i].offset || r.operands[i].extent != r.results[i].extent ||
        region.arguments[i] != r.results[i].dtype || r.operands[n + 1 + i].dtype != r.results[i].dtype)
      return tl::unexpected(no_kernel("its arrays differ in type or place"));
    dtypes.push_back(r.results[i].dtype);
  }
  const auto kind = ops::reduction_of(r.op.graph, r.op.regions[0]);
  if (!r.use_init && !kind)
    return tl::unexpected(no_kernel("it begins with no identity"));
  const auto identity = r.use_init ? std::nullopt : kind;
  // Either each element looks at all slices, or each slice at all others.
  const int64_t num_slices = slices.elements() / std::max<int64_t>(window_elements(request), 1);
  if (n == 1 && generated::slices_lie_apart(request) && num_slices > 0 && num_slices <= array.elements()) {
    if (!identity)
      copy_first(plan, array);
    TW_ASSIGN(auto source, generated::scatter_apart_source(request, region, dtypes[0], identity, kEntry));
    for (auto *parts : {&plan.parts, &plan.anywhere})
      if (parts == &plan.parts || !identity)
        parts->push_back({source, operand_places(3), result_places(1)});
    return CompiledKernel::make(std::move(plan));
  }
  TW_ASSIGN(auto source, generated::scatter_slices_source(request, region, dtypes, identity, kEntry));
  plan.parts.push_back({std::move(source), operand_places(2 * n + 1), result_places(n)});
  return CompiledKernel::make(std::move(plan));
}

} // namespace tw::device::cuda
