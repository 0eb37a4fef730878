// SPDX-License-Identifier: Apache-2.0
// Weighs collectives by kind, steps, open decisions and memory.
#include "report/costs.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "report/conflicts.hpp"
#include "report/facts.hpp"

namespace tw::report {
namespace {

// `bytes`: of each of them.
std::string collective_todo(const CollectiveFacts &c, double bytes, size_t count) {
  constexpr double kSmall = 64e3;
  if (bytes < kSmall && count > 1)
    return c.kind == redistribute::Kind::all_reduce
               ? "They are small, so that most of their time is latency: make few of many (--buckets)."
               : "They are small, so that most of their time is latency: keep such arrays whole.";
  switch (c.kind) {
  case redistribute::Kind::all_gather:
    return "Tile its uses the same way; where memory is short, --gathers per-use holds less and moves more.";
  case redistribute::Kind::all_reduce:
    return "Tile what uses the sum, so that it is scattered instead of given to all.";
  case redistribute::Kind::reduce_scatter:
    return "Reduce over a smaller or faster axis, or over fewer of them.";
  case redistribute::Kind::all_to_all: return "Keep one dimension tiled on both sides of this op.";
  default: return "State the same layout on both sides.";
  }
}

// Collectives of one kind over the same axes, by the time that they take, or by what they bring where no
// machine is named.
void add_collectives(const Estimated *estimated, const Facts &facts, std::vector<Cost> &costs) {
  struct Sum {
    const CollectiveFacts *first;
    size_t count = 0;
    double seconds = 0, bytes = 0;
  };
  std::map<std::string, Sum> sums;
  for (size_t id = 0; id < facts.collectives.size(); ++id) {
    const CollectiveFacts &c = facts.collectives[id];
    Sum &sum = sums.try_emplace(fmt::format("{} over {}", redistribute::name(c.kind), fmt::join(c.axes, ",")),
                                Sum{&c})
                   .first->second;
    ++sum.count;
    sum.bytes += static_cast<double>(c.bytes_received) * static_cast<double>(c.times);
    if (estimated && estimated->facts.step_of[id] != graph::kNone) {
      const cost::StepTime &step = estimated->estimate.steps[estimated->facts.step_of[id]];
      sum.seconds += step.seconds * static_cast<double>(step.times);
    }
  }
  const double all =
      estimated ? estimated->estimate.serial_s : static_cast<double>(facts.statistics->bytes_received_max);
  for (const auto &[what, sum] : sums) {
    const double part = all > 0 ? (estimated ? sum.seconds : sum.bytes) / all : 0;
    if (part > 0)
      costs.push_back(
          {part, fmt::format("{} {}", sum.count, what),
           estimated ? fmt::format("{} a step, {} received", time_text(sum.seconds), bytes_text(sum.bytes))
                     : fmt::format("{} received", bytes_text(sum.bytes)),
           collective_todo(*sum.first, sum.bytes / static_cast<double>(sum.count), sum.count),
           "collectives"});
  }
}

void add_steps(const Estimated &of, std::vector<Cost> &costs) {
  for (const auto &[first, times] : of.facts.dearest) {
    const cost::StepTime &step = of.estimate.steps[first];
    const double seconds = step.seconds * static_cast<double>(times);
    if (step.moves || of.estimate.serial_s <= 0)
      continue;
    costs.push_back({seconds / of.estimate.serial_s,
                     fmt::format("{} run{} of {}", times, times == 1 ? "" : "s", of.facts.steps[first].what),
                     fmt::format("{} a step, bound by {}", time_text(seconds), bound_of(step)),
                     step.by_memory ? "It reads and writes more than it computes: tile it over one more axis."
                                    : "It computes at the rate of the device: tile it over one more axis.",
                     "timeline"});
  }
}

// What moves less, of all that was left open or disagrees.
void add_decisions(const Subject &subject, const Facts &facts, std::vector<Cost> &costs) {
  const auto received = static_cast<double>(facts.statistics->bytes_received_max);
  for (const auto &reports : {conflicts_of(subject), disagreements_of(subject)})
    for (const ConflictReport &c : *reports)
      for (const Resolution &way : c.candidates)
        if (way.more && *way.more < 0 && received > 0)
          costs.push_back(
              {-static_cast<double>(*way.more) / received,
               fmt::format("{} on axis {}: {}", partition::name(c.kind), c.axis, c.value),
               fmt::format("{} less would be received", bytes_text(-static_cast<double>(*way.more))),
               fmt::format("Decide {} there{}.", way.factor,
                           way.source.empty() ? "" : ", as " + way.source + " asks"),
               "conflicts"});
}

void add_memory(const Estimated &of, std::vector<Cost> &costs) {
  if (of.estimate.fits() || of.estimate.held.empty())
    return;
  std::map<cost::Role, double> by_role;
  for (const cost::HeldValue &held : of.estimate.held)
    by_role[held.role] += static_cast<double>(held.bytes);
  const auto most = std::ranges::max_element(by_role, {}, [](const auto &entry) { return entry.second; });
  const char *todo = "Tile them over one more axis, or use more devices.";
  if (most->first == cost::Role::gathered)
    todo = "Gather parameters for each use: --gathers per-use.";
  else if (most->first == cost::Role::state || most->first == cost::Role::parameter)
    todo = "Tile parameters and the optimizer's state over one more axis, as ZeRO does.";
  costs.push_back({2, // it cannot run before this is solved
                   fmt::format("{} needs {} of {}", cost::name(most->first), bytes_text(most->second),
                               bytes_text(of.estimate.cap_bytes)),
                   fmt::format("{} are held at once, {} too many", bytes_text(of.estimate.peak_bytes),
                               bytes_text(of.estimate.peak_bytes - of.estimate.cap_bytes)),
                   todo, "memory"});
}

} // namespace

std::vector<Cost> costs_of(const Subject &subject, const Estimated *estimated) {
  const auto facts = facts_of(subject);
  std::vector<Cost> costs;
  add_collectives(estimated, *facts, costs);
  add_decisions(subject, *facts, costs);
  if (estimated != nullptr) {
    add_steps(*estimated, costs);
    add_memory(*estimated, costs);
  }
  std::ranges::stable_sort(costs, std::greater(), &Cost::weight);
  return costs;
}

} // namespace tw::report
