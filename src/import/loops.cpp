// SPDX-License-Identifier: Apache-2.0
// Reads what the loop language adds to StableHLO: loops, slices, yields, ranges, cut types. A slice and the result of a loop are other names
// for the array that they are of, so the graph that comes out is the program without loops.
#include "annotation/loop_program.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/body.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using annotation::LoopAction;
using annotation::LoopBond;
using annotation::LoopDecl;
using annotation::LoopIdentity;
using annotation::LoopOp;
using annotation::LoopProgram;
using annotation::LoopSlice;
using annotation::LoopStep;
using annotation::LoopTypeCut;
using annotation::LoopView;

using graph::kNone;
using graph::ValueId;

namespace {

constexpr std::string_view kKinds[] = {"sum", "max", "min",  "product", "and",
                                       "or",  "xor", "pick", "region",  "any"};

// What stands in tensor<..>, dimension by dimension: the names between braces.
struct CutText {
  uint32_t dim;
  std::vector<std::string_view> names;
  const char *at;
};

// The cuts of each tensor type in a piece of text.
std::vector<std::vector<CutText>> cuts_in(std::string_view text) {
  std::vector<std::vector<CutText>> types;
  for (size_t at = 0; at < text.size();) {
    const size_t tensor = text.find("tensor<", at), token = text.find("!stablehlo.token", at);
    const size_t next = std::min(tensor, token);
    if (next == std::string_view::npos)
      break;
    types.emplace_back();
    at = next + 7;
    if (next == token)
      continue;
    for (uint32_t dim = 0; at < text.size() && text[at] != '>'; ++at) {
      if (text[at] == '{') {
        CutText cut{dim, {}, text.data() + at};
        const size_t end = std::min(text.find('}', at), text.size() - 1);
        for (size_t name = text.find('%', at); name < end; name = text.find('%', name + 1)) {
          const size_t stop = std::min(text.find_first_of(", }", name), end);
          cut.names.push_back(text.substr(name + 1, stop - name - 1));
        }
        types.back().push_back(std::move(cut));
        at = end;
      } else if (text[at] == 'x') {
        ++dim;
      }
    }
  }
  return types;
}

} // namespace

SourcePos BodyReader::statement_position(const OpText &op) const { return {s_.file(), op.line, op.column}; }

const LoopView *BodyReader::view(const char *definition) const {
  const auto found = views_.find(definition);
  return found == views_.end() ? nullptr : &found->second;
}

uint32_t BodyReader::find_range(std::string_view name) const {
  for (size_t i = ranges_.size(); i-- > 0;)
    if (ranges_[i].first == name)
      return ranges_[i].second;
  return kNone;
}

// attributes {batch:2, "range<16,8>":2, "partir.rule foo":"b s -> b s"}; a dictionary with '=' says nothing of loops.
bool BodyReader::read_loop_attributes(const Function &f) {
  if (f.attributes.at == nullptr)
    return true;
  s_.seek(f.attributes);
  if (!s_.expect('{', "before attributes") || s_.accept('}'))
    return !s_.failed();
  do {
    std::string_view key, text;
    const char *at = s_.here();
    if (s_.peek() == '"' ? !s_.string(key) : (key = s_.word()).empty())
      return s_.fail_here("an attribute name", {});
    if (!s_.accept(':'))
      return true;
    const std::string name = unescape(key);
    int64_t size = 0;
    if (s_.peek() == '"') {
      static constexpr std::string_view kRule = "partir.rule ", kGroup = "partir.group ",
                                        kRuleOf = "partir.rule_of ", kPassage = "partir.passage ",
                                        kApart = "partir.apart ";
      if (name.starts_with(kGroup) || name.starts_with(kPassage) || name.starts_with(kRuleOf) ||
          name.starts_with(kApart)) {
        if (!s_.string(text))
          return false;
        // The number tells keys apart and means nothing.
        std::string kind = name.starts_with(kGroup)    ? "group"
                           : name.starts_with(kRuleOf) ? "rule_of"
                           : name.starts_with(kApart)  ? "apart"
                                                       : "passage";
        if (kind == "passage" || kind == "apart")
          kind += name.substr(std::min(name.find(' ', fmt::format("partir.{} ", kind).size()), name.size()));
        loops_.bonds.push_back({std::move(kind), unescape(text), {}, s_.position(at)});
        continue;
      }
      if (!name.starts_with(kRule))
        return s_.fail("TW-421", at, fmt::format("'{}' is no attribute of a loop program", name));
      if (!s_.string(text))
        return false;
      loops_.rules.emplace_back(name.substr(kRule.size()), unescape(text));
      continue;
    }
    if (!s_.integer(size))
      return false;
    if (size < 1 || size > sharding::kMaxDevices)
      return s_.fail(
          "TW-422", at,
          fmt::format("the axis \"{}\" has {} places: expected 1 to {}", name, size, sharding::kMaxDevices));
    sharding::Axis axis{name, size, name, 1};
    const size_t blank = name.find(' ');
    for (const auto kind : {sharding::AxisKind::serial, sharding::AxisKind::threads})
      if (name.substr(0, blank) == sharding::name(kind) && blank != std::string::npos) {
        axis.kind = kind;
        axis.name = axis.parent = name.substr(blank + 1);
      }
    if (std::ranges::count(loops_.axes, axis.name, &sharding::Axis::name) != 0)
      return s_.fail("TW-421", at, fmt::format("the axis \"{}\" is given twice", axis.name));
    loops_.axes.push_back(std::move(axis));
  } while (s_.accept(','));
  return s_.expect('}', "after attributes");
}

// Regions get other numbers when the op that owns them is complete, so each loop takes that of what stands in it.
static void settle_regions(const graph::Graph &graph, LoopProgram &program) {
  const auto settle = [&](uint32_t loop, graph::RegionId region) {
    for (; loop != graph::kNone; loop = program.loops[loop].parent)
      program.loops[loop].region = region;
  };
  for (const LoopOp &op : program.ops)
    settle(op.loop, graph.op(op.op).parent);
  for (const LoopIdentity &identity : program.identities) {
    const graph::Value &value = graph.value(identity.view.value);
    settle(identity.loop, value.def == graph::kNone ? value.region : graph.op(value.def).parent);
  }
}

// The values that bonds name, once all are known.
bool BodyReader::resolve_bonds(const Function &f) {
  settle_regions(c_.builder.graph(), loops_);
  for (LoopBond &bond : loops_.bonds)
    for (size_t at = bond.names.find('%'), end = 0; at != std::string::npos; at = bond.names.find('%', end)) {
      end = std::min(bond.names.find_first_of(", ", at), bond.names.size());
      const auto found = bonded_.find(bond.names.substr(at + 1, end - at - 1));
      if (found == bonded_.end())
        return s_.fail(
            "TW-421", f.attributes.at,
            fmt::format("partir.{}: there is no value {}", bond.kind, bond.names.substr(at, end - at)));
      bond.values.push_back(found->second);
    }
  return true;
}

// !partir.range<2>, range<16,8>, range(16,8)
bool BodyReader::read_range(sharding::Range &range) {
  s_.accept('!');
  const char *at = s_.here();
  const std::string_view word = s_.word();
  if (word != "range" && word != "partir.range")
    return s_.fail("TW-420", at, "expected a range such as !partir.range<2>");
  const char close = s_.accept('<') ? '>' : ')';
  if (close == ')' && !s_.expect('(', "after range"))
    return false;
  const char *begin = s_.here();
  std::string_view term;
  while (s_.peek() != close && !s_.at_end())
    if (s_.peek() == '[' ? !s_.skip_term(term) : !s_.accept(s_.peek()))
      return false;
  const std::string_view inside(begin, static_cast<size_t>(s_.here() - begin));
  if (!s_.accept(close))
    return s_.fail_here("the end of a range", {});
  auto parsed = sharding::parse_range(inside);
  if (!parsed)
    return s_.adopt(std::move(parsed.error()), at);
  range = std::move(*parsed);
  return true;
}

bool BodyReader::read_action(LoopAction &action) {
  const char *at = s_.here();
  const std::string_view word = s_.word();
  action.kind = word;
  if (word == "tile") {
    int64_t dim = 0;
    if (!s_.integer(dim))
      return false;
    if (dim < 0 || dim > 255)
      return s_.fail("TW-421", at, fmt::format("there is no dimension {}", dim));
    action.dim = static_cast<uint32_t>(dim);
    return true;
  }
  return std::ranges::find(kKinds, word) != std::end(kKinds) ||
         s_.fail("TW-421", at,
                 fmt::format("'{}' is no way to make a whole of parts: expected tile D, {}", word,
                             fmt::join(kKinds, ", ")));
}

// tile 0 "batch" (%r : !partir.range<2>) { .. }   and   loop (tile 0, sum) "batch" (..) { .. }
bool BodyReader::form_loop(OpText &op) {
  LoopDecl loop;
  loop.parent = loop_;
  loop.region = region_;
  loop.pos = statement_position(op);
  std::string_view kind = op.name;
  if (const size_t dot = kind.rfind('.'); dot != std::string_view::npos)
    kind.remove_prefix(dot + 1);
  if (kind == "loop") {
    if (!s_.expect('(', "before the actions of a loop"))
      return false;
    if (!s_.accept(')')) {
      do {
        if (!read_action(loop.actions.emplace_back()))
          return false;
      } while (s_.accept(','));
      if (!s_.expect(')', "after the actions of a loop"))
        return false;
    }
  } else {
    LoopAction &action = loop.actions.emplace_back();
    action.kind = kind;
    int64_t dim = 0;
    if (kind == "tile") {
      const char *at = s_.here();
      if (!s_.integer(dim))
        return false;
      if (dim < 0 || dim > 255)
        return s_.fail("TW-421", at, fmt::format("there is no dimension {}", dim));
    }
    action.dim = static_cast<uint32_t>(dim);
  }
  std::string_view axis;
  const char *axis_at = s_.here();
  if (s_.peek() == '"' && !s_.string(axis))
    return false;
  loop.axis = unescape(axis);
  if (!s_.expect('(', "before the range of a loop") || !s_.expect('%', "before the name of a range"))
    return false;
  const std::string_view name = s_.suffix();
  const char *range_at = nullptr;
  if (name.empty() || !s_.expect(':', "after the name of a range"))
    return s_.fail_here("a range such as %r : !partir.range<2>", {});
  range_at = s_.here();
  if (!read_range(loop.range) || !s_.expect(')', "after the range of a loop"))
    return false;
  if (loop.axis.empty())
    loop.axis = sharding::text_of(loop.range);

  loop.tiles = sharding::count_tiles(loop.range);
  const auto known = std::ranges::find(loops_.axes, loop.axis, &sharding::Axis::name);
  if (known != loops_.axes.end()) {
    if (loop.range.extent.empty() && loop.tiles != known->size)
      return s_.fail("TW-422", range_at,
                     fmt::format("a {} over the axis \"{}\" of {}", sharding::text_of(loop.range), loop.axis,
                                 known->size));
    loop.tiles = known->size;
  } else if (!loop.axis.starts_with("range<")) {
    return s_.fail("TW-422", axis_at,
                   fmt::format("there is no axis \"{}\" among the attributes of the function", loop.axis));
  }
  if (loop.tiles < 1 || loop.tiles > sharding::kMaxDevices)
    return s_.fail("TW-422", range_at,
                   fmt::format("a {} does not say how many tiles it has", sharding::text_of(loop.range)));
  for (uint32_t outer = loop_; outer != kNone; outer = loops_.loops[outer].parent)
    if (loops_.loops[outer].axis == loop.axis)
      return s_.fail("TW-421", op.at, fmt::format("the axis \"{}\" is nested in itself", loop.axis),
                     fmt::format("the loop around it is on line {}", loops_.loops[outer].pos.line));

  const auto id = static_cast<uint32_t>(loops_.loops.size());
  loops_.loops.push_back(std::move(loop));
  loops_.steps.push_back({LoopStep::Kind::open, id});
  const uint32_t around = std::exchange(loop_, id);
  const size_t mark = scope_->mark(), values = c_.builder.graph().values().size();
  ranges_.emplace_back(name, id);
  yielded_ = false;
  if (!s_.expect('{', "before the body of a loop") || !read_block() ||
      !s_.expect('}', "after the body of a loop"))
    return false;
  if (!std::exchange(yielded_, false))
    return s_.fail("TW-421", op.at, "the body of a loop ends with partir.yield");
  ranges_.pop_back();
  loop_ = around;
  scope_->rewind(mark);
  loops_.steps.push_back({LoopStep::Kind::close, id});
  first_value_ = values;
  return true;
}

bool BodyReader::lower_loop(OpText &op) {
  const auto id = loops_.steps.back().id;
  LoopDecl &loop = loops_.loops[id];
  if (yields_.size() != loop.actions.size())
    return s_.fail(
        "TW-421", op.at,
        fmt::format("the loop yields {} values, {} are announced", yields_.size(), loop.actions.size()));
  std::vector<std::optional<LoopIdentity>> pending;
  for (size_t i = 0; i < yields_.size(); ++i) {
    LoopView yielded{yields_[i], {}};
    if (const LoopView *known = view(yields_def_[i]))
      yielded.slices = known->slices;
    const graph::TensorType &type = c_.type_of(yields_[i]);
    if (loop.actions[i].kind == "tile" && loop.actions[i].dim >= type.rank())
      return s_.fail(
          "TW-421", yields_at_[i],
          fmt::format("{} has no dimension {} to tile", graph::to_text(type), loop.actions[i].dim));
    // What was not made in the loop is a dumb tile: known once the outermost of the loops around it ends.
    std::optional<LoopIdentity> identity;
    if (yields_[i] < first_value_) {
      const auto nested = identity_.find(yields_def_[i]);
      identity = nested != identity_.end() ? nested->second : LoopIdentity{id, yielded};
      if (loop.parent == kNone)
        loops_.identities.push_back(*std::exchange(identity, std::nullopt));
    }
    pending.push_back(std::move(identity));
    loop.yields.push_back(std::move(yielded));
  }
  if (!bind_results(op, yields_))
    return false;
  size_t at = 0;
  for (const OpText::Result &result : op.results)
    for (uint32_t i = 0; i < result.count; ++i, ++at) {
      identity_.erase(result.at);
      if (pending[at])
        identity_.emplace(result.at, std::move(*pending[at]));
    }
  return true;
}

// slice 0 %x[%r], slice 0 %x[%r : !partir.range<8,4>]
bool BodyReader::form_loop_slice(OpText &op) {
  int64_t dim = 0;
  const char *dim_at = s_.here();
  if (!s_.integer(dim) || !read_operand(op) || !s_.expect('[', "before the range of a slice"))
    return false;
  const char *at = s_.here();
  if (!s_.expect('%', "before the name of a range"))
    return false;
  const std::string_view name = s_.suffix();
  LoopSlice slice;
  slice.loop = find_range(name);
  if (slice.loop == kNone)
    return s_.fail("TW-421", at, fmt::format("no loop around this slice binds the range %{}", name));
  slice.range = loops_.loops[slice.loop].range;
  if ((s_.accept(':') && !read_range(slice.range)) || !s_.expect(']', "after the range of a slice"))
    return false;
  if (op.operands.size() != 1 || op.operand_def.size() != 1)
    return s_.fail("TW-421", op.at, "a slice is of one array");
  const graph::TensorType &type = c_.type_of(op.operands[0]);
  if (dim < 0 || dim >= static_cast<int64_t>(type.rank()))
    return s_.fail("TW-421", dim_at, fmt::format("{} has no dimension {}", graph::to_text(type), dim));
  slice.dim = static_cast<uint32_t>(dim);
  slice.pos = s_.position(at);
  LoopView made{op.operands[0], {}};
  if (const LoopView *of = view(op.operand_def[0]))
    made.slices = of->slices;
  for (const LoopSlice &before : made.slices)
    if (before.loop == slice.loop)
      return s_.fail("TW-421", at, fmt::format("%{} slices this array already", name));
  made.slices.push_back(std::move(slice));
  if (op.results.size() != 1 || op.results[0].count != 1)
    return s_.fail("TW-421", op.at, "a slice has one result");
  views_[op.results[0].at] = std::move(made);
  return true;
}

bool BodyReader::lower_loop_slice(OpText &op) {
  const LoopView kept = views_[op.results[0].at];
  return bind_results(op, std::span(&kept.value, 1));
}

// yield %a, %b
bool BodyReader::form_yield(OpText &op) { return read_operands(op); }

bool BodyReader::lower_yield(OpText &op) {
  if (loop_ == kNone)
    return s_.fail("TW-421", op.at, "a yield outside a loop");
  yields_ = op.operands;
  yields_at_ = op.operand_at;
  yields_def_ = op.operand_def;
  ended_ = yielded_ = true;
  return true;
}

// matmul(%x, %w), whose types follow
bool BodyReader::form_matmul(OpText &op) {
  if (!s_.expect('(', "before the operands") || !read_operands(op) || !s_.expect(')', "after the operands") ||
      !read_attr_dict(op))
    return false;
  if (s_.peek() == ':')
    return read_types(op);
  for (const ValueId v : op.operands)
    op.operand_types.push_back(c_.local.type(v));
  for (const ValueId v : op.operands)
    if (c_.type_of(v).rank() != 2)
      return s_.fail("TW-421", op.at,
                     fmt::format("matmul takes matrices, not {}", graph::to_text(c_.type_of(v))));
  return true;
}

// Takes aside what an op says of its loops, before it becomes an op of the graph.
bool BodyReader::begin_loop_op(OpText &op) {
  static constexpr std::string_view kFactors = "partir.factors", kNest = "partir.nest";
  LoopOp &told = loop_op_;
  told = {};
  for (const AttrText &attr : op.attrs)
    if (attr.name == kFactors)
      told.factors = attr.raw;
    else if (attr.name == kNest)
      told.nest = attr.raw;
  std::erase_if(op.attrs, [](const AttrText &a) { return a.name == kFactors || a.name == kNest; });
  if (loop_ == kNone)
    return true;
  told.loop = loop_;
  if (op.operand_def.size() != op.operands.size())
    return s_.fail("TW-421", op.at, fmt::format("{}: tuples cannot stand in a loop", op.name));
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const LoopView *known = view(op.operand_def[i]);
    told.operands.push_back(known != nullptr ? *known : LoopView{op.operands[i], {}});
  }
  if (op.types.empty())
    return true;
  told.typed = true;
  auto types = cuts_in(op.types);
  const size_t count = op.operand_types.size() + op.result_types.size();
  if (types.size() == 1) // one type stands for all
    types.resize(count, types[0]);
  if (types.size() != count)
    return s_.fail(
        "TW-421", op.at,
        fmt::format("{}: in a loop, types are one for all or one for each operand and result", op.name));
  for (const auto &type : types) {
    auto &stated = told.stated.emplace_back();
    for (const CutText &cut : type) {
      LoopTypeCut &known = stated.emplace_back();
      known.dim = cut.dim;
      for (const std::string_view name : cut.names) {
        known.loops.push_back(find_range(name));
        if (known.loops.back() == kNone)
          return s_.fail("TW-421", cut.at, fmt::format("no loop around this type binds the range %{}", name));
      }
    }
  }
  return true;
}

void BodyReader::end_loop_op(const OpText &op, graph::OpId id) {
  if (loop_op_.loop == kNone && loop_op_.nest.empty())
    return;
  loop_op_.op = id;
  loop_op_.pos = statement_position(op);
  loops_.ops.push_back(std::move(loop_op_));
  if (loops_.ops.back().loop != kNone)
    loops_.steps.push_back({LoopStep::Kind::op, static_cast<uint32_t>(loops_.ops.size() - 1)});
}

} // namespace tw::import
