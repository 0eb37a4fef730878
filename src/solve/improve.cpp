// SPDX-License-Identifier: Apache-2.0
// A move takes a part of the variables around some drawn ones, and lets nearly all of them choose at once
// at prices around those that were found. Where that does not fit, prices rise at the points with too
// much; where it fits and costs more, prices fall.
#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/work.hpp"

namespace tw::solve {
namespace {

constexpr size_t kTable = 5000; // entries of the largest table of a move
constexpr int kAttempts = 6;    // of a move
constexpr size_t kSmallest = 4; // variables of a move

class Improving {
public:
  Improving(Work &work, State &state)
      : work_(work), state_(state), costs_(work.flat.costs), marks_(work.problem.model.costs.size(), 0) {
    Cost sum = 0;
    size_t priced = 0;
    for (const Cost price : work.prices) {
      sum += price;
      priced += price > 0;
    }
    // Without any price: the state's costs against what memory there is.
    Cost room = 1;
    for (const Cost limit : work.problem.limits)
      room += limit;
    unit_ = 0.05 * (priced > 0 ? sum / static_cast<Cost>(priced) : std::abs(state.cost) / room);
  }

  void move() {
    draw();
    work_.sweep.plan(region_, kTable, work_.random);
    const double scale = std::exp((work_.random.part() - 0.7) * 2);
    prices_.resize(work_.prices.size());
    for (size_t p = 0; p < prices_.size(); ++p)
      prices_[p] = work_.prices[p] * scale;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      choose();
      const bool fits = work_.memory.fits(trial_.usage);
      if (fits && trial_.cost <= state_.cost) {
        std::swap(state_, trial_);
        return;
      }
      for (size_t p = 0; p < prices_.size(); ++p)
        if (fits)
          prices_[p] *= 0.5;
        else if (trial_.usage[p] > work_.memory.limits()[p])
          prices_[p] = prices_[p] * 1.7 + unit_;
    }
  }

private:
  // Balls around drawn variables; small ones as often as large ones.
  void draw() {
    const size_t variables = marks_.size();
    const double low = std::log(static_cast<double>(kSmallest));
    const double high = std::log(static_cast<double>(variables + kSmallest));
    const auto size = static_cast<size_t>(std::exp(low + work_.random.part() * (high - low)));
    const size_t balls = 1 + work_.random.below(3);
    region_.clear();
    ++mark_;
    const auto add = [&](uint32_t v) {
      if (std::exchange(marks_[v], mark_) != mark_)
        region_.push_back(v);
    };
    for (size_t b = 1; b <= balls; ++b) {
      size_t next = region_.size();
      const size_t end = std::min(std::max(size * b / balls, next + 1), variables);
      add(static_cast<uint32_t>(work_.random.below(variables)));
      for (; next < region_.size() && region_.size() < end; ++next) {
        const auto near = work_.sweep.near(region_[next]);
        const size_t shift = near.empty() ? 0 : work_.random.below(near.size());
        for (size_t i = 0; i < near.size() && region_.size() < end; ++i)
          if (work_.random.below(8) != 0)
            add(near[(i + shift) % near.size()].other);
      }
    }
  }
  // The region's choices at the prices, from the state on.
  void choose() {
    for (const uint32_t v : region_)
      std::ranges::copy(work_.flat.of(std::as_const(work_.flat.costs), v), work_.flat.of(costs_, v).begin());
    work_.memory.charge(prices_, region_, costs_);
    trial_ = state_;
    work_.sweep.run(costs_, trial_.choices);
    trial_.cost += work_.sweep.difference(work_.sweep.order(), state_.choices, trial_.choices);
    work_.memory.change(work_.sweep.order(), state_.choices, trial_.choices, trial_.usage);
  }

  Work &work_;
  State &state_;
  State trial_;
  std::vector<Cost> costs_, prices_;
  Cost unit_;
  std::vector<uint32_t> region_;
  std::vector<uint64_t> marks_;
  uint64_t mark_ = 0;
};

} // namespace

void improve(Work &work, State &state, int64_t moves, double until) {
  Improving improving(work, state);
  for (; moves > 0 && !work.is_over(until); --moves) {
    work.count();
    improving.move();
    work.offer(state);
  }
}

} // namespace tw::solve
