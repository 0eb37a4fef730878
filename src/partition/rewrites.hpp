// SPDX-License-Identifier: Apache-2.0
// PartIR's rewrites, one at a time. Each keeps the program's meaning and has an inverse; none propagates.
//
//   rule          op <~> tile d (\r -> op(slice .. x[r], ..))   one loop of its rule around an op, and off it
//   inline        an op outside a loop <~> in it, done again in every turn; its inverse is hoist
//   materialise   a value read in the loop that makes it <~> made whole there, and sliced again by its
//                 readers; its inverse is fuse
//
// The first two edit the nest of one op, the last says where loops end; layouts, and so the SPMD program,
// change by the first two only.
#pragma once

#include <string_view>

#include "partition/plan.hpp"

namespace tw::partition {

// `name` as `tw ops` lists it: "matmul-tile-0", "dot_general-sum". `split` cuts the factor over all of its
// axes then; null: as they cut it.
Status apply_rule(Plan &plan, graph::ValueId made, std::string_view name, sharding::AxisId axis,
                  const sharding::SplitRule *split = nullptr);
Status invert_rule(Plan &plan, graph::ValueId made, std::string_view name, sharding::AxisId axis);
// The factor that the loop of that name runs over.
Result<ops::FactorId> loop_factor(const Plan &plan, graph::ValueId made, std::string_view name);

Status inline_into(Plan &plan, graph::ValueId v, sharding::AxisId axis);
Status hoist_out(Plan &plan, graph::ValueId v, sharding::AxisId axis);
Status materialise(Plan &plan, graph::ValueId v, sharding::AxisId axis);
Status fuse(Plan &plan, graph::ValueId v, sharding::AxisId axis);

} // namespace tw::partition
