// SPDX-License-Identifier: Apache-2.0
// The tables that `tw plan` and `tw run` print.
#include "report/program_table.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "base/table.hpp"
#include "ops/registry.hpp"
#include "report/alike.hpp"
#include "report/conflicts.hpp"
#include "report/describe.hpp"
#include "report/facts.hpp"
#include "report/notes.hpp"

namespace tw::report {
namespace {

using Align = Table::Align;

// "x4"; nothing of one row.
std::string times_text(const Alike &alike) {
  return alike.members.size() == 1 ? std::string() : fmt::format("x{}", alike.members.size());
}

std::string shapes_text(const LocalShapes &shapes) {
  if (shapes.distinct.empty())
    return fmt::format("[{}]", fmt::join(shapes.first, ","));
  std::string text;
  for (const auto &[shape, devices] : shapes.distinct)
    text += fmt::format("{}{}x[{}]", text.empty() ? "" : " ", devices, fmt::join(shape, ","));
  return text;
}

std::string values_table(const std::vector<ValueFacts> &values, const char *title, size_t width) {
  Table table({{"#", Align::right},
               {title, Align::left, 12, true},
               {""},
               {"type"},
               {"sharding"},
               {"local", Align::left, 10},
               {"bytes", Align::right},
               {"cause", Align::left, 8}});
  for (const Alike &alike : alike_values(values)) {
    const ValueFacts &first = values[alike.members[0]];
    table.add({std::to_string(first.index), alike.name, times_text(alike), first.type, first.sharding,
               shapes_text(first.local), bytes_text(static_cast<double>(first.bytes)), brief(first.cause)});
  }
  return table.text(width);
}

std::string collectives_table(const std::vector<CollectiveFacts> &all, size_t width) {
  if (all.empty())
    return "  none\n";
  const bool again = std::ranges::any_of(all, [](const CollectiveFacts &c) { return c.times != 1; });
  Table table({{"id", Align::right},
               {""},
               {"kind"},
               {"over"},
               {"type"},
               {"local", Align::left, 10, false, true},
               {"received", Align::right},
               {"times", Align::right},
               {"by"},
               {"steps", Align::right},
               {"enters", Align::right},
               {"value", Align::left, 10},
               {"op", Align::left, 12, false, true},
               {"location", Align::left, 9, true},
               {"cause", Align::left, 8}});
  for (const Alike &alike : alike_collectives(all)) {
    const CollectiveFacts &c = all[alike.members[0]];
    const auto and_more = [&](const std::string &text) {
      return c.values.size() == 1 ? text : fmt::format("{} and {} more", text, c.values.size() - 1);
    };
    std::string by, steps, entering; // a group of the outermost level
    if (c.plan) {
      by = redistribute::name(c.plan->method);
      steps = std::to_string(c.plan->steps);
      entering = bytes_text(static_cast<double>(c.plan->bytes_by_level.front()));
    }
    table.add({std::to_string(alike.members[0]), times_text(alike),
               c.reduction ? fmt::format("{} {}", redistribute::name(c.kind), sharding::name(*c.reduction))
                           : std::string(redistribute::name(c.kind)),
               fmt::format("{}", fmt::join(c.axes, ",")), and_more(c.type),
               // its element type stands beside it
               c.local_type.substr(std::min(c.local_type.find('['), c.local_type.size())),
               bytes_text(static_cast<double>(c.bytes_received)),
               again ? std::to_string(c.times) : std::string(), by, steps, entering, and_more(c.value),
               std::string(ops::short_name(c.op)), brief(c.location), brief(c.cause)});
  }
  return table.text(width);
}

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

// "12.3 kB (-4.1 kB)"; what is in brackets is the difference to the program as it stands.
std::string cost_text(const Resolution &way) {
  if (!way.bytes)
    return way.counted ? "cannot be" : "not counted";
  const std::string bytes = bytes_text(static_cast<double>(*way.bytes));
  if (*way.more == 0)
    return "would receive " + bytes;
  return fmt::format("would receive {} ({}{})", bytes, *way.more < 0 ? '-' : '+',
                     bytes_text(std::abs(static_cast<double>(*way.more))));
}

// The reports under a heading, each with its candidates; of many the first ones.
std::string reports_text(std::string_view heading, const std::vector<ConflictReport> &reports) {
  constexpr size_t kShown = 16;
  std::string text;
  for (size_t i = 0; i < std::min(reports.size(), kShown); ++i) {
    const ConflictReport &c = reports[i];
    text += fmt::format("  {} on {}: {}{}{}\n", partition::name(c.kind), c.axis, c.value,
                        c.op.empty() ? "" : " = " + c.op, c.location.empty() ? "" : " at " + c.location);
    for (const auto &r : c.candidates)
      text += fmt::format("    {:<8} {:<34} from {}\n", r.factor, cost_text(r),
                          r.source.empty() ? "the program" : r.source);
  }
  if (reports.size() > kShown)
    text += fmt::format("  and {} more: --json lists all\n", reports.size() - kShown);
  return text.empty() ? text
                      : fmt::format("\n{}\n{}", fmt::format(fmt::runtime(heading), reports.size()), text);
}

std::string expectations_text(const Subject &s) {
  std::string text;
  for (const auto &o : *expectations_of(s))
    text += fmt::format("  {}  {}  {}{}\n", o.holds ? "holds" : "FAILS", o.line, o.text,
                        o.holds ? "" : fmt::format(" (found {})", o.found_text));
  return text.empty() ? "" : "\nexpectations\n" + text;
}

} // namespace

std::string program_table(const Subject &s, size_t width) {
  const auto &p = *s.program;
  const auto facts = facts_of(s);
  const spmd::Statistics &statistics = *facts->statistics;
  std::string text = fmt::format("{}: {} ops on mesh {} ({} devices)\n\n", facts->title, facts->ops,
                                 p.mesh().num_axes() ? p.mesh().text() : "of one", p.mesh().num_devices());
  text += "arguments\n" + values_table(facts->arguments, "argument", width);
  text += "\nresults\n" + values_table(facts->results, "result", width);
  text += "\ncollectives\n" + collectives_table(facts->collectives, width);
  text +=
      fmt::format("\ntotal       {}\nreceived    {} by the busiest device, {} on average{}\npeak        {} "
                  "on the device that needs most\n",
                  totals(*facts, p), bytes_text(static_cast<double>(statistics.bytes_received_max)),
                  bytes_text(statistics.bytes_received_mean),
                  statistics.unknown_trips ? " (loops that data end count once)" : "",
                  bytes_text(peak_bytes(s).value_or(-1)));
  for (const auto &note : notes_of(s))
    text += fmt::format("note        {}\n", note);
  text += reports_text("conflicts: {} left undecided; a later action on either side decides them",
                       *conflicts_of(s));
  auto disagreements = *disagreements_of(s);
  std::erase_if(disagreements, [](const ConflictReport &c) { return !c.moves; });
  text += reports_text("disagreements: {} between decided neighbours; the program as it stands comes first",
                       disagreements);
  text += expectations_text(s);
  return text;
}

} // namespace tw::report
