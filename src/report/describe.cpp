// SPDX-License-Identifier: Apache-2.0
// Words for causes, ops and shapes.
#include "report/describe.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ops/registry.hpp"
#include "partition/plan.hpp"

namespace tw::report {

namespace {

// Where all shardings are stated at once, each of hundreds leads to the same.
constexpr size_t kMostCauses = 3;

} // namespace

std::string describe(const partition::Action &action, const graph::Graph &graph) {
  if (action.pos.file.empty())
    return action.text;
  if (action.pos.line == 0)
    return fmt::format("{} {}", action.pos.file, action.text);
  const bool annotated = action.pos.file == graph.file() && action.pos.column != 0;
  return fmt::format("{}:{}{} {}", action.pos.file, action.pos.line,
                     annotated ? fmt::format(":{}", action.pos.column) : "", action.text);
}

std::string cause_of_node(const partition::Plan &plan, partition::NodeId node) {
  std::string text;
  uint32_t last = UINT32_MAX;
  for (const auto &entry : plan.nest(node)) {
    if (entry.factor == partition::kAny || entry.action == last || entry.action >= plan.actions().size())
      continue;
    last = entry.action;
    if (!text.empty())
      text += "; ";
    text += describe(plan.actions()[entry.action], plan.graph());
  }
  return text;
}

std::string cause_of_result(const partition::Plan &plan, uint32_t result) {
  if (const auto asked = plan.result_action(result))
    return describe(plan.actions()[*asked], plan.graph());
  return cause_of_node(plan, plan.graph().results()[result]);
}

std::string cause_of_collective(const Subject &subject, const spmd::Collective &c) {
  const auto actions = subject.program->actions();
  if (c.action >= actions.size())
    return "";
  std::string text = describe(actions[c.action], subject.program->graph());
  const size_t shown = std::min(c.also.size(), kMostCauses - 1);
  for (size_t i = 0; i < shown; ++i)
    text += "; " + describe(actions[c.also[i]], subject.program->graph());
  if (const size_t more = c.also.size() - shown; more != 0)
    text += fmt::format("; and {} more", more);
  return text;
}

std::string brief(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) { // causes are joined by "; "
    const size_t end = std::min(text.find("; ", at), text.size());
    std::string_view part = text.substr(at, end - at);
    const size_t file_end = std::min(part.find(':'), part.size());
    if (const size_t slash = part.substr(0, file_end).rfind('/'); slash != std::string_view::npos)
      part.remove_prefix(slash + 1);
    out += out.empty() ? "" : "; ";
    out += part;
    at = end + 2;
  }
  return out;
}

std::string op_name(const graph::Graph &graph, graph::OpId op) {
  return op == graph::kNone ? std::string() : std::string(ops::op_def(graph.op(op).code).name);
}

graph::OpId op_of(const spmd::Collective &c) { return c.producer != graph::kNone ? c.producer : c.consumer; }

std::string local_type(const spmd::Program &program, const spmd::Collective &c) {
  const spmd::ValueRef from = program.operands(program.instrs()[c.instr])[0];
  const graph::TensorType &type = program.type(from);
  const auto extent =
      largest_tile(program.sharding(program.values()[from].sharding), type.dims, program.mesh());
  return graph::to_short_text({type.dtype, graph::Shape(extent.begin(), extent.end())});
}

} // namespace tw::report
