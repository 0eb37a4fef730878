// SPDX-License-Identifier: Apache-2.0
// func: calls, which are read in place, and the ends of blocks.
#include <fmt/format.h>

#include "import/calls.hpp"
#include "import/dialects/sdy/ops.hpp"

namespace tw::import::func_dialect {

namespace {

// call @f(%a, %b) : (T, U) -> V
bool form_call(Reader &r, OpText &op) {
  const char *start = r.s.here();
  std::string_view part;
  do {
    if (!r.s.symbol(part))
      return false;
  } while (r.s.accept("::"));
  op.attrs.push_back({"callee", {start, static_cast<size_t>(r.s.cursor().at - start)}, nullptr});
  return r.s.expect('(', "before the operands") && r.read_operands(op) &&
         r.s.expect(')', "after the operands") && r.read_attr_dict(op) && r.read_types(op);
}

bool lower_call(Reader &r, OpText &op) {
  const AttrText *callee = op.find_attr("callee");
  if (!callee || callee->raw.empty())
    return r.s.fail("TW-105", op.at, fmt::format("{}: the attribute callee is missing", op.name));
  if (op.find_attr("xla.sdy.manual_axes") != nullptr || (!r.carried.empty() && !r.carried.back().called))
    return lower_carried_body(r, op, callee->raw);
  return inline_function(r, op, callee->raw, callee->raw.data());
}

// return %a, %b : T, U
bool form_return(Reader &r, OpText &op) {
  if (!(op.name == "func.return" ? r.read_values(op) : r.read_operands(op)) || !r.read_attr_dict(op))
    return false;
  r.untyped_return = op.name == "func.return" && r.s.peek() != ':';
  if (!op.operands.empty() && !r.untyped_return)
    return r.read_types(op);
  for (const graph::ValueId v : op.operands)
    op.operand_types.push_back(r.c.local.type(v));
  return true;
}

bool lower_return(Reader &r, OpText &op) {
  if (r.loops.innermost != graph::kNone && !r.loops.returns)
    return r.s.fail("TW-421", op.at, "the body of a loop ends with partir.yield");
  if (!r.emitter.check_operand_types(op) || !r.bind_results(op, {}))
    return false;
  r.yields = op.operands;
  r.yields_at = op.operand_at;
  r.yields_def = op.operand_def;
  r.ended = true;
  r.loops.yielded = r.loops.returns;
  return true;
}

constexpr Syntax kSyntax[] = {
    {"func.call", form_call, lower_call},
    {"func.return", form_return, lower_return},
};

constexpr Alias kAliases[] = {{"call", "func.call"}, {"return", "func.return"}};

} // namespace

Dialect dialect() { return {.syntax = kSyntax, .aliases = kAliases}; }

} // namespace tw::import::func_dialect
