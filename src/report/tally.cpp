// SPDX-License-Identifier: Apache-2.0
// Sums over the collectives of a program.
#include "report/tally.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.hpp"

namespace tw::report {

CollectivePlan plan_of(const spmd::Collective &c) {
  CollectivePlan plan{c.moves[0]->plan().method, 0,
                      std::vector<int64_t>(c.moves[0]->bytes_by_level().size(), 0)};
  for (const redistribute::Move *move : c.moves) {
    plan.steps = std::max(plan.steps, move->plan().steps.size());
    for (size_t level = 0; level < plan.bytes_by_level.size(); ++level)
      plan.bytes_by_level[level] += move->bytes_by_level()[level];
  }
  return plan;
}

Result<size_t> count_kind(const spmd::Program &program, std::string_view kind) {
  std::vector<std::string> known;
  for (const redistribute::Kind k : kCountedKinds)
    known.emplace_back(redistribute::name(k));
  if (std::ranges::find(known, kind) == known.end())
    return fail(Code::not_found, "TW-792",
                fmt::format("there is no kind of collective '{}'{}; there are {}", kind,
                            nearest_text(kind, known), fmt::join(known, ", ")));
  return static_cast<size_t>(
      std::count_if(program.collectives().begin(), program.collectives().end(),
                    [&](const auto &c) { return redistribute::name(c.summary.kind) == kind; }));
}

} // namespace tw::report
