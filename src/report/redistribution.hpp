// SPDX-License-Identifier: Apache-2.0
// A redistribution plan for scripts and for people: steps, bytes beside the bounds, what else was possible,
// the layouts as grids.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "redistribute/check.hpp"
#include "redistribute/planner.hpp"

namespace tw::report {

struct Redistribution {
  std::string mesh, src,
      dst; // as the caller wrote them; the target's mesh follows the first where it is another
  redistribute::Costed chosen;
  std::vector<redistribute::Costed> others; // plans that were not taken, the better first
  redistribute::Topology topology;
  redistribute::Bounds bounds;
  double synthesis_us = 0;
  std::optional<redistribute::CheckReport> check;
};

nlohmann::ordered_json redistribution_json(const Redistribution &r);
// Plans beside each other: method, steps, bytes, memory, time.
nlohmann::ordered_json plans_json(const std::vector<redistribute::Costed> &plans);
std::string redistribution_text(const Redistribution &r, size_t width);
// The type of the tiles that a step makes, in the paper's spelling.
std::string made_by(const redistribute::StepHead &step, const redistribute::Plan &plan);
// "slowest / least possible" of the modelled times; 1 where nothing need move.
double gap(const Redistribution &r);
// Why no plan of the method costs less; empty where that is not known.
std::string certificate_text(const redistribute::Costed &costed);

} // namespace tw::report
