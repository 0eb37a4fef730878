// SPDX-License-Identifier: Apache-2.0
// Reads Einstein's notation for a contraction of two arrays, "bd,df->bf", as the dimension numbers of
// dot_general.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "graph/types.hpp"

namespace tw::ops {

struct Einsum {
  std::vector<int64_t> lhs_batch, rhs_batch, lhs_contract, rhs_contract;
  std::vector<int64_t>
      permutation; // from dot_general's result order (batch, lhs free, rhs free) to the one asked for
};

// A letter may stand once in each operand; one that is in a single operand must be in the result.
Result<Einsum> parse_einsum(std::string_view subscripts, const graph::TensorType &lhs,
                            const graph::TensorType &rhs);

} // namespace tw::ops
