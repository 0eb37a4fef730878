// SPDX-License-Identifier: Apache-2.0
// From a program, a mesh and a machine to the actions after which it takes the least time there, as far as a
// search finds them.
#pragma once

#include "search/answer.hpp"

namespace tw::search {

// An error where the plan has axes of steps or threads, or the system lacks one of its axes.
Status check(const partition::Plan &plan, const system::System &system);

// What is searched: a plan on whose arguments alone somebody acted, if at all, and what is found comes behind
// that. `estimate` says what runs do; its cap is that of the limits.
struct Question {
  const partition::Plan &plan;
  const system::System &system;
  const spmd::Options &options;
  const Limits &limits;
  const Scope &scope;
  const cost::Options &estimate;
};

// No plan that is found takes longer than one of those that everybody would try first, and fits.
Result<Found> search(const Question &question);
inline Result<Found> search(const partition::Plan &plan, const system::System &system,
                            const spmd::Options &options, const Limits &limits, const Scope &scope = {},
                            const cost::Options &estimate = {}) {
  return search(Question{plan, system, options, limits, scope, estimate});
}

} // namespace tw::search
