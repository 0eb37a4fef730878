// SPDX-License-Identifier: Apache-2.0
// From a program, a mesh and a machine to the actions after which it takes the least time there, as far as a
// search finds them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cost/estimate.hpp"
#include "cost/price.hpp"
#include "search/driver.hpp"

namespace tw::search {

enum class Ending : uint8_t {
  optimal,    // it costs what no plan can cost less than
  exhausted,  // nothing was left to try
  budget,     // of episodes or seconds
  cancelled,  // by Control, with the best so far
  infeasible, // no plan that was found fits
};
std::string_view ending_text(Ending ending);

struct Found {
  Ending ending = Ending::exhausted;
  std::string spec;                            // that `tw plan` reads
  std::vector<std::string> actions;            // its lines, without comments
  std::shared_ptr<const partition::Plan> plan; // which they make
  bool gather_per_use = false;                 // an option of its lowering
  cost::Price price;                           // of it
  cost::Picoseconds bound = 0;                 // no plan of the program takes less time
  double peak_bytes = 0;       // as estimated, or where it was cancelled before that as priced
  double least_peak_bytes = 0; // no plan needs less
  int64_t episodes = 0, steps = 0;
  double seconds = 0;
  std::vector<Tried> tried;
  std::vector<Group> groups;

  double gap() const; // (cost - bound) / cost
};

// An error where the plan has axes of steps or threads, or the system lacks one of its axes.
Status check(const partition::Plan &plan, const system::System &system);

// `estimate` says what runs do; its cap is that of the limits.
// Of a plan on whose arguments alone somebody acted, if at all; what is found comes behind that. No plan that
// is found takes longer than one of those that everybody would try first, and fits.
Result<Found> search(const partition::Plan &plan, const system::System &system, const spmd::Options &options,
                     const Limits &limits, const Scope &scope = {}, const cost::Options &estimate = {});

} // namespace tw::search
