// SPDX-License-Identifier: Apache-2.0
// What no plan of a program can cost less than. Each op takes one of all its nests, whatever its neighbours
// take; a value that several ops read in other layouts moves for the dearest of them alone. So each plan is
// among the choices, and costs no less there.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "cost/price.hpp"
#include "partition/plan.hpp"
#include "search/op_choices.hpp"
#include "solve/messages.hpp"
#include "spmd/program.hpp"
#include "system/system.hpp"

namespace tw::search {

struct Relaxation {
  solve::Model model;                                  // picoseconds
  cost::Picoseconds rest = 0;                          // of ops that are not in it
  std::vector<partition::NodeId> ops;                  // by variable; kNone for those that stand for a value
  std::vector<uint32_t> kinds;                         // by variable; kNone for these
  std::vector<std::vector<Nest>> nests;                // by kind, of each choice
  const Nest &nest(uint32_t variable, uint32_t choice) const { return nests[kinds[variable]][choice]; }
};

// Of what a plan leaves undecided, for cost::PlanPrice with these options and repeats. An error where the
// plan cannot be lowered.
Result<Relaxation> relax(const partition::Plan &plan, const system::System &system,
                         const spmd::Options &options, const cost::Repeats *repeats = nullptr);

struct Relaxed {
  cost::Picoseconds bound = 0;
  // The choices that came nearest to it, by op; nothing of ops that are not in the model.
  std::vector<std::optional<Nest>> nests;
};
// In no more rounds than read so many entries of tables, but for a few. Where `stop` says so, with what is
// there.
Relaxed solve(const Relaxation &relaxation, double entries, const std::function<bool()> &stop = {});

} // namespace tw::search
