// SPDX-License-Identifier: Apache-2.0
// A plan as the planner makes it by itself, which the checker has found good by moving its elements.
#pragma once

#include <memory>
#include <utility>

#include <doctest/doctest.h>

#include "redistribute/check.hpp"
#include "redistribute/planner.hpp"

namespace tw::test {

inline redistribute::Costed checked_plan(const std::shared_ptr<const redistribute::Problem> &problem) {
  auto made = redistribute::make_plan(problem, {});
  REQUIRE(made);
  redistribute::CheckOptions how;
  how.cost = made->cost;
  const redistribute::CheckReport report = redistribute::check(*made->plan, how);
  CAPTURE(report.failures);
  REQUIRE(report.pass());
  REQUIRE(report.moved);
  REQUIRE(report.certificate == made->plan->exact);
  return *std::move(made);
}

} // namespace tw::test
