// SPDX-License-Identifier: Apache-2.0
// Prices that are right for the whole problem leave what is on the edge open, and choices of many
// variables turn over at once. Deciding few at a time, and prices for the rest anew, comes to choices
// that fit closely.
#include <algorithm>
#include <cmath>

#include "solve/prices.hpp"

namespace tw::solve {
namespace {

constexpr double kPart = 0.7; // of the way to the best answer's cost that prices go
constexpr int kPassesOfNode = 24;

struct Pace {
  double share; // of the variables that are open, decided at a time
  int passes;   // between two times
};
constexpr Pace kSlow = {0.08, 8}, kFast = {0.2, 5};
constexpr size_t kFew = 400; // variables up to which a dive is slow

} // namespace

State dive(Work &work, double soft, double until) {
  const std::vector<Cost> told = work.messages.told();
  const Pace pace = work.problem.model.costs.size() <= kFew ? kSlow : kFast;
  Ascent ascent(work, soft);
  State last;
  while (!work.is_over(until)) {
    Cost bound = 0;
    for (int pass = 0; pass < pace.passes; ++pass) {
      work.count();
      const Cost aim = work.best.cost < kNever ? work.best.cost : bound + 0.1 * std::abs(bound) + 1;
      bound = ascent.step(aim, kPart);
      if (bound == kNever)
        break;
      if (ascent.state.cost < kNever && (last.cost == kNever || work.memory.fits(ascent.state.usage)))
        last = ascent.state;
    }
    if (bound >= work.enough() || !ascent.can_fit())
      break;
    std::vector<Ascent::Certain> open = ascent.undecided();
    if (open.empty())
      break;
    for (Ascent::Certain &certain : open)
      certain.margin *= 0.5 + work.random.part();
    const size_t count = 1 + static_cast<size_t>(pace.share * static_cast<double>(open.size()));
    std::ranges::nth_element(open, open.begin() + static_cast<ptrdiff_t>(count - 1), std::greater<>(),
                             &Ascent::Certain::margin);
    for (const Ascent::Certain &certain : std::span(open).first(count))
      ascent.decide(certain.variable, certain.choice);
  }
  work.messages.set_told(told);
  return last;
}

namespace {

class Branching {
public:
  Branching(Work &work, double until) : work_(work), until_(until), ascent_(work) {}

  // A node rules choices out. Passes and prices raise its bound until it is no better than the best choices,
  // which ends it; else the variable about which messages are most certain takes its choice, and then any
  // other. Answers whether that came to its end.
  bool visit() {
    const std::vector<Cost> before = ascent_.open;
    bool done = true;
    while (true) {
      if (work_.is_over(until_)) {
        done = work_.is_proven();
        break;
      }
      work_.count();
      if (!ascent_.can_fit() || !holds_better())
        break;
      const std::vector<Ascent::Certain> open = ascent_.undecided();
      if (open.empty()) // all are decided, and were looked at
        break;
      const auto [variable, choice, margin] = *std::ranges::max_element(open, {}, &Ascent::Certain::margin);
      const std::span<Cost> left = work_.flat.of(ascent_.open, variable);
      const std::vector<Cost> others(left.begin(), left.end());
      const std::vector<Cost> told = work_.messages.told(), prices = ascent_.prices;
      ascent_.decide(variable, choice);
      done = visit();
      std::ranges::copy(others, left.begin());
      left[choice] = kNever;
      work_.messages.set_told(told);
      ascent_.prices = prices;
      if (!done)
        break;
    }
    ascent_.open = before;
    return done;
  }

private:
  bool holds_better() {
    for (int pass = 0; pass < kPassesOfNode; ++pass) {
      const Cost enough = work_.enough();
      const Cost bound =
          ascent_.step(enough < kNever ? enough : work_.bound + 0.1 * std::abs(work_.bound) + 1, kPart);
      if (bound >= work_.enough())
        return false;
    }
    return true;
  }

  Work &work_;
  const double until_;
  Ascent ascent_;
};

} // namespace

void branch(Work &work, double until) {
  const std::vector<Cost> told = work.messages.told();
  if (Branching(work, until).visit())
    work.bound_by(work.best.cost);
  work.messages.set_told(told);
}

} // namespace tw::solve
