// SPDX-License-Identifier: Apache-2.0
// The loop language of PartIR, as we print it: loops, slices, yields, ranges.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/dialects/stablehlo/ops.hpp"

namespace tw::import::partir_dialect {

using annotation::LoopAction;
using annotation::LoopDecl;
using annotation::LoopIdentity;
using annotation::LoopSlice;
using annotation::LoopStep;
using annotation::LoopView;
using graph::kNone;
using graph::ValueId;

namespace {

constexpr std::string_view kKinds[] = {"sum", "max", "min",  "product", "and",
                                       "or",  "xor", "pick", "region",  "any"};

// !partir.range<2>, range<16,8>, range(16,8)
bool read_range(Reader &r, sharding::Range &range) {
  r.s.accept('!');
  const char *at = r.s.here();
  const std::string_view word = r.s.word();
  if (word != "range" && word != "partir.range")
    return r.s.fail("TW-420", at, "expected a range such as !partir.range<2>");
  const char close = r.s.accept('<') ? '>' : ')';
  if (close == ')' && !r.s.expect('(', "after range"))
    return false;
  const char *begin = r.s.here();
  std::string_view term;
  while (r.s.peek() != close && !r.s.at_end())
    if (r.s.peek() == '[' ? !r.s.skip_term(term) : !r.s.accept(r.s.peek()))
      return false;
  const std::string_view inside(begin, static_cast<size_t>(r.s.here() - begin));
  if (!r.s.accept(close))
    return r.s.fail_here("the end of a range", {});
  auto parsed = sharding::parse_range(inside);
  if (!parsed)
    return r.s.adopt(std::move(parsed.error()), at);
  range = std::move(*parsed);
  return true;
}

bool read_tiled_dim(Reader &r, LoopAction &action) {
  const char *at = r.s.here();
  int64_t dim = 0;
  if (!r.s.integer(dim))
    return false;
  if (dim < 0 || dim > 255)
    return r.s.fail("TW-421", at, fmt::format("there is no dimension {}", dim));
  action.dim = static_cast<uint32_t>(dim);
  return true;
}

bool read_action(Reader &r, LoopAction &action) {
  const char *at = r.s.here();
  const std::string_view word = r.s.word();
  action.kind = word;
  if (word == "tile")
    return read_tiled_dim(r, action);
  return std::ranges::find(kKinds, word) != std::end(kKinds) ||
         r.s.fail("TW-421", at,
                  fmt::format("'{}' is no way to make a whole of parts: expected tile D, {}", word,
                              fmt::join(kKinds, ", ")));
}

// `(tile 0, sum)` of a loop of several results, or the one action that the name itself says: `tile 0`, `sum`.
bool read_actions(Reader &r, std::string_view kind, std::vector<LoopAction> &actions) {
  if (kind == "loop") {
    if (!r.s.expect('(', "before the actions of a loop"))
      return false;
    if (r.s.accept(')'))
      return true;
    do {
      if (!read_action(r, actions.emplace_back()))
        return false;
    } while (r.s.accept(','));
    return r.s.expect(')', "after the actions of a loop");
  }
  LoopAction &action = actions.emplace_back();
  action.kind = kind;
  return kind != "tile" || read_tiled_dim(r, action);
}

// The range that makes an axis, where one does: "range<6>", "range<16,8>#1". It says how many places the axis
// has, whatever a loop over it cuts.
std::optional<sharding::Range> range_of_axis(std::string_view axis) {
  const size_t end = axis.find('>');
  if (!axis.starts_with("range<") || end == std::string_view::npos)
    return std::nullopt;
  auto range = sharding::parse_range(axis.substr(6, end - 6));
  return range ? std::optional(std::move(*range)) : std::nullopt;
}

// `"batch" (%r : !partir.range<2>)`: the axis, and how many tiles it has here. Answers the name of the range.
bool read_loop_range(Reader &r, LoopDecl &loop, std::string_view &name) {
  std::string_view axis;
  const char *axis_at = r.s.here();
  if (r.s.peek() == '"' && !r.s.string(axis))
    return false;
  loop.axis = unescape_name(axis);
  if (!r.s.expect('(', "before the range of a loop") || !r.s.expect('%', "before the name of a range"))
    return false;
  name = r.s.suffix();
  if (name.empty() || !r.s.expect(':', "after the name of a range"))
    return r.s.fail_here("a range such as %r : !partir.range<2>", {});
  const char *range_at = r.s.here();
  if (!read_range(r, loop.range) || !r.s.expect(')', "after the range of a loop"))
    return false;
  if (loop.axis.empty())
    loop.axis = sharding::text_of(loop.range);
  loop.tiles = sharding::count_tiles(range_of_axis(loop.axis).value_or(loop.range));
  const auto known = std::ranges::find(r.loops.program.axes, loop.axis, &sharding::Axis::name);
  if (known != r.loops.program.axes.end()) {
    if (loop.range.extent.empty() && loop.tiles != known->size)
      return r.s.fail("TW-422", range_at,
                      fmt::format("a {} over the axis \"{}\" of {}", sharding::text_of(loop.range), loop.axis,
                                  known->size));
    loop.tiles = known->size;
  } else if (!loop.axis.starts_with("range<")) {
    return r.s.fail("TW-422", axis_at,
                    fmt::format("there is no axis \"{}\" among the attributes of the function", loop.axis));
  }
  return (loop.tiles >= 1 && loop.tiles <= sharding::kMaxDevices) ||
         r.s.fail("TW-422", range_at,
                  fmt::format("a {} does not say how many tiles it has", sharding::text_of(loop.range)));
}

// tile 0 "batch" (%r : !partir.range<2>) { .. }   and   loop (tile 0, sum) "batch" (..) { .. }
bool form_loop(Reader &r, OpText &op) {
  LoopDecl loop;
  loop.parent = r.loops.innermost;
  loop.region = r.loops.region;
  loop.pos = statement_position(r, op);
  std::string_view kind = op.name, name;
  if (const size_t dot = kind.rfind('.'); dot != std::string_view::npos)
    kind.remove_prefix(dot + 1);
  if (!read_actions(r, kind, loop.actions) || !read_loop_range(r, loop, name))
    return false;
  for (uint32_t outer = r.loops.innermost; outer != kNone; outer = r.loops.program.loops[outer].parent)
    if (r.loops.program.loops[outer].axis == loop.axis)
      return r.s.fail("TW-421", op.at, fmt::format("the axis \"{}\" is nested in itself", loop.axis),
                      fmt::format("the loop around it is on line {}", r.loops.program.loops[outer].pos.line));

  const auto id = static_cast<uint32_t>(r.loops.program.loops.size());
  r.loops.program.loops.push_back(std::move(loop));
  r.loops.program.steps.push_back({LoopStep::Kind::open, id});
  const uint32_t around = std::exchange(r.loops.innermost, id);
  const size_t mark = r.scope->mark(), values = r.c.builder.graph().values().size();
  r.loops.ranges.emplace_back(name, id);
  r.loops.yielded = false;
  if (!r.s.expect('{', "before the body of a loop") || !r.read_block() ||
      !r.s.expect('}', "after the body of a loop"))
    return false;
  if (!std::exchange(r.loops.yielded, false))
    return r.s.fail("TW-421", op.at, "the body of a loop ends with partir.yield");
  r.loops.ranges.pop_back();
  r.loops.innermost = around;
  r.scope->rewind(mark);
  r.loops.program.steps.push_back({LoopStep::Kind::close, id});
  r.loops.first_value = values;
  return true;
}

bool lower_loop(Reader &r, OpText &op) {
  const auto id = r.loops.program.steps.back().id;
  LoopDecl &loop = r.loops.program.loops[id];
  if (r.yields.size() != loop.actions.size())
    return r.s.fail(
        "TW-421", op.at,
        fmt::format("the loop yields {} values, {} are announced", r.yields.size(), loop.actions.size()));
  std::vector<std::optional<LoopIdentity>> pending;
  for (size_t i = 0; i < r.yields.size(); ++i) {
    LoopView yielded{r.yields[i], {}};
    if (const LoopView *known = r.loops.view(r.yields_def[i]))
      yielded.slices = known->slices;
    const graph::TensorType &type = r.c.type_of(r.yields[i]);
    if (loop.actions[i].kind == "tile" && loop.actions[i].dim >= type.rank())
      return r.s.fail(
          "TW-421", r.yields_at[i],
          fmt::format("{} has no dimension {} to tile", graph::to_text(type), loop.actions[i].dim));
    // What was not made in the loop is a dumb tile: known once the outermost of the loops around it ends.
    std::optional<LoopIdentity> identity;
    if (r.yields[i] < r.loops.first_value) {
      const auto nested = r.loops.identities.find(r.yields_def[i]);
      identity = nested != r.loops.identities.end() ? nested->second : LoopIdentity{id, yielded};
      if (loop.parent == kNone)
        r.loops.program.identities.push_back(*std::exchange(identity, std::nullopt));
    }
    pending.push_back(std::move(identity));
    loop.yields.push_back(std::move(yielded));
  }
  if (!r.bind_results(op, r.yields))
    return false;
  size_t at = 0;
  for (const OpText::Result &result : op.results)
    for (uint32_t i = 0; i < result.count; ++i, ++at) {
      r.loops.identities.erase(result.at);
      if (pending[at])
        r.loops.identities.emplace(result.at, std::move(*pending[at]));
    }
  return true;
}

// slice 0 %x[%r], slice 0 %x[%r : !partir.range<8,4>]
bool form_loop_slice(Reader &r, OpText &op) {
  int64_t dim = 0;
  const char *dim_at = r.s.here();
  if (!r.s.integer(dim) || !r.read_operand(op) || !r.s.expect('[', "before the range of a slice"))
    return false;
  const char *at = r.s.here();
  if (!r.s.expect('%', "before the name of a range"))
    return false;
  const std::string_view name = r.s.suffix();
  LoopSlice slice;
  slice.loop = r.loops.find_range(name);
  if (slice.loop == kNone)
    return r.s.fail("TW-421", at, fmt::format("no loop around this slice binds the range %{}", name));
  slice.range = r.loops.program.loops[slice.loop].range;
  if ((r.s.accept(':') && !read_range(r, slice.range)) || !r.s.expect(']', "after the range of a slice"))
    return false;
  if (op.operands.size() != 1 || op.operand_def.size() != 1)
    return r.s.fail("TW-421", op.at, "a slice is of one array");
  const graph::TensorType &type = r.c.type_of(op.operands[0]);
  if (dim < 0 || dim >= static_cast<int64_t>(type.rank()))
    return r.s.fail("TW-421", dim_at, fmt::format("{} has no dimension {}", graph::to_text(type), dim));
  slice.dim = static_cast<uint32_t>(dim);
  slice.pos = r.s.position(at);
  LoopView made{op.operands[0], {}};
  if (const LoopView *of = r.loops.view(op.operand_def[0]))
    made.slices = of->slices;
  for (const LoopSlice &before : made.slices)
    if (before.loop == slice.loop)
      return r.s.fail("TW-421", at, fmt::format("%{} slices this array already", name));
  made.slices.push_back(std::move(slice));
  if (op.results.size() != 1 || op.results[0].count != 1)
    return r.s.fail("TW-421", op.at, "a slice has one result");
  r.loops.views[op.results[0].at] = std::move(made);
  return true;
}

bool lower_loop_slice(Reader &r, OpText &op) {
  const LoopView kept = r.loops.views[op.results[0].at];
  return r.bind_results(op, std::span(&kept.value, 1));
}

// yield %a, %b
bool form_yield(Reader &r, OpText &op) { return r.read_operands(op); }

bool lower_yield(Reader &r, OpText &op) {
  if (r.loops.innermost == kNone)
    return r.s.fail("TW-421", op.at, "a yield outside a loop");
  r.yields = op.operands;
  r.yields_at = op.operand_at;
  r.yields_def = op.operand_def;
  r.ended = r.loops.yielded = true;
  return true;
}

// matmul(%x, %w), whose types follow
bool form_matmul(Reader &r, OpText &op) {
  if (!r.s.expect('(', "before the operands") || !r.read_operands(op) ||
      !r.s.expect(')', "after the operands") || !r.read_attr_dict(op))
    return false;
  if (r.s.peek() == ':')
    return r.read_types(op);
  for (const ValueId v : op.operands)
    op.operand_types.push_back(r.c.local.type(v));
  for (const ValueId v : op.operands)
    if (r.c.type_of(v).rank() != 2)
      return r.s.fail("TW-421", op.at,
                      fmt::format("matmul takes matrices, not {}", graph::to_text(r.c.type_of(v))));
  return true;
}

constexpr Syntax kSyntax[] = {
    {"matmul", form_matmul, lower_dot, true},
    {"partir.and", form_loop, lower_loop},
    {"partir.any", form_loop, lower_loop},
    {"partir.loop", form_loop, lower_loop},
    {"partir.max", form_loop, lower_loop},
    {"partir.min", form_loop, lower_loop},
    {"partir.or", form_loop, lower_loop},
    {"partir.pick", form_loop, lower_loop},
    {"partir.product", form_loop, lower_loop},
    {"partir.region", form_loop, lower_loop},
    {"partir.slice", form_loop_slice, lower_loop_slice},
    {"partir.sum", form_loop, lower_loop},
    {"partir.tile", form_loop, lower_loop},
    {"partir.xor", form_loop, lower_loop},
    {"partir.yield", form_yield, lower_yield},
};

constexpr Alias kAliases[] = {
    {"slice", "partir.slice"}, {"sum", "partir.sum"}, {"tile", "partir.tile"}, {"yield", "partir.yield"}};

} // namespace

Dialect dialect() { return {.syntax = kSyntax, .aliases = kAliases}; }

} // namespace tw::import::partir_dialect
