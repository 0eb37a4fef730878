// SPDX-License-Identifier: Apache-2.0
// Conflicts for people: which of them still stand, and what each is in one line.
#pragma once

#include <string>
#include <vector>

#include "partition/plan.hpp"

namespace tw::partition {

// Those still undecided, the last record of each (node, axis), oldest first. Left out are broadcasts, which
// cost nothing to cut otherwise, and axes of one device, which cut nothing.
std::vector<const Conflict *> open_conflicts(const Plan &plan);
// Not what `propagate` leaves for `infer-propagate` on purpose: what `--strict` counts and reports show.
std::vector<const Conflict *> real_conflicts(const Plan &plan);

std::string_view name(Conflict::Kind kind);
// What taking a factor makes of a node: it tiles dimension `dim` of the first result, or operand, that has
// it; or leaves partial values.
struct LoopRole {
  enum class Kind : uint8_t { tile, reduce, whole } kind = Kind::whole;
  int32_t dim = -1; // -1: none
  sharding::Reduction reduction = sharding::Reduction::raw;
};
LoopRole role_of(const Plan &plan, NodeId n, ops::FactorId factor);
// "tile 0", "sum": the same in words.
std::string factor_text(const Plan &plan, NodeId n, ops::FactorId factor);
// "%7 stablehlo.add at model.py:12", "argument 'x'", "the pin of %12".
std::string node_text(const Plan &plan, NodeId n);
// The action from which a candidate follows: "spec.txt:3 tile(arg=w, ..)".
std::string action_text(const Plan &plan, ActionId action);
// "axis 'model' at %7 ...: tile 0 from spec.txt:1 ..., or tile 1 from spec.txt:2 ..."
std::string describe(const Plan &plan, const Conflict &conflict);

} // namespace tw::partition
