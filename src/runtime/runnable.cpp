// SPDX-License-Identifier: Apache-2.0
// Lists the ops of a program that have no kernel.
#include "runtime/runnable.hpp"

#include <map>
#include <string>

#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/registry.hpp"

namespace tw::runtime {
namespace {

// "stablehlo.custom_call @byteir.softmax"
std::string called(const graph::Graph &graph, graph::OpId op) {
  const std::string name = ops::op_def(graph.op(op).code).name;
  if (name != "stablehlo.custom_call")
    return name;
  return fmt::format("{} @{}", name,
                     std::get<std::string>(graph.attrs(op)[ops::slot::custom_call::call_target_name]));
}

} // namespace

Status check_runnable(const spmd::Program &program) {
  const graph::Graph &graph = program.graph();
  std::map<std::string, int64_t> missing; // by name, how often
  graph::OpId first = graph::kNone;
  bool first_is_call = false;
  for (const spmd::Instr &instr : program.instrs()) {
    if (instr.kind != spmd::InstrKind::compute || ops::op_def(graph.op(instr.op).code).reference)
      continue;
    const std::string name = called(graph, instr.op);
    ++missing[name];
    const bool is_call = name.find('@') != std::string::npos;
    if (first == graph::kNone || (is_call && !first_is_call)) {
      first = instr.op;
      first_is_call = is_call;
    }
  }
  if (first == graph::kNone)
    return {};
  const graph::Location at = graph.location(first);
  Error error(Code::unimplemented, "TW-601", fmt::format("{} has no kernel", called(graph, first)));
  error.info().pos = {std::string(graph.file()), at.line, at.column};
  for (const auto &[name, count] : missing)
    error.info().notes.push_back(fmt::format("without a kernel: {} ({}x)", name, count));
  return fail(std::move(error));
}

} // namespace tw::runtime
