// SPDX-License-Identifier: Apache-2.0
// tw_plan.h: actions, propagation, explanations.
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "base/watch.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "cost/collective.hpp"
#include "emit/printer.hpp"
#include "loops/loops.hpp"
#include "partition/annotations.hpp"
#include "partition/calls.hpp"
#include "partition/conflicts.hpp"
#include "partition/explain.hpp"
#include "partition/policy.hpp"
#include "partition/spec.hpp"
#include "search/wishes.hpp"
#include "system/system.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

// Times a step of planning, for timing_ms.
template <class Body> tw_status_t timed(tw_plan_t *plan, Body &&body) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    const LongCall call;
    const auto begin = std::chrono::steady_clock::now();
    Status status = body();
    plan->timing.plan_ms +=
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return status;
  });
}

// "shardy", "cheapest on a100-80g".
Status set_policy(partition::Plan &plan, std::string_view text) {
  constexpr std::string_view kOn = " on ";
  const size_t on = text.find(kOn);
  TW_ASSIGN(const partition::Policy policy, partition::parse_policy(text.substr(0, on)));
  if (on == std::string_view::npos) {
    plan.set_policy(policy, search::count_for(policy));
    return {};
  }
  if (policy != partition::Policy::cheapest)
    return fail(Code::invalid_argument, "TW-431",
                fmt::format("policy '{}' asks no system: only cheapest compares times", text));
  TW_ASSIGN(auto system, system::load(std::string(text.substr(on + kOn.size()))));
  TW_TRY(cost::check_axes(plan.mesh(), system));
  plan.set_policy(policy, search::count_for(policy, std::make_shared<system::System>(std::move(system))));
  return {};
}

} // namespace

Ref<tw_plan> tw::capi::handle_of(const tw_plan &like, std::shared_ptr<partition::Plan> plan) {
  auto handle = make_ref<tw_plan>(like.imported, std::move(plan));
  handle->custom_calls = like.custom_calls;
  handle->notes = like.notes;
  handle->timing = like.timing;
  return handle;
}

tw_status_t tw_plan_create(const tw_graph_t *graph, const tw_mesh_t *mesh, const tw_plan_options_t *options,
                           tw_plan_t **out_plan) {
  return guard([&]() -> Status {
    TW_TRY(require(graph, "graph"));
    TW_TRY(require(out_plan, "out_plan"));
    TW_TRY(check_options(options));
    const LongCall call;
    const bool ignore =
        has_field(options, &tw_plan_options_t::ignore_annotations) && options->ignore_annotations;
    const auto begin = std::chrono::steady_clock::now();
    static const annotation::Annotations none;
    const annotation::Annotations &annotations = ignore ? none : graph->imported->annotations;
    const auto given = mesh ? std::optional(mesh->mesh) : std::nullopt;
    // The module's own mesh is the mesh of the plan even where its annotations are not applied.
    TW_ASSIGN(auto chosen, partition::mesh_for(graph->imported->annotations, given));
    auto plan = std::make_shared<partition::Plan>(graph->imported->graph, std::move(chosen), graph->rules);
    if (has_field(options, &tw_plan_options_t::policy) && options->policy != nullptr)
      TW_TRY(set_policy(*plan, options->policy));
    TW_ASSIGN(auto notes, partition::apply_annotations(*plan, annotations));
    if (graph->imported->loops && !ignore)
      TW_TRY(loops::apply(*plan, *graph->imported->loops));
    TW_TRY(check_watch());
    auto handle = make_ref<tw_plan>(graph->imported, std::move(plan));
    handle->custom_calls = graph->custom_calls;
    handle->notes = std::move(notes);
    handle->timing.import_ms = graph->import_ms;
    handle->timing.plan_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    *out_plan = handle.leak();
    return {};
  });
}

tw_status_t tw_plan_clone(const tw_plan_t *plan, tw_plan_t **out_plan) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_plan, "out_plan"));
    *out_plan = handle_of(*plan, std::make_shared<partition::Plan>(*plan->plan)).leak();
    return {};
  });
}
tw_plan_t *tw_plan_retain(tw_plan_t *plan) {
  if (plan)
    plan->retain();
  return plan;
}
void tw_plan_release(tw_plan_t *plan) {
  if (plan)
    plan->release();
}

tw_status_t tw_plan_apply(tw_plan_t *plan, const char *spec, size_t size, const char *file) {
  return timed(plan, [&]() -> Status {
    TW_TRY(require(spec, "spec"));
    const auto observe = [plan](const partition::Statement &action) {
      plan->notes.insert(plan->notes.end(), action.notes.begin(), action.notes.end());
      if (const auto listener = plan->listener; listener && listener->callback != nullptr)
        listener->callback(plan, action.text.c_str(), action.pos.file.c_str(), action.pos.line,
                           listener->user);
    };
    return partition::apply_spec(*plan->plan, {spec, size}, file ? file : "<spec>", observe);
  });
}

tw_status_t tw_plan_on_action(tw_plan_t *plan, tw_action_fn callback, void *user) {
  return tw_plan_own_action(plan, callback, user, nullptr);
}

tw_status_t tw_plan_own_action(tw_plan_t *plan, tw_action_fn callback, void *user, tw_destroy_fn destroy) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    auto listener = std::make_shared<tw_plan::Listener>();
    listener->callback = callback;
    listener->user = user;
    listener->destroy = destroy;
    plan->listener = std::move(listener);
    return {};
  });
}

tw_status_t tw_plan_tile(tw_plan_t *plan, const char *value, int64_t dim, const char *axis) {
  return timed(plan, [&]() -> Status {
    TW_TRY(require(value, "value"));
    TW_TRY(require(axis, "axis"));
    return partition::call_tile(*plan->plan, value, dim, axis);
  });
}

tw_status_t tw_plan_atomic(tw_plan_t *plan, const char *value, const char *axis) {
  return timed(plan, [&]() -> Status {
    TW_TRY(require(value, "value"));
    return partition::call_atomic(*plan->plan, value,
                                  axis ? std::optional<std::string_view>(axis) : std::nullopt);
  });
}

tw_status_t tw_plan_propagate(tw_plan_t *plan, tw_propagate_mode_t mode) {
  return timed(plan, [&]() -> Status {
    if (mode != TW_PROPAGATE && mode != TW_INFER_PROPAGATE)
      return fail(Code::invalid_argument, "TW-712", fmt::format("{} is no propagation mode", mode));
    const auto m = mode == TW_PROPAGATE ? partition::Mode::propagate : partition::Mode::infer_propagate;
    const auto before = plan->plan->stamp();
    partition::call_propagate(*plan->plan, m);
    Status status = check_watch();
    if (!status)
      plan->plan->undo_to(before);
    return status;
  });
}

uint64_t tw_plan_stamp(const tw_plan_t *plan) { return plan ? plan->plan->stamp() : 0; }

tw_status_t tw_plan_undo(tw_plan_t *plan, uint64_t stamp) {
  return timed(plan, [&]() -> Status {
    if (stamp > plan->plan->stamp())
      return fail(Code::out_of_range, "TW-713",
                  fmt::format("stamp {} is later than the plan, which is at {}", stamp, plan->plan->stamp()));
    plan->plan->undo_to(stamp);
    return {};
  });
}

tw_status_t tw_plan_sharding(const tw_plan_t *plan, const char *value, tw_blob_t **out_text) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(value, "value"));
    TW_TRY(require(out_text, "out_text"));
    TW_ASSIGN(auto text, partition::sharding_text(*plan->plan, value));
    return give(std::move(text), out_text);
  });
}

size_t tw_plan_num_conflicts(const tw_plan_t *plan) {
  return plan ? partition::real_conflicts(*plan->plan).size() : 0;
}

tw_status_t tw_plan_explain(const tw_plan_t *plan, const char *value, const char *axis,
                            tw_blob_t **out_text) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(value, "value"));
    TW_TRY(require(out_text, "out_text"));
    TW_ASSIGN(const auto text, partition::explain(*plan->plan, value, axis ? axis : ""));
    return give(shown_lines(text), out_text);
  });
}

tw_status_t tw_plan_emit(const tw_plan_t *plan, const char *form, tw_blob_t **out_bytes) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(form, "form"));
    TW_TRY(require(out_bytes, "out_bytes"));
    TW_ASSIGN(auto bytes, emit::print(*plan->plan, form));
    return give(std::move(bytes), out_bytes);
  });
}

size_t tw_form_count(void) { return emit::all_forms().size(); }
const char *tw_form_name(size_t i) { return i < tw_form_count() ? emit::all_forms()[i]->name : nullptr; }
const char *tw_form_doc(size_t i) { return i < tw_form_count() ? emit::all_forms()[i]->doc : nullptr; }
int tw_form_is_of_plan(size_t i) { return i < tw_form_count() && emit::all_forms()[i]->is_of_plan(); }
int tw_form_is_binary(size_t i) { return i < tw_form_count() && emit::all_forms()[i]->is_binary; }
size_t tw_form_find(const char *name) {
  return name ? guard_value(tw_form_count(), [&] { return emit::find_form(name); }) : tw_form_count();
}
