// SPDX-License-Identifier: Apache-2.0
// Why no annotations give a plan, and what else than the plan's own program a reader's would move.
#pragma once

#include <string>
#include <vector>

#include "emit/shard/read_back.hpp"
#include "emit/shard/reads.hpp"
#include "emit/shard/statements.hpp"

namespace tw::emit::shard {

// An error for the first node of the plan that a reader of all that can be said tiles otherwise.
Error cannot_say(const partition::Plan &plan, const Reads &reads, const ReadBack &read,
                 const std::vector<bool> &differs);
// A line for the head of a text that gives the shardings of the plan, and no more.
Result<std::string> other_moves_comment(const partition::Plan &plan, const Reads &reads, const ReadBack &read,
                                        const spmd::Program &program, const Statements &said);

} // namespace tw::emit::shard
