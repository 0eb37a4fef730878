// SPDX-License-Identifier: Apache-2.0
// States follow their weights most often, and then need no lines.
#include "search/spec_text.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "partition/spec.hpp"

namespace tw::search {

using partition::Plan;

namespace {

// Specs have no word for a quote inside quotes.
bool can_be_quoted(std::string_view name) { return name.find_first_of("\"\\\n") == std::string_view::npos; }

// A pattern that names these arguments and no others; one for each where there is none.
std::vector<std::string> patterns_for(const Plan &plan, std::vector<size_t> sorted) {
  const graph::Graph &graph = plan.graph();
  std::ranges::sort(sorted);
  if (sorted.size() > 1) {
    const std::string first = graph.argument_name(sorted.front());
    size_t head = first.size(), tail = first.size();
    for (const size_t a : sorted) {
      const std::string name = graph.argument_name(a);
      const auto [x, y] = std::ranges::mismatch(first, name);
      head = std::min(head, static_cast<size_t>(x - first.begin()));
      size_t same = 0;
      while (same < std::min(first.size(), name.size()) &&
             first[first.size() - 1 - same] == name[name.size() - 1 - same])
        ++same;
      tail = std::min(tail, same);
    }
    const size_t shortest = graph
                                .argument_name(*std::ranges::min_element(
                                    sorted, {}, [&](size_t a) { return graph.argument_name(a).size(); }))
                                .size();
    tail = std::min(tail, shortest - std::min(shortest, head));
    const std::string glob = first.substr(0, head) + "*" + first.substr(first.size() - tail);
    const std::string range = fmt::format("{}..{}", sorted.front(), sorted.back());
    for (const std::string &pattern : {glob, range}) {
      if (!can_be_quoted(pattern))
        continue;
      auto named = plan.names().arguments(pattern);
      if (!named)
        continue;
      std::ranges::sort(*named);
      if (*named == sorted)
        return {pattern};
    }
  }
  std::vector<std::string> each;
  for (const size_t a : sorted) {
    const std::string name = graph.argument_name(a);
    const auto named = plan.names().arguments(name);
    const bool fits = can_be_quoted(name) && named && *named == std::vector<size_t>{a};
    each.push_back(fits ? name : fmt::format("arg{}", a));
  }
  return each;
}

std::string cost_text(const ProgramStep::Cost &cost, std::string_view of_time, std::string_view of_peak) {
  return fmt::format("{}{}, {}{}", time_text(cost::in_seconds(cost.time)), of_time, bytes_text(cost.peak),
                     of_peak);
}

class SpecText {
public:
  // With lines for states or without.
  SpecText(const Plan &plan, bool states) : plan_(std::make_shared<Plan>(plan)), states_(states) {}

  Status add(const ProgramStep &step) {
    std::string what;
    switch (step.kind) {
    case Decision::Kind::tile:
      if (const size_t layers = step.lines.empty() ? 0 : step.lines[0].members.size(); layers > 1)
        what = fmt::format("{} layers: ", layers);
      break;
    case Decision::Kind::value: what = "a value between: "; break;
    case Decision::Kind::state: what = "the optimizer's state in tiles: "; break;
    case Decision::Kind::storage: what = "weights and the optimizer's state in tiles: "; break;
    case Decision::Kind::borders: what = "ops where tiles change: "; break;
    }
    std::string text =
        fmt::format("{}# {}{}{}\n", written_.spec.empty() ? "" : "\n", what,
                    cost_text(step.behind, " a run", " a device"),
                    step.without ? "; in the end, without it: " + cost_text(*step.without, "", "") : "");
    const auto add_line = [&](std::string line) {
      text += line + "\n";
      written_.actions.push_back(std::move(line));
    };
    for (const ProgramLine &line : step.lines)
      for (std::string &of_line : texts_of(line, step.kind))
        add_line(std::move(of_line));
    add_line("infer-propagate");
    const auto above = std::ranges::count(written_.spec, '\n'); // so that actions know where they stand
    TW_TRY(partition::apply_spec(*plan_, std::string(static_cast<size_t>(above), '\n') + text, "found"));
    written_.spec += text;
    return {};
  }

  Written written() && {
    written_.plan = std::move(plan_);
    return std::move(written_);
  }

private:
  std::vector<std::string> texts_of(const ProgramLine &line, Decision::Kind kind) const {
    const std::string axis(plan_->mesh().axis(line.axis).name);
    if (line.of == Line::Of::border)
      return rules_of(line, axis);
    if (line.of == Line::Of::value)
      return {fmt::format("tile(value=\"{}\", dim={}, axis=\"{}\")",
                          plan_->graph().value_name(line.members[0]), line.dim, axis)};
    if (!states_ && kind == Decision::Kind::storage && line.of_state)
      return {};
    std::vector<size_t> open; // waves of what stands above may have come to some
    std::ranges::copy_if(line.members, std::back_inserter(open), [&](uint32_t argument) {
      return plan_->entry(plan_->graph().arguments()[argument], line.axis) == nullptr;
    });
    if (open.empty())
      return {};
    std::vector<std::string> texts;
    for (const std::string &name : patterns_for(*plan_, std::move(open)))
      texts.push_back(line.dim == Line::kWhole
                          ? fmt::format("atomic(arg=\"{}\", axis=\"{}\")", name, axis)
                          : fmt::format("tile(arg=\"{}\", dim={}, axis=\"{}\")", name, line.dim, axis));
    return texts;
  }

  // Ops of all layers by their names, which have no pattern.
  std::vector<std::string> rules_of(const ProgramLine &line, const std::string &axis) const {
    std::vector<std::string> names;
    for (const graph::OpId op : line.members)
      if (plan_->entry(op, line.axis) == nullptr)
        names.push_back(plan_->graph().value_name(plan_->graph().result(op)));
    if (names.empty())
      return {};
    return {fmt::format("rule(op=\"{}\", \"{}\", axis=\"{}\")", fmt::join(names, ", "),
                        loop_name(*plan_, line.members[0], line.dim), axis)};
  }

  std::shared_ptr<Plan> plan_;
  const bool states_;
  Written written_;
};

Result<Written> write(const Plan &plan, std::span<const ProgramStep> steps, bool states) {
  SpecText text(plan, states);
  for (const ProgramStep &step : steps)
    TW_TRY(text.add(step));
  return std::move(text).written();
}

bool same_nests(const Plan &a, const Plan &b) {
  const auto same = [&](const partition::NestEntry &x, const partition::NestEntry &y) {
    return x.axis == y.axis && x.factor == y.factor && a.split(x.split) == b.split(y.split);
  };
  if (a.num_nodes() != b.num_nodes())
    return false;
  for (partition::NodeId n = 0; n < a.num_nodes(); ++n)
    if (!std::ranges::equal(a.nest(n), b.nest(n), same))
      return false;
  return true;
}

} // namespace

std::vector<ProgramStep> steps_of_program(const Space &space, std::span<const Engine::Step> steps,
                                          std::span<const cost::Price> without) {
  const auto members = [&](const Line &line) -> std::vector<uint32_t> {
    switch (line.of) {
    case Line::Of::group: {
      const std::vector<size_t> &arguments = space.groups[line.index].arguments;
      return {arguments.begin(), arguments.end()};
    }
    case Line::Of::value: return {space.values[line.index].program};
    case Line::Of::border: break;
    }
    return space.borders[line.index].program;
  };
  std::vector<ProgramStep> made;
  for (size_t i = 0; i < steps.size(); ++i) {
    const Engine::Step &step = steps[i];
    ProgramStep &of = made.emplace_back();
    of.kind = step.decision.kind;
    of.behind = {step.price.time(), step.price.peak};
    if (i < without.size())
      of.without = {without[i].time(), without[i].peak};
    for (const Line &line : step.lines)
      of.lines.push_back({line.of,
                          line.of == Line::Of::group && space.groups[line.index].purpose == Purpose::state,
                          members(line), line.dim, line.axis});
  }
  return made;
}

Result<Written> write_spec(const Plan &plan, std::span<const ProgramStep> steps) {
  TW_ASSIGN(Written all, write(plan, steps, true));
  auto shorter = write(plan, steps, false);
  return shorter && same_nests(*shorter->plan, *all.plan) ? *std::move(shorter) : std::move(all);
}

} // namespace tw::search
