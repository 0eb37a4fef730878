// SPDX-License-Identifier: Apache-2.0
// Reads what a caller says of a lowering, field by field.
#include "capi/lower_options.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "runtime/schedule.hpp"

namespace tw::capi {

Result<LowerOptions> lower_options(const tw_lower_options_t *given) {
  TW_TRY(check_options(given));
  LowerOptions made;
  spmd::Options &options = made.lowering;
  options.gather_per_use =
      has_field(given, &tw_lower_options_t::gather_per_use) && given->gather_per_use != 0;
  if (has_field(given, &tw_lower_options_t::bucket_bytes))
    options.bucket_bytes = given->bucket_bytes;
  TW_TRY(check_at_least_0(options.bucket_bytes, "bucket_bytes"));
  if (has_field(given, &tw_lower_options_t::levels) && given->levels != nullptr)
    options.levels = given->levels;
  options.keep_sum_order =
      has_field(given, &tw_lower_options_t::keep_sum_order) && given->keep_sum_order != 0;
  const int64_t scratch = has_field(given, &tw_lower_options_t::scratch_bytes) ? given->scratch_bytes : 0;
  TW_TRY(check_at_least_0(scratch, "scratch_bytes"));
  if (scratch != 0)
    options.scratch_bytes = scratch;
  const int64_t hoisted = has_field(given, &tw_lower_options_t::hoist_limit) ? given->hoist_limit : 0;
  TW_TRY(check_at_least_0(hoisted, "hoist_limit"));
  if (hoisted != 0)
    options.hoist_limit = hoisted;
  if (!has_field(given, &tw_lower_options_t::num_without) || given->num_without == 0)
    return made;
  TW_TRY(require(given->without, "options->without"));
  for (size_t i = 0; i < given->num_without; ++i)
    TW_TRY(require_at(given->without[i], "options->without", i));
  const std::span without(given->without, given->num_without);
  const std::vector<std::string_view> of_steps = runtime::step_passes();
  std::vector<std::string_view> known = spmd::optional_passes();
  known.insert(known.end(), of_steps.begin(), of_steps.end());
  TW_TRY(spmd::check_passes(std::vector<std::string>(without.begin(), without.end()), known));
  for (const std::string_view name : without)
    (std::ranges::count(of_steps, name) != 0 ? made.steps : options.without).emplace_back(name);
  return made;
}

} // namespace tw::capi
