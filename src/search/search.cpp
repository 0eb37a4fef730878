// SPDX-License-Identifier: Apache-2.0
// Strategies search on the program with few layers; what they found goes to all layers, is priced there, and
// the best that fits is the answer.
#include "search/search.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "cost/collective.hpp"
#include "cost/estimate.hpp"
#include "search/carried.hpp"
#include "search/end_when_cancelled.hpp"
#include "search/spec_text.hpp"
#include "search/strategy.hpp"

namespace tw::search {

using partition::Plan;

namespace {

class Finder {
public:
  Finder(const Plan &plan, const system::System &system, const spmd::Options &options, const Limits &limits,
         const Scope &scope, const cost::Options &estimate)
      : plan_(plan), system_(system), options_(options), limits_(limits), scope_(scope), estimate_(estimate),
        cap_(cap_of(system, limits.cap_bytes)) {}

  Result<Found> run() {
    Found found;
    TW_TRY(make_space());
    if (space_ == nullptr) {
      TW_ASSIGN(found, answer(std::make_shared<Plan>(plan_)));
      found.ending = ending_of(found, Ending::cancelled);
    } else {
      TW_TRY(run_rounds(found));
    }
    // Weights that are put together for each use leave more room, and move more.
    if (found.ending == Ending::infeasible && !options_.gather_per_use && !is_cancelled()) {
      options_.gather_per_use = true;
      auto space = std::make_shared<Space>(*space_);
      space->options = options_;
      space_ = std::move(space);
      TW_TRY(run_rounds(found));
    }
    if (limits_.control != nullptr)
      limits_.control->tell({cost::in_seconds(found.price.time()), found.price.peak, found.episodes});
    found.least_peak_bytes = least_peak();
    TW_TRY(bound_better(found));
    constexpr double kRounding = 1e-6;
    if ((found.ending == Ending::budget || found.ending == Ending::exhausted) && found.gap() <= kRounding)
      found.ending = Ending::optimal;
    if (space_ != nullptr)
      found.groups = space_->groups;
    found.seconds = elapsed();
    return found;
  }

private:
  bool is_cancelled() const { return limits_.control != nullptr && limits_.control->is_cancelled(); }
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  Ending ending_of(const Found &found, Ending otherwise) const {
    return found.peak_bytes > cap_ ? Ending::infeasible : otherwise;
  }

  // None where that is cancelled.
  Status make_space() {
    const EndWhenCancelled scope(limits_.control, elapsed());
    auto space = Space::create(plan_, system_, options_, scope_);
    if (space)
      space_ = *std::move(space);
    else if (!is_cancelled())
      return fail(std::move(space.error()));
    return {};
  }

  Status run_rounds(Found &found) {
    Limits limits = limits_;
    limits.cap_bytes = cap_of_price(system_, cap_);
    // What is foreseen to fit may not, since a run holds more than the price counts: then the cap is lower.
    constexpr int kRounds = 3;
    for (int round = 0; round < kRounds; ++round) {
      limits.priced_before = found.episodes;
      TW_ASSIGN(const auto driver, Driver::create(space_, limits));
      run_strategies(*driver);
      TW_TRY(choose(*driver, found));
      found.episodes += driver->episodes();
      found.steps += driver->steps();
      if (found.tried.empty())
        found.tried = driver->tried();
      found.ending = ending_of(found, driver->is_cancelled()                        ? Ending::cancelled
                                      : driver->left() <= 0 || driver->is_cut_off() ? Ending::budget
                                                                                    : Ending::exhausted);
      if (found.ending != Ending::infeasible || is_cancelled() || found.price.peak > limits.cap_bytes)
        break;
      limits.cap_bytes =
          static_cast<int64_t>(static_cast<double>(found.price.peak) * cap_ / found.peak_bytes);
    }
    return {};
  }

  // The best that fits as it would run; where none does, the one that needs the least.
  Status choose(Driver &driver, Found &found) const {
    constexpr size_t kMost = 4; // a large program takes seconds
    const std::vector<Driver::Candidate> candidates = driver.best();
    std::vector<const Driver::Candidate *> some;
    for (const Driver::Candidate &c : candidates)
      if (some.empty() || (some.size() < kMost && driver.fits(c.price)))
        some.push_back(&c);
    if (!driver.fits(some[0]->price)) { // those that need the least by their prices
      std::vector<const Driver::Candidate *> least;
      for (const Driver::Candidate &c : candidates)
        least.push_back(&c);
      std::ranges::stable_sort(least, {}, [](const auto *c) { return c->price.peak; });
      least.resize(std::min(least.size(), kMost));
      some.insert(some.end(), least.begin(), least.end());
    }
    std::optional<Error> wrong;
    for (const Driver::Candidate *candidate : some) {
      auto now = answer(driver, *candidate);
      if (!now) { // where waves meet, the program may not be as its few layers are
        wrong.emplace(std::move(now.error()));
        continue;
      }
      const bool fits = now->peak_bytes <= cap_;
      if (found.plan == nullptr || now->peak_bytes < found.peak_bytes) {
        now->episodes = found.episodes;
        now->steps = found.steps;
        now->tried = std::move(found.tried);
        found = *std::move(now);
      }
      if (fits || driver.is_cut_off())
        return {};
    }
    return found.plan != nullptr ? Status() : fail(*std::move(wrong));
  }

  Result<Found> answer(Driver &driver, const Driver::Candidate &best) const {
    const Driver::Candidate candidate = driver.fits(best.price) ? without_idle(driver, best) : best;
    const std::vector<cost::Price> without = driver.prices_without_each(candidate.sequence);
    TW_ASSIGN(Written written, write_spec(plan_, *space_, candidate.steps, without));
    TW_ASSIGN(Found now, answer(std::move(written.plan)));
    now.spec = std::move(written.spec);
    now.actions = std::move(written.actions);
    return now;
  }

  // A plan of the whole program. A run of it is estimated, unless that takes longer than who cancels waits.
  Result<Found> answer(std::shared_ptr<const Plan> plan) const {
    Found now;
    now.gather_per_use = options_.gather_per_use;
    now.plan = std::move(plan);
    TW_ASSIGN(const auto price, cost::PlanPrice::create(*now.plan, system_, options_));
    now.price = price->price();
    now.bound = price->least_time();
    now.peak_bytes = static_cast<double>(now.price.peak) + system_.device.library_bytes;
    if (is_cancelled())
      return now;
    if (auto peak = estimated_peak(*now.plan))
      now.peak_bytes = *peak;
    else if (!is_cancelled())
      return fail(std::move(peak.error()));
    return now;
  }

  Result<double> estimated_peak(const Plan &plan) const {
    const EndWhenCancelled scope(limits_.control, elapsed());
    TW_ASSIGN(auto program, spmd::lower(plan, options_));
    cost::Options how = estimate_;
    how.cap_bytes = cap_;
    TW_ASSIGN(const cost::Estimate estimate, cost::estimate(std::move(program), system_, how));
    return estimate.peak_bytes;
  }

  // Without decisions that later ones left nothing to save; they would only make a spec longer.
  static Driver::Candidate without_idle(Driver &driver, Driver::Candidate candidate) {
    constexpr double kIdle = 1e-3; // of the cost
    double most = candidate.score * (1 + kIdle);
    for (const Tried &tried : driver.tried())
      most = std::min(most, std::max(candidate.score, driver.score(tried.price)));
    constexpr int kRounds = 6;
    for (int round = 0; round < kRounds; ++round) {
      const std::vector<cost::Price> without = driver.prices_without_each(candidate.sequence);
      std::vector<std::pair<double, size_t>> idle; // those of no use by themselves, the least first
      for (size_t i = 0; i < without.size(); ++i)
        if (const double score = driver.score(without[i]); score <= most)
          idle.emplace_back(score, i);
      std::ranges::sort(idle);
      // All at once, then half of them, then one, since some are of use where others are gone.
      bool fewer = false;
      for (size_t n = idle.size(); n > 0 && !fewer; n /= 2)
        fewer = leave_out(driver, candidate, std::span(idle).first(n), most);
      if (!fewer)
        return candidate;
    }
    return candidate;
  }

  static bool leave_out(Driver &driver, Driver::Candidate &candidate,
                        std::span<const std::pair<double, size_t>> idle, double most) {
    Driver::Candidate fewer;
    for (size_t i = 0; i < candidate.sequence.size(); ++i)
      if (std::ranges::none_of(idle, [&](const auto &of) { return of.second == i; }))
        fewer.sequence.push_back(candidate.sequence[i]);
    fewer.steps = driver.steps_of(fewer.sequence);
    if (fewer.steps.size() != fewer.sequence.size()) // it was cut off
      return false;
    fewer.price = fewer.steps.empty() ? driver.root() : fewer.steps.back().price;
    fewer.score = driver.score(fewer.price);
    if (fewer.score > most)
      return false;
    candidate = std::move(fewer);
    return true;
  }

  // Of all plans, those too that tile one layer as others are not.
  Status bound_better(Found &found) const {
    if (is_cancelled())
      return {};
    constexpr Effort kEffort{.bounding = 1e8}; // half a second
    const EndWhenCancelled scope(limits_.control, elapsed());
    auto relaxation = relax(plan_, system_, options_);
    if (relaxation) {
      auto told = carry(*relaxation, plan_.graph(), space_->relaxed.told, space_->few);
      found.bound = std::max(found.bound, solve(*relaxation, kEffort, std::move(told)).bound);
    } else if (!is_cancelled())
      return fail(std::move(relaxation.error()));
    return {};
  }

  // Every device has its part of the arguments at least.
  double least_peak() const {
    double bytes = 0;
    for (const graph::OpId argument : plan_.graph().arguments())
      bytes += static_cast<double>(plan_.graph().type(plan_.graph().result(argument)).bytes());
    return bytes / static_cast<double>(plan_.mesh().num_devices()) + system_.device.library_bytes;
  }

  const Plan &plan_;
  const system::System &system_;
  spmd::Options options_;
  const Limits &limits_;
  const Scope &scope_;
  const cost::Options &estimate_;
  const double cap_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::shared_ptr<const Space> space_;
};

} // namespace

std::string_view ending_text(Ending ending) {
  switch (ending) {
  case Ending::optimal: return "optimal";
  case Ending::exhausted: return "exhausted";
  case Ending::budget: return "budget";
  case Ending::cancelled: return "cancelled";
  case Ending::infeasible: return "infeasible";
  }
  return "";
}

double Found::gap() const {
  const double cost = cost::in_seconds(price.time());
  return cost > 0 ? (cost - cost::in_seconds(bound)) / cost : 0;
}

Status check(const Plan &plan, const system::System &system) {
  if (!plan.mesh().loop_axes().empty())
    return fail(Code::unimplemented, "TW-481",
                "the plan has axes of steps or threads: a search decides about axes of devices alone");
  return cost::check_axes(plan.mesh(), system);
}

Result<Found> search(const Plan &plan, const system::System &system, const spmd::Options &options,
                     const Limits &limits, const Scope &scope, const cost::Options &estimate) {
  TW_TRY(check(plan, system));
  return Finder(plan, system, options, limits, scope, estimate).run();
}

} // namespace tw::search
