// SPDX-License-Identifier: Apache-2.0
// Regions, and the pretty forms of the ops that have them: reduce and while.
#include <fmt/format.h>

#include "import/body.hpp"

namespace tw::import {

// { [^bb0(%a: T, ...):] ops }
bool BodyReader::read_region(OpText &op) {
  if (!s_.expect('{', "before a region"))
    return false;
  std::vector<Argument> arguments;
  if (s_.accept('^')) {
    if (s_.suffix().empty())
      return s_.fail_here("the name of a block", {});
    if ((s_.peek() == '(' && !read_block_arguments(arguments, false)) ||
        !s_.expect(':', "after the header of a block"))
      return false;
  }
  if (is_choice(op) && !op.operands.empty() && c_.local.differs(op.operands[0]))
    return read_choice(op);
  return read_region_body(op, arguments);
}

bool BodyReader::is_choice(const OpText &op) {
  return op.name == "stablehlo.if" || op.name == "stablehlo.case";
}

// A branch that some devices take and others do not: all compute it, and take what is theirs.
bool BodyReader::read_choice(OpText &op) {
  const size_t mark = scope_->mark();
  std::string outer = inner_prefix(op, std::to_string(op.branches.size()));
  prefix_.swap(outer);
  if (!read_block() || !s_.expect('}', "after a region"))
    return false;
  op.branches.push_back(yields_);
  scope_->rewind(mark);
  prefix_.swap(outer);
  return true;
}

// What a loop carries, or a branch gives, has one type in all regions.
bool BodyReader::carry_yields(OpText &op) {
  const bool condition = op.name == "stablehlo.while" && op.regions.empty();
  if (condition) {
    if (c_.local.any_differs(yields_))
      return s_.fail(
          "TW-113", op.at,
          "a while loop that some devices leave before others is not supported: its condition differs "
          "between devices");
    return true;
  }
  if (is_choice(op) && op.regions.empty())
    for (size_t i = 0; i < yields_.size(); ++i)
      op.carried.push_back(c_.local.carried_axes(yields_[i], op.at, i));
  for (size_t i = 0; i < yields_.size() && i < op.carried.size(); ++i) {
    auto value = c_.local.carry(yields_[i], op.carried[i], op.at, i);
    if (!value)
      return s_.adopt(std::move(value.error()), yields_at_[i]);
    yields_[i] = *value;
  }
  return true;
}

// Ops and '}' of a region whose arguments are known. Names that it defines are gone afterwards.
bool BodyReader::read_region_body(OpText &op, std::span<const Argument> arguments) {
  const bool loop = op.name == "stablehlo.while",
             inside = (loop || is_choice(op)) && c_.local.is_inside(op.operands);
  if (inside && loop && op.carried.empty())
    for (size_t i = 0; i < op.operands.size(); ++i)
      op.carried.push_back(c_.local.carried_axes(op.operands[i], op.at, i));
  const auto axes_of = [&](size_t i) { return inside && loop && i < op.carried.size() ? op.carried[i] : 0; };
  std::vector<graph::TypeId> types;
  for (size_t i = 0; i < arguments.size(); ++i)
    types.push_back(axes_of(i) == 0 ? arguments[i].type : c_.local.type_with(arguments[i].type, axes_of(i)));
  // Loop text gives a variable of a while its path in the condition; in the body it has another.
  const std::string condition = loop && !op.regions.empty() ? inner_prefix(op, {}) : std::string();
  std::string outer =
      inner_prefix(op, op.regions.empty() ? std::string() : std::to_string(op.regions.size()));
  prefix_.swap(outer);
  const size_t mark = scope_->mark();
  const uint32_t around =
      std::exchange(loop_, graph::kNone); // a region stands in none of the loops around its op
  const graph::RegionId region = c_.builder.open_region(types);
  const graph::RegionId outer_region = std::exchange(region_, region);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const graph::ValueId value = c_.builder.graph().region(region).args[i];
    if (axes_of(i) != 0)
      c_.local.declare(value, arguments[i].type, axes_of(i));
    name_value(value,
               is_path(arguments[i].name, condition) ? arguments[i].name.substr(condition.size())
                                                     : arguments[i].name,
               0, 1);
    if (!define(arguments[i].name, {&value, 1}, arguments[i].at))
      return false;
  }
  if (!read_block() || !s_.expect('}', "after a region") || (inside && !carry_yields(op)))
    return false;
  c_.builder.close_region(yields_);
  op.regions.push_back(region);
  scope_->rewind(mark);
  loop_ = around;
  region_ = outer_region;
  prefix_.swap(outer);
  return true;
}

// reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : types
// reduce(%x init: %a), (%y init: %b) across dimensions = [0] : types  reducer(%p: t, %q: t) (%r: t, %s: t) {..}
bool BodyReader::form_reduce(OpText &op) {
  OpText inits;
  do {
    if (!s_.expect('(', "before an input of reduce") || !read_operand(op) ||
        !s_.expect("init", "after an input of reduce") || !s_.expect(':', "after init") ||
        !read_operand(inits) || !s_.expect(')', "after the initial value"))
      return false;
  } while (s_.accept(','));
  op.operands.insert(op.operands.end(), inits.operands.begin(), inits.operands.end());
  op.operand_at.insert(op.operand_at.end(), inits.operand_at.begin(), inits.operand_at.end());
  op.operand_def.insert(op.operand_def.end(), inits.operand_def.begin(), inits.operand_def.end());

  std::string_view reducer;
  const bool compact = s_.accept("applies");
  const char *at = s_.here();
  if (compact && (reducer = s_.word()).empty())
    return s_.fail_here("an operation such as stablehlo.add", "after applies");
  std::string_view dimensions;
  if (!s_.expect("across", "in reduce") || !s_.expect("dimensions", "after across") ||
      !s_.expect('=', "after dimensions") || !s_.skip_term(dimensions))
    return false;
  op.attrs.push_back({"dimensions", dimensions, nullptr});
  if (!read_attr_dict(op) || !read_types(op))
    return false;
  if (compact)
    return compact_reducer(op, reducer, at);

  // Each pair names what was accumulated and the next element; the block takes all of the first, then all of the second.
  if (!s_.expect("reducer", "before the body of reduce"))
    return false;
  std::vector<Argument> first, second;
  while (s_.peek() == '(') {
    std::vector<Argument> pair;
    const char *pair_at = s_.here();
    if (!read_block_arguments(pair, false))
      return false;
    if (pair.size() != 2)
      return s_.fail("TW-106", pair_at, fmt::format("expected two arguments, found {}", pair.size()));
    first.push_back(std::move(pair[0]));
    second.push_back(std::move(pair[1]));
  }
  first.insert(first.end(), std::make_move_iterator(second.begin()), std::make_move_iterator(second.end()));
  return s_.expect('{', "before the body of reduce") && read_region_body(op, first);
}

// The region that `applies OP` stands for: OP of its two arguments.
bool BodyReader::compact_reducer(OpText &op, std::string_view reducer, const char *at) {
  const Kind kind = kind_of(reducer);
  if (kind.name.empty() || !kind.registered)
    return fail_unknown(reducer, at);
  if (op.operands.size() != 2 || op.operand_types.size() != 2)
    return s_.fail("TW-106", at, "the short form of reduce takes one input and one initial value");
  // The types were stated, not yet compared: the initial value's own type is what the region works on.
  const graph::TypeId type = c_.local.type(op.operands[1]);
  const graph::TypeId types[] = {type, type};
  const graph::RegionId region = c_.builder.open_region(types);
  const std::vector<graph::ValueId> arguments = c_.builder.graph().region(region).args;
  graph::OpId id = 0;
  if (!emitter_.add_implied(kind.code, arguments, {types, 1}, op, id))
    return false;
  c_.builder.close_region({c_.builder.graph().result(id)});
  op.regions.push_back(region);
  return true;
}

// A loop or branch is itself, or in device-local code one that carries every device's values.
bool BodyReader::lower_control(OpText &op) {
  if (op.branches.empty() && !c_.local.is_inside(op.operands))
    return emit(op);
  if (!emitter_.check_operand_types(op))
    return false;
  c_.local.at(c_.builder.location({op.line, op.column, op.loc.best()}));
  std::vector<graph::ValueId> results;
  if (!op.branches.empty()) {
    auto chosen = c_.local.choose(op.operands[0], op.branches);
    if (!chosen)
      return s_.adopt(std::move(chosen.error()), op.at);
    results = std::move(*chosen);
  } else {
    auto added = c_.local.add_control(op.code, op.operands, op.carried, op.result_types, op.regions, op.at);
    if (!added)
      return s_.adopt(std::move(added.error()), op.at);
    for (uint32_t i = 0; i < c_.builder.graph().op(*added).num_results; ++i)
      results.push_back(c_.builder.graph().result(*added, i));
  }
  return bind_local(op, results);
}

// while(%it = %a, %it_0 = %b) : T, U [attributes {..}] cond {..} do {..}
bool BodyReader::form_while(OpText &op) {
  if (!s_.expect('(', "before the operands of while"))
    return false;
  std::vector<Argument> arguments;
  if (!s_.accept(')')) {
    do {
      Argument argument{};
      argument.at = s_.here();
      if (!s_.expect('%', "before the name of a loop variable"))
        return false;
      argument.name = s_.suffix();
      if (argument.name.empty() || !s_.expect('=', "after the name of a loop variable") || !read_operand(op))
        return s_.fail_here("a loop variable such as %it = %0", {});
      arguments.push_back(std::move(argument));
    } while (s_.accept(','));
    if (!s_.expect(')', "after the operands of while"))
      return false;
  }
  if (!arguments.empty()) {
    if (!s_.expect(':', "before the types of while") || !c_.types.parse_list(op.operand_types))
      return false;
    if (op.operand_types.size() != arguments.size())
      return s_.fail(
          "TW-110", op.at,
          fmt::format("while: {} types for {} operands", op.operand_types.size(), arguments.size()));
    op.result_types = op.operand_types;
    for (size_t i = 0; i < arguments.size(); ++i)
      arguments[i].type = op.operand_types[i];
  }
  if (s_.accept("attributes") && !parse_dict(s_, op.attrs))
    return false;
  for (std::string_view part : {"cond", "do"})
    if (!s_.expect(part, "in while") || !s_.expect('{', "before a region of while") ||
        !read_region_body(op, arguments))
      return false;
  return true;
}

} // namespace tw::import
