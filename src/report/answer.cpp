// SPDX-License-Identifier: Apache-2.0
// Sums up: totals, memory over the program, the dearest, expectations and open conflicts.
#include "report/answer.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "report/alike.hpp"
#include "report/conflicts.hpp"
#include "report/costs.hpp"
#include "report/describe.hpp"
#include "report/estimate.hpp"
#include "report/facts.hpp"

namespace tw::report {
namespace {

// "16 all_reduce over model (of 48 arrays), 2 all_gather over data"
std::string totals(const Facts &facts, const spmd::Program &p) {
  struct Group {
    std::string name;
    int64_t count = 0, uncombined = 0;
  };
  std::vector<Group> groups;
  for (const CollectiveFacts &c : facts.collectives) {
    const auto key = fmt::format("{} over {}", redistribute::name(c.kind), fmt::join(c.axes, ","));
    auto group = std::ranges::find(groups, key, &Group::name);
    if (group == groups.end())
      group = groups.insert(group, {key});
    ++group->count;
    group->uncombined += p.num_combined(p.collectives()[c.index]);
  }
  std::string text;
  for (const Group &group : groups) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", group.count, group.name);
    if (group.uncombined != group.count)
      text += fmt::format(" (of {} arrays)", group.uncombined);
  }
  return text.empty() ? "none" : text;
}

// The most of each part of the program; the highest block is the peak.
std::string curve(const std::vector<int64_t> &bytes, int64_t peak) {
  constexpr std::array<const char *, 8> blocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr size_t kColumns = 48;
  std::string text;
  for (size_t c = 0; c < kColumns; ++c) {
    const size_t begin = c * bytes.size() / kColumns, end = (c + 1) * bytes.size() / kColumns;
    const int64_t most = *std::max_element(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                                           bytes.begin() + static_cast<std::ptrdiff_t>(end));
    text += blocks[static_cast<size_t>(std::clamp(
        static_cast<double>(most) / static_cast<double>(std::max<int64_t>(peak, 1)) * 8 - 0.5, 0.0, 7.0))];
  }
  return text;
}

// Nothing of a program of few steps, whose curve says nothing.
std::string memory_text(const Subject &s) {
  constexpr size_t kFewSteps = 96;
  const auto memory = memory_of(s);
  if (!memory || (*memory)->peak.at.size() < kFewSteps)
    return {};
  const runtime::Peak &peak = (*memory)->peak;
  const size_t step = peak.time - 1; // of none where arguments alone are there
  const Origin at =
      step < (*memory)->instr_of.size() ? origin_of(*s.program, (*memory)->instr_of[step]) : Origin();
  return fmt::format("memory      {} as the program goes{}{}\n", curve(peak.at, peak.at[peak.time]),
                     at.value.empty() ? "" : ", most at " + at.value,
                     at.location.empty() ? "" : " (" + brief(at.location) + ")");
}

// Nothing where the tables are short enough to see it.
std::string costs_text(const Subject &s, const Facts &facts) {
  constexpr size_t kFewRows = 5, kShown = 5;
  constexpr double kLittle = 0.01;
  if (alike_collectives(facts.collectives).size() <= kFewRows)
    return {};
  std::string text = "\ncosts most, of the bytes received\n";
  size_t shown = 0;
  for (const Cost &cost : costs_of(s, nullptr))
    if (cost.weight >= kLittle && shown++ < kShown)
      text += fmt::format("  {:3.0f} %  {}: {}\n         {}\n", 100 * std::min(cost.weight, 1.0), cost.what,
                          cost.why, cost.todo);
  return text;
}

std::string expectations_text(const std::vector<Outcome> &outcomes) {
  std::string text;
  for (const Outcome &o : outcomes)
    text += fmt::format("  {}  {}  {}{}\n", o.holds ? "holds" : "FAILS", o.line, o.text,
                        o.holds ? "" : fmt::format(" (found {})", o.found_text));
  return text.empty() ? "" : "\nexpectations\n" + text;
}

} // namespace

std::string answer_text(const Subject &s) {
  const auto facts = facts_of(s);
  const auto outcomes = expectations_of(s);
  const spmd::Statistics &statistics = *facts->statistics;
  return expectations_text(*outcomes) + costs_text(s, *facts) +
         fmt::format("\ntotal       {}\nreceived    {} by the busiest device, {} on average{}\npeak        "
                     "{} on the device that needs most\n",
                     totals(*facts, *s.program),
                     bytes_text(static_cast<double>(statistics.bytes_received_max)),
                     bytes_text(statistics.bytes_received_mean),
                     statistics.unknown_trips ? " (loops that data end count once)" : "",
                     bytes_text(peak_bytes(s).value_or(-1))) +
         memory_text(s);
}

} // namespace tw::report
