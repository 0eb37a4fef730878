// SPDX-License-Identifier: Apache-2.0
// The answer: does it fit, how long does it take, what does it move, what costs most and what to do about it.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "report/conflicts.hpp"
#include "report/notes.hpp"
#include "report/page/section.hpp"
#include "report/program_json.hpp"

namespace tw::report::section_verdict {
namespace {

// Something that costs much, and what would change that.
struct Cost {
  double weight; // of the whole that it is a part of
  std::string what, why, todo;
  const char *section; // that shows more
};

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
void add_collectives(const PageOf &of, const Facts &facts, std::vector<Cost> &costs) {
  struct Sum {
    const CollectiveFacts *first;
    size_t count = 0;
    double seconds = 0, bytes = 0;
  };
  std::map<std::string, Sum> sums;
  for (size_t id = 0; id < facts.collectives.size(); ++id) {
    const CollectiveFacts &c = facts.collectives[id];
    Sum &sum =
        sums.try_emplace(fmt::format("{} over {}", redistribute::name(c.kind), fmt::join(c.axes, ",")), &c)
            .first->second;
    ++sum.count;
    sum.bytes += static_cast<double>(c.bytes_received) * static_cast<double>(c.times);
    if (of.estimated && of.estimated->facts.step_of[id] != graph::kNone) {
      const cost::StepTime &step = of.estimated->estimate.steps[of.estimated->facts.step_of[id]];
      sum.seconds += step.seconds * static_cast<double>(step.times);
    }
  }
  const double all = of.estimated ? of.estimated->estimate.serial_s
                                  : static_cast<double>(facts.statistics->bytes_received_max);
  for (const auto &[what, sum] : sums) {
    const double part = all > 0 ? (of.estimated ? sum.seconds : sum.bytes) / all : 0;
    if (part > 0)
      costs.push_back(
          {part, fmt::format("{} {}", sum.count, what),
           of.estimated ? fmt::format("{} a step, {} received", time_text(sum.seconds), bytes_text(sum.bytes))
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
void add_decisions(const PageOf &of, const Facts &facts, std::vector<Cost> &costs) {
  const auto received = static_cast<double>(facts.statistics->bytes_received_max);
  for (const auto &reports : {conflicts_of(of.subject), disagreements_of(of.subject)})
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

Json costs_json(const PageOf &of, const Facts &facts) {
  constexpr size_t kShown = 3;
  std::vector<Cost> costs;
  add_collectives(of, facts, costs);
  add_decisions(of, facts, costs);
  if (of.estimated) {
    add_steps(*of.estimated, costs);
    add_memory(*of.estimated, costs);
  }
  std::ranges::stable_sort(costs, std::greater(), &Cost::weight);
  costs.resize(std::min(costs.size(), kShown));
  return column(costs, [](const Cost &c) {
    return Json{{"weight", std::min(c.weight, 1.0)},
                {"what", c.what},
                {"why", c.why},
                {"todo", c.todo},
                {"section", c.section}};
  });
}

Result<Json> facts(const PageOf &of, Texts &) {
  const auto facts = facts_of(of.subject);
  const spmd::Program &p = *of.subject.program;
  const spmd::Statistics &statistics = *facts->statistics;
  TW_ASSIGN(const int64_t peak, peak_bytes(of.subject));
  Json json = {
      {"tilewright", TW_VERSION},
      {"title", facts->title},
      {"module", p.graph().module_name()},
      {"file", p.graph().file()},
      {"mesh", mesh_json(p.mesh())},
      {"mesh_text", p.mesh().text()},
      {"ops", facts->ops},
      {"counts", counts_json(statistics.counts)},
      {"executed", counts_json(statistics.executed)},
      {"unknown_trips", statistics.unknown_trips},
      {"bytes_received",
       {{"max", statistics.bytes_received_max}, {"mean", std::llround(statistics.bytes_received_mean)}}},
      {"peak_bytes", peak},
      {"expectations", expectations_json(*expectations_of(of.subject))},
      {"notes", notes_of(of.subject)},
      {"timing_ms", timing_json(of.subject)}};
  json["estimate"] = of.estimated ? estimate_json(*of.estimated) : Json();
  json["costs"] = costs_json(of, *facts);
  return json;
}

} // namespace

const Section section = {"verdict", facts};

} // namespace tw::report::section_verdict
