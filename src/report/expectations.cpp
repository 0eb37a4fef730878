// SPDX-License-Identifier: Apache-2.0
// `expect all_reduce over model == 2`, `expect no all_gather`, `expect peak < 16GiB`.
#include "report/expectations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/describe.hpp"
#include "sharding/axis_names.hpp"

namespace tw::report {
namespace {

// A collective counts as "over" the listed axes when it moves data over exactly these.
bool is_over(const Subject &subject, const spmd::Collective &c, std::vector<std::string> over) {
  auto names = sharding::axis_names(c.summary.axes, subject.program->mesh());
  std::sort(names.begin(), names.end());
  std::sort(over.begin(), over.end());
  return over.empty() || names == over;
}

int64_t measure(const Subject &subject, const partition::Expectation &e) {
  if (e.kind == "peak")
    return spmd::plan_memory(*subject.program).peak_bytes;
  int64_t count = 0;
  for (const auto &c : subject.program->collectives())
    if (c.summary.kind != redistribute::Kind::copy &&
        (e.kind == "any" || redistribute::name(c.summary.kind) == e.kind))
      count += is_over(subject, c, e.over);
  return count;
}

bool holds(int64_t found, const std::string &comparison, int64_t value) {
  if (comparison == "==")
    return found == value;
  if (comparison == "!=")
    return found != value;
  if (comparison == "<=")
    return found <= value;
  if (comparison == ">=")
    return found >= value;
  return comparison == "<" ? found < value : found > value;
}

} // namespace

std::vector<Outcome> check_expectations(const Subject &subject) {
  std::vector<Outcome> outcomes;
  if (!subject.plan)
    return outcomes;
  for (const auto &e : subject.plan->expectations()) {
    const auto &pos = e.action.pos;
    const int64_t found = measure(subject, e);
    outcomes.push_back({fmt::format("{}:{}", pos.file, pos.line), e.action.text, found,
                        holds(found, e.comparison, e.value)});
  }
  return outcomes;
}

} // namespace tw::report
