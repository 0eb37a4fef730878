// SPDX-License-Identifier: Apache-2.0
// What a program and what is decided about it are, whatever things are called: equal keys are those of
// programs that differ in names, in the order of arguments and of ops that do not depend on each other, and
// in arguments that nobody uses.
#pragma once

#include <cstdint>
#include <vector>

#include "base/wide_hash.hpp"
#include "graph/graph.hpp"
#include "partition/plan.hpp"

namespace tw::search {

struct ProgramKey {
  WideHash hash;
  // Ops of programs with equal keys that have one number are one op. By number, the op; by op, the number,
  // kNone for an argument that nobody uses.
  std::vector<graph::OpId> ops;
  std::vector<uint32_t> numbers;
};

// Of the program, the mesh with the names of its axes, and all that actions and annotations left behind.
ProgramKey key_of(const partition::Plan &plan);

} // namespace tw::search
