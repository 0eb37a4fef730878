// SPDX-License-Identifier: Apache-2.0
// tw_estimate.h: systems, what a program takes on one, and walks of that.
#include <cmath>

#include "base/utf8.hpp"
#include "base/watch.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/view.hpp"

using namespace tw;
using namespace tw::capi;
using cost::Role;

static_assert(TW_ROLE_PARAMETER == static_cast<int>(Role::parameter) &&
                  TW_ROLE_STATE == static_cast<int>(Role::state) &&
                  TW_ROLE_GRADIENT == static_cast<int>(Role::gradient) &&
                  TW_ROLE_ACTIVATION == static_cast<int>(Role::activation) &&
                  TW_ROLE_GATHERED == static_cast<int>(Role::gathered) &&
                  TW_ROLE_BUFFER == static_cast<int>(Role::buffer),
              "tw_role_t follows cost::Role");
static_assert(TW_NO_INSTR == graph::kNone && TW_NO_STEP == graph::kNone && TW_NO_COLLECTIVE == graph::kNone);

namespace {

Result<cost::Options> options_of(const tw_program &program, const tw_estimate_options_t *given) {
  TW_TRY(check_options(given));
  cost::Options options;
  options.without = program.subject.steps_without;
  if (has_field(given, &tw_estimate_options_t::cap_bytes)) {
    TW_TRY(check_at_least_0(given->cap_bytes, "cap_bytes"));
    options.cap_bytes = static_cast<double>(given->cap_bytes);
  }
  if (has_field(given, &tw_estimate_options_t::trip_count)) {
    TW_TRY(check_at_least_0(given->trip_count, "trip_count"));
    if (given->trip_count > 0)
      options.trip_count = given->trip_count;
  }
  options.donate = has_field(given, &tw_estimate_options_t::donate) && given->donate != 0;
  return options;
}

} // namespace

const report::EstimateFacts &tw_estimate::facts() const {
  std::call_once(found_, [this] {
    facts_ = std::make_unique<report::EstimateFacts>(report::estimate_facts(program->subject, estimate));
  });
  return *facts_;
}

// --- systems ---

tw_status_t tw_system_load(const char *name_or_file, tw_system_t **out_system) {
  return guard([&]() -> Status {
    TW_TRY(require_text(name_or_file, "name_or_file"));
    TW_TRY(require(out_system, "out_system"));
    TW_ASSIGN(system::System made, system::load(name_or_file));
    *out_system = new tw_system(std::move(made));
    return {};
  });
}
tw_status_t tw_system_parse(const char *text, size_t size, const char *file, tw_system_t **out_system) {
  return guard([&]() -> Status {
    TW_TRY(require(text, "text"));
    TW_TRY(require(out_system, "out_system"));
    if (file != nullptr)
      TW_TRY(require_text(file, "file"));
    TW_ASSIGN(system::System made, system::parse({text, size}, file != nullptr ? file : "<system>"));
    *out_system = new tw_system(std::move(made));
    return {};
  });
}
tw_system_t *tw_system_retain(tw_system_t *system) {
  if (system)
    system->retain();
  return system;
}
void tw_system_release(tw_system_t *system) {
  if (system)
    system->release();
}
const char *tw_system_name(const tw_system_t *system) {
  return system ? system->system.file.c_str() : nullptr;
}

// --- estimates ---

tw_status_t tw_program_estimate(const tw_program_t *program, const tw_system_t *system,
                                const tw_estimate_options_t *options, tw_estimate_t **out_estimate) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(system, "system"));
    TW_TRY(require(out_estimate, "out_estimate"));
    TW_ASSIGN(const cost::Options how, options_of(*program, options));
    const LongCall call;
    TW_ASSIGN(cost::Estimate made, cost::estimate(program->subject.program, system->system, how));
    *out_estimate = new tw_estimate(Ref<const tw_program>::share(program),
                                    Ref<const tw_system>::share(system), std::move(made));
    return {};
  });
}
tw_estimate_t *tw_estimate_retain(tw_estimate_t *estimate) {
  if (estimate)
    estimate->retain();
  return estimate;
}
void tw_estimate_release(tw_estimate_t *estimate) {
  if (estimate)
    estimate->release();
}

tw_status_t tw_estimate_json(const tw_estimate_t *estimate, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(estimate, "estimate"));
    TW_TRY(require(out_json, "out_json"));
    return give(json_text(report::estimate_json(estimate->estimated())), out_json);
  });
}
tw_status_t tw_estimate_report(const tw_estimate_t *estimate, size_t width, tw_blob_t **out_text) {
  return guard([&]() -> Status {
    TW_TRY(require(estimate, "estimate"));
    TW_TRY(require(out_text, "out_text"));
    return give(shown_lines(report::estimate_table(estimate->estimated(), width ? width : 120)), out_text);
  });
}
tw_status_t tw_estimate_trace(const tw_estimate_t *estimate, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(estimate, "estimate"));
    TW_TRY(require(out_json, "out_json"));
    return give(report::estimate_trace(estimate->estimated()), out_json);
  });
}

// --- walks ---

tw_status_t tw_estimate_totals(const tw_estimate_t *estimate, tw_estimate_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(estimate, "estimate"));
    const cost::Estimate &e = estimate->estimate;
    tw_estimate_view_t view{};
    view.serial_s = e.serial_s;
    view.compute_s = e.compute_s;
    view.memory_s = e.memory_s;
    view.communication_s = e.communication_s;
    view.overlapped_s = e.overlapped_s;
    view.peak_bytes = std::llround(e.peak_bytes);
    view.cap_bytes = std::llround(e.cap_bytes);
    view.fits = e.fits() ? 1 : 0;
    view.peak_place = e.peak_place;
    return write_view(view, out_view);
  });
}
double tw_estimate_axis_seconds(const tw_estimate_t *estimate, size_t axis) {
  return estimate && axis < estimate->estimate.by_axis_s.size() ? estimate->estimate.by_axis_s[axis] : 0;
}

size_t tw_estimate_num_steps(const tw_estimate_t *estimate) {
  return estimate ? estimate->estimate.steps.size() : 0;
}
tw_status_t tw_estimate_step(const tw_estimate_t *estimate, size_t i, tw_step_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(estimate, "estimate"));
    TW_TRY(check_index(i, estimate->estimate.steps.size(), "step"));
    const cost::StepTime &step = estimate->estimate.steps[i];
    const report::EstimateFacts::Step &of = estimate->facts().steps[i];
    tw_step_view_t view{};
    view.what = of.what.c_str();
    view.value = of.at.value.c_str();
    view.location = of.at.location.c_str();
    view.instr = step.instr;
    view.num_ops = static_cast<uint32_t>(step.ops);
    view.collective = of.collective;
    view.bound = step.moves ? TW_BOUND_LINK : step.by_memory ? TW_BOUND_MEMORY : TW_BOUND_COMPUTE;
    view.times = step.times;
    view.seconds = step.seconds;
    view.flops = step.flops;
    view.bytes = step.bytes;
    view.begin_s = step.begin_s;
    view.lasts_s = step.lasts_s;
    return write_view(view, out_view);
  });
}

tw_status_t tw_estimate_collective(const tw_estimate_t *estimate, size_t i,
                                   tw_collective_cost_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(estimate, "estimate"));
    const std::vector<uint32_t> &step_of = estimate->facts().step_of;
    TW_TRY(check_index(i, step_of.size(), "collective"));
    const spmd::Program &p = *estimate->program->subject.program;
    const spmd::Collective &c = p.collectives()[estimate->program->facts().collectives[i].index];
    tw_collective_cost_view_t view{};
    view.kind = static_cast<tw_collective_kind_t>(c.summary.kind);
    view.axes = bits_of(c.summary.axes);
    view.step = step_of[i];
    if (view.step != TW_NO_STEP) {
      const cost::StepTime &step = estimate->estimate.steps[view.step];
      view.times = step.times;
      view.seconds = step.seconds;
      view.bytes = step.bytes;
    }
    return write_view(view, out_view);
  });
}

size_t tw_estimate_num_places(const tw_estimate_t *estimate) {
  return estimate ? estimate->estimate.places.size() : 0;
}
tw_status_t tw_estimate_place(const tw_estimate_t *estimate, size_t i, tw_place_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(estimate, "estimate"));
    TW_TRY(check_index(i, estimate->estimate.places.size(), "place"));
    const cost::MemoryPlace &place = estimate->estimate.places[i];
    return write_view(tw_place_view_t{0, place.bytes, place.instr, place.step}, out_view);
  });
}

size_t tw_estimate_num_held(const tw_estimate_t *estimate) {
  return estimate ? estimate->estimate.held.size() : 0;
}
tw_status_t tw_estimate_held(const tw_estimate_t *estimate, size_t i, tw_held_view_t *out_view) {
  return guard([&]() -> Status {
    TW_TRY(require(estimate, "estimate"));
    TW_TRY(check_index(i, estimate->estimate.held.size(), "array"));
    const cost::HeldValue &held = estimate->estimate.held[i];
    return write_view(tw_held_view_t{0, estimate->facts().held[i].c_str(), held.value, held.bytes,
                                     static_cast<tw_role_t>(held.role)},
                      out_view);
  });
}
