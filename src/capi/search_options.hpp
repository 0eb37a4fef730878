// SPDX-License-Identifier: Apache-2.0
// What searches and environments are told alike.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/status.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/lower_options.hpp"
#include "partition/plan.hpp"
#include "search/space.hpp"
#include <tilewright/tw_base.h>

namespace tw::capi {

struct SearchOptions {
  int64_t cap_bytes = 0; // 0: what the system has
  search::Scope scope;
  LowerOptions lower;
};

// Those axes of a mesh: "data,model".
Result<std::vector<sharding::AxisId>> axes_of(const sharding::Mesh &mesh, const char *names);

// tw_search_options_t or tw_environment_options_t; NULL: all defaults.
template <class Options>
Result<SearchOptions> search_options(const Options *given, const sharding::Mesh &mesh) {
  TW_TRY(check_options(given));
  SearchOptions options;
  if (has_field(given, &Options::cap_bytes)) {
    TW_TRY(check_at_least_0(given->cap_bytes, "cap_bytes"));
    options.cap_bytes = given->cap_bytes;
  }
  if (has_field(given, &Options::axes) && given->axes != nullptr) {
    TW_ASSIGN(options.scope.axes, axes_of(mesh, given->axes));
  }
  options.scope.even_only = has_field(given, &Options::even_only) && given->even_only != 0;
  TW_ASSIGN(options.lower, lower_options(has_field(given, &Options::lower) ? given->lower : nullptr));
  return options;
}

} // namespace tw::capi
