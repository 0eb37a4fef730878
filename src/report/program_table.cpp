// SPDX-License-Identifier: Apache-2.0
// The tables that `tw plan` and `tw run` print.
#include "report/program_table.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "base/table.hpp"
#include "ops/registry.hpp"
#include "report/conflicts.hpp"
#include "report/describe.hpp"
#include "report/expectations.hpp"
#include "report/notes.hpp"
#include "report/peak.hpp"
#include "report/tally.hpp"
#include "sharding/axis_names.hpp"

namespace tw::report {
namespace {

using Align = Table::Align;

std::string shapes_text(const LocalShapes &shapes) {
  if (shapes.distinct.empty())
    return fmt::format("[{}]", fmt::join(shapes.first, ","));
  std::string text;
  for (const auto &[shape, devices] : shapes.distinct)
    text += fmt::format("{}{}x[{}]", text.empty() ? "" : " ", devices, fmt::join(shape, ","));
  return text;
}

// "[64,16]": its element type stands beside it.
std::string local_shape(const spmd::Program &p, const spmd::Collective &c) {
  const std::string type = local_type(p, c);
  return type.substr(std::min(type.find('['), type.size()));
}

std::string values_table(const Subject &s, spmd::InstrKind kind, size_t width) {
  const auto &p = *s.program;
  Table table({{"#", Align::right},
               {kind == spmd::InstrKind::argument ? "argument" : "result", Align::left, 12, true},
               {"type"},
               {"sharding"},
               {"local", Align::left, 10},
               {"bytes", Align::right},
               {"cause", Align::left, 8}});
  for (const auto &instr : p.instrs()) {
    if (instr.kind != kind)
      continue;
    const bool argument = kind == spmd::InstrKind::argument;
    table.add({std::to_string(instr.index),
               argument ? p.graph().argument_name(instr.index) : p.graph().result_name(instr.index),
               graph::to_short_text(p.type(value_of(p, instr))), sharding_text(p, instr),
               shapes_text(local_shapes(p, instr)), bytes_text(static_cast<double>(local_bytes(p, instr))),
               !s.plan    ? std::string()
               : argument ? brief(cause_of_node(*s.plan, instr.op))
                          : brief(cause_of_result(*s.plan, instr.index))});
  }
  return table.text(width);
}

std::string collectives_table(const Subject &s, size_t width) {
  const auto &p = *s.program;
  const auto counted = counted_collectives(p);
  if (counted.empty())
    return "  none\n";
  const auto statistics = spmd::find_statistics(p);
  const bool again = std::ranges::any_of(counted, [&](uint32_t c) { return statistics.times[c] != 1; });
  Table table({{"id", Align::right},
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
  for (size_t id = 0; id < counted.size(); ++id) {
    const auto &c = p.collectives()[counted[id]];
    const auto op = op_of(c);
    const size_t more = p.instrs()[c.instr].num_operands - 1;
    const auto and_more = [&](std::string text) {
      return more == 0 ? text : fmt::format("{} and {} more", text, more);
    };
    const bool reduces = c.summary.reduction != sharding::Reduction::raw;
    std::string by, steps, entering; // a group of the outermost level
    if (c.is_planned()) {
      const CollectivePlan plan = plan_of(c);
      by = redistribute::name(plan.method);
      steps = std::to_string(plan.steps);
      entering = bytes_text(static_cast<double>(plan.bytes_by_level.front()));
    }
    table.add({std::to_string(id),
               reduces ? fmt::format("{} {}", redistribute::name(c.summary.kind),
                                     sharding::name(c.summary.reduction))
                       : std::string(redistribute::name(c.summary.kind)),
               fmt::format("{}", fmt::join(sharding::axis_names(c.summary.axes, p.mesh()), ",")),
               and_more(graph::to_short_text(p.graph().type(c.value))), local_shape(p, c),
               bytes_text(static_cast<double>(c.summary.bytes_received_max)),
               again ? std::to_string(statistics.times[counted[id]]) : std::string(), by, steps, entering,
               and_more(p.graph().value_name(c.value)), std::string(ops::short_name(op_name(p.graph(), op))),
               op == graph::kNone ? std::string() : brief(p.graph().location_text(op)),
               brief(cause_of_collective(s, c))});
  }
  return table.text(width);
}

// "16 all_reduce over model (of 48 arrays), 2 all_gather over data"
std::string totals(const Subject &s) {
  const auto &p = *s.program;
  struct Group {
    std::string name;
    int64_t count = 0, uncombined = 0;
  };
  std::vector<Group> groups;
  for (auto i : counted_collectives(p)) {
    const auto &c = p.collectives()[i];
    const auto key = fmt::format("{} over {}", redistribute::name(c.summary.kind),
                                 fmt::join(sharding::axis_names(c.summary.axes, p.mesh()), ","));
    auto group = std::ranges::find(groups, key, &Group::name);
    if (group == groups.end())
      group = groups.insert(group, {key});
    ++group->count;
    group->uncombined += p.num_combined(c);
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
  for (const auto &o : check_expectations(s))
    text += fmt::format("  {}  {}  {}{}\n", o.holds ? "holds" : "FAILS", o.line, o.text,
                        o.holds ? "" : fmt::format(" (found {})", o.found_text));
  return text.empty() ? "" : "\nexpectations\n" + text;
}

} // namespace

std::string program_table(const Subject &s, size_t width) {
  const auto &p = *s.program;
  const auto statistics = spmd::find_statistics(p);
  std::string text = fmt::format(
      "{}: {} ops on mesh {} ({} devices)\n\n",
      p.graph().module_name().empty() ? brief(p.graph().file()) : std::string(p.graph().module_name()),
      p.num_planned_ops() - p.graph().arguments().size() - p.graph().results().size(),
      p.mesh().num_axes() ? p.mesh().text() : "of one", p.mesh().num_devices());
  text += "arguments\n" + values_table(s, spmd::InstrKind::argument, width);
  text += "\nresults\n" + values_table(s, spmd::InstrKind::result, width);
  text += "\ncollectives\n" + collectives_table(s, width);
  text +=
      fmt::format("\ntotal       {}\nreceived    {} by the busiest device, {} on average{}\npeak        {} "
                  "on the device that needs most\n",
                  totals(s), bytes_text(static_cast<double>(statistics.bytes_received_max)),
                  bytes_text(statistics.bytes_received_mean),
                  statistics.unknown_trips ? " (loops that data end count once)" : "",
                  bytes_text(peak_bytes(s).value_or(-1)));
  for (const auto &note : notes_of(s))
    text += fmt::format("note        {}\n", note);
  text += reports_text("conflicts: {} left undecided; a later action on either side decides them",
                       conflict_reports(s));
  auto disagreements = disagreement_reports(s);
  std::erase_if(disagreements, [](const ConflictReport &c) { return !c.moves; });
  text += reports_text("disagreements: {} between decided neighbours; the program as it stands comes first",
                       disagreements);
  text += expectations_text(s);
  return text;
}

} // namespace tw::report
