// SPDX-License-Identifier: Apache-2.0
// Runs a loop text in its loops and without them.
#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "loop_text.hpp"
#include "support/compare.hpp"
#include "support/run_loops.hpp"

namespace tw::test {

// Both compute the same; answers with it.
inline std::vector<kernels::ref::Array> check_loops(const LoopText &read,
                                                    const std::vector<kernels::ref::Array> &arguments) {
  auto whole = kernels::ref::evaluate(read.plan.graph(), arguments);
  auto looped = LoopInterpreter(read.plan, *read.imported.loops).run(arguments);
  REQUIRE(whole.has_value());
  REQUIRE_MESSAGE(looped.has_value(), looped.error().message());
  for (size_t i = 0; i < whole->size(); ++i)
    CHECK(same_values((*looped)[i], (*whole)[i]));
  return std::move(*whole);
}

} // namespace tw::test
