// SPDX-License-Identifier: Apache-2.0
// An estimate for programs and for people.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "cost/estimate.hpp"
#include "report/subject.hpp"

namespace tw::report {

// The name of what an instruction makes, and where it comes from; kNone: neither.
struct Origin {
  std::string value, location;
};
Origin origin_of(const spmd::Program &program, uint32_t instr);
// "dot_general", "add and 7 more", "all_reduce over model".
std::string what_of(const spmd::Program &program, const cost::StepTime &step);

// "estimate" of `tw estimate --json`.
nlohmann::ordered_json estimate_json(const Subject &subject, const cost::Estimate &estimate,
                                     const std::string &system);
// The same as tables no wider than `width`.
std::string estimate_table(const Subject &subject, const cost::Estimate &estimate, const std::string &system,
                           size_t width);
// The first run of each step at its time, as Chrome and Perfetto read it: one row computes, one for each mesh
// axis moves.
std::string estimate_trace(const Subject &subject, const cost::Estimate &estimate, const std::string &system);

} // namespace tw::report
