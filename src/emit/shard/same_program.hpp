// SPDX-License-Identifier: Apache-2.0
// Whether two plans lead to one program of a device, though they decide some op differently: the lowering
// takes a layout from the users of a value where its maker may have any.
#pragma once

#include <vector>

#include "spmd/program.hpp"

namespace tw::emit::shard {

// `same_op`: by op of the first program's graph, the op of the other's; kNone where there is none. Ops that
// no op stands for, on either side, pass a value on.
bool is_same_program(const spmd::Program &program, const spmd::Program &other,
                     const std::vector<graph::OpId> &same_op);

} // namespace tw::emit::shard
