// SPDX-License-Identifier: Apache-2.0
// Judges a run that differs from another by more than a fixed bound allows: both are compared with the
// program in double precision. A step that divides rounding errors by rounding errors (the first of Adam) has
// no fixed bound.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/custom_calls.hpp"
#include "runtime/compare.hpp"
#include "spmd/program.hpp"

namespace tw::runtime {

struct Judging {
  bool promised =
      true; // `expected` is of the unpartitioned program, whose bits are promised where nothing rounded otherwise
  double seconds = 600; // the evaluation in double precision is given up after so long
  std::function<bool(double seconds)> go_on = nullptr; // asked while it runs
  std::shared_ptr<const kernels::CustomCalls> custom_calls = nullptr;
};

struct Judgement {
  std::vector<Comparison> outputs;
  std::string why_no_second_opinion; // where one was due
};

// Compares the results of a run of `program` with those of another run of its graph on the same inputs: bit
// for bit where that is promised, else within the bound of the least precise type on the way to a result;
// what misses that passes where it is no more than 4 times as far from the program in double precision as
// `expected` is. Without inputs there is no such second opinion, and no result that equals one. Views are
// dense.
Judgement judge(const spmd::Program &program, std::span<const TensorView> inputs,
                std::span<const TensorView> outputs, std::span<const TensorView> expected,
                const Judging &how);

} // namespace tw::runtime
