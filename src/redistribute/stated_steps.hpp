// SPDX-License-Identifier: Apache-2.0
// Sequences that a caller writes, a step a line: `allgather 0`, `alltoall(1, 0)`, `dynslice 0 x`,
// `allpermute` (arXiv 2112.01075, 2.6), or the types between steps. Read, checked and made into a plan
// whose steps are direct exchanges.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "redistribute/planner.hpp"
#include "redistribute/type_text.hpp"

namespace tw::redistribute {

// What a line calls its step. `any`: a type alone, reached by whatever exchange it takes.
enum class StatedKind : uint8_t { any, allgather, alltoall, dynslice, allpermute };

struct StatedStep {
  size_t line = 0;  // counted from 1
  std::string text; // as it was written
  StatedKind kind = StatedKind::any;
  DistributedType after;
};

// A word without arguments, `allpermute`, makes the type of the next line, or what the steps behind it
// need, or the target. Errors name the line, its text and the type that it meets.
Result<std::vector<StatedStep>> read_stated_steps(std::string_view text, const sharding::Mesh &mesh,
                                                  const DistributedType &src, const DistributedType &dst,
                                                  graph::DType dtype);
// The same text with what '#' begins left out.
std::string without_comments(std::string_view text);

// The steps as one plan, of method `stated`. An error where a step does not do what it is called: a slice
// that would move elements, a permutation between tiles of different shapes.
Result<Costed> plan_stated(std::shared_ptr<const Problem> problem, const std::vector<StatedStep> &steps,
                           const DistributedType &src, const PlanOptions &options);

} // namespace tw::redistribute
