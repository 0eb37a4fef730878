// SPDX-License-Identifier: Apache-2.0
// From decisions about the program with few layers to a spec of the whole program, and the plan that it
// makes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cost/price.hpp"
#include "partition/plan.hpp"
#include "search/engine.hpp"
#include "search/space.hpp"

namespace tw::search {

// A step in terms of the whole program, which needs no space.
struct ProgramLine {
  Line::Of of;
  bool of_state;                 // a group of what only an optimizer reads
  std::vector<uint32_t> members; // arguments of a group, the first layer's first; a value; ops of a border
  uint8_t dim;                   // as in Line
  sharding::AxisId axis;
};
struct ProgramStep {
  struct Cost {
    cost::Picoseconds time;
    int64_t peak;
  };
  Decision::Kind kind;
  std::vector<ProgramLine> lines;
  Cost behind;                 // of the plan with this step
  std::optional<Cost> without; // what it would cost without this one in the end, as far as that is known
};
// `without`: by step.
std::vector<ProgramStep> steps_of_program(const Space &space, std::span<const Engine::Step> steps,
                                          std::span<const cost::Price> without = {});

struct Written {
  std::string spec;                 // that `tw plan` reads, with what the plan costs behind each step
  std::vector<std::string> actions; // its lines, without comments
  std::shared_ptr<const partition::Plan> plan;
};

// Behind what is decided in a plan of the program. An error where the whole program does not take what its
// few layers took.
Result<Written> write_spec(const partition::Plan &plan, std::span<const ProgramStep> steps);

} // namespace tw::search
