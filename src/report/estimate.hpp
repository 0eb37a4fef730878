// SPDX-License-Identifier: Apache-2.0
// An estimate for programs and for people.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cost/estimate.hpp"
#include "report/subject.hpp"

namespace tw::report {

// The name of what an instruction makes, and where it comes from; kNone: neither.
struct Origin {
  std::string value, location;
};
Origin origin_of(const spmd::Program &program, uint32_t instr);

// What an estimate says in the words of its program: found once, and read by JSON, tables, walks and pages.
struct EstimateFacts {
  struct Step {
    std::string what; // "dot_general", "add and 7 more", "all_reduce over model"
    Origin at;
    uint32_t collective; // a report id, or graph::kNone
  };
  std::vector<Step> steps;       // as the estimate's
  std::vector<uint32_t> step_of; // of each collective by report id; graph::kNone: no step
  std::vector<std::string> held; // names of what is held at the peak
  Origin peak;                   // where most is held
  // Steps that do the same and take equally long, as one: the dearest.
  struct Dear {
    size_t first; // of the steps
    int64_t times;
  };
  std::vector<Dear> dearest;
  std::vector<std::string> notes; // the estimate's, and what is whole and could be tiled
};
EstimateFacts estimate_facts(const Subject &subject, const cost::Estimate &estimate);

// One estimate with all that is known of it.
struct Estimated {
  const Subject &subject;
  const cost::Estimate &estimate;
  const EstimateFacts &facts;
  const std::string &system; // its name
};

const char *bound_of(const cost::StepTime &step); // "link", "memory" or "compute"
// "estimate" of `tw estimate --json`.
nlohmann::ordered_json estimate_json(const Estimated &estimated);
// The same as tables no wider than `width`.
std::string estimate_table(const Estimated &estimated, size_t width);
// The first run of each step at its time, as Chrome and Perfetto read it: a row for each device, or for
// those that have tiles of the same sizes; one for each kind of links; and a counter has the memory that is
// held when a step begins.
std::string estimate_trace(const Estimated &estimated);

} // namespace tw::report
