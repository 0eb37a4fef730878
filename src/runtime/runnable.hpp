// SPDX-License-Identifier: Apache-2.0
// Whether every op of a program has a kernel, asked before anything is bound.
#pragma once

#include "base/status.hpp"
#include "spmd/program.hpp"

namespace tw::runtime {

// An error at the first custom_call that nobody runs, else at the first other op without a kernel; its notes count the rest.
Status check_runnable(const spmd::Program &program);

} // namespace tw::runtime
