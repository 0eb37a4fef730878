// SPDX-License-Identifier: Apache-2.0
// The tables that `tw plan` and `tw run` print.
#include "report/program_table.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "base/table.hpp"
#include "ops/registry.hpp"
#include "report/alike.hpp"
#include "report/answer.hpp"
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

constexpr size_t kShown = 16;

// Rows that are alike as one. Of many those that have most bytes, among them one for each cause, so that
// every action is seen; in their order.
struct Rows {
  std::vector<Alike> shown;
  std::string rest;

  template <class Bytes, class Cause>
  Rows(std::vector<Alike> groups, const Bytes &bytes, const Cause &cause, bool all) {
    if (all || groups.size() <= kShown) {
      shown = std::move(groups);
      return;
    }
    std::vector<size_t> order(groups.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return bytes(groups[i]); });
    std::set<std::string_view> causes;
    const auto is_first = [&](size_t i) { return causes.insert(cause(groups[i])).second; };
    std::stable_partition(order.begin(), order.end(), is_first);
    int64_t most = 0;
    for (size_t i = kShown; i < order.size(); ++i)
      most = std::max(most, bytes(groups[order[i]]));
    rest = fmt::format("  .. and {} more rows, each of at most {} (--all)\n", groups.size() - kShown,
                       bytes_text(static_cast<double>(most)));
    order.resize(kShown);
    std::ranges::sort(order);
    for (const size_t i : order)
      shown.push_back(std::move(groups[i]));
  }
};

std::string shapes_text(const LocalShapes &shapes) {
  if (shapes.distinct.empty())
    return fmt::format("[{}]", fmt::join(shapes.first, ","));
  std::string text;
  for (const auto &[shape, devices] : shapes.distinct)
    text += fmt::format("{}{}x[{}]", text.empty() ? "" : " ", devices, fmt::join(shape, ","));
  return text;
}

std::string values_table(const std::vector<ValueFacts> &values, const char *title, size_t width, bool all) {
  Table table({{"#", Align::right},
               {title, Align::left, 12, true},
               {""},
               {"type"},
               {"sharding"},
               {"local", Align::left, 10},
               {"bytes", Align::right},
               {"cause", Align::left, 8}});
  const auto bytes = [&](const Alike &row) {
    return values[row.members[0]].bytes * static_cast<int64_t>(row.members.size());
  };
  const auto cause = [&](const Alike &row) { return std::string_view(values[row.members[0]].cause); };
  const Rows rows(alike_values(values), bytes, cause, all);
  for (const Alike &alike : rows.shown) {
    const ValueFacts &first = values[alike.members[0]];
    table.add({std::to_string(first.index), alike.name, times_text(alike), first.type, first.sharding,
               shapes_text(first.local), bytes_text(static_cast<double>(first.bytes)), brief(first.cause)});
  }
  return table.text(width) + rows.rest;
}

std::string collectives_table(const std::vector<CollectiveFacts> &collectives, size_t width, bool all) {
  if (collectives.empty())
    return "  none\n";
  const bool again = std::ranges::any_of(collectives, [](const CollectiveFacts &c) { return c.times != 1; });
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
  const auto bytes = [&](const Alike &row) {
    const CollectiveFacts &c = collectives[row.members[0]];
    return c.bytes_received * c.times * static_cast<int64_t>(row.members.size());
  };
  const auto cause = [&](const Alike &row) { return std::string_view(collectives[row.members[0]].cause); };
  const Rows rows(alike_collectives(collectives), bytes, cause, all);
  for (const Alike &alike : rows.shown) {
    const CollectiveFacts &c = collectives[alike.members[0]];
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
  return table.text(width) + rows.rest;
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
std::string reports_text(std::string_view heading, const std::vector<ConflictReport> &reports, bool all) {
  const size_t shown = all ? reports.size() : std::min(reports.size(), kShown);
  std::string text;
  for (size_t i = 0; i < shown; ++i) {
    const ConflictReport &c = reports[i];
    text += fmt::format("  {} on {}: {}{}{}\n", partition::name(c.kind), c.axis, c.value,
                        c.op.empty() ? "" : " = " + c.op, c.location.empty() ? "" : " at " + c.location);
    for (const auto &r : c.candidates)
      text += fmt::format("    {:<8} {:<34} from {}\n", r.factor, cost_text(r),
                          r.source.empty() ? "the program" : r.source);
  }
  if (reports.size() > shown)
    text += fmt::format("  .. and {} more (--all)\n", reports.size() - shown);
  return text.empty() ? text
                      : fmt::format("\n{}\n{}", fmt::format(fmt::runtime(heading), reports.size()), text);
}

} // namespace

std::string program_table(const Subject &s, size_t width, bool all) {
  const auto &p = *s.program;
  const auto facts = facts_of(s);
  std::string text = fmt::format("{}: {} ops on mesh {} ({} devices)\n\n", facts->title, facts->ops,
                                 p.mesh().num_axes() ? p.mesh().text() : "of one", p.mesh().num_devices());
  text += "arguments\n" + values_table(facts->arguments, "argument", width, all);
  text += "\nresults\n" + values_table(facts->results, "result", width, all);
  text += "\ncollectives\n" + collectives_table(facts->collectives, width, all);
  text += reports_text("conflicts: {} left undecided; a later action on either side decides them",
                       *conflicts_of(s), all);
  auto disagreements = *disagreements_of(s);
  std::erase_if(disagreements, [](const ConflictReport &c) { return !c.moves; });
  text += reports_text("disagreements: {} between decided neighbours; the program as it stands comes first",
                       disagreements, all);
  text += answer_text(s);
  for (const auto &note : notes_of(s))
    text += fmt::format("note        {}\n", note);
  return text;
}

} // namespace tw::report
