// SPDX-License-Identifier: Apache-2.0
// Lists the ops of a program that have no kernel.
#include "runtime/runnable.hpp"

#include <map>
#include <string>

#include <fmt/format.h>

#include "ops/placement.hpp"
#include "ops/registry.hpp"

namespace tw::runtime {

Status check_runnable(const spmd::Program &program, const kernels::CustomCalls *calls) {
  const graph::Graph &graph = program.graph();
  std::map<std::string, int64_t> missing; // by name, how often
  graph::OpId first = graph::kNone;
  std::string first_name;
  bool first_is_call = false;
  for (const spmd::Instr &instr : program.instrs()) {
    if (instr.kind != spmd::InstrKind::compute)
      continue;
    const ops::OpDef &def = ops::op_def(graph.op(instr.op).code);
    if (kernels::has_kernel(def))
      continue;
    const ops::OpViewHolder op(graph, instr.op);
    if (ops::is_placement(def, op.view()))
      continue;
    if (kernels::find_kernel(calls, def, op.view()) != nullptr)
      continue;
    const std::string name = kernels::called(def, op.view());
    ++missing[name];
    const bool is_call = kernels::is_custom_call(def);
    if (first == graph::kNone || (is_call && !first_is_call)) {
      first = instr.op;
      first_name = name;
      first_is_call = is_call;
    }
  }
  if (first == graph::kNone)
    return {};
  Error error =
      at_op(Error(Code::unimplemented, "TW-601", fmt::format("{} has no kernel", first_name)), graph, first);
  for (const auto &[name, count] : missing)
    error.info().notes.push_back(fmt::format("without a kernel: {} ({}x)", name, count));
  return fail(std::move(error));
}

Error at_op(Error error, const graph::Graph &graph, graph::OpId op) {
  const graph::Location at = graph.location(op);
  error.info().pos = {std::string(graph.file()), at.line, at.column};
  if (at.text != graph::kNone)
    error.info().notes.push_back(fmt::format("it stands at {}", graph.location_text(op)));
  return error;
}

} // namespace tw::runtime
