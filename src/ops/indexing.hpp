// SPDX-License-Identifier: Apache-2.0
// How gather and scatter line up an array, index vectors and slices. Both are the same picture seen from two
// sides: index vectors say where slices of the array start; gather reads the slices into its result, scatter
// combines its updates into them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/op_def.hpp"

namespace tw::ops {

// The attributes of either op by meaning. `indices` and `slices` are as in gather: start_indices and result.
struct IndexingLists {
  std::span<const int64_t> window;           // dimensions of the slices: offset_dims, update_window_dims
  std::span<const int64_t> removed;          // of the array: collapsed_slice_dims, inserted_window_dims
  std::span<const int64_t> array_batching;   // of the array: operand_batching_dims, input_batching_dims
  std::span<const int64_t> indices_batching; // their partners in the indices
  std::span<const int64_t> map;              // start_index_map, scatter_dims_to_operand_dims
  int64_t vector_dim = 0; // index_vector_dim; the indices' rank where each index vector is one number
};
IndexingLists gather_lists(const OpView &op);
IndexingLists scatter_lists(const OpView &op);

// Everything but the sizes of slices.
Status check_indexing(const IndexingLists &lists, const graph::TensorType &array,
                      const graph::TensorType &indices, size_t slices_rank);

struct IndexedDim {
  enum class Kind : uint8_t {
    removed,  // slices have size 1 here and drop the dimension
    batching, // goes along with a dimension of the slices and of the indices
    window,   // a dimension of the slices
  };
  Kind kind = Kind::window;
  size_t slices_dim = 0;  // its partner in the slices; kinds batching and window
  int64_t component = -1; // the component of the index vectors that says where slices start; -1 = at 0
};

// The picture per dimension; attributes have been checked.
struct Indexing {
  Indexing(const IndexingLists &lists, size_t array_rank, size_t indices_rank, size_t slices_rank);
  std::vector<IndexedDim> array; // per dimension of the array
  std::vector<int64_t>
      slices_to_indices;          // per dimension of the slices its partner in the indices; -1 for a window's
  std::vector<size_t> batch_dims; // of the slices: those that have a partner
  int64_t vector_dim = 0;
  bool has_vector_dim = false; // the indices have a dimension of components
};

Indexing gather_indexing(const OpView &op);
Indexing scatter_indexing(const OpView &op);

} // namespace tw::ops
