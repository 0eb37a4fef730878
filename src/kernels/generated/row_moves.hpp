// SPDX-License-Identifier: Apache-2.0
// Source of moves whose places are read from arrays: gathers and scatters of rows, slices with a start.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/types.hpp"
#include "kernels/generated/source.hpp"
#include "sharding/sharding.hpp"

namespace tw::kernels::generated {

// result[i, :] = operand[indices[i], :]; an index beyond the operand is its nearest row.
struct GatherRows {
  graph::DType dtype, index;
  int64_t rows, columns; // of the operand
  int64_t indices;
};
Source gather_source(const GatherRows &request, const std::string &entry); // operands: rows, indices

// result = operand, then for i in order: result[indices[i], :] combined with updates[i, :], rounded to the
// type after each; updates beyond the operand are left out. Without a kind the update replaces what was
// there.
struct ScatterRows {
  graph::DType dtype, index;
  int64_t rows, columns; // of the operand
  int64_t indices;
  std::optional<sharding::Reduction> kind;
};
// Operands: rows, indices, updates. The result may lie over operand 0. Every row looks at all indices, which
// keeps their order and with it the bits.
Source scatter_source(const ScatterRows &request, const std::string &entry);

// The part of `extent` that begins at scalars, one operand a dimension, which are moved so that it fits.
struct DynamicSlice {
  graph::DType dtype, index;
  std::vector<int64_t> whole, part; // extents
};
Source dynamic_slice_source(const DynamicSlice &request, const std::string &entry); // operands: whole, starts
// Writes the part into the whole, which is the result. Operands: part, starts.
Source dynamic_update_source(const DynamicSlice &request, const std::string &entry);

} // namespace tw::kernels::generated
