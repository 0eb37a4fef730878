// SPDX-License-Identifier: Apache-2.0
// tw_program.h: lowering and its reports.
#include <algorithm>
#include <chrono>
#include <span>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "base/watch.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/lower_options.hpp"
#include "emit/printer.hpp"
#include "partition/calls.hpp"
#include "partition/policy.hpp"
#include "report/explain_collective.hpp"
#include "report/program_json.hpp"
#include "report/program_table.hpp"
#include "runtime/schedule.hpp"
#include "spmd/exactness.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

tw_status_t give_report(const tw_program_t *program, size_t width, bool all_rows, tw_blob_t **out_text) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(out_text, "out_text"));
    const LongCall call;
    std::string text = shown_lines(report::program_table(program->subject, width ? width : 120, all_rows));
    TW_TRY(check_watch());
    return give(std::move(text), out_text);
  });
}

} // namespace

tw_status_t tw_program_lower(const tw_plan_t *plan, const tw_lower_options_t *options,
                             tw_program_t **out_program) {
  return guard([&]() -> Status {
    TW_TRY(require(plan, "plan"));
    TW_TRY(require(out_program, "out_program"));
    TW_ASSIGN(LowerOptions how, lower_options(options));
    const LongCall call;
    TW_TRY(partition::check_stated(*plan->plan, plan->imported->annotations));
    report::Subject subject;
    subject.imported = plan->imported;
    subject.plan = std::make_shared<const partition::Plan>(
        *plan->plan); // later actions must not change what was lowered
    subject.notes = plan->notes;
    if (partition::lacks_actions(*plan->plan))
      subject.notes.emplace_back(
          "no action and no annotation tiles anything: every device computes the whole program");
    if (partition::lacks_propagation(*plan->plan))
      subject.notes.emplace_back(
          "no action says propagate or infer-propagate: only what actions name is tiled");
    subject.timing = plan->timing;
    const auto begin = std::chrono::steady_clock::now();
    TW_ASSIGN(subject.program, spmd::lower(*subject.plan, how.lowering));
    subject.timing.lower_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    subject.steps_without = std::move(how.steps);
    *out_program = new tw_program(std::move(subject), plan->custom_calls);
    return {};
  });
}

tw_status_t tw_program_unpartitioned(const tw_graph_t *graph, tw_program_t **out_program) {
  return guard([&]() -> Status {
    TW_TRY(require(graph, "graph"));
    TW_TRY(require(out_program, "out_program"));
    const LongCall call;
    report::Subject subject;
    subject.imported = graph->imported;
    TW_ASSIGN(subject.program, spmd::lower_unpartitioned(graph->imported->graph));
    *out_program = new tw_program(std::move(subject), graph->custom_calls);
    return {};
  });
}

tw_program_t *tw_program_retain(tw_program_t *program) {
  if (program)
    program->retain();
  return program;
}
void tw_program_release(tw_program_t *program) {
  if (program)
    program->release();
}

int64_t tw_program_num_devices(const tw_program_t *program) {
  return program ? program->subject.program->mesh().num_devices() : 0;
}
size_t tw_program_num_collectives(const tw_program_t *program) {
  return program ? guard_value(size_t{0}, [&] { return program->facts().collectives.size(); }) : 0;
}
tw_status_t tw_program_count_kind(const tw_program_t *program, const char *kind, size_t *out_count) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(kind, "kind"));
    TW_TRY(require(out_count, "out_count"));
    TW_ASSIGN(*out_count, report::count_kind(*program->subject.program, kind));
    return {};
  });
}
size_t tw_program_count(const tw_program_t *program, const char *kind) {
  size_t count = 0;
  if (!program || !kind)
    return 0;
  return tw_program_count_kind(program, kind, &count) == TW_OK ? count : SIZE_MAX;
}
int64_t tw_program_bytes_received(const tw_program_t *program) {
  return program ? guard_value(int64_t{0},
                               [&] { return report::statistics_of(program->subject)->bytes_received_max; })
                 : 0;
}
int64_t tw_program_peak_bytes(const tw_program_t *program) {
  int64_t bytes = 0;
  guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    const LongCall call;
    TW_ASSIGN(bytes, report::peak_bytes(program->subject));
    return {};
  });
  return bytes;
}
int tw_program_result_exact(const tw_program_t *program, size_t i) {
  if (!program || i >= program->subject.program->graph().results().size())
    return 0;
  return guard_value(0, [&] { return spmd::exact_results(*program->subject.program)[i] ? 1 : 0; });
}
size_t tw_program_num_failed_expectations(const tw_program_t *program) {
  if (!program)
    return 0;
  return guard_value(size_t{0}, [&] {
    const auto outcomes = report::expectations_of(program->subject);
    return static_cast<size_t>(std::ranges::count_if(*outcomes, [](const auto &o) { return !o.holds; }));
  });
}

tw_status_t tw_program_json(const tw_program_t *program, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(out_json, "out_json"));
    const LongCall call;
    std::string json = json_text(report::program_json(program->subject));
    TW_TRY(check_watch());
    return give(std::move(json), out_json);
  });
}
tw_status_t tw_program_report(const tw_program_t *program, size_t width, tw_blob_t **out_text) {
  return give_report(program, width, false, out_text);
}
tw_status_t tw_program_report_all(const tw_program_t *program, size_t width, tw_blob_t **out_text) {
  return give_report(program, width, true, out_text);
}
tw_status_t tw_program_emit(const tw_program_t *program, const char *form, tw_blob_t **out_bytes) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(form, "form"));
    TW_TRY(require(out_bytes, "out_bytes"));
    TW_ASSIGN(auto bytes, emit::print(*program->subject.program, form));
    return give(std::move(bytes), out_bytes);
  });
}
tw_status_t tw_program_explain_collective(const tw_program_t *program, size_t id, tw_blob_t **out_text) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    TW_TRY(require(out_text, "out_text"));
    TW_ASSIGN(const auto text, report::explain_collective(program->subject, id));
    return give(shown_lines(text), out_text);
  });
}
