// SPDX-License-Identifier: Apache-2.0
// sdy.named_computation: a part of the program with a name, read in place; its shardings are constraints on what goes in and comes out.
#include <fmt/format.h>

#include "import/body.hpp"
#include "ops/builder.hpp"
#include "ops/registry.hpp"

namespace tw::import {

// A value of its own that stands for `v` and carries the sharding.
bool BodyReader::constrain(graph::ValueId &v, ShardingAnnotation sharding, const OpText &op) {
  if (c_.local.differs(v)) { // over axes that stay free: left to propagation
    c_.notes.add(Note::Kind::ignored, "sharding inside device-local code", op.at);
    return true;
  }
  auto barrier = ops::add(c_.builder, *ops::find_op("stablehlo.optimization_barrier"), {&v, 1}, {}, {},
                          c_.builder.location({op.line, op.column, op.loc.best()}));
  if (!barrier)
    return s_.adopt(std::move(barrier.error()), op.at);
  v = c_.builder.graph().result(*barrier);
  return emitter_.annotate(Annotation::At::value, v, std::move(sharding), c_.builder.type_of(v), op.at,
                           {s_.file(), op.line, op.column});
}

// sdy.named_computation<"name">(%a, ..) [in_shardings=[..]] [out_shardings=[..]] (%arg1: T, ..) { .. } : (T, ..) -> U
bool BodyReader::form_named_computation(OpText &op) {
  std::string_view name;
  std::vector<ShardingAnnotation> in, out;
  std::vector<Argument> arguments;
  if (!s_.expect('<', "before a computation's name") || !s_.string(name) ||
      !s_.expect('>', "after a computation's name") || !s_.expect('(', "before the operands") ||
      !read_operands(op) || !s_.expect(')', "after the operands") ||
      (s_.looking_at("in_shardings") && !read_sharding_list("in_shardings", in)) ||
      (s_.looking_at("out_shardings") && !read_sharding_list("out_shardings", out)) ||
      (s_.peek() == '(' && !read_block_arguments(arguments, false)))
    return false;
  if (arguments.size() != op.operands.size() || (!in.empty() && in.size() != arguments.size()))
    return s_.fail("TW-110", op.at,
                   fmt::format("{}: {} operands, {} arguments, {} shardings", op.name, op.operands.size(),
                               arguments.size(), in.size()));
  const std::vector<graph::ValueId> operands = op.operands;
  const size_t mark = scope_->mark();
  std::string outer = inner_prefix(op, {});
  prefix_.swap(outer);
  for (size_t i = 0; i < arguments.size(); ++i) {
    graph::ValueId v = operands[i];
    if (const graph::TypeId type = c_.local.type(v); type != arguments[i].type)
      return s_.fail("TW-110", arguments[i].at,
                     fmt::format("the argument %{} is {}, but operand {} is {}", arguments[i].name,
                                 graph::to_text(c_.builder.graph().type_at(arguments[i].type)), i,
                                 graph::to_text(c_.builder.graph().type_at(type))));
    if ((!in.empty() && !constrain(v, std::move(in[i]), op)) ||
        !define(arguments[i].name, {&v, 1}, arguments[i].at))
      return false;
  }
  if (!s_.expect('{', "before the ops of a computation") || !read_block() ||
      !s_.expect('}', "after the ops of a computation"))
    return false;
  scope_->rewind(mark);
  prefix_.swap(outer);
  std::vector<graph::ValueId> results = yields_;
  if (!out.empty() && out.size() != results.size())
    return s_.fail(
        "TW-110", op.at,
        fmt::format("{}: {} values are returned for {} shardings", op.name, results.size(), out.size()));
  for (size_t i = 0; i < out.size(); ++i)
    if (!constrain(results[i], std::move(out[i]), op))
      return false;
  return read_attr_dict(op) && read_types(op) && emitter_.check_operand_types(op) && bind_local(op, results);
}

} // namespace tw::import
