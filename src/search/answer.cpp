// SPDX-License-Identifier: Apache-2.0
// The price says what searches compare; the estimate, which places everything, whether it fits.
#include "search/answer.hpp"

#include <fmt/format.h>

#include "base/figures.hpp"
#include "cost/collective.hpp"
#include "search/end_when_cancelled.hpp"

namespace tw::search {

using partition::Plan;

namespace {

// Every device has its part of the arguments at least.
double least_peak(const Plan &plan, const system::System &system) {
  double bytes = 0;
  for (const graph::OpId argument : plan.graph().arguments())
    bytes += static_cast<double>(plan.graph().type(plan.graph().result(argument)).bytes());
  return bytes / static_cast<double>(plan.mesh().num_devices()) + system.device.library_bytes;
}

Result<double> estimated_peak(const Plan &plan, const system::System &system, const spmd::Options &options,
                              const cost::Options &how) {
  TW_ASSIGN(auto program, spmd::lower(plan, options));
  TW_ASSIGN(const cost::Estimate estimated, cost::estimate(std::move(program), system, how));
  return estimated.peak_bytes;
}

} // namespace

std::string_view ending_text(Ending ending) {
  switch (ending) {
  case Ending::optimal: return "optimal";
  case Ending::gap: return "gap";
  case Ending::exhausted: return "exhausted";
  case Ending::budget: return "budget";
  case Ending::cancelled: return "cancelled";
  case Ending::infeasible: return "infeasible";
  }
  return "";
}

double Found::gap() const { return gap_of(price.time(), bound); }

Progress Found::progress() const {
  return {cost::in_seconds(price.time()), cost::in_seconds(bound), price.peak, episodes};
}

Result<Found> price_answer(const Plan &plan, std::vector<ProgramStep> steps, const system::System &system,
                           const spmd::Options &options) {
  TW_ASSIGN(Written written, write_spec(plan, steps));
  Found found;
  found.steps_taken = std::move(steps);
  found.gather_per_use = options.gather_per_use;
  found.spec = std::move(written.spec);
  found.actions = std::move(written.actions);
  found.plan = std::move(written.plan);
  TW_ASSIGN(const auto price, cost::PlanPrice::create(*found.plan, system, options));
  found.price = price->price();
  found.bound = price->least_time();
  found.peak_bytes = static_cast<double>(found.price.peak) + system.device.library_bytes;
  found.least_peak_bytes = least_peak(plan, system);
  if (found.spec.empty()) // whoever keeps it in a file wonders else
    found.spec =
        fmt::format("# nothing was found that is better than the plan as it was: {} a run, {} a device\n",
                    time_text(cost::in_seconds(found.price.time())), bytes_text(found.price.peak));
  return found;
}

Status estimate_answer(Found &found, const system::System &system, const spmd::Options &options,
                       const cost::Options &estimate, const Control *control, double seconds) {
  if (is_cancelled(control))
    return {};
  return until_cancelled(control, seconds, [&]() -> Status {
    TW_ASSIGN(found.peak_bytes, estimated_peak(*found.plan, system, options, estimate));
    return {};
  });
}

Result<Found> make_answer(const Plan &plan, std::vector<ProgramStep> steps, const system::System &system,
                          const spmd::Options &options, const cost::Options &estimate, const Control *control,
                          double seconds) {
  TW_ASSIGN(Found found, price_answer(plan, std::move(steps), system, options));
  TW_TRY(estimate_answer(found, system, options, estimate, control, seconds));
  return found;
}

} // namespace tw::search
