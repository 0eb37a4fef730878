// SPDX-License-Identifier: Apache-2.0
// check: what programs expect of themselves.
#include <fmt/format.h>

#include "import/reader.hpp"
#include "ops/registry.hpp"

namespace tw::import::check_dialect {

namespace {

// check.expect_eq_const %x, dense<..> : T
bool form_expect_const(Reader &r, OpText &op) {
  if (!r.read_operands(op))
    return false;
  while (is_word_start(r.s.peek()) && !r.s.looking_at("dense") && !r.s.looking_at("dense_resource")) {
    if (!r.read_pretty_attr(op))
      return false;
    r.s.accept(',');
  }
  const char *start = r.s.here();
  std::string_view literal;
  if (!r.s.skip_term(literal))
    return false;
  while (r.s.accept(','))
    if (!r.read_pretty_attr(op))
      return false;
  if (!r.read_attr_dict(op) || !r.s.expect(':', "between an array literal and its type") ||
      !r.c.types.parse(op.operand_types.emplace_back()))
    return false;
  const char *end = r.s.cursor().at;
  op.attrs.push_back({"value", {start, static_cast<size_t>(end - start)}, nullptr});
  return r.read_attr_dict(op);
}

// check.expect_eq_const %x, dense<..> is check.expect_eq of %x and a constant.
bool lower_expect_const(Reader &r, OpText &op) {
  const std::string_view name = op.name.substr(0, op.name.size() - std::string_view("_const").size());
  const AttrText *value = op.find_attr("value");
  if (!value || op.operand_types.size() != 1 || op.operands.size() != 1)
    return r.s.fail("TW-105", op.at, fmt::format("{} takes one operand and a value", op.name));
  OpText literal;
  literal.name = "stablehlo.constant";
  literal.code = *ops::find_op(literal.name);
  literal.at = op.at;
  literal.line = op.line;
  literal.column = op.column;
  literal.attrs.push_back(*value);
  literal.result_types = op.operand_types;
  graph::OpId id = 0;
  if (!r.emitter.add(literal, id))
    return false;
  op.operands.push_back(r.c.builder.graph().result(id));
  op.operand_at.push_back(value->raw.data());
  op.operand_types.push_back(op.operand_types[0]);
  std::erase_if(op.attrs, [](const AttrText &a) { return a.name == "value"; });
  op.code = *ops::find_op(name);
  op.name = ops::op_def(op.code).name;
  return r.emit(op);
}

constexpr Syntax kSyntax[] = {
    {"check.expect_almost_eq_const", form_expect_const, lower_expect_const},
    {"check.expect_eq_const", form_expect_const, lower_expect_const},
};

} // namespace

Dialect dialect() { return {.syntax = kSyntax}; }

} // namespace tw::import::check_dialect
