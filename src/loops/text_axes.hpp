// SPDX-License-Identifier: Apache-2.0
// The axes that a text names, and errors at places of it.
#pragma once

#include <string>
#include <vector>

#include "annotation/loop_program.hpp"
#include "base/status.hpp"
#include "partition/plan.hpp"

namespace tw::loops {

Error error(const char *id, const SourcePos &pos, std::string message);
Error at(Error cause, const SourcePos &pos);

// Makes the axes of a text in a fresh plan; answers with that of each loop.
Result<std::vector<sharding::AxisId>> make_axes(partition::Plan &plan,
                                                const annotation::LoopProgram &program);

// By its name: "batch", or range<16,8>#1, an axis that ranges make, and which of those a value carries; that
// is made where there is none.
Result<sharding::AxisId> find_axis(partition::Plan &plan, const std::string &name, const SourcePos &pos);

} // namespace tw::loops
