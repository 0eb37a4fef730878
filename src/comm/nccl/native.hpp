// SPDX-License-Identifier: Apache-2.0
// Steps that are one of NCCL's own collectives, which then makes all of it: no box is packed, and no part is
// added here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "comm/array_steps.hpp"
#include "comm/nccl/abi.hpp"
#include "graph/types.hpp"
#include "sharding/sharding.hpp"

namespace tw::comm::nccl {

// How NCCL may combine an array's partial values.
struct NativeSum {
  DataType dtype;
  ReduceOp op;
};
// Where its order of additions gives the bits of ours: integers. Of floats sums and products, where any order
// is allowed. NCCL's maxima lose NaN.
std::optional<NativeSum> native_sum(sharding::Reduction kind, graph::DType dtype, bool any_order);

struct Native {
  int32_t kind;  // tw_nccl_kind
  int32_t root;  // rank: of a broadcast
  int64_t bytes; // of what tw_nccl_op counts
};
// What a step amounts to among `members`, the one device of each process of a clique, by rank. All of them
// come to the same. `sum`: of what combines.
std::optional<Native> native_of(const ArrayStep &move, std::span<const redistribute::Device> members,
                                const std::optional<NativeSum> &sum);

} // namespace tw::comm::nccl
