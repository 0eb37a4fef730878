// SPDX-License-Identifier: Apache-2.0
// Calls: the callee's text is read again in place, with its arguments bound to the operands.
#include "import/calls.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ops/builder.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using annotation::Annotation;
using annotation::ShardingAnnotation;

namespace {

// @f, @module::@f, @"quoted"
std::vector<std::string_view> split_symbol(std::string_view raw) {
  std::vector<std::string_view> path;
  while (!raw.empty()) {
    if (raw.starts_with('@'))
      raw.remove_prefix(1);
    const bool quoted = raw.starts_with('"');
    const size_t end = quoted ? raw.find('"', 1) : std::min(raw.find("::"), raw.find(' '));
    path.push_back(quoted ? raw.substr(1, end - 1) : raw.substr(0, end));
    const size_t next = end == std::string_view::npos ? end : raw.find('@', end);
    raw = next == std::string_view::npos ? std::string_view() : raw.substr(next);
  }
  return path;
}

} // namespace

// A value of its own that stands for `v` and carries the sharding.
bool constrain(Reader &r, graph::ValueId &v, ShardingAnnotation sharding, const OpText &op) {
  const graph::LocId loc = r.c.builder.location({op.line, op.column, op.loc.best()});
  const graph::OpCode code = *ops::find_op("stablehlo.optimization_barrier");
  r.c.local.at(loc);
  const graph::TypeId type = r.c.local.type(v);
  auto barrier = r.c.local.differs(v) ? r.c.local.add(code, {&v, 1}, {}, {&type, 1}, {})
                                      : ops::add(r.c.builder, code, {&v, 1}, {}, {}, loc);
  if (!barrier)
    return r.s.adopt(std::move(barrier.error()), op.at);
  v = r.c.builder.graph().result(*barrier);
  return r.emitter.annotate(Annotation::At::value, v, std::move(sharding), r.c.type_of(v), op.at,
                            {r.s.file(), op.line, op.column});
}

// What a signature says of the sharding of a value.
bool constrain(Reader &r, graph::ValueId &v, const std::vector<AttrText> &attrs, const OpText &op) {
  for (const AttrText &attr : attrs) {
    std::vector<ShardingAnnotation> shardings;
    if (!Emitter::is_sharding(attr.name))
      continue;
    if (!r.emitter.read_shardings(attr, shardings))
      return false;
    if (shardings.size() == 1 && !constrain(r, v, std::move(shardings[0]), op))
      return false;
  }
  return true;
}

// What a call says of the sharding of its results.
bool constrain_results(Reader &r, const OpText &op, std::vector<graph::ValueId> &results) {
  for (const AttrText &attr : op.attrs) {
    std::vector<ShardingAnnotation> shardings;
    if (!Emitter::is_sharding(attr.name))
      continue;
    if (!r.emitter.read_shardings(attr, shardings))
      return false;
    if (shardings.size() != results.size())
      return r.s.fail(
          "TW-107", attr.raw.data(),
          fmt::format("{}: {} shardings for {} results", op.name, shardings.size(), results.size()));
    for (size_t i = 0; i < results.size(); ++i)
      if (r.c.type_of(results[i]).dtype != graph::DType::token &&
          !constrain(r, results[i], std::move(shardings[i]), op))
        return false;
  }
  return true;
}

// The results are the operands.
bool pass_through(Reader &r, OpText &op) {
  return r.emitter.check_operand_types(op) &&
         (op.result_types == op.operand_types ||
          r.s.fail("TW-110", op.at, fmt::format("{}: operand and result types differ", op.name))) &&
         constrain_results(r, op, op.operands) && r.bind_results(op, op.operands);
}

bool read_callee(Reader &r, OpText &op, std::string_view callee, const char *at,
                 std::span<const graph::ValueId> operands, Signature &signature) {
  const uint32_t index = r.c.index.find(r.module, split_symbol(callee));
  if (index == ModuleIndex::kNone)
    return r.s.fail("TW-106", at, fmt::format("the function {} is not defined", callee));
  const Function &f = r.c.index.functions[index];
  if (!f.has_body)
    return r.s.fail("TW-106", at, fmt::format("the function {} is declared but has no body", callee));
  if (std::find(r.calls.begin(), r.calls.end(), index) != r.calls.end())
    return r.s.fail("TW-106", at,
                    fmt::format("the function {} calls itself: recursion is not supported", callee));

  const Cursor back = r.s.cursor();
  Scope inner = r.make_scope(f);
  Scope *const outer_scope = std::exchange(r.scope, &inner);
  std::string outer_prefix = r.inner_prefix(op, {});
  r.prefix.swap(outer_prefix);
  const uint32_t outer_module = std::exchange(r.module, f.module);
  r.calls.push_back(index);
  ++r.c.calls;

  if (!read_signature(r, f, signature))
    return false;
  if (signature.arguments.size() != operands.size())
    return r.s.fail("TW-110", at,
                    fmt::format("{} takes {} arguments, {} are given", callee, signature.arguments.size(),
                                operands.size()));
  for (size_t i = 0; i < operands.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    const graph::Graph &g = r.c.builder.graph();
    if (const graph::TypeId type = r.c.local.type(operands[i]); type != argument.type)
      return r.s.fail("TW-110", op.operand_at[i],
                      fmt::format("argument {} of {} has type {}, but {} is given", i, callee,
                                  graph::to_text(g.type_at(argument.type)), graph::to_text(g.type_at(type))));
    graph::ValueId v = operands[i];
    if (!constrain(r, v, argument.attrs, op) || !r.define(argument, {&v, 1}))
      return false;
  }
  if (!read_function_body(r, f, signature))
    return false;
  for (size_t i = 0; i < r.yields.size(); ++i)
    if (!constrain(r, r.yields[i], signature.result_attrs[i], op))
      return false;
  r.calls.pop_back();
  r.module = outer_module;
  r.prefix.swap(outer_prefix);
  r.scope = outer_scope;
  r.s.seek(back);
  return true;
}

bool inline_function(Reader &r, OpText &op, std::string_view callee, const char *at) {
  Signature signature;
  if (!r.emitter.check_operand_types(op) || !read_callee(r, op, callee, at, op.operands, signature) ||
      !constrain_results(r, op, r.yields))
    return false;
  if (!op.result_types.empty() || !op.results.empty())
    if (op.result_types != signature.results)
      return r.s.fail("TW-110", at,
                      fmt::format("the result types of {} are not those of its signature", callee));
  return r.bind_results(op, r.yields);
}

} // namespace tw::import
