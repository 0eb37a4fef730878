// SPDX-License-Identifier: Apache-2.0
// The loop language of PartIR, as we print it and as the PartIR slides abbreviate it: loops, slices, yields.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/dialects/partir/forms.hpp"
#include "import/loop_parts.hpp"

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

struct Header {
  std::string_view name; // of the range
  bool lambda = false;   // its body is an expression
};

// `"batch" (%r : !partir.range<2>)`, `(\r:range<2> ->`, `axis (\(r : range<2>) ->`
bool read_header(Reader &r, LoopDecl &loop, Header &header) {
  std::string_view axis;
  const char *axis_at = r.s.here();
  if (r.s.peek() == '"' ? !r.s.string(axis) : is_word_start(r.s.peek()) && !r.read_name(axis))
    return false;
  loop.axis = unescape_name(axis);
  if (!r.s.expect('(', "before the range of a loop"))
    return false;
  r.s.accept('\\');
  const bool inner = r.s.accept('(');
  const char *range_at = r.s.here();
  if (!r.read_name(header.name))
    return false;
  if (r.s.accept(':') ? !read_range(r, loop.range) : !find_declared_range(r, header.name, loop.range))
    return false;
  if (inner && !r.s.expect(')', "after the range of a loop"))
    return false;
  header.lambda = r.s.accept("->");
  return (header.lambda || r.s.expect(')', "after the range of a loop")) &&
         settle_axis(r, loop, axis_at, range_at);
}

bool read_body(Reader &r, const Header &header) {
  if (!header.lambda)
    return r.s.expect('{', "before the body of a loop") && r.read_block() &&
           r.close('}', "after the body of a loop");
  OpText body;
  if (!r.read_operand(body) || !r.close(')', "after the expression of a loop"))
    return false;
  r.yields = std::move(body.operands);
  r.yields_at = std::move(body.operand_at);
  r.yields_def = std::move(body.operand_def);
  r.loops.yielded = true;
  return true;
}

// What the loop at hand yields gets names of its own, which lower_loop binds to those of the text.
bool note_yields(Reader &r, uint32_t id) {
  for (size_t i = 0; i < r.yields.size(); ++i) {
    const graph::TensorType &type = r.c.type_of(r.yields[i]);
    const LoopAction &action = r.loops.program.loops[id].actions[i];
    if (action.kind == "tile" && action.dim >= type.rank() && !r.untyped.contains(r.yields[i]))
      return r.s.fail("TW-421", r.yields_at[i],
                      fmt::format("{} has no dimension {} to tile", graph::to_text(type), action.dim));
    const char *whole = r.make_name().data();
    if (auto pending = yield_from(r, id, r.yields[i], r.yields_def[i]))
      r.loops.identities.insert_or_assign(whole, std::move(*pending));
    r.yields_def[i] = whole;
  }
  return true;
}

// tile 0 "batch" (%r : !partir.range<2>) { .. }   and   loop (tile 0, sum) "batch" (..) { .. }
// tile 0 (\r:range<2> -> ..)
bool form_loop(Reader &r, OpText &op) {
  LoopDecl loop;
  loop.pos = statement_position(r, op);
  std::string_view kind = op.name;
  if (const size_t dot = kind.rfind('.'); dot != std::string_view::npos)
    kind.remove_prefix(dot + 1);
  Header header;
  uint32_t id = 0;
  if (!read_actions(r, kind, loop.actions) || !read_header(r, loop, header) ||
      !open_loop(r, std::move(loop), header.name, op.at, id))
    return false;
  const size_t mark = r.scope->mark();
  const bool returns = std::exchange(r.loops.returns, false);
  const size_t values = r.c.builder.graph().values().size();
  r.loops.yielded = false;
  if (!read_body(r, header))
    return false;
  if (!std::exchange(r.loops.yielded, false))
    return r.s.fail("TW-421", op.at, "the body of a loop ends with partir.yield");
  r.loops.returns = returns;
  r.loops.first_value = values;
  if (const size_t announced = r.loops.program.loops[id].actions.size(); r.yields.size() != announced)
    return r.s.fail("TW-421", op.at,
                    fmt::format("the loop yields {} values, {} are announced", r.yields.size(), announced));
  for (size_t i = 0; i < r.yields.size(); ++i) {
    Yield yield{r.yields[i], r.yields_def[i], r.yields_at[i]};
    if (!make_part(r, op, id, r.loops.program.loops[id].actions[i], yield))
      return false;
    r.yields[i] = yield.value;
    r.yields_def[i] = yield.definition;
  }
  if (!note_yields(r, id))
    return false;
  r.scope->rewind(mark);
  close_loop(r, id);
  return true;
}

bool lower_loop(Reader &r, OpText &op) {
  if (!r.bind_results(op, r.yields))
    return false;
  size_t at = 0;
  for (const OpText::Result &result : op.results)
    for (uint32_t i = 0; i < result.count; ++i, ++at) {
      r.loops.identities.erase(result.at);
      r.loops.copy_view(r.yields_def[at], result.at);
    }
  return true;
}

// slice 0 %x[%r] : tensor<16x8xf32>
bool check_stated_slice(Reader &r, const OpText &op) {
  if (!r.s.accept(':'))
    return true;
  const char *at = r.s.here();
  LocalType stated;
  if (r.page && r.s.accept("TYPE-ERROR"))
    return r.s.fail("TW-421", at,
                    fmt::format("a type error is stated, and this is {}",
                                local_text(r, op.results[0].at, op.operands[0])));
  return read_local_type(r, stated) && check_local_type(r, op.results[0].at, op.operands[0], stated, at);
}

// slice 0 %x[%r], slice 0 %x[%r : !partir.range<8,4>]
bool form_loop_slice(Reader &r, OpText &op) {
  int64_t dim = 0;
  const char *dim_at = r.s.here();
  if (!r.s.integer(dim) || !r.read_operand(op) || !r.s.expect('[', "before the range of a slice"))
    return false;
  const char *at = r.s.here();
  std::string_view name;
  if (!r.read_name(name))
    return false;
  LoopSlice slice;
  slice.loop = r.loops.find_range(name);
  if (slice.loop == kNone)
    return r.s.fail("TW-421", at, fmt::format("no loop around this slice binds the range %{}", name));
  slice.range = r.loops.program.loops[slice.loop].range;
  if ((r.s.accept(':') && !read_range(r, slice.range)) || !r.s.expect(']', "after the range of a slice"))
    return false;
  if (op.operands.size() != 1 || op.operand_def.size() != 1)
    return r.s.fail("TW-421", op.at, "a slice is of one array");
  slice.pos = r.s.position(at);
  if (const auto untyped = r.untyped.find(op.operands[0]);
      untyped != r.untyped.end() && dim >= 0 && dim < 8) {
    untyped->second.slices.emplace(static_cast<uint32_t>(dim), slice.range);
    graph::TypeId stated = kNone;
    return !r.s.accept(':') || r.c.types.parse(stated);
  }
  const graph::TensorType &type = r.c.type_of(op.operands[0]);
  if (dim < 0 || dim >= static_cast<int64_t>(type.rank()))
    return r.s.fail("TW-421", dim_at, fmt::format("{} has no dimension {}", graph::to_text(type), dim));
  slice.dim = static_cast<uint32_t>(dim);
  LoopView made{op.operands[0], open_slices(r, op.operand_def[0])};
  for (const LoopSlice &before : made.slices)
    if (before.loop == slice.loop)
      return r.s.fail("TW-421", at, fmt::format("%{} slices this array already", name));
  if (r.page) // where tiles stand in the way of a type, the page may say so
    if (auto rule = sharding::checked_rule_in(
            slice.range, {type.dims[slice.dim],
                          tiles_around(r, op.operand_def[0], op.operands[0], slice.dim, slice.loop),
                          r.loops.program.loops[slice.loop].tiles,
                          {}});
        !rule) {
      const Cursor back = r.s.cursor();
      if (!r.s.accept(':') || !r.s.accept("TYPE-ERROR")) {
        r.s.seek(back);
        return r.s.adopt(std::move(rule.error()), at);
      }
      r.loops.type_error = true;
      return true;
    }
  made.slices.push_back(std::move(slice));
  if (op.results.size() != 1 || op.results[0].count != 1)
    return r.s.fail("TW-421", op.at, "a slice has one result");
  r.loops.views[op.results[0].at] = std::move(made);
  return check_stated_slice(r, op);
}

bool lower_loop_slice(Reader &r, OpText &op) {
  const ValueId sliced = op.operands[0];
  return r.bind_results(op, std::span(&sliced, 1));
}

// yield %a, %b
bool form_yield(Reader &r, OpText &op) { return r.read_values(op); }

bool lower_yield(Reader &r, OpText &op) {
  if (r.loops.innermost == kNone && !r.loops.returns) // an spmd may run over no axis
    return r.s.fail("TW-421", op.at, "a yield outside a loop");
  r.yields = op.operands;
  r.yields_at = op.operand_at;
  r.yields_def = op.operand_def;
  r.ended = r.loops.yielded = true;
  return true;
}

constexpr Syntax kSyntax[] = {
    {"matmul", form_call, lower_matmul, true},
    {"partir.all_reduce", form_distribute, lower_distribute},
    {"partir.and", form_loop, lower_loop},
    {"partir.any", form_loop, lower_loop},
    {"partir.distribute", form_distribute, lower_distribute},
    {"partir.loop", form_loop, lower_loop},
    {"partir.max", form_loop, lower_loop},
    {"partir.min", form_loop, lower_loop},
    {"partir.or", form_loop, lower_loop},
    {"partir.pick", form_loop, lower_loop},
    {"partir.product", form_loop, lower_loop},
    {"partir.redistribute", form_distribute, lower_distribute},
    {"partir.reduce_scatter", form_distribute, lower_distribute},
    {"partir.region", form_loop, lower_loop},
    {"partir.slice", form_loop_slice, lower_loop_slice},
    {"partir.spmd", form_spmd, lower_spmd},
    {"partir.sum", form_loop, lower_loop},
    {"partir.tile", form_loop, lower_loop},
    {"partir.tile_stacked_tensor", form_distribute, lower_distribute},
    {"partir.undistribute", form_distribute, lower_distribute},
    {"partir.xor", form_loop, lower_loop},
    {"partir.yield", form_yield, lower_yield},
};

constexpr Alias kAliases[] = {{"all_reduce", "partir.all_reduce"},
                              {"distribute", "partir.distribute"},
                              {"max", "partir.max"},
                              {"min", "partir.min"},
                              {"redistribute", "partir.redistribute"},
                              {"reduce_scatter", "partir.reduce_scatter"},
                              {"slice", "partir.slice"},
                              {"spmd", "partir.spmd"},
                              {"spmd_op", "partir.spmd"},
                              {"sum", "partir.sum"},
                              {"tile", "partir.tile"},
                              {"tile_stacked_tensor", "partir.tile_stacked_tensor"},
                              {"undistribute", "partir.undistribute"},
                              {"yield", "partir.yield"}};

} // namespace

Dialect dialect() { return {.syntax = kSyntax, .aliases = kAliases, .find_family = find_call}; }

} // namespace tw::import::partir_dialect
