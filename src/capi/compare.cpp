// SPDX-License-Identifier: Apache-2.0
// tw_runtime.h: how arrays, and the results of programs, compare.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "capi/call.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "runtime/second_opinion.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

tw_comparison_t in_c(const runtime::Comparison &c, size_t struct_size) {
  tw_comparison_t out{};
  out.struct_size = struct_size;
  out.max_abs = c.max_abs;
  out.max_rel = c.max_rel;
  out.bit_equal = c.bit_equal;
  out.passes = c.pass;
  out.mistrusted = c.mistrusted;
  out.nonfinite = c.nonfinite;
  out.judged_by = static_cast<int32_t>(c.judged_by);
  out.tolerance = c.bound;
  out.from_double = c.from_double;
  out.expected_from_double = c.expected_from_double;
  out.equal_argument = c.equal_argument;
  return out;
}

Result<runtime::Judging> judging(const tw_compare_options_t *options) {
  TW_TRY(check_options(options));
  runtime::Judging how;
  how.promised = !has_field(options, &tw_compare_options_t::other_run) || options->other_run == 0;
  if (has_field(options, &tw_compare_options_t::seconds) && options->seconds != 0)
    how.seconds = options->seconds;
  if (!(how.seconds > 0))
    return fail(Code::invalid_argument, "TW-722",
                fmt::format("options->seconds is {}: it must be positive, or 0", how.seconds));
  if (has_field(options, &tw_compare_options_t::user) && options->progress != nullptr)
    how.go_on = [options](double seconds) { return options->progress(options->user, seconds) == 0; };
  return how;
}

} // namespace

tw_status_t tw_tensor_compare(const tw_tensor_t *a, const tw_tensor_t *b, int exact,
                              tw_comparison_t *out_comparison) {
  return guard([&]() -> Status {
    TW_TRY(require(a, "a"));
    TW_TRY(require(b, "b"));
    TW_TRY(require(out_comparison, "out_comparison"));
    if (!(a->tensor.type() == b->tensor.type()))
      return fail(Code::invalid_argument, "TW-716",
                  fmt::format("cannot compare {} with {}", graph::to_short_text(a->tensor.type()),
                              graph::to_short_text(b->tensor.type())));
    TW_TRY(check_struct_size(out_comparison->struct_size, "out_comparison"));
    TW_TRY(check_on_host(a, "a"));
    TW_TRY(check_on_host(b, "b"));
    const auto c = runtime::compare(a->tensor.view(), b->tensor.view(),
                                    exact != 0 ? 0 : runtime::tolerance(b->tensor.type().dtype));
    const tw_comparison_t out = in_c(c, out_comparison->struct_size);
    std::memcpy(out_comparison, &out, std::min(out_comparison->struct_size, sizeof out));
    return {};
  });
}

tw_status_t tw_program_compare(const tw_program_t *program, const tw_tensor_t *const *inputs,
                               size_t num_inputs, const tw_tensor_t *const *outputs,
                               const tw_tensor_t *const *expected, size_t num_outputs,
                               const tw_compare_options_t *options, tw_comparison_t *out_comparisons,
                               tw_blob_t **out_note) {
  return guard([&]() -> Status {
    TW_TRY(require(program, "program"));
    const spmd::Program &p = *program->subject.program;
    if (num_inputs != 0)
      TW_TRY(check_inputs(p.graph(), inputs, num_inputs));
    TW_TRY(check_outputs(p.graph(), outputs, num_outputs));
    TW_TRY(check_outputs(p.graph(), expected, num_outputs));
    TW_TRY(check_on_host(inputs, num_inputs, "inputs"));
    TW_TRY(check_on_host(outputs, num_outputs, "outputs"));
    TW_TRY(check_on_host(expected, num_outputs, "expected"));
    TW_ASSIGN(runtime::Judging how, judging(options));
    how.custom_calls = program->custom_calls;
    size_t size = 0;
    if (num_outputs != 0) {
      TW_TRY(require(out_comparisons, "out_comparisons"));
      TW_TRY(check_struct_size(out_comparisons->struct_size, "out_comparisons"));
      size = out_comparisons->struct_size;
    }
    runtime::Judgement judgement =
        runtime::judge(p, views_of(inputs, num_inputs), views_of(outputs, num_outputs),
                       views_of(expected, num_outputs), how);
    for (size_t i = 0; i < num_outputs; ++i) {
      const tw_comparison_t out = in_c(judgement.outputs[i], size);
      std::memcpy(reinterpret_cast<std::byte *>(out_comparisons) + i * size, &out,
                  std::min(size, sizeof out));
    }
    return out_note != nullptr ? give(std::move(judgement.why_no_second_opinion), out_note) : Status();
  });
}
