// SPDX-License-Identifier: Apache-2.0
// The handle of what propagation left undecided. By itself, since few calls read a plan.
#pragma once

#include <utility>
#include <vector>

#include "base/ref_counted.hpp"
#include "report/conflicts.hpp"

struct tw_conflicts final : tw::RefCounted {
  explicit tw_conflicts(std::vector<tw::report::ConflictReport> a) : all(std::move(a)) {}
  std::vector<tw::report::ConflictReport> all;
};
