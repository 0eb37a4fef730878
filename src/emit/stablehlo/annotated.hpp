// SPDX-License-Identifier: Apache-2.0
// A plan as the global program with Shardy's annotations: what the importer reads back as the same plan, and
// what JAX partitions alike.
#pragma once

#include <string>

#include "annotation/annotations.hpp"
#include "emit/stablehlo/graph_text.hpp"
#include "partition/plan.hpp"

namespace tw::emit::stablehlo {

struct Annotated {
  annotation::Annotations annotations; // what a reader of the text finds
  size_t differing = 0;                // ops that are tiled otherwise in a plan of these annotations
  size_t unsaid_results = 0;           // results whose dimensions are cut in ways of their own
};
// The shardings of arguments and results, of values that actions pinned, and of those that a reader would not
// tile alike by propagation. What Shardy has no words for stays unsaid: cuts, reductions that are no sums,
// dimensions that a plan left whole against propagation. With `every_value` the shardings of all other values
// too, for who should not propagate but follow.
Result<Annotated> annotate(const partition::Plan &plan, bool every_value = false);

// What is stated of how single ops may be split, as attributes of theirs.
void add_rules(const partition::Plan &plan, Notes &notes);

// `stablehlo` in generic form, sdy.mesh, sdy.sharding; a comment on top counts the ops that differ.
Result<std::string> to_annotated_text(const partition::Plan &plan, bool every_value = false);

} // namespace tw::emit::stablehlo
