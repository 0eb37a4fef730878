// SPDX-License-Identifier: Apache-2.0
// Whether every op of a program has a kernel, asked before anything is bound.
#pragma once

#include "base/status.hpp"
#include "kernels/custom_calls.hpp"
#include "spmd/program.hpp"

namespace tw::runtime {

// An error at the first custom_call that nobody runs, else at the first other op without a kernel; its notes
// count the rest. `calls` (may be null) knows kernels of the host.
Status check_runnable(const spmd::Program &program, const kernels::CustomCalls *calls);

// The error with the place of the op; a note has what the program says of it, where that is no place.
Error at_op(Error error, const graph::Graph &graph, graph::OpId op);

} // namespace tw::runtime
