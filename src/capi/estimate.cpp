// SPDX-License-Identifier: Apache-2.0
// tw_estimate.h: what a program takes on a machine.
#include <fmt/format.h>

#include "base/utf8.hpp"
#include "base/watch.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "cost/estimate.hpp"
#include "report/estimate.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

using Estimate = std::shared_ptr<const cost::Estimate>;

Result<Estimate> estimate(const tw_program_t *program, const char *system,
                          const tw_estimate_options_t *given) {
  TW_TRY(require(program, "program"));
  TW_TRY(require(system, "system"));
  TW_TRY(check_options(given));
  cost::Options options;
  options.without = program->subject.steps_without;
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
  TW_ASSIGN(const system::System machine, system::load(system));
  return program->estimate(machine, options);
}

} // namespace

Result<std::shared_ptr<const cost::Estimate>> tw_program::estimate(const system::System &system,
                                                                   const cost::Options &options) const {
  {
    const std::lock_guard lock(estimate_mutex_);
    if (estimated_.estimate != nullptr && estimated_.system == system.text && estimated_.options == options)
      return estimated_.estimate;
  }
  TW_ASSIGN(cost::Estimate made, cost::estimate(subject.program, system, options));
  auto kept = std::make_shared<const cost::Estimate>(std::move(made));
  const std::lock_guard lock(estimate_mutex_);
  estimated_ = {system.text, options, kept};
  return kept;
}

tw_status_t tw_program_estimate(const tw_program_t *program, const char *system,
                                const tw_estimate_options_t *options, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(out_json, "out_json"));
    const LongCall call;
    TW_ASSIGN(const Estimate made, estimate(program, system, options));
    return give(json_text(report::estimate_json(program->subject, *made, system)), out_json);
  });
}

tw_status_t tw_program_estimate_report(const tw_program_t *program, const char *system,
                                       const tw_estimate_options_t *options, size_t width,
                                       tw_blob_t **out_text) {
  return guard([&]() -> Status {
    TW_TRY(require(out_text, "out_text"));
    const LongCall call;
    TW_ASSIGN(const Estimate made, estimate(program, system, options));
    return give(shown_lines(report::estimate_table(program->subject, *made, system, width ? width : 120)),
                out_text);
  });
}

tw_status_t tw_program_estimate_trace(const tw_program_t *program, const char *system,
                                      const tw_estimate_options_t *options, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(out_json, "out_json"));
    const LongCall call;
    TW_ASSIGN(const Estimate made, estimate(program, system, options));
    return give(report::estimate_trace(program->subject, *made, system), out_json);
  });
}
