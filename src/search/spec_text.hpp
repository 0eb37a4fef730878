// SPDX-License-Identifier: Apache-2.0
// From decisions about the program with few layers to a spec of the whole program, and the plan that it
// makes.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cost/price.hpp"
#include "partition/plan.hpp"
#include "search/engine.hpp"
#include "search/space.hpp"

namespace tw::search {

struct Written {
  std::string spec;                 // that `tw plan` reads, with what the plan costs behind each step
  std::vector<std::string> actions; // its lines, without comments
  std::shared_ptr<const partition::Plan> plan;
};

// `plan`: that of which the space was made. `without`: by step, what the plan would cost without it in the
// end, as far as that is known. An error where the whole program does not take what its few layers took.
Result<Written> write_spec(const partition::Plan &plan, const Space &space,
                           std::span<const Engine::Step> steps, std::span<const cost::Price> without = {});

} // namespace tw::search
