// SPDX-License-Identifier: Apache-2.0
// A plan as a program over whole arrays with annotations of MLIR's shard dialect, which the importer reads
// back as the same plan.
#pragma once

#include <string>

#include "partition/plan.hpp"

namespace tw::emit::shard {

// `shard.grid`, `shard.sharding` and `shard.shard` around StableHLO in generic form. Arguments, results and
// values that actions pinned are annotated, and what a reader would not tile alike by propagation: first what
// makes a value, then the operands of an op (annotate_for_users). Where a reader's program moves other than
// the plan's own, a comment in the first line says what. A plan that no annotations give is an error that
// names the op. With `says_all` every value is annotated: then a program of the text may move more.
Result<std::string> to_annotated_text(const partition::Plan &plan, bool says_all = false);

} // namespace tw::emit::shard
