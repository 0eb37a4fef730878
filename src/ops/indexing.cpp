// SPDX-License-Identifier: Apache-2.0
// Reads the dimension numbers of gather and scatter into one picture.
#include "ops/indexing.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/attributes.hpp"

namespace tw::ops {
namespace {

bool contains(std::span<const int64_t> list, size_t d) {
  return std::find(list.begin(), list.end(), static_cast<int64_t>(d)) != list.end();
}

// Every entry names a dimension below `rank`, none twice; `taken` carries what other lists took.
Status check_dims(std::span<const int64_t> list, const char *what, size_t rank, std::vector<bool> &taken) {
  for (int64_t d : list) {
    if (d < 0 || d >= static_cast<int64_t>(rank) || taken[static_cast<size_t>(d)])
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("{} [{}] must name different ones of {} dimensions that no other list names",
                              what, fmt::join(list, ", "), rank));
    taken[static_cast<size_t>(d)] = true;
  }
  return {};
}

} // namespace

IndexingLists gather_lists(const OpView &op) {
  namespace at = slot::gather;
  return {op.ints(at::offset_dims),           op.ints(at::collapsed_slice_dims),
          op.ints(at::operand_batching_dims), op.ints(at::start_indices_batching_dims),
          op.ints(at::start_index_map),       op.integer(at::index_vector_dim)};
}

IndexingLists scatter_lists(const OpView &op) {
  namespace at = slot::scatter;
  return {op.ints(at::update_window_dims),           op.ints(at::inserted_window_dims),
          op.ints(at::input_batching_dims),          op.ints(at::scatter_indices_batching_dims),
          op.ints(at::scatter_dims_to_operand_dims), op.integer(at::index_vector_dim)};
}

Status check_indexing(const IndexingLists &lists, const graph::TensorType &array,
                      const graph::TensorType &indices, size_t slices_rank) {
  if (!graph::is_int(indices.dtype))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("indices are {}: expected integers", graph::to_short_text(indices)));
  if (lists.vector_dim < 0 || lists.vector_dim > static_cast<int64_t>(indices.rank()))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("index_vector_dim is {} for indices {}", lists.vector_dim,
                            graph::to_short_text(indices)));
  const bool has_vector = lists.vector_dim < static_cast<int64_t>(indices.rank());
  const int64_t components = has_vector ? indices.dims[static_cast<size_t>(lists.vector_dim)] : 1;
  if (static_cast<int64_t>(lists.map.size()) != components)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("index vectors have {} components, but [{}] maps {} to dimensions", components,
                            fmt::join(lists.map, ", "), lists.map.size()));
  std::vector<bool> window(slices_rank), removed(array.rank()), mapped(array.rank()), indexed(indices.rank());
  TW_TRY(check_dims(lists.window, "window dimensions", slices_rank, window));
  TW_TRY(check_dims(lists.removed, "removed dimensions", array.rank(), removed));
  TW_TRY(check_dims(lists.array_batching, "batching dimensions", array.rank(), removed));
  TW_TRY(check_dims(lists.array_batching, "batching dimensions", array.rank(), mapped));
  TW_TRY(check_dims(lists.map, "indexed dimensions", array.rank(), mapped));
  if (has_vector)
    indexed[static_cast<size_t>(lists.vector_dim)] = true;
  TW_TRY(check_dims(lists.indices_batching, "batching dimensions of the indices", indices.rank(), indexed));
  if (lists.array_batching.size() != lists.indices_batching.size())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("{} batching dimensions of the array go with {} of the indices",
                            lists.array_batching.size(), lists.indices_batching.size()));
  for (size_t i = 0; i < lists.array_batching.size(); ++i) {
    const auto a = static_cast<size_t>(lists.array_batching[i]),
               b = static_cast<size_t>(lists.indices_batching[i]);
    if (array.dims[a] != indices.dims[b])
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("batching dimension {} of {} has size {}, its partner {} of indices {} has {}",
                              a, graph::to_short_text(array), array.dims[a], b, graph::to_short_text(indices),
                              indices.dims[b]));
  }
  if (lists.window.size() + lists.removed.size() + lists.array_batching.size() != array.rank())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("{} window, {} removed and {} batching dimensions do not make the {} of {}",
                            lists.window.size(), lists.removed.size(), lists.array_batching.size(),
                            array.rank(), graph::to_short_text(array)));
  const size_t batch = indices.rank() - (has_vector ? 1 : 0);
  if (slices_rank != lists.window.size() + batch)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("{} window dimensions and {} of indices {} do not make {} dimensions",
                            lists.window.size(), batch, graph::to_short_text(indices), slices_rank));
  return {};
}

Indexing::Indexing(const IndexingLists &lists, size_t array_rank, size_t indices_rank, size_t slices_rank)
    : array(array_rank), slices_to_indices(slices_rank, -1), vector_dim(lists.vector_dim),
      has_vector_dim(lists.vector_dim < static_cast<int64_t>(indices_rank)) {
  std::vector<size_t> slices_of_indices(indices_rank);
  size_t next = 0;
  for (size_t d = 0; d < slices_rank; ++d) {
    if (contains(lists.window, d))
      continue;
    if (static_cast<int64_t>(next) == vector_dim)
      ++next;
    slices_to_indices[d] = static_cast<int64_t>(next);
    slices_of_indices[next++] = d;
    batch_dims.push_back(d);
  }
  std::vector<int64_t> window(lists.window.begin(), lists.window.end());
  std::sort(window.begin(), window.end());
  size_t next_window = 0;
  for (size_t d = 0; d < array_rank; ++d) {
    IndexedDim &dim = array[d];
    const auto batching =
        std::find(lists.array_batching.begin(), lists.array_batching.end(), static_cast<int64_t>(d));
    if (contains(lists.removed, d)) {
      dim.kind = IndexedDim::Kind::removed;
    } else if (batching != lists.array_batching.end()) {
      dim.kind = IndexedDim::Kind::batching;
      dim.slices_dim = slices_of_indices[static_cast<size_t>(
          lists.indices_batching[static_cast<size_t>(batching - lists.array_batching.begin())])];
    } else {
      dim.kind = IndexedDim::Kind::window;
      dim.slices_dim = static_cast<size_t>(window[next_window++]);
    }
    const auto mapped = std::find(lists.map.begin(), lists.map.end(), static_cast<int64_t>(d));
    if (mapped != lists.map.end())
      dim.component = mapped - lists.map.begin();
  }
}

Indexing gather_indexing(const OpView &op) {
  return Indexing(gather_lists(op), op.operands[0]->rank(), op.operands[1]->rank(), op.results[0]->rank());
}

Indexing scatter_indexing(const OpView &op) {
  const size_t n = op.operands.size() / 2; // n inputs, the indices, n updates
  return Indexing(scatter_lists(op), op.operands[0]->rank(), op.operands[n]->rank(),
                  op.operands[n + 1]->rank());
}

} // namespace tw::ops
