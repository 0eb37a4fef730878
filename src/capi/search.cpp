// SPDX-License-Identifier: Apache-2.0
// tw_search.h: a search and what it found.
#include <atomic>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "base/watch.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/search_options.hpp"
#include "report/search_json.hpp"
#include "search/cache.hpp"
#include "search/search.hpp"

using namespace tw;
using namespace tw::capi;

struct tw_search final : RefCounted {
  Ref<tw_plan> begin; // a plan of its own
  system::System system;
  spmd::Options lowering;
  search::Limits limits;
  search::Scope scope;
  cost::Options estimate;
  std::optional<search::Cache> cache;
  search::Control control;
  std::atomic<bool> begun = false, ended = false; // `found` is written before `ended`
  std::optional<search::Found> found;

  Status check_ended() const {
    return ended.load() ? Status()
                        : fail(Code::failed_precondition, "TW-732",
                               "the search has not ended: call tw_search_run before");
  }
};

namespace {

constexpr int64_t kEpisodes = 1000; // where nobody says how many

Status read(const tw_search_options_t *given, tw_search &search) {
  TW_ASSIGN(SearchOptions options, search_options(given, search.begin->plan->mesh()));
  search::Limits &limits = search.limits;
  limits.cap_bytes = options.cap_bytes;
  limits.episodes = kEpisodes;
  limits.control = &search.control;
  if (has_field(given, &tw_search_options_t::seconds)) {
    TW_TRY(check_at_least_0(given->seconds, "seconds"));
    if (given->seconds > 0) {
      limits.seconds = given->seconds;
      limits.episodes = std::numeric_limits<int64_t>::max();
    }
  }
  if (has_field(given, &tw_search_options_t::episodes)) {
    TW_TRY(check_at_least_0(given->episodes, "episodes"));
    if (given->episodes > 0)
      limits.episodes = given->episodes;
  }
  if (has_field(given, &tw_search_options_t::seed))
    limits.seed = given->seed;
  if (has_field(given, &tw_search_options_t::threads)) {
    TW_TRY(check_workers(given->threads, "options->threads"));
    limits.threads = static_cast<unsigned>(given->threads);
  }
  if (has_field(given, &tw_search_options_t::cache) && given->cache != nullptr) {
    TW_ASSIGN(search.cache, search::Cache::open(given->cache));
  }
  if (has_field(given, &tw_search_options_t::gap)) {
    if (!(given->gap >= 0 && given->gap < 1))
      return fail(
          Code::invalid_argument, "TW-722",
          fmt::format("options->gap is {}: a part of the cost, at least 0 and less than 1", given->gap));
    limits.gap = given->gap;
  }
  limits.exact = has_field(given, &tw_search_options_t::exact) && given->exact != 0;
  search.scope = std::move(options.scope);
  search.lowering = std::move(options.lower.lowering);
  search.estimate.without = std::move(options.lower.steps);
  return {};
}

} // namespace

tw_status_t tw_search_create(const tw_plan_t *plan, const tw_system_t *system,
                             const tw_search_options_t *options, tw_search_t **out_search) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(system, "system"));
    TW_TRY(require(out_search, "out_search"));
    auto search = make_ref<tw_search>();
    search->system = system->system;
    search->begin = handle_of(*plan, std::make_shared<partition::Plan>(*plan->plan));
    TW_TRY(read(options, *search));
    TW_TRY(search::check(*search->begin->plan, search->system));
    *out_search = search.leak();
    return {};
  });
}
tw_search_t *tw_search_retain(tw_search_t *search) {
  if (search)
    search->retain();
  return search;
}
void tw_search_release(tw_search_t *search) {
  if (search)
    search->release();
}

tw_status_t tw_search_run(tw_search_t *search) {
  return guard([&]() -> Status {
    TW_TRY(require(search, "search"));
    if (search->begun.exchange(true))
      return fail(Code::failed_precondition, "TW-732", "the search has run: create another one");
    // Who gives it up gets the best so far.
    struct Outer {
      Watch watch;
      search::Control &control;
    } outer{current_watch(), search->control};
    Watch watch = outer.watch;
    if (watch.progress != nullptr)
      watch.progress = [](void *user, double seconds) {
        const Outer &of = *static_cast<Outer *>(user);
        if (!of.control.is_cancelled() && of.watch.progress(of.watch.user, seconds) != 0)
          of.control.cancel();
        return 0;
      };
    watch.user = &outer;
    const Watching watching(watch);
    const LongCall call;
    const search::Question question{*search->begin->plan, search->system, search->lowering,
                                    search->limits,       search->scope,  search->estimate};
    TW_ASSIGN(search->found, search->cache ? search->cache->search(question) : search::search(question));
    search->ended.store(true);
    return {};
  });
}
void tw_search_cancel(tw_search_t *search) {
  if (search)
    search->control.cancel();
}

tw_status_t tw_search_progress(const tw_search_t *search, double *out_cost_s, double *out_bound_s,
                               int64_t *out_peak_bytes, int64_t *out_episodes) {
  return guard([&]() -> Status {
    TW_TRY(require(search, "search"));
    TW_TRY(require(out_cost_s, "out_cost_s"));
    TW_TRY(require(out_bound_s, "out_bound_s"));
    TW_TRY(require(out_peak_bytes, "out_peak_bytes"));
    TW_TRY(require(out_episodes, "out_episodes"));
    const search::Progress now = search->control.progress();
    *out_cost_s = now.cost;
    *out_bound_s = now.bound;
    *out_peak_bytes = now.peak;
    *out_episodes = now.episodes;
    return {};
  });
}

tw_status_t tw_search_spec(const tw_search_t *search, tw_blob_t **out_text) {
  return guard([&]() -> Status {
    TW_TRY(require(search, "search"));
    TW_TRY(require(out_text, "out_text"));
    TW_TRY(search->check_ended());
    return give(std::string(search->found->spec), out_text);
  });
}

tw_status_t tw_search_plan(const tw_search_t *search, tw_plan_t **out_plan) {
  return guard([&]() -> Status {
    TW_TRY(require(search, "search"));
    TW_TRY(require(out_plan, "out_plan"));
    TW_TRY(search->check_ended());
    *out_plan = handle_of(*search->begin, std::make_shared<partition::Plan>(*search->found->plan)).leak();
    return {};
  });
}

tw_status_t tw_search_json(const tw_search_t *search, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(search, "search"));
    TW_TRY(require(out_json, "out_json"));
    TW_TRY(search->check_ended());
    return give(json_text(report::search_json(*search->found, search->begin->plan->graph(), search->limits)),
                out_json);
  });
}
