// SPDX-License-Identifier: Apache-2.0
// What `cheapest` tries when `shardy` is done: what `conservative` does, waves without levels, with some
// actions before all others too, and where all ops together would have an axis. From the best of these on,
// offers again. In the end all passes of the lowering judge between this way and those of the other policies,
// so that it moves no more than these.
#include <algorithm>
#include <limits>

#include "base/watch.hpp"
#include "partition/choices.hpp"

namespace tw::partition {

using graph::kNone;
using sharding::AxisId;

namespace {

// The work of what is done where nobody asks for the fewest bytes is no reason to move more.
constexpr double kAnyWork = std::numeric_limits<double>::infinity();
// Wishes of ops for which a byte is worth so many turns of loops: as many as a machine does meanwhile, more
// than any work, and hardly any. Each takes as long as so many tries.
constexpr double kTurns[] = {64, 1 << 20, 1};
constexpr int64_t kTriesForWishes = 8;

} // namespace

void Choices::look_further() {
  const Way of_shardy = best_;
  if (!count_anew(false))
    return;
  first_ = least_;
  tries_ = tries_for(plan_);
  improves({.policy = Policy::conservative}, kAnyWork);
  improves({.by_levels = false});
  try_orders(false);
  try_wishes();
  try_offers();
  go_to_best();
  if (!count_anew(true)) {
    best_ = of_shardy;
    return go_to(best_);
  }
  constexpr int64_t kOthers = 3;
  tries_ = kOthers;
  improves(of_shardy, kAnyWork);
  improves({.policy = Policy::conservative}, kAnyWork);
  go_to_best();
}

void Choices::try_wishes() {
  for (const double turns : kTurns)
    for (size_t a = 0; a < plan_.mesh().num_axes(); ++a) {
      const auto axis = static_cast<AxisId>(a);
      if (plan_.mesh().is_loop(axis) || plan_.mesh().size(axis) < 2)
        continue;
      const auto plan = count_best() ? without(axis) : std::nullopt;
      if (!plan || tries_ <= kTriesForWishes || gives_up())
        return;
      const std::vector<Wish> wishes = moves_->wishes(*plan, axis, turns);
      if (wishes.empty())
        return;
      tries_ -= kTriesForWishes;
      Way way = best_;
      std::erase_if(way.chosen, [&](const Choice &c) { return c.axis == axis; });
      for (const Wish &wish : wishes)
        way.chosen.push_back({wish.node, axis, wish.factor, Choice::When::at_last});
      std::ranges::sort(way.chosen, {}, [](const Choice &c) { return std::pair(c.node, c.axis); });
      improves(way);
    }
}

// The plan as it is now, but what waves did with an axis.
std::optional<Plan> Choices::without(AxisId axis) const {
  Plan plan = plan_;
  plan.undo_to(start_);
  for (const auto &[of, places] : best_.parts)
    if (!plan.refine(of, places))
      return std::nullopt;
  for (NodeId n = 0; n < plan_.num_nodes(); ++n)
    for (const NestEntry &e : plan_.nest(n))
      if (e.axis != axis && plan.entry(n, e.axis) == nullptr)
        (void)plan.set(n, e.axis, e.factor, e.factor == kAny ? nullptr : &plan_.split(e.split));
  return plan;
}

} // namespace tw::partition
