// SPDX-License-Identifier: Apache-2.0
// Names the two sides of a collective.
#include "report/explain_collective.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.hpp"
#include "partition/target.hpp"
#include "report/describe.hpp"
#include "report/facts.hpp"
#include "sharding/spans_text.hpp"

namespace tw::report {
namespace {

std::string side_text(const Subject &s, const char *role, graph::OpId op, spmd::ValueRef v) {
  const auto &p = *s.program;
  const auto &graph = p.graph();
  const auto text = sharding::to_text(p.sharding(p.values()[v].sharding), p.type(v).dims, p.mesh());
  if (op == graph::kNone)
    return fmt::format("  {} as {}\n", role, text);
  const auto location = graph.location_text(op);
  const auto name = graph.op(op).num_results ? graph.value_name(graph.result(op)) + " = " : std::string();
  return fmt::format("  {} as {} by {}{}{}\n", role, text, name, op_name(graph, op),
                     location.empty() ? "" : " at " + location);
}

// What an explanation says, one step further in.
std::string indent(const std::string &text) {
  std::string out = "    ";
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '\n' && i + 1 < text.size())
      out += "    ";
  }
  return out;
}

// What made values partial: the op itself, or those from which linear ops handed them on.
std::string origin_of_partial(const spmd::Program &p, spmd::ValueRef v) {
  std::vector<spmd::ValueRef> at{v};
  std::vector<std::string> makers;
  for (size_t i = 0; i < at.size(); ++i) {
    bool handed_on = false;
    const auto &instr = p.instrs()[p.values()[at[i]].def];
    for (const spmd::ValueRef from : p.operands(instr))
      if (instr.kind == spmd::InstrKind::compute && !p.sharding(p.values()[from].sharding).partial.empty()) {
        handed_on = true;
        if (std::ranges::find(at, from) == at.end())
          at.push_back(from);
      }
    if (!handed_on)
      makers.push_back(p.graph().value_name(p.values()[at[i]].origin));
  }
  if (at.size() == 1)
    return "the producer's reduced dimension is tiled";
  constexpr size_t kShown = 8;
  const size_t more = makers.size() - std::min(makers.size(), kShown);
  makers.resize(makers.size() - more);
  return fmt::format("the reduced dimension of {}{} is tiled and linear ops handed the values on",
                     fmt::join(makers, ", "), more != 0 ? fmt::format(" and {} more", more) : "");
}

} // namespace

Result<std::string> explain_collective(const Subject &s, size_t id) {
  if (!s.plan)
    return explain_collective(s, id, nullptr);
  partition::Explainer explainer(*s.plan);
  return explain_collective(s, id, &explainer);
}

Result<std::string> explain_collective(const Subject &s, size_t id, partition::Explainer *explainer) {
  const auto &p = *s.program;
  const auto all = facts_of(s);
  if (id >= all->collectives.size())
    return fail(Code::out_of_range, "TW-790",
                fmt::format("there is no collective {}; the program has {}", id, all->collectives.size()));
  const CollectiveFacts &facts = all->collectives[id];
  const auto &c = p.collectives()[facts.index];
  const auto &instr = p.instrs()[c.instr];
  const auto &src = p.sharding(p.values()[p.operands(instr)[0]].sharding);

  std::string text =
      fmt::format("collective {}: {} of {} {} over {}, {} received by the busiest device\n", id,
                  redistribute::name(facts.kind), p.graph().value_name(c.value), facts.type,
                  fmt::join(facts.axes, ","), bytes_text(static_cast<double>(facts.bytes_received)));
  if (facts.values.size() > 1)
    text += fmt::format("  {} arrays move together: {}; what follows is about the first\n",
                        facts.values.size(), fmt::join(facts.values, ", "));
  if (facts.plan) {
    std::vector<std::string> bytes;
    for (const int64_t n : facts.plan->bytes_by_level)
      bytes.push_back(bytes_text(static_cast<double>(n)));
    text += fmt::format(
        "  planned for the levels of the mesh: {}, {} step{}; received by a group of each level, and by a "
        "device inside, at most {}\n",
        redistribute::name(facts.plan->method), facts.plan->steps, facts.plan->steps == 1 ? "" : "s",
        fmt::join(bytes, ", "));
  }
  if (!c.unplanned.empty())
    text += fmt::format(
        "  not planned for the levels of the mesh, and so straight from device to device: {}\n", c.unplanned);
  if (const auto v = p.values()[p.operands(instr)[0]].origin; p.is_added_value(v))
    text += fmt::format("  {} {} moves in place of the tiles: it was made of these first, so less moves\n",
                        p.graph().value_name(v), graph::to_short_text(p.graph().type(v)));
  text += side_text(s, "made", c.producer, p.operands(instr)[0]);
  text += side_text(s, "wanted", c.consumer, instr.first_result);
  if (!src.partial.empty())
    text += fmt::format("  each device holds partial values, because {}; they are combined here\n",
                        origin_of_partial(p, p.operands(instr)[0]));
  if (c.action < p.actions().size())
    text += fmt::format("  decided by {}\n", describe(p.actions()[c.action], p.graph()));
  for (const partition::ActionId also : c.also)
    text += fmt::format("  {} leads to the same by itself\n", describe(p.actions()[also], p.graph()));
  if (explainer == nullptr)
    return text;
  for (auto op : {c.producer, c.consumer}) {
    if (op == graph::kNone || p.is_added(op) || p.graph().op(op).num_results == 0)
      continue;
    const std::string chain = explainer->explain(partition::target_of(s.plan->graph(), p.graph().result(op)));
    text += fmt::format("  {}:\n{}", p.graph().value_name(p.graph().result(op)), indent(chain));
    if (text.back() != '\n')
      text += '\n';
  }
  return text;
}

} // namespace tw::report
