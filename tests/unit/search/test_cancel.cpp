// SPDX-License-Identifier: Apache-2.0
// Who cancels gets the best so far, soon, at whatever moment, and nothing stays behind.
#include "search/search.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>

#include <malloc.h>

#include "base/watch.hpp"
#include "partition/spec.hpp"
#include "support/number_of.hpp"
#include "support/searched.hpp"

namespace tw::test_cancel {

using partition::Plan;
using search::Found;
using search::Limits;
using test::Dice;
using Clock = std::chrono::steady_clock;

namespace {

// Seconds of all threads: who else uses the machine makes no difference.
double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Trial {
  Found found;
  double late, work; // seconds from the cancel to the answer, and of processors in them
};

Trial cancel_after(const Plan &plan, const system::System &on, Limits limits, double seconds) {
  search::Control control;
  limits.control = &control;
  Clock::time_point cancelled;
  double work = 0;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    work = processor_time();
    cancelled = Clock::now();
    control.cancel();
  });
  auto found = search::search(plan, on, {}, limits);
  const auto ended = Clock::now();
  const double work_then = processor_time();
  other.join();
  REQUIRE_MESSAGE(found.has_value(), found.error().message());
  return {*std::move(found), std::chrono::duration<double>(ended - cancelled).count(), work_then - work};
}

// What is found is that of its spec, and costs what is said.
void check(const Plan &plan, const system::System &on, const Found &found) {
  Plan again = plan;
  REQUIRE(partition::apply_spec(again, found.spec, "found"));
  spmd::Options options = spmd::counted_options();
  options.gather_per_use = found.gather_per_use;
  const auto program = spmd::lower(again, options);
  REQUIRE(program.has_value());
  CHECK(cost::price_of(**program, on) == found.price);
  CHECK(found.bound <= found.price.time());
}

} // namespace

TEST_CASE("a search that is cancelled before it begins answers with the plan as it is") {
  const system::System on = test::small_machine();
  const Plan plan = test::plan_of(test::graph_of(test::TowerText::of({test::Tower{}}, nullptr)), "a=4");
  search::Control control;
  control.cancel();
  Limits limits;
  limits.control = &control;
  const auto found = search::search(plan, on, {}, limits);
  REQUIRE(found.has_value());
  CHECK(found->ending == search::Ending::cancelled);
  CHECK(found->episodes == 0);
  CHECK(found->actions.empty());
  check(plan, on, *found);
  limits.cap_bytes = 1; // nor does that say that it fits
  const auto none = search::search(plan, on, {}, limits);
  REQUIRE(none.has_value());
  CHECK(none->ending == search::Ending::infeasible);
}

namespace {

int asked = 0;

} // namespace

TEST_CASE("who watches the thread is asked while a search works, and is not taken for who cancels") {
  const Plan plan = test::plan_of(test::gpt_step(), "data=2,model=4");
  const auto on = system::load("h100-sxm");
  REQUIRE(on.has_value());
  search::Control control;
  Limits limits;
  limits.episodes = 20;
  limits.control = &control;
  asked = 0;
  const Watching watching({[](void *, double) { return ++asked, 0; }, nullptr, {}});
  const auto found = search::search(plan, *on, {}, limits);
  REQUIRE(found.has_value());
  CHECK(found->ending != search::Ending::cancelled);
  CHECK(asked > 0);
}

namespace {

// Gives a search up some time after all of its plans were priced.
struct Late {
  search::Control &control;
  int64_t episodes;
  double since = 0; // seconds after which they were
  bool asked = false;
  double work = 0; // of processors until then
  static int ask(void *user, double seconds) {
    constexpr double kBehind = 0.3; // longer than it takes to estimate what was found
    Late &late = *static_cast<Late *>(user);
    if (late.asked || late.control.progress().episodes < late.episodes)
      return 0;
    if (late.since == 0)
      late.since = seconds;
    if (seconds < late.since + kBehind)
      return 0;
    late.asked = true;
    late.work = processor_time();
    late.control.cancel();
    return 0;
  }
};

} // namespace

TEST_CASE("who watches the thread is asked while a bound is proven, and ends that") {
  const Plan plan = test::plan_of(test::gpt_step(), "data=2,model=4");
  const auto on = system::load("h100-sxm");
  REQUIRE(on.has_value());
  search::Control control;
  Limits limits;
  limits.episodes = 20;
  limits.exact = true;
  limits.control = &control;
  Late late{control, limits.episodes};
  const Watching watching({Late::ask, &late, {}});
  const auto found = search::search(plan, *on, {}, limits);
  const double work = processor_time() - late.work;
  REQUIRE(found.has_value());
  CHECK(late.asked);
  CHECK(found->ending == search::Ending::budget); // what was found was there
  check(plan, *on, *found);
  constexpr double kSoon = 0.5; // seconds; sanitizers take some of it
  CHECK(work < kSoon);
  MESSAGE("it ended " << work * 1e3 << " ms of processors later");
}

TEST_CASE("at whatever moment a search is cancelled, it ends soon, with a plan") {
  const bool large = test::slice_of(1, 0) != 0;
  const Plan plan =
      test::plan_of(test::transformer_step(
                        large ? "--layers 12 --d 256 --heads 8 --ffn 1024 --vocab 1024 --seq 64 --batch 16"
                              : "--layers 3 --d 64 --heads 4 --ffn 128 --vocab 128 --seq 16 --batch 8"),
                    "data=2,model=4");
  const auto on = system::load("h100-sxm");
  REQUIRE(on.has_value());
  Limits limits;
  limits.episodes = large ? 1000 : 200;
  const auto seconds_of = [&](unsigned threads) {
    limits.threads = threads;
    const auto begin = Clock::now();
    const auto whole = search::search(plan, *on, {}, limits);
    REQUIRE(whole.has_value());
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  double seconds[] = {seconds_of(1), seconds_of(2)}; // by threads

  Dice random(test::number_of("TW_SEED", 1));
  const auto trials = static_cast<int>(test::slice_of(200, 20));
  constexpr double kSoon = 0.01, kHangs = 30;
  int cancelled = 0, late = 0;
  double most_work = 0, after_most = 0, latest = 0;
  size_t held = 0;
  for (int trial = 0; trial < trials; ++trial) {
    double &whole = seconds[trial % 2];
    const double after = whole * static_cast<double>(random.below(1000)) / 1000;
    CAPTURE(after);
    limits.threads = 1 + static_cast<unsigned>(trial % 2);
    const Trial made = cancel_after(plan, *on, limits, after);
    if (made.found.ending == search::Ending::budget) // it was over before
      whole = std::min(whole, made.found.seconds);
    CHECK(made.late < kHangs);
    check(plan, *on, made.found);
    cancelled += made.found.ending == search::Ending::cancelled;
    latest = std::max(latest, made.late);
    late += made.work > kSoon;
    if (made.work > most_work) {
      most_work = made.work;
      after_most = after;
    }
    constexpr int kWarm = 8; // trials, after which memory that the allocator keeps is there
    constexpr size_t kLeak = 1 << 18;
    const size_t now = mallinfo2().uordblks;
    if (trial >= kWarm)
      CHECK(now <= held + kLeak);
    held = std::max(held, now);
  }
  CHECK(cancelled > trials / 4);
  MESSAGE(trials << " trials of a search of " << seconds[0] << " s: " << late
                 << " took more than 10 ms of processors from there, at most " << most_work * 1e3
                 << " ms where it was cancelled after " << after_most << " s; the latest came "
                 << latest * 1e3 << " ms later");
}

} // namespace tw::test_cancel
