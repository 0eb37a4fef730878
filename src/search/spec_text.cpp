// SPDX-License-Identifier: Apache-2.0
// States follow their weights most often, and then need no lines.
#include "search/spec_text.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/figures.hpp"
#include "partition/spec.hpp"

namespace tw::search {

using partition::Plan;

namespace {

// Specs have no word for a quote inside quotes.
bool can_be_quoted(std::string_view name) { return name.find_first_of("\"\\\n") == std::string_view::npos; }

// A pattern that names these arguments and no others; one for each where there is none.
std::vector<std::string> patterns_for(const Plan &plan, const std::vector<size_t> &arguments) {
  const graph::Graph &graph = plan.graph();
  std::vector<size_t> sorted = arguments;
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

class SpecText {
public:
  // With lines for states or without.
  SpecText(const Plan &plan, const Space &space, bool states)
      : plan_(std::make_shared<Plan>(plan)), space_(space), states_(states) {}

  // `without`: what the plan would cost without this one in the end.
  Status add(const Engine::Step &step, const cost::Price *without) {
    std::string what;
    switch (step.decision.kind) {
    case Decision::Kind::tile:
      if (const size_t layers = space_.groups[step.decision.index].arguments.size(); layers > 1)
        what = fmt::format("{} layers: ", layers);
      break;
    case Decision::Kind::value: what = "a value between: "; break;
    case Decision::Kind::state: what = "the optimizer's state in tiles: "; break;
    case Decision::Kind::storage: what = "weights and the optimizer's state in tiles: "; break;
    case Decision::Kind::borders: what = "ops where tiles change: "; break;
    }
    std::string text =
        fmt::format("{}# {}{} a run, {} a device{}\n", written_.spec.empty() ? "" : "\n", what,
                    time_text(cost::in_seconds(step.price.time())), bytes_text(step.price.peak),
                    without == nullptr ? ""
                                       : fmt::format("; in the end, without it: {}, {}",
                                                     time_text(cost::in_seconds(without->time())),
                                                     bytes_text(without->peak)));
    const auto add_line = [&](std::string line) {
      text += line + "\n";
      written_.actions.push_back(std::move(line));
    };
    for (const Line &line : step.lines)
      for (std::string &of_line : texts_of(line, step.decision.kind))
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
  std::vector<std::string> texts_of(const Line &line, Decision::Kind kind) const {
    const std::string axis(plan_->mesh().axis(line.axis).name);
    if (line.of == Line::Of::border)
      return rules_of(space_.borders[line.index], line, axis);
    if (line.of == Line::Of::value)
      return {fmt::format("tile(value=\"{}\", dim={}, axis=\"{}\")",
                          plan_->graph().value_name(space_.values[line.index].program), line.dim, axis)};
    const Group &group = space_.groups[line.index];
    if (!states_ && kind == Decision::Kind::storage && group.purpose == Purpose::state)
      return {};
    std::vector<size_t> open; // waves of what stands above may have come to some
    std::ranges::copy_if(group.arguments, std::back_inserter(open), [&](size_t argument) {
      return plan_->entry(plan_->graph().arguments()[argument], line.axis) == nullptr;
    });
    if (open.empty())
      return {};
    std::vector<std::string> texts;
    for (const std::string &name : patterns_for(*plan_, open))
      texts.push_back(line.dim == Line::kWhole
                          ? fmt::format("atomic(arg=\"{}\", axis=\"{}\")", name, axis)
                          : fmt::format("tile(arg=\"{}\", dim={}, axis=\"{}\")", name, line.dim, axis));
    return texts;
  }

  // One for each op: names have no pattern.
  std::vector<std::string> rules_of(const Border &border, const Line &line, const std::string &axis) const {
    std::vector<std::string> texts;
    for (const graph::OpId op : border.program)
      if (plan_->entry(op, line.axis) == nullptr)
        texts.push_back(fmt::format("rule(op=\"{}\", \"{}\", axis=\"{}\")",
                                    plan_->graph().value_name(plan_->graph().result(op)),
                                    loop_name(*plan_, op, line.dim), axis));
    return texts;
  }

  std::shared_ptr<Plan> plan_;
  const Space &space_;
  const bool states_;
  Written written_;
};

Result<Written> write(const Plan &plan, const Space &space, std::span<const Engine::Step> steps,
                      std::span<const cost::Price> without, bool states) {
  SpecText text(plan, space, states);
  for (size_t i = 0; i < steps.size(); ++i)
    TW_TRY(text.add(steps[i], i < without.size() ? &without[i] : nullptr));
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

Result<Written> write_spec(const Plan &plan, const Space &space, std::span<const Engine::Step> steps,
                           std::span<const cost::Price> without) {
  TW_ASSIGN(Written all, write(plan, space, steps, without, true));
  auto shorter = write(plan, space, steps, without, false);
  return shorter && same_nests(*shorter->plan, *all.plan) ? *std::move(shorter) : std::move(all);
}

} // namespace tw::search
