// SPDX-License-Identifier: Apache-2.0
// Reads starts out of scalars, one a dimension, or out of the components of index vectors.
#include "ops/known_starts.hpp"

#include <algorithm>

#include "ops/attributes.hpp"
#include "ops/indexing.hpp"
#include "ops/registry.hpp"

namespace tw::ops {
namespace {

using Start = std::optional<IndexPattern>;

// Moved so that a slice fits, where that is the same for all slices.
Start clamped(Start start, int64_t count, int64_t last) {
  if (!start)
    return start;
  if (start->dim < 0)
    return IndexPattern{std::clamp<int64_t>(start->offset, 0, last), 0, -1};
  const int64_t end = start->offset + start->step * std::max<int64_t>(count - 1, 0); // an index that exists
  return std::min(start->offset, end) >= 0 && std::max(start->offset, end) <= last ? start : std::nullopt;
}

KnownStarts of_scalars(const graph::Graph &graph, graph::OpId op, size_t first, const graph::Shape &box) {
  const auto operands = graph.operands(op);
  const graph::Shape &array = graph.type(operands[0]).dims;
  KnownStarts starts;
  for (size_t d = 0; d < array.size(); ++d)
    starts.push_back(clamped(index_pattern(graph, operands[first + d]), 1, array[d] - box[d]));
  return starts;
}

// `sizes`: of a slice, per dimension of the array. What a scatter would leave out is not known to be written.
KnownStarts of_vectors(const graph::Graph &graph, graph::ValueId indices, const Indexing &picture,
                       const graph::Shape &array, const graph::Shape &slices, std::span<const int64_t> sizes,
                       bool scatters) {
  KnownStarts starts(array.size());
  for (size_t d = 0; d < array.size(); ++d) {
    const IndexedDim &dim = picture.array[d];
    if (dim.component < 0)
      continue;
    Start start = index_pattern(graph, indices,
                                picture.has_vector_dim
                                    ? IndexComponent{static_cast<int>(picture.vector_dim), dim.component}
                                    : IndexComponent{});
    int64_t count = 1;
    if (start && start->dim >= 0) {
      const auto partner = std::ranges::find(picture.slices_to_indices, int64_t{start->dim});
      start->dim = static_cast<int>(partner - picture.slices_to_indices.begin());
      count = slices[static_cast<size_t>(start->dim)];
    }
    const Start fitting = clamped(start, count, array[d] - sizes[d]);
    starts[d] = scatters && fitting != start ? std::nullopt : fitting;
  }
  return starts;
}

} // namespace

KnownStarts known_starts(const graph::Graph &graph, graph::OpId op) {
  const auto shape = [&](graph::ValueId v) -> const graph::Shape & { return graph.type(v).dims; };
  const auto operands = graph.operands(op);
  KnownStarts starts;
  switch (op_def(graph.op(op).code).kind) {
  case OpKind::dynamic_slice: starts = of_scalars(graph, op, 1, shape(graph.result(op))); break;
  case OpKind::dynamic_update_slice: starts = of_scalars(graph, op, 2, shape(operands[1])); break;
  case OpKind::gather: {
    const OpViewHolder holder(graph, op);
    starts = of_vectors(graph, operands[1], gather_indexing(holder.view()), shape(operands[0]),
                        shape(graph.result(op)), holder.view().ints(slot::gather::slice_sizes), false);
    break;
  }
  case OpKind::scatter: {
    const OpViewHolder holder(graph, op);
    const size_t n = operands.size() / 2;
    const Indexing picture = scatter_indexing(holder.view());
    const graph::Shape &updates = shape(operands[n + 1]);
    std::vector<int64_t> sizes;
    for (const IndexedDim &dim : picture.array)
      sizes.push_back(dim.kind == IndexedDim::Kind::window ? updates[dim.slices_dim] : 1);
    starts = of_vectors(graph, operands[n], picture, shape(operands[0]), updates, sizes, true);
    break;
  }
  default: break;
  }
  if (std::ranges::none_of(starts, [](const Start &start) { return start.has_value(); }))
    starts.clear();
  return starts;
}

} // namespace tw::ops
