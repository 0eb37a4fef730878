// SPDX-License-Identifier: Apache-2.0
// Names the two sides of a collective.
#include "report/explain_collective.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "partition/explain.hpp"
#include "report/describe.hpp"
#include "report/tally.hpp"

namespace tw::report {
namespace {

std::string side_text(const Subject &s, const char *role, graph::OpId op,
                      const sharding::Sharding &sharding) {
  const auto &graph = s.program->graph();
  const auto text = sharding::to_text(sharding, s.program->mesh());
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

} // namespace

Result<std::string> explain_collective(const Subject &s, size_t id) {
  const auto &p = *s.program;
  const auto counted = counted_collectives(p);
  if (id >= counted.size())
    return fail(Code::out_of_range, "TW-790",
                fmt::format("there is no collective {}; the program has {}", id, counted.size()));
  const auto &c = p.collectives()[counted[id]];
  const auto &instr = p.instrs()[c.instr];
  const auto &src = p.sharding(p.values()[p.operands(instr)[0]].sharding);
  const auto &dst = p.sharding(p.values()[instr.first_result].sharding);

  std::string text = fmt::format("collective {}: {} of {} {} over {}, {} received by the busiest device\n",
                                 id, redistribute::name(c.summary.kind), p.graph().value_name(c.value),
                                 graph::to_short_text(p.graph().type(c.value)),
                                 fmt::join(axis_names(p.mesh(), c.summary.axes), ","),
                                 bytes_text(static_cast<double>(c.summary.bytes_received_max)));
  text += side_text(s, "made", c.producer, src);
  text += side_text(s, "wanted", c.consumer, dst);
  if (!src.stacked.empty())
    text += "  each device holds partial values, because the producer's reduced dimension is tiled; they are "
            "combined here\n";
  const auto cause = cause_of_collective(s, c);
  if (!cause.empty())
    text += fmt::format("  decided by {}\n", cause);
  if (!s.plan)
    return text;
  for (auto op : {c.producer, c.consumer}) {
    if (op == graph::kNone || p.graph().op(op).num_results == 0)
      continue;
    TW_ASSIGN(const auto chain, partition::explain(*s.plan, p.graph().value_name(p.graph().result(op)), ""));
    text += fmt::format("  {}:\n{}", p.graph().value_name(p.graph().result(op)), indent(chain));
    if (text.back() != '\n')
      text += '\n';
  }
  return text;
}

} // namespace tw::report
