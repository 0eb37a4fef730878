// SPDX-License-Identifier: Apache-2.0
// Ops with regions: the pretty forms of reduce and while, and control flow of device-local code.
#include "import/dialects/stablehlo/ops.hpp"

#include <fmt/format.h>

#include "import/local_code.hpp"

namespace tw::import {

bool compact_reducer(Reader &r, OpText &op, std::string_view reducer, const char *at) {
  const Kind kind = r.kind_of(reducer);
  if (kind.name.empty() || !kind.registered)
    return r.fail_unknown(reducer, at);
  if (op.operands.size() != 2 || op.operand_types.size() != 2)
    return r.s.fail("TW-106", at, "the short form of reduce takes one input and one initial value");
  // The types were stated, not yet compared: the initial value's own type is what the region works on.
  const graph::TypeId type = r.c.local.type(op.operands[1]);
  const graph::TypeId types[] = {type, type};
  const graph::RegionId region = r.c.builder.open_region(types);
  const std::vector<graph::ValueId> arguments = r.c.builder.graph().region(region).args;
  graph::OpId id = 0;
  if (!r.emitter.add_implied(kind.code, arguments, {types, 1}, op, id))
    return false;
  r.c.builder.close_region({r.c.builder.graph().result(id)});
  op.regions.push_back(region);
  return true;
}

// reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : types reduce(%x init: %a), (%y init:
// %b) across dimensions = [0] : types  reducer(%p: t, %q: t) (%r: t, %s: t) {..}
bool form_reduce(Reader &r, OpText &op) {
  OpText inits;
  do {
    if (!r.s.expect('(', "before an input of reduce") || !r.read_operand(op) ||
        !r.s.expect("init", "after an input of reduce") || !r.s.expect(':', "after init") ||
        !r.read_operand(inits) || !r.s.expect(')', "after the initial value"))
      return false;
  } while (r.s.accept(','));
  op.operands.insert(op.operands.end(), inits.operands.begin(), inits.operands.end());
  op.operand_at.insert(op.operand_at.end(), inits.operand_at.begin(), inits.operand_at.end());
  op.operand_def.insert(op.operand_def.end(), inits.operand_def.begin(), inits.operand_def.end());

  std::string_view reducer;
  const bool compact = r.s.accept("applies");
  const char *at = r.s.here();
  if (compact && (reducer = r.s.word()).empty())
    return r.s.fail_here("an operation such as stablehlo.add", "after applies");
  std::string_view dimensions;
  if (!r.s.expect("across", "in reduce") || !r.s.expect("dimensions", "after across") ||
      !r.s.expect('=', "after dimensions") || !r.s.skip_term(dimensions))
    return false;
  op.attrs.push_back({"dimensions", dimensions, nullptr});
  if (!r.read_attr_dict(op) || !r.read_types(op))
    return false;
  if (compact)
    return compact_reducer(r, op, reducer, at);

  // Each pair names what was accumulated and the next element; the block takes all of the first, then all of
  // the second.
  if (!r.s.expect("reducer", "before the body of reduce"))
    return false;
  std::vector<Argument> first, second;
  while (r.s.peek() == '(') {
    std::vector<Argument> pair;
    const char *pair_at = r.s.here();
    if (!r.read_block_arguments(pair, false))
      return false;
    if (pair.size() != 2)
      return r.s.fail("TW-106", pair_at, fmt::format("expected two arguments, found {}", pair.size()));
    first.push_back(std::move(pair[0]));
    second.push_back(std::move(pair[1]));
  }
  first.insert(first.end(), std::make_move_iterator(second.begin()), std::make_move_iterator(second.end()));
  return r.s.expect('{', "before the body of reduce") && r.read_region_body(op, first);
}

// while(%it = %a, %it_0 = %b) : T, U [attributes {..}] cond {..} do {..}
bool form_while(Reader &r, OpText &op) {
  if (!r.s.expect('(', "before the operands of while"))
    return false;
  std::vector<Argument> arguments;
  if (!r.s.accept(')')) {
    do {
      Argument argument{};
      argument.at = r.s.here();
      if (!r.s.expect('%', "before the name of a loop variable"))
        return false;
      argument.name = r.s.suffix();
      if (argument.name.empty() || !r.s.expect('=', "after the name of a loop variable") ||
          !r.read_operand(op))
        return r.s.fail_here("a loop variable such as %it = %0", {});
      arguments.push_back(std::move(argument));
    } while (r.s.accept(','));
    if (!r.s.expect(')', "after the operands of while"))
      return false;
  }
  if (!arguments.empty()) {
    if (!r.s.expect(':', "before the types of while") || !r.c.types.parse_list(op.operand_types))
      return false;
    if (op.operand_types.size() != arguments.size())
      return r.s.fail(
          "TW-110", op.at,
          fmt::format("while: {} types for {} operands", op.operand_types.size(), arguments.size()));
    op.result_types = op.operand_types;
    for (size_t i = 0; i < arguments.size(); ++i)
      arguments[i].type = op.operand_types[i];
  }
  if (r.s.accept("attributes") && !parse_dict(r.s, op.attrs))
    return false;
  for (std::string_view part : {"cond", "do"})
    if (!r.s.expect(part, "in while") || !r.s.expect('{', "before a region of while") ||
        !r.read_region_body(op, arguments))
      return false;
  return true;
}

// A loop or branch is itself, or in device-local code one that carries every device's values.
bool lower_control(Reader &r, OpText &op) {
  if (op.branches.empty() && !r.c.local.is_inside(op.operands))
    return r.emit(op);
  if (!r.emitter.check_operand_types(op))
    return false;
  r.c.local.at(r.c.builder.location({op.line, op.column, op.loc.best()}));
  std::vector<graph::ValueId> results;
  if (!op.branches.empty()) {
    auto chosen = r.c.local.choose(op.operands[0], op.branches);
    if (!chosen)
      return r.s.adopt(std::move(chosen.error()), op.at);
    results = std::move(*chosen);
  } else {
    auto added = r.c.local.add_control(op.code, op.operands, op.carried, op.result_types, op.regions, op.at);
    if (!added)
      return r.s.adopt(std::move(added.error()), op.at);
    for (uint32_t i = 0; i < r.c.builder.graph().op(*added).num_results; ++i)
      results.push_back(r.c.builder.graph().result(*added, i));
  }
  return bind_local(r, op, results);
}

} // namespace tw::import
