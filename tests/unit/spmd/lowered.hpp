// SPDX-License-Identifier: Apache-2.0
// A plan's program, which lowering must make.
#pragma once

#include <memory>

#include <doctest/doctest.h>

#include "spmd/program.hpp"

namespace tw::test {

inline std::shared_ptr<const spmd::Program> lowered(const partition::Plan &plan,
                                                    const spmd::Options &options = {}) {
  auto program = spmd::lower(plan, options);
  REQUIRE_MESSAGE(program.has_value(), program.error().message());
  return *program;
}

} // namespace tw::test
