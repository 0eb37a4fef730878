// SPDX-License-Identifier: Apache-2.0
// Where the NaN or Inf of a program's results begin.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/ref/evaluate.hpp"

namespace tw::runtime {

struct Nonfinite {
  graph::OpId op;                  // an argument's where the caller gave them
  graph::ValueId value;            // the first of its results that has them
  bool nan;                        // else only Inf
  int64_t count;                   // elements of the value, the first time that it had some
  std::vector<uint32_t> arguments; // that the op's operands are computed from, the nearest first
};

// The first op, in program order, that makes NaN of operands without NaN, and from which NaN come to a
// result; where no result has NaN, the same of Inf. Nothing where all results are finite, or constants hold
// the Inf. Evaluates the program with the references, and ends when the call is given up (base/watch.hpp).
Result<std::optional<Nonfinite>> find_nonfinite(const graph::Graph &graph,
                                                std::span<const kernels::ref::Array> arguments,
                                                const kernels::ref::ForeignKernel &foreign = {});

} // namespace tw::runtime
