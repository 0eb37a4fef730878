// SPDX-License-Identifier: Apache-2.0
// What is decided step by step, as a spec or annotations by priorities say, may be cheap in each step and
// dear in the end, or leave no room for the next step. Then another policy has its way in all steps.
#include "base/watch.hpp"
#include "partition/choices.hpp"

namespace tw::partition {

Status Choices::least_of_policies(Plan &plan, bool shown, const Run &run) {
  if (plan.policy_ != Policy::cheapest || plan.count_moves_ == nullptr) {
    TW_TRY(run(true));
    return {};
  }
  const auto count = [&]() -> std::optional<Moves::Moved> {
    const auto moves = plan.count_moves_(plan);
    const auto whole = moves == nullptr ? nullptr : moves->whole();
    return whole == nullptr ? std::nullopt : std::optional(whole->moved());
  };
  const Plan::Stamp start = plan.stamp();
  const auto run_as = [&](Policy policy, bool last) {
    plan.undo_to(start);
    plan.policy_ = policy;
    auto times = run(last);
    plan.policy_ = Policy::cheapest;
    return times;
  };
  Policy best = Policy::cheapest, now = best;
  const auto times = run_as(best, false);
  std::optional<Moves::Moved> least; // none: nothing came to its end
  if (times && *times > 1)
    least = count();
  if (!times || (least && least->bytes != 0))
    for (const Policy other : {Policy::shardy, Policy::conservative}) {
      if (gives_up())
        break;
      now = other;
      if (!run_as(other, false))
        continue;
      if (const auto moved = count(); moved && (!least || *moved < *least)) {
        least = moved;
        best = other;
      }
    }
  if (!times || now != best || shown)
    TW_TRY(run_as(best, true));
  return {};
}

} // namespace tw::partition
