// SPDX-License-Identifier: Apache-2.0
// Counts what `expect` lines speak of.
#include "report/expectations.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/figures.hpp"
#include "cost/estimate.hpp"
#include "partition/conflicts.hpp"
#include "report/describe.hpp"
#include "report/facts.hpp"
#include "sharding/axis_names.hpp"
#include "system/system.hpp"

namespace tw::report {
namespace {

// A collective counts as "over" the listed axes when it moves data over exactly these.
bool is_over(const Subject &subject, const spmd::Collective &c, std::vector<std::string> over) {
  auto names = sharding::axis_names(c.summary.axes, subject.program->mesh());
  std::sort(names.begin(), names.end());
  std::sort(over.begin(), over.end());
  return over.empty() || names == over;
}

Result<int64_t> measure(const Subject &subject, const partition::Expectation &e) {
  if (!e.system.empty()) {
    TW_ASSIGN(const system::System system, system::load(e.system));
    cost::Options options;
    options.without = subject.steps_without;
    TW_ASSIGN(const cost::Estimate estimate, cost::estimate(subject.program, system, options));
    return std::llround(e.kind == "time" ? estimate.overlapped_s * 1e9 : estimate.peak_bytes);
  }
  if (e.kind == "peak")
    return peak_bytes(subject);
  if (e.kind == "received")
    return statistics_of(subject)->bytes_received_max;
  if (e.kind == "conflict")
    return static_cast<int64_t>(partition::real_conflicts(*subject.plan).size());
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

// In the unit with which the expectation ends, with as many digits as tell it from what was expected.
std::string found_text(const partition::Expectation &e, int64_t found) {
  const std::string_view text = e.action.text;
  if (e.kind == "time")
    return time_text(static_cast<double>(found) / 1e9);
  const std::string_view amount = text.substr(0, e.system.empty() ? text.npos : text.rfind(" on "));
  const std::string_view unit = amount.substr(amount.find_last_not_of("BkKMGTi") + 1);
  const auto bytes = bytes_in(unit);
  if (!bytes)
    return fmt::format("{}", found);
  std::string number;
  for (int digits = 3; digits <= 17; ++digits) {
    number = fmt::format("{:.{}g}", static_cast<double>(found) / *bytes, digits);
    const auto read = static_cast<int64_t>(std::stod(number) * *bytes);
    if ((read < e.value) == (found < e.value) && (read > e.value) == (found > e.value))
      break;
  }
  return fmt::format("{} {}", number, unit);
}

} // namespace

std::vector<Outcome> check_expectations(const Subject &subject) {
  std::vector<Outcome> outcomes;
  if (!subject.plan)
    return outcomes;
  for (const auto &e : subject.plan->expectations()) {
    const auto &pos = e.action.pos;
    const auto found = measure(subject, e);
    outcomes.push_back({fmt::format("{}:{}", pos.file, pos.line), e.action.text, found ? *found : -1,
                        found ? found_text(e, *found) : found.error().message(),
                        found && holds(*found, e.comparison, e.value)});
  }
  return outcomes;
}

} // namespace tw::report
