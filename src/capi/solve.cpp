// SPDX-License-Identifier: Apache-2.0
// tw_solve.h: instances of the IOPDDL contest.
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/watch.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "solve/iopddl.hpp"
#include "solve/solve.hpp"
#include <tilewright/tw_solve.h>

using namespace tw;
using namespace tw::capi;

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

Result<solve::Effort> effort_of(const tw_solve_options_t *given) {
  TW_TRY(check_options(given));
  solve::Effort effort;
  if (has_field(given, &tw_solve_options_t::seconds)) {
    TW_TRY(check_at_least_0(given->seconds, "seconds"));
    if (given->seconds > 0) {
      effort.seconds = given->seconds;
      effort.rounds = std::numeric_limits<int64_t>::max();
    }
  }
  if (has_field(given, &tw_solve_options_t::rounds)) {
    TW_TRY(check_at_least_0(given->rounds, "rounds"));
    if (given->rounds > 0)
      effort.rounds = given->rounds;
  }
  if (has_field(given, &tw_solve_options_t::seed))
    effort.seed = given->seed;
  return effort;
}

Json number_of(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json json_of(const solve::Instance &instance, const solve::Solved &solved, uint64_t seed, double seconds) {
  const solve::Model &model = instance.problem.model;
  const bool proven = solved.bound >= solved.cost;
  const double gap = proven ? 0 : (solved.cost - solved.bound) / std::abs(solved.cost);
  const char *const status = solved.choices ? (proven ? "optimal" : "budget")
                             : proven       ? "infeasible"
                                            : "unknown";
  return {{"name", instance.name},
          {"nodes", model.costs.size()},
          {"edges", model.edges.size()},
          {"status", status},
          {"cost", number_of(solved.cost)},
          {"bound", number_of(solved.bound)},
          {"gap", solved.choices ? number_of(gap) : Json()},
          {"rounds", solved.rounds},
          {"seconds", seconds},
          {"seed", seed},
          {"choices", solved.choices ? Json(*solved.choices) : Json()}};
}

} // namespace

tw_status_t tw_solve_iopddl(const char *text, size_t size, const tw_solve_options_t *options,
                            tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(text, "text"));
    TW_TRY(require(out_json, "out_json"));
    TW_ASSIGN(solve::Effort effort, effort_of(options));
    const LongCall call;
    constexpr std::chrono::milliseconds kBetween(50);
    auto next = Clock::now();
    effort.stop = [&](const solve::Progress &now) {
      if (gives_up())
        return true;
      if (!has_field(options, &tw_solve_options_t::progress) || options->progress == nullptr ||
          Clock::now() < next)
        return false;
      next = Clock::now() + kBetween;
      void *const user = has_field(options, &tw_solve_options_t::user) ? options->user : nullptr;
      return options->progress(user, now.cost, now.bound, now.rounds) != 0;
    };
    const auto begin = Clock::now();
    TW_ASSIGN(const solve::Instance instance, solve::read_iopddl({text, size}));
    // Reading counts: contests and users look at the clock.
    effort.seconds -= std::chrono::duration<double>(Clock::now() - begin).count();
    const solve::Solved solved = solve::solve(instance.problem, effort);
    const std::chrono::duration<double> seconds = Clock::now() - begin;
    return give(json_text(json_of(instance, solved, effort.seed, seconds.count())), out_json);
  });
}
