// SPDX-License-Identifier: Apache-2.0
// A plan as bytes, to keep or to send, and back.
#pragma once

#include <span>
#include <string>

#include "redistribute/plan.hpp"
#include "redistribute/topology.hpp"

namespace tw::redistribute {

std::string to_bytes(const Plan &plan, const Topology &topology);

struct LoadedPlan {
  std::shared_ptr<const Plan> plan;
  Topology topology;
};
// Nothing in the bytes is trusted: what is read has been checked as check() does.
Result<LoadedPlan> from_bytes(std::string_view bytes);

} // namespace tw::redistribute
