// SPDX-License-Identifier: Apache-2.0
// What a search answers with: the steps that it took, as a spec and a plan of the whole program, and what
// these cost there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cost/estimate.hpp"
#include "cost/price.hpp"
#include "search/driver.hpp"
#include "search/spec_text.hpp"

namespace tw::search {

enum class Ending : uint8_t {
  optimal,    // it costs what no plan can cost less than
  gap,        // as near to that as was wanted
  exhausted,  // nothing was left to try
  budget,     // of episodes or seconds
  cancelled,  // by Control, with the best so far
  infeasible, // no plan that was found fits
};
std::string_view ending_text(Ending ending);

struct Found {
  Ending ending = Ending::exhausted;
  std::vector<ProgramStep> steps_taken;
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
  bool cached = false;            // another search found it (cache.hpp)
  std::vector<std::string> notes; // what was wrong on the way, and did not end the search

  double gap() const; // (cost - bound) / cost
  Progress progress() const;
};

// A spec, its plan and what that costs. `plan`: what the search began with.
Result<Found> price_answer(const partition::Plan &plan, std::vector<ProgramStep> steps,
                           const system::System &system, const spmd::Options &options);
// And what a run of it needs. `estimate`: with the cap in bytes. A run is estimated, unless that
// takes longer than who cancels waits (null: nobody) in a search that began so many seconds ago.
Status estimate_answer(Found &found, const system::System &system, const spmd::Options &options,
                       const cost::Options &estimate, const Control *control = nullptr, double seconds = 0);
// Both.
Result<Found> make_answer(const partition::Plan &plan, std::vector<ProgramStep> steps,
                          const system::System &system, const spmd::Options &options,
                          const cost::Options &estimate, const Control *control = nullptr,
                          double seconds = 0);

} // namespace tw::search
