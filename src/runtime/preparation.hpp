// SPDX-License-Identifier: Apache-2.0
// What the parts of Executable::prepare hand to each other; gone when the executable is made.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "comm/comm.hpp"
#include "runtime/executable.hpp"
#include "runtime/executor.hpp"
#include "runtime/layout.hpp"
#include "runtime/memory.hpp"
#include "runtime/schedule.hpp"

namespace tw::runtime {

struct Executable::Preparation {
  Options options;
  bool runs = true; // else only figures are asked for, and what moves is not prepared
  Layouts layouts; // given away by Executable::plan alone
  // schedule
  Schedule schedule = {};
  // place; by step: a collective, of workers or of queues, and the positions that take part in it
  std::vector<std::unique_ptr<comm::Collective>> collectives = {};
  std::vector<std::unique_ptr<device::Mover>> movers = {};
  std::vector<std::vector<Position>> members = {};
  std::optional<Memory> memory = {};
  // bind; the other steps are the executor's
  std::vector<BoundStep> statics = {};
};

} // namespace tw::runtime
