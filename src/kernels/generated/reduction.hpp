// SPDX-License-Identifier: Apache-2.0
// Source of reductions along any dimensions. The order in which an element is folded follows from which
// dimensions are folded and how long those are, never from the grid or from what is kept: it is the order of
// the host's cpu:reduce, so both give the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/types.hpp"
#include "kernels/generated/source.hpp"
#include "sharding/sharding.hpp"

namespace tw::kernels::generated {

inline constexpr int kLanes = 32;         // of a run, and a group of threads
inline constexpr int64_t kRun = 32 << 10; // elements of a piece of a run

struct ReductionRequest {
  graph::DType dtype; // of operand and result; narrow floats accumulate in f32
  sharding::Reduction kind;
  std::vector<int64_t> extent; // of the operand, dense row-major
  std::vector<int64_t> dims;   // those that are folded
  bool use_init = true;        // from operand 1, else from the identity
};

// Operands are the array and, where it is used, the initial value; the result is dense. In two launches where
// few results have many elements.
Source reduction_source(const ReductionRequest &request, const std::string &entry);

// The identity of a reduction as a value of the wide type, in C++.
std::string identity_text(sharding::Reduction kind, graph::DType dtype);

} // namespace tw::kernels::generated
