// SPDX-License-Identifier: Apache-2.0
// tw_environment.h: steps on an environment, whose numbers are those of its actions.
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/search_options.hpp"
#include "capi/view.hpp"
#include "report/environment_json.hpp"
#include "search/environment.hpp"
#include "search/search.hpp"
#include "search/spec_text.hpp"

using namespace tw;
using namespace tw::capi;

struct tw_environment final : RefCounted {
  // What clones share.
  struct Begin {
    Ref<tw_plan> plan; // of its own
    system::System system;
  };
  std::shared_ptr<const Begin> begin;
  std::unique_ptr<search::Environment> environment;
};

namespace {

Status check_room(size_t given, size_t needed, const char *array) {
  return given >= needed
             ? Status()
             : fail(Code::invalid_argument, "TW-735",
                    fmt::format("'{}' has room for {}, where {} are written", array, given, needed));
}

// Larger than any action where the number is none.
uint32_t action_of(uint64_t number) {
  return static_cast<uint32_t>(std::min<uint64_t>(number, std::numeric_limits<uint32_t>::max()));
}

Result<search::Written> written(tw_environment &of) {
  search::Environment &environment = *of.environment;
  TW_ASSIGN(const auto steps, environment.engine_steps());
  return search::write_spec(*of.begin->plan->plan, search::steps_of_program(environment.space(), steps));
}

} // namespace

tw_status_t tw_environment_create(const tw_plan_t *plan, const tw_system_t *system,
                                  const tw_environment_options_t *options,
                                  tw_environment_t **out_environment) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(system, "system"));
    TW_TRY(require(out_environment, "out_environment"));
    auto begin = std::make_shared<tw_environment::Begin>();
    begin->system = system->system;
    begin->plan = handle_of(*plan, std::make_shared<partition::Plan>(*plan->plan));
    const partition::Plan &first = *begin->plan->plan;
    TW_ASSIGN(const SearchOptions given, search_options(options, first.mesh()));
    TW_TRY(search::check(first, begin->system));
    TW_ASSIGN(auto space, search::Space::create(first, begin->system, given.lower.lowering, given.scope));
    const int64_t cap = search::cap_of_price(begin->system, search::cap_of(begin->system, given.cap_bytes));
    auto made = make_ref<tw_environment>();
    TW_ASSIGN(made->environment, search::Environment::create(std::move(space), cap));
    made->begin = std::move(begin);
    *out_environment = made.leak();
    return {};
  });
}
tw_status_t tw_environment_clone(const tw_environment_t *environment, tw_environment_t **out_environment) {
  return guard([&]() -> Status {
    TW_TRY(require(environment, "environment"));
    TW_TRY(require(out_environment, "out_environment"));
    auto made = make_ref<tw_environment>();
    TW_ASSIGN(made->environment, environment->environment->clone());
    made->begin = environment->begin;
    *out_environment = made.leak();
    return {};
  });
}
tw_environment_t *tw_environment_retain(tw_environment_t *environment) {
  if (environment)
    environment->retain();
  return environment;
}
void tw_environment_release(tw_environment_t *environment) {
  if (environment)
    environment->release();
}

size_t tw_environment_num_actions(const tw_environment_t *environment) {
  return environment ? environment->environment->num_actions() : 0;
}
tw_status_t tw_environment_mask(tw_environment_t *environment, uint8_t *out_mask, size_t max_mask) {
  return guard([&]() -> Status {
    TW_TRY(require(environment, "environment"));
    TW_TRY(require(out_mask, "out_mask"));
    const size_t count = environment->environment->num_actions();
    TW_TRY(check_room(max_mask, count, "out_mask"));
    return environment->environment->mask({out_mask, count});
  });
}

tw_status_t tw_environment_step(tw_environment_t *environment, size_t action, double *out_reward,
                                int *out_done) {
  return guard([&]() -> Status {
    TW_TRY(require(environment, "environment"));
    TW_TRY(require(out_reward, "out_reward"));
    TW_TRY(require(out_done, "out_done"));
    TW_ASSIGN(*out_reward, environment->environment->step(action_of(action)));
    *out_done = environment->environment->is_over() ? 1 : 0;
    return {};
  });
}
tw_status_t tw_environment_undo(tw_environment_t *environment, size_t steps) {
  return guard([&]() -> Status {
    TW_TRY(require(environment, "environment"));
    return environment->environment->undo(steps);
  });
}

size_t tw_environment_num_steps(const tw_environment_t *environment) {
  return environment ? environment->environment->actions().size() : 0;
}
tw_status_t tw_environment_snapshot(const tw_environment_t *environment, int64_t *out_actions,
                                    size_t max_actions) {
  return guard([&]() -> Status {
    TW_TRY(require(environment, "environment"));
    const search::Sequence &actions = environment->environment->actions();
    if (!actions.empty())
      TW_TRY(require(out_actions, "out_actions"));
    TW_TRY(check_room(max_actions, actions.size(), "out_actions"));
    std::ranges::copy(actions, out_actions);
    return {};
  });
}
tw_status_t tw_environment_restore(tw_environment_t *environment, const int64_t *actions,
                                   size_t num_actions) {
  return guard([&]() -> Status {
    TW_TRY(require(environment, "environment"));
    if (num_actions > 0)
      TW_TRY(require(actions, "actions"));
    search::Sequence sequence;
    for (size_t i = 0; i < num_actions; ++i)
      sequence.push_back(action_of(static_cast<uint64_t>(actions[i])));
    return environment->environment->restore(sequence);
  });
}

size_t tw_environment_num_features(const tw_environment_t *environment) {
  return environment ? environment->environment->observation().num_floats() : 0;
}
tw_status_t tw_environment_observe(const tw_environment_t *environment, float *out_features,
                                   size_t max_features) {
  return guard([&]() -> Status {
    TW_TRY(require(environment, "environment"));
    TW_TRY(require(out_features, "out_features"));
    const size_t count = environment->environment->observation().num_floats();
    TW_TRY(check_room(max_features, count, "out_features"));
    environment->environment->observe({out_features, count});
    return {};
  });
}

tw_status_t tw_environment_price(const tw_environment_t *environment, tw_price_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(environment, "environment"));
    const search::Environment &of = *environment->environment;
    const cost::Price &price = of.price();
    return write_view(tw_price_view_t{.struct_size = 0,
                                      .cost_s = of.cost(),
                                      .computing_s = cost::in_seconds(price.computing),
                                      .moving_s = cost::in_seconds(price.moving),
                                      .received_bytes = price.received,
                                      .peak_bytes = price.peak,
                                      .cap_bytes = of.cap_bytes(),
                                      .fits = search::fits(price, of.cap_bytes()) ? 1 : 0},
                      out_view);
  });
}

tw_status_t tw_environment_spec(tw_environment_t *environment, tw_blob_t **out_text) {
  return guard([&]() -> Status {
    TW_TRY(require(environment, "environment"));
    TW_TRY(require(out_text, "out_text"));
    TW_ASSIGN(search::Written text, written(*environment));
    return give(std::move(text.spec), out_text);
  });
}
tw_status_t tw_environment_plan(tw_environment_t *environment, tw_plan_t **out_plan) {
  return guard([&]() -> Status {
    TW_TRY(require(environment, "environment"));
    TW_TRY(require(out_plan, "out_plan"));
    TW_ASSIGN(const search::Written text, written(*environment));
    *out_plan = handle_of(*environment->begin->plan, std::make_shared<partition::Plan>(*text.plan)).leak();
    return {};
  });
}
tw_status_t tw_environment_json(const tw_environment_t *environment, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(environment, "environment"));
    TW_TRY(require(out_json, "out_json"));
    TW_ASSIGN(const auto json,
              report::environment_json(*environment->environment, environment->begin->plan->plan->graph()));
    return give(json_text(json), out_json);
  });
}
