// SPDX-License-Identifier: Apache-2.0
// Source of a chain over rows: elementwise groups and reductions along a row, one after the other, as of a
// softmax. 32 threads compute a row, and what one member makes for the next stays in their registers and in
// shared memory, or is made again where the row is too long for that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "kernels/generated/index_text.hpp"
#include "kernels/generated/source.hpp"
#include "ops/expression.hpp"

namespace tw::kernels::generated {

// An array that the chain reads: element j of a row is at j * stride behind the row's first, which is where
// the dimensions that count the rows say; none: all rows are one.
struct ChainInput {
  graph::DType dtype;
  std::vector<IndexDim> rows;
  int64_t stride;
};

// Makes one value for each element of a row of values (0 .. inputs-1: inputs, then members), or one for the
// row, which every element of later members sees: by folding a value, or of such values and of inputs that
// stay along the row.
struct RowMember {
  std::optional<ops::Expression> value; // none: a fold
  std::vector<uint32_t> args;           // of a fold one: what is folded
  sharding::Reduction kind{};           // of a fold
  bool is_single = false;               // an expression for the row

  bool is_of_row() const { return is_single || !value; }
};

struct RowChain {
  int64_t rows, columns;
  std::vector<ChainInput> inputs;
  std::vector<RowMember> members;
  // Members whose values are stored, dense row-major: one element a row where there is one for the row.
  std::vector<uint32_t> outputs;
};

// Operands are the inputs, results the outputs. A result may lie over an input, element on element, that is
// not read from the next fold on; all else lies apart. A fold begins with the identity and folds in the order
// of reduction_source. An error: a function that devices lack, or rows that do not fit into shared memory and
// may be written over before what was made of them is made again.
Result<Source> row_chain_source(const RowChain &chain, const std::string &entry);

} // namespace tw::kernels::generated
