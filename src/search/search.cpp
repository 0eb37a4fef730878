// SPDX-License-Identifier: Apache-2.0
// Strategies search on the program with few layers; what they found goes to all layers, is priced there, and
// the best that fits is the answer.
#include "search/search.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

#include "base/watch.hpp"
#include "cost/collective.hpp"
#include "search/carried.hpp"
#include "search/end_when_cancelled.hpp"
#include "search/strategy.hpp"

namespace tw::search {

using partition::Plan;

namespace {

class Finder {
public:
  explicit Finder(const Question &question)
      : plan_(question.plan), system_(question.system), options_(question.options), limits_(question.limits),
        scope_(question.scope), estimate_(question.estimate), cap_(cap_of(system_, limits_.cap_bytes)) {}

  Result<Found> run() {
    Found found;
    TW_TRY(make_space());
    if (space_ == nullptr) {
      TW_ASSIGN(found, answer({}));
      found.ending = ending_of(found, Ending::cancelled);
    } else {
      TW_TRY(find_bound());
      found.bound = bound_;
      tell(found);
      TW_TRY(run_rounds(found));
      if (may_save_more(found))
        TW_TRY(try_one_by_one(found));
    }
    // Weights that are put together for each use leave more room, and move more.
    if (found.ending == Ending::infeasible && !options_.gather_per_use && !is_cancelled()) {
      options_.gather_per_use = true;
      auto space = std::make_shared<Space>(*space_);
      space->options = options_;
      space_ = std::move(space);
      TW_TRY(run_rounds(found));
    }
    found.bound = std::max(found.bound, bound_);
    tell(found);
    constexpr double kRounding = 1e-6;
    const double wanted = std::max(limits_.gap, kRounding);
    if (limits_.exact && found.ending != Ending::infeasible && found.gap() > wanted && !is_cancelled())
      TW_TRY(prove(found));
    if (found.ending != Ending::cancelled && found.ending != Ending::infeasible && found.gap() <= wanted)
      found.ending = found.gap() <= kRounding ? Ending::optimal : Ending::gap;
    if (space_ != nullptr)
      found.groups = space_->groups;
    found.seconds = elapsed();
    return found;
  }

private:
  bool is_cancelled() const { return search::is_cancelled(limits_.control); }
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  // What no plan can do takes at most half of the time, and what plans do a quarter of it at least.
  std::optional<Instant> end_of_relaxing() const {
    if (!limits_.seconds)
      return std::nullopt;
    const std::chrono::duration<double> half(std::min(*limits_.seconds / 2, kForEver));
    return begin_ + std::chrono::duration_cast<Instant::duration>(half);
  }
  std::optional<double> seconds_left() const {
    return limits_.seconds ? std::optional(std::max(*limits_.seconds - elapsed(), *limits_.seconds / 4))
                           : std::nullopt;
  }
  static constexpr double kForEver = 1e9; // seconds
  Ending ending_of(const Found &found, Ending otherwise) const {
    return found.peak_bytes > cap_ ? Ending::infeasible : otherwise;
  }

  template <class Work> Status until_cancelled(Work &&work) const {
    return search::until_cancelled(limits_.control, elapsed(), std::forward<Work>(work));
  }

  // None where that is cancelled.
  Status make_space() {
    return until_cancelled([&]() -> Status {
      TW_ASSIGN(space_, Space::create(plan_, system_, options_, scope_,
                                      {limits_.exact ? &whole_ : nullptr, end_of_relaxing()}));
      return {};
    });
  }

  double gap_left(const Found &found) const {
    return gap_of(found.price.time(), std::max(found.bound, bound_));
  }

  void tell(const Found &found) const {
    if (limits_.control != nullptr)
      limits_.control->tell(found.progress());
  }

  Status run_rounds(Found &found) {
    Limits limits = limits_;
    limits.cap_bytes = cap_of_price(system_, cap_);
    limits.bound = bound_;
    // What is foreseen to fit may not, since a run holds more than the price counts: then the cap is lower.
    constexpr int kRounds = 3;
    for (int round = 0; round < kRounds;) {
      limits.priced_before = found.episodes;
      limits.seconds = seconds_left();
      TW_ASSIGN(const auto driver, Driver::create(space_, limits));
      run_strategies(*driver);
      TW_TRY(choose(*driver, found, round + 1 == kRounds));
      found.episodes += driver->episodes();
      found.steps += driver->steps();
      if (found.tried.empty())
        found.tried = driver->tried();
      if (driver->is_near() && found.peak_bytes <= cap_ && gap_left(found) > limits_.gap && !is_cancelled()) {
        limits.gap = 0; // few layers promised more than all keep: then what the budget allows
        found.plan = nullptr;
        continue;
      }
      found.ending = ending_of(found, driver->is_cancelled()                        ? Ending::cancelled
                                      : driver->is_near()                           ? Ending::gap
                                      : driver->left() <= 0 || driver->is_cut_off() ? Ending::budget
                                                                                    : Ending::exhausted);
      if (found.ending != Ending::infeasible || is_cancelled() || found.price.peak > limits.cap_bytes)
        break;
      limits.cap_bytes =
          static_cast<int64_t>(static_cast<double>(found.price.peak) * cap_ / found.peak_bytes);
      ++round;
    }
    return {};
  }

  // Whether layers that are alike, and values between, may hide what arguments one by one lead to: where a
  // search of these takes no time, and much is left.
  bool may_save_more(const Found &found) const {
    constexpr double kMuch = 0.03;
    return found.ending != Ending::infeasible && found.ending != Ending::gap && !is_cancelled() &&
           gap_left(found) > kMuch && plan_.graph().ops().size() <= kSmall &&
           (!limits_.seconds || elapsed() < *limits_.seconds) &&
           (!space_->values.empty() || std::ranges::any_of(space_->groups, [](const Group &group) {
             return group.arguments.size() > 1;
           }));
  }

  // With as many plans again, or what is left of the time.
  Status try_one_by_one(Found &found) {
    const std::shared_ptr<const Space> before = space_;
    Scope scope = scope_;
    scope.one_by_one = true;
    TW_TRY(until_cancelled([&]() -> Status {
      TW_ASSIGN(space_, Space::create(plan_, system_, options_, scope, {nullptr, end_of_relaxing()}));
      return {};
    }));
    if (space_ == before) {
      found.ending = Ending::cancelled;
      return {};
    }
    Found other;
    other.episodes = found.episodes;
    other.steps = found.steps;
    TW_TRY(run_rounds(other));
    const bool better = other.ending != Ending::infeasible && other.price.time() < found.price.time();
    if (better) {
      std::swap(found, other);
      found.tried = std::move(other.tried);
    } else {
      space_ = before;
    }
    found.episodes = std::max(found.episodes, other.episodes);
    found.steps = std::max(found.steps, other.steps);
    if (is_cancelled())
      found.ending = Ending::cancelled;
    return {};
  }

  // The best that fits as it would run; where none does, the one that needs the least.
  Status choose(Driver &driver, Found &found, bool last) const {
    const std::vector<Driver::Candidate> some = worth_an_answer(driver);
    std::optional<Error> wrong; // where waves meet, the program may not be as its few layers are
    if (plan_.graph().ops().size() > kLarge)
      TW_TRY(choose_priced(driver, some, last, found, wrong));
    else
      choose_estimated(driver, some, found, wrong);
    return found.plan != nullptr ? Status() : fail(*std::move(wrong));
  }

  // What few layers promise to cost the least, the best first; where nothing fits, what needs the least by
  // its price too.
  std::vector<Driver::Candidate> worth_an_answer(const Driver &driver) const {
    constexpr size_t kMost = 4, kMostOfSmall = 16;
    const size_t most = plan_.graph().ops().size() <= kSmall ? kMostOfSmall : kMost;
    std::vector<Driver::Candidate> candidates = driver.best(), some;
    for (const Driver::Candidate &c : candidates)
      if (some.empty() || (some.size() < most && driver.fits(c.price)))
        some.push_back(c);
    if (driver.fits(some[0].price))
      return some;
    std::ranges::stable_sort(candidates, {}, [](const auto &c) { return c.price.peak; });
    candidates.resize(std::min(candidates.size(), kMost));
    some.insert(some.end(), candidates.begin(), candidates.end());
    return some;
  }

  // A plan of all layers may cost more than one of few promised; then others are looked at, as long as they
  // promise less.
  void choose_estimated(Driver &driver, std::span<const Driver::Candidate> some, Found &found,
                        std::optional<Error> &wrong) const {
    for (const Driver::Candidate &candidate : some) {
      if (fits(found) && (driver.is_cut_off() ||
                          static_cast<double>(found.price.time()) <= candidate.score * (1 + 2 * kIdle)))
        return;
      auto now = answer(steps_of(driver, candidate));
      if (!now) {
        wrong.emplace(std::move(now.error()));
        continue;
      }
      keep(found, *std::move(now));
      if (driver.is_cut_off())
        return;
    }
  }

  // Prices of a large program take a fraction of an estimate: the best by its price is estimated. Where it
  // does not fit, a search under a lower cap finds better ones than the others are, but for the last.
  Status choose_priced(Driver &driver, std::span<const Driver::Candidate> some, bool last, Found &found,
                       std::optional<Error> &wrong) const {
    std::vector<Found> priced;
    for (const Driver::Candidate &candidate : some) {
      auto now = price_answer(plan_, steps_of(driver, candidate), system_, options_);
      if (!now) {
        wrong.emplace(std::move(now.error()));
        continue;
      }
      priced.push_back(*std::move(now));
      if (driver.is_cut_off())
        break;
    }
    std::ranges::stable_sort(priced, {}, [&](const Found &of) {
      return std::pair(static_cast<double>(of.price.peak) > cap_, of.price.time());
    });
    for (Found &now : priced) {
      TW_TRY(estimate_answer(now, system_, options_, capped(), limits_.control, elapsed()));
      keep(found, std::move(now));
      if (fits(found) || !last || driver.is_cut_off())
        break;
    }
    return {};
  }

  bool fits(const Found &of) const { return of.plan != nullptr && of.peak_bytes <= cap_; }
  // The better one of both.
  void keep(Found &found, Found now) const {
    const bool better = found.plan == nullptr ||
                        (fits(now) && (!fits(found) || now.price.time() < found.price.time())) ||
                        (!fits(found) && now.peak_bytes < found.peak_bytes);
    if (!better)
      return;
    now.episodes = found.episodes;
    now.steps = found.steps;
    now.tried = std::move(found.tried);
    found = std::move(now);
  }

  Result<Found> answer(std::vector<ProgramStep> steps) const {
    return make_answer(plan_, std::move(steps), system_, options_, capped(), limits_.control, elapsed());
  }
  cost::Options capped() const {
    cost::Options how = estimate_;
    how.cap_bytes = cap_;
    return how;
  }
  std::vector<ProgramStep> steps_of(Driver &driver, const Driver::Candidate &best) const {
    const Driver::Candidate candidate = driver.fits(best.price) ? without_idle(driver, best) : best;
    const std::vector<cost::Price> without = driver.prices_without_each(candidate.sequence);
    return steps_of_program(*space_, candidate.steps, without);
  }

  static constexpr size_t kSmall = 2000, kLarge = 16'000; // ops: an answer takes no time, or seconds
  static constexpr double kIdle = 1e-3;                   // of the cost
  // Without decisions that later ones left nothing to save; they would only make a spec longer.
  static Driver::Candidate without_idle(Driver &driver, Driver::Candidate candidate) {
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
    if (fewer.score > most || (driver.is_near() && !driver.is_near(fewer.price.time())))
      return false;
    candidate = std::move(fewer);
    return true;
  }

  // Of all plans, those too that tile one layer as others are not. How weights are put together makes no
  // difference to it.
  Status find_bound() {
    bound_ = space_->relaxed.bound;
    if (space_->all_layers || is_cancelled())
      return {};
    const Effort effort{.bounding = 3e8, .until = end_of_relaxing()}; // a second
    bound_ = 0;                                                       // that of few layers does not hold
    return until_cancelled([&]() -> Status {
      TW_TRY(relax_whole());
      auto told = carry(*whole_, plan_.graph(), space_->relaxed.told, space_->few);
      bound_ = solve(*whole_, effort, std::move(told)).bound;
      if (!limits_.exact)
        whole_.reset(); // of a large program it takes much memory
      return {};
    });
  }

  Status relax_whole() {
    if (!whole_) {
      TW_ASSIGN(whole_, relax(plan_, system_, options_));
    }
    return {};
  }

  // As many seconds as the search, if it has any.
  Status prove(Found &found) {
    return until_cancelled([&]() -> Status {
      TW_TRY(relax_whole());
      const auto raise = [&](cost::Picoseconds bound) {
        found.bound = std::max(found.bound, bound);
        tell(found);
        return gives_up() || found.gap() <= limits_.gap;
      };
      raise(search::prove(*whole_, limits_.seconds, raise));
      return {};
    });
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
  std::optional<Relaxation> whole_; // of the program, from when it is first needed until it no longer is
  cost::Picoseconds bound_ = 0;     // of all plans
};

} // namespace

Status check(const Plan &plan, const system::System &system) {
  if (!plan.mesh().loop_axes().empty())
    return fail(Code::unimplemented, "TW-481",
                "the plan has axes of steps or threads: a search decides about axes of devices alone");
  return cost::check_axes(plan.mesh(), system);
}

Result<Found> search(const Question &question) {
  TW_TRY(check(question.plan, question.system));
  return Finder(question).run();
}

} // namespace tw::search
