// SPDX-License-Identifier: Apache-2.0
// Regions: blocks whose names end with them, and what device-local code makes of those that branch or loop.
#include "import/reader.hpp"

#include <optional>
#include <utility>

namespace tw::import {

namespace {

bool is_choice(const OpText &op) { return op.name == "stablehlo.if" || op.name == "stablehlo.case"; }

// Which devices take a branch, where constants and indices of devices decide. Any index that is no branch's
// is the last one's.
std::optional<std::vector<bool>> taken_by(Reader &r, const OpText &op, size_t branch) {
  const auto decided = r.c.local.known_numbers(op.operands[0]);
  if (!decided)
    return std::nullopt;
  const auto count = std::ssize(op.branches);
  std::vector<bool> taken;
  for (const int64_t number : *decided) {
    const int64_t index = op.name == "stablehlo.if"       ? (number != 0 ? 0 : 1)
                          : number < 0 || number >= count ? count - 1
                                                          : number;
    taken.push_back(index == static_cast<int64_t>(branch));
  }
  return taken;
}

// Whether a message of a block is received before one is sent.
bool receives_first(std::string_view block) { return block.find("shard.recv") < block.find("shard.send"); }

} // namespace

// (%a: T {attrs} loc(..), ...) of a function or a block.
bool Reader::read_block_arguments(std::vector<Argument> &arguments, bool with_attrs) {
  if (!s.expect('(', "before arguments"))
    return false;
  if (s.accept(')'))
    return true;
  do {
    Argument argument{};
    argument.at = s.here();
    argument.line = s.cursor().line;
    argument.column = s.cursor().column();
    if (!s.expect('%', "before the name of an argument"))
      return false;
    argument.name = s.suffix();
    if (argument.name.empty() || !s.expect(':', "after the name of an argument") ||
        !((with_attrs && accept_untyped(*this, argument)) || c.types.parse(argument.type)))
      return s.fail_here("an argument such as %arg0: tensor<f32>", {});
    if (with_attrs && s.peek() == '{' && !parse_dict(s, argument.attrs))
      return false;
    if (!c.locations.read_optional(argument.loc))
      return false;
    arguments.push_back(std::move(argument));
  } while (s.accept(','));
  return s.expect(')', "after arguments");
}

// { [^bb0(%a: T, ...):]
bool Reader::begin_region(OpText &op, std::vector<Argument> &arguments) {
  if (c.records != nullptr)
    return c.records->enter(op.next_region++, arguments);
  if (!s.expect('{', "before a region"))
    return false;
  if (!s.accept('^'))
    return true;
  if (s.suffix().empty())
    return s.fail_here("the name of a block", {});
  return (s.peek() != '(' || read_block_arguments(arguments, false)) &&
         s.expect(':', "after the header of a block");
}

bool Reader::end_region(std::string_view where) {
  if (c.records == nullptr)
    return s.expect('}', where);
  c.records->leave();
  return true;
}

// { [^bb0(%a: T, ...):] ops }
bool Reader::read_region(OpText &op) {
  if (is_choice(op) && !op.operands.empty() && c.local.differs(op.operands[0])) {
    if (c.records != nullptr)
      return read_record_choice(op);
    return op.branches.empty() ? read_choice(op) : s.skip_braces(); // read with the first one
  }
  std::vector<Argument> arguments;
  return begin_region(op, arguments) && read_region_body(op, arguments);
}

// An artifact sends no messages: branches are read one after the other.
bool Reader::read_record_choice(OpText &op) {
  op.branches.resize(op.end_region - op.next_region);
  for (size_t branch = 0; branch < op.branches.size(); ++branch)
    if (!read_branch(op, branch))
      return false;
  return true;
}

// Branches of which some devices take one and others another: all compute all of them, and take what is
// theirs. Those that wait for messages come behind those that send them.
bool Reader::read_choice(OpText &op) {
  std::vector<Cursor> begin;
  std::vector<size_t> order, waiting;
  Cursor end{};
  do {
    s.here();
    begin.push_back(s.cursor());
    if (s.peek() != '{')
      return s.expect('{', "before a region");
    if (!s.skip_braces())
      return false;
    const char *block = begin.back().at;
    (receives_first({block, static_cast<size_t>(s.cursor().at - block)}) ? waiting : order)
        .push_back(begin.size() - 1);
    if (begin.size() == 1)
      end = s.cursor();
  } while (s.accept(','));
  order.insert(order.end(), waiting.begin(), waiting.end());
  op.branches.resize(begin.size());
  for (const size_t branch : order) {
    s.seek(begin[branch]);
    if (!read_branch(op, branch))
      return false;
  }
  s.seek(end);
  return true;
}

bool Reader::read_branch(OpText &op, size_t branch) {
  const size_t mark = scope->mark();
  std::string outer = inner_prefix(op, std::to_string(branch));
  prefix.swap(outer);
  grid_code.choices.push_back({taken_by(*this, op, branch)});
  std::vector<Argument> arguments;
  if (!begin_region(op, arguments) || !read_block() || !end_region("after a region"))
    return false;
  grid_code.choices.pop_back();
  op.branches[branch] = yields;
  scope->rewind(mark);
  prefix.swap(outer);
  return true;
}

// What a loop carries, or a branch gives, has one type in all regions.
bool Reader::carry_yields(OpText &op) {
  const bool condition = op.name == "stablehlo.while" && op.regions.empty();
  if (condition) {
    if (c.local.any_differs(yields))
      return s.fail(
          "TW-113", op.at,
          "a while loop that some devices leave before others is not supported: its condition differs "
          "between devices");
    return true;
  }
  if (is_choice(op) && op.regions.empty())
    for (size_t i = 0; i < yields.size(); ++i)
      op.carried.push_back(c.local.carried_axes(yields[i], op.at, i));
  for (size_t i = 0; i < yields.size() && i < op.carried.size(); ++i) {
    auto value = c.local.carry(yields[i], op.carried[i], op.at, i);
    if (!value)
      return s.adopt(std::move(value.error()), yields_at[i]);
    yields[i] = *value;
  }
  return true;
}

// Ops and '}' of a region whose arguments are known. Names that it defines are gone afterwards.
bool Reader::read_region_body(OpText &op, std::span<const Argument> arguments) {
  const bool loop = op.name == "stablehlo.while",
             inside = (loop || is_choice(op)) && c.local.is_inside(op.operands);
  if (inside && loop && op.carried.empty())
    for (size_t i = 0; i < op.operands.size(); ++i)
      op.carried.push_back(c.local.carried_axes(op.operands[i], op.at, i));
  const auto axes_of = [&](size_t i) { return inside && loop && i < op.carried.size() ? op.carried[i] : 0; };
  std::vector<graph::TypeId> types;
  for (size_t i = 0; i < arguments.size(); ++i)
    types.push_back(axes_of(i) == 0 ? arguments[i].type : c.local.type_with(arguments[i].type, axes_of(i)));
  // Loop text gives a variable of a while its path in the condition; in the body it has another.
  const std::string condition = loop && !op.regions.empty() ? inner_prefix(op, {}) : std::string();
  std::string outer =
      inner_prefix(op, op.regions.empty() ? std::string() : std::to_string(op.regions.size()));
  prefix.swap(outer);
  const size_t mark = scope->mark();
  const uint32_t around =
      std::exchange(loops.innermost, graph::kNone); // a region stands in none of the loops around its op
  const graph::RegionId region = c.builder.open_region(types);
  const graph::RegionId outer_region = std::exchange(loops.region, region);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const graph::ValueId value = c.builder.graph().region(region).args[i];
    if (axes_of(i) != 0)
      c.local.declare(value, arguments[i].type, axes_of(i));
    name_value(value,
               is_path(arguments[i].name, condition) ? arguments[i].name.substr(condition.size())
                                                     : arguments[i].name,
               0, 1);
    if (!define(arguments[i], {&value, 1}))
      return false;
  }
  if (!read_block() || !end_region("after a region") || (inside && !carry_yields(op)))
    return false;
  c.builder.close_region(yields);
  op.regions.push_back(region);
  scope->rewind(mark);
  loops.innermost = around;
  loops.region = outer_region;
  prefix.swap(outer);
  return true;
}

} // namespace tw::import
