// SPDX-License-Identifier: Apache-2.0
// sdy.named_computation: a part of the program with a name, whose shardings are constraints on what goes in
// and comes out.
#include "import/dialects/sdy/ops.hpp"

#include <fmt/format.h>

#include "import/calls.hpp"
#include "import/local_code.hpp"

namespace tw::import {

// sdy.named_computation<"name">(%a, ..) [in_shardings=[..]] [out_shardings=[..]] (%arg1: T, ..) { .. } : (T,
// ..) -> U
bool form_named_computation(Reader &r, OpText &op) {
  Inlined head;
  if (!read_inlined_head(r, op, head))
    return false;
  if (head.arguments.size() != op.operands.size() ||
      (!head.in.empty() && head.in.size() != head.arguments.size()))
    return r.s.fail("TW-110", op.at,
                    fmt::format("{}: {} operands, {} arguments, {} shardings", op.name, op.operands.size(),
                                head.arguments.size(), head.in.size()));
  const std::vector<graph::ValueId> operands = op.operands;
  const size_t mark = r.scope->mark();
  std::string outer = r.inner_prefix(op, {});
  r.prefix.swap(outer);
  for (size_t i = 0; i < head.arguments.size(); ++i) {
    graph::ValueId v = operands[i];
    if (const graph::TypeId type = r.c.local.type(v); type != head.arguments[i].type)
      return r.s.fail("TW-110", head.arguments[i].at,
                      fmt::format("the argument %{} is {}, but operand {} is {}", head.arguments[i].name,
                                  graph::to_text(r.c.builder.graph().type_at(head.arguments[i].type)), i,
                                  graph::to_text(r.c.builder.graph().type_at(type))));
    const bool token = r.c.type_of(v).dtype == graph::DType::token;
    if ((!head.in.empty() && !token && !constrain(r, v, std::move(head.in[i]), op)) ||
        !r.define(head.arguments[i], {&v, 1}))
      return false;
  }
  if (!r.read_block() || !r.end_region("after a body"))
    return false;
  r.scope->rewind(mark);
  r.prefix.swap(outer);
  std::vector<graph::ValueId> results = r.yields;
  if (!head.out.empty() && head.out.size() != results.size())
    return r.s.fail(
        "TW-110", op.at,
        fmt::format("{}: {} values are returned for {} shardings", op.name, results.size(), head.out.size()));
  for (size_t i = 0; i < head.out.size(); ++i)
    if (r.c.type_of(results[i]).dtype != graph::DType::token &&
        !constrain(r, results[i], std::move(head.out[i]), op))
      return false;
  return read_inlined_tail(r, op) && constrain_results(r, op, results) && bind_local(r, op, results);
}

} // namespace tw::import
