// SPDX-License-Identifier: Apache-2.0
// What functions and ops say of loops besides the loops themselves: axes, bonds, cut types.
#include "import/loop_text.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "import/loop_parts.hpp"
#include "import/reader.hpp"

namespace tw::import {

using annotation::LoopBond;
using annotation::LoopIdentity;
using annotation::LoopOp;
using annotation::LoopProgram;
using annotation::LoopStep;
using annotation::LoopTypeCut;
using annotation::LoopView;
using graph::kNone;

namespace {

constexpr std::string_view kFactors = "partir.factors", kNest = "partir.nest";

// Regions get other numbers when the op that owns them is complete, so each loop takes that of what stands in
// it.
void settle_regions(const graph::Graph &graph, LoopProgram &program) {
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

// The name of a range that stands for a dimension, %rx32xf32 or rx32xf32; empty where none does.
std::string_view range_name(const LoopText &loops, std::string_view text) {
  const std::string_view name = text.substr(text.starts_with('%'));
  for (size_t i = loops.ranges.size(); i-- > 0;)
    if (const std::string_view range = loops.ranges[i].first;
        name.starts_with(range) && name.substr(range.size()).starts_with('x'))
      return name.substr(0, range.size());
  return {};
}

// Types of a turn of the loops become those of the whole arrays that the graph has. Whether any was.
bool settle_local_types(Reader &r, OpText &op, const std::vector<std::vector<CutText>> &types, bool &local) {
  const auto has_names = [](const std::vector<CutText> &cuts) {
    return std::ranges::any_of(cuts, &CutText::local);
  };
  for (size_t i = 0; i < op.operands.size() && i < op.operand_types.size(); ++i) {
    const graph::TypeId whole = r.c.local.type(op.operands[i]);
    if (op.operand_types[i] == whole && !has_names(types[i]))
      continue;
    const bool cut = local_dims(r, op.operand_def[i], op.operands[i]) != r.c.type_of(op.operands[i]).dims;
    if (!has_names(types[i]) && (!types[i].empty() || !cut))
      continue;
    if (!check_local_type(r, op.operand_def[i], op.operands[i], {op.operand_types[i], types[i]},
                          op.operand_at[i]))
      return false;
    op.operand_types[i] = whole;
    local = true;
  }
  for (size_t i = op.operand_types.size(); i < types.size() && !local; ++i)
    local = has_names(types[i]);
  if (!local)
    return true;
  for (size_t i = 0; i < op.result_types.size(); ++i)
    r.loops.local_results.push_back({op.result_types[i], types[op.operand_types.size() + i]});
  if (op.name == "stablehlo.convert" && op.operands.size() == 1 && op.result_types.size() == 1)
    op.result_types[0] = r.c.builder.type(
        {r.c.builder.graph().type_at(op.result_types[0]).dtype, r.c.type_of(op.operands[0]).dims});
  else
    op.result_types.clear(); // inferred, then compared
  return true;
}

} // namespace

std::vector<std::vector<CutText>> cuts_in(const LoopText &loops, std::string_view text) {
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
    bool begins = true; // a dimension
    for (uint32_t dim = 0; at < text.size() && text[at] != '>'; ++at) {
      if (begins && (text[at] == '%' || is_word_start(text[at]))) {
        const std::string_view name = range_name(loops, text.substr(at));
        if (name.empty())
          continue;
        types.back().push_back({dim, {name}, text.data() + at, true});
        at = static_cast<size_t>(name.data() - text.data()) + name.size() - 1;
        begins = false;
      } else if (text[at] == '{') {
        CutText cut{dim, {}, text.data() + at, false};
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
      begins = text[at] == 'x';
    }
  }
  return types;
}

bool read_local_type(Reader &r, LocalType &stated) {
  const char *at = r.s.here();
  if (!r.c.types.parse(stated.type))
    return false;
  auto cuts = cuts_in(r.loops, {at, static_cast<size_t>(r.s.cursor().at - at)});
  if (!cuts.empty())
    stated.cuts = std::move(cuts[0]);
  return true;
}

void LoopText::state_identity(const LoopIdentity &identity) {
  if (!stated.emplace(identity.loop, identity.view.value).second)
    return;
  for (const annotation::LoopSlice &slice : identity.view.slices)
    tiled[identity.view.value].emplace(program.loops[slice.loop].axis, slice.dim);
  program.identities.push_back(identity);
}

void LoopText::state_identity(const char *definition) {
  if (const auto pending = identities.find(definition); pending != identities.end())
    state_identity(pending->second);
}

void LoopText::take(const char *definition) {
  if (const auto found = not_taken.find(definition); found != not_taken.end())
    std::erase_if(not_taken, [at = found->second](const auto &other) { return other.second == at; });
}

void LoopText::copy_view(const char *from, const char *to) {
  if (const auto found = views.find(from); found != views.end())
    views[to] = LoopView(found->second);
  if (const auto found = identities.find(from); found != identities.end())
    identities[to] = LoopIdentity(found->second);
  if (const auto found = distributed.find(from); found != distributed.end())
    distributed[to] = DistType(found->second);
}

bool check_local_type(Reader &r, const char *definition, graph::ValueId v, const LocalType &stated,
                      const char *at) {
  const graph::TensorType &type = r.c.builder.graph().type_at(stated.type), &whole = r.c.type_of(v);
  const graph::Shape dims = local_dims(r, definition, v);
  bool fits = type.rank() == whole.rank() && type.dtype == whole.dtype;
  for (size_t d = 0; fits && d < dims.size(); ++d) {
    const auto cut = std::ranges::find(stated.cuts, d, &CutText::dim);
    fits = cut != stated.cuts.end() && cut->local
               ? is_cut_by(r, definition, v, static_cast<uint32_t>(d), r.loops.find_range(cut->names[0]))
               : type.dims[d] == dims[d];
  }
  return fits || r.s.fail("TW-421", at,
                          fmt::format("of {} a turn of the loops around it has {}: that is not the type that "
                                      "is stated",
                                      graph::to_text(whole), local_text(r, definition, v)));
}

const LoopView *LoopText::view(const char *definition) const {
  const auto found = views.find(definition);
  return found == views.end() ? nullptr : &found->second;
}

uint32_t LoopText::find_range(std::string_view name) const {
  for (size_t i = ranges.size(); i-- > 0;)
    if (ranges[i].first == name)
      return ranges[i].second;
  return kNone;
}

SourcePos statement_position(const Reader &r, const OpText &op) { return {r.s.file(), op.line, op.column}; }

// attributes {batch:2, "range<16,8>":2, "partir.rule foo":"b s -> b s"}; a dictionary with '=' says nothing
// of loops.
bool read_loop_attributes(Reader &r, const Function &f) {
  if (f.attributes.at == nullptr)
    return true;
  r.loops.states_axes = true;
  r.s.seek(f.attributes);
  if (!r.s.expect('{', "before attributes") || r.s.accept('}'))
    return !r.s.failed();
  do {
    std::string_view key, text;
    const char *at = r.s.here();
    if (r.s.peek() == '"' ? !r.s.string(key) : (key = r.s.word()).empty())
      return r.s.fail_here("an attribute name", {});
    if (!r.s.accept(':'))
      return true;
    const std::string name = unescape_name(key);
    int64_t size = 0;
    if (r.s.peek() == '"') {
      static constexpr std::string_view kRule = "partir.rule ", kGroup = "partir.group ",
                                        kRuleOf = "partir.rule_of ", kPassage = "partir.passage ",
                                        kApart = "partir.apart ";
      if (name.starts_with(kGroup) || name.starts_with(kPassage) || name.starts_with(kRuleOf) ||
          name.starts_with(kApart)) {
        if (!r.s.string(text))
          return false;
        // The number tells keys apart and means nothing.
        std::string kind = name.starts_with(kGroup)    ? "group"
                           : name.starts_with(kRuleOf) ? "rule_of"
                           : name.starts_with(kApart)  ? "apart"
                                                       : "passage";
        if (kind == "passage" || kind == "apart")
          kind += name.substr(std::min(name.find(' ', fmt::format("partir.{} ", kind).size()), name.size()));
        r.loops.program.bonds.push_back({std::move(kind), unescape(text), {}, r.s.position(at)});
        continue;
      }
      if (!name.starts_with(kRule))
        return r.s.fail("TW-421", at, fmt::format("'{}' is no attribute of a loop program", name));
      if (!r.s.string(text))
        return false;
      r.loops.program.rules.emplace_back(name.substr(kRule.size()), unescape(text));
      continue;
    }
    if (!r.s.integer(size))
      return false;
    if (size < 1 || size > sharding::kMaxDevices)
      return r.s.fail(
          "TW-422", at,
          fmt::format("the axis \"{}\" has {} places: expected 1 to {}", name, size, sharding::kMaxDevices));
    sharding::Axis axis{name, size, name, 1};
    const size_t blank = name.find(' ');
    for (const auto kind : {sharding::AxisKind::serial, sharding::AxisKind::threads})
      if (name.substr(0, blank) == sharding::name(kind) && blank != std::string::npos) {
        axis.kind = kind;
        axis.name = axis.parent = name.substr(blank + 1);
      }
    if (std::ranges::count(r.loops.program.axes, axis.name, &sharding::Axis::name) != 0)
      return r.s.fail("TW-421", at, fmt::format("the axis \"{}\" is given twice", axis.name));
    r.loops.program.axes.push_back(std::move(axis));
  } while (r.s.accept(','));
  return r.s.expect('}', "after attributes");
}

// The values that bonds name, once all are known.
bool resolve_bonds(Reader &r, const Function &f) {
  settle_regions(r.c.builder.graph(), r.loops.program);
  for (LoopBond &bond : r.loops.program.bonds)
    for (size_t at = bond.names.find('%'), end = 0; at != std::string::npos; at = bond.names.find('%', end)) {
      end = std::min(bond.names.find_first_of(", ", at), bond.names.size());
      const auto found = r.loops.bonded.find(bond.names.substr(at + 1, end - at - 1));
      if (found == r.loops.bonded.end())
        return r.s.fail(
            "TW-421", f.attributes.at,
            fmt::format("partir.{}: there is no value {}", bond.kind, bond.names.substr(at, end - at)));
      bond.values.push_back(found->second);
    }
  return true;
}

bool is_loop_attribute(std::string_view name) { return name == kFactors || name == kNest; }

// Takes aside what an op says of its loops, before it becomes an op of the graph.
bool begin_loop_op(Reader &r, OpText &op) {
  LoopOp &told = r.loops.op;
  if (told.loop != kNone || !told.factors.empty() || !told.nest.empty()) // few ops say anything of loops
    told = {};
  for (const AttrText &attr : op.attrs)
    if (attr.name == kFactors)
      told.factors = attr.raw;
    else if (attr.name == kNest)
      told.nest = attr.raw;
  std::erase_if(op.attrs, [](const AttrText &a) { return is_loop_attribute(a.name); });
  const graph::TypeId tile = std::exchange(r.loops.stated_tile, kNone);
  if (r.loops.innermost == kNone) {
    if (tile != kNone)
      op.result_types = {tile};
    return true;
  }
  told.loop = r.loops.innermost;
  if (op.operand_def.size() != op.operands.size())
    return r.s.fail("TW-421", op.at, fmt::format("{}: tuples cannot stand in a loop", op.name));
  for (size_t i = 0; i < op.operands.size(); ++i) {
    told.operands.push_back({op.operands[i], open_slices(r, op.operand_def[i])});
    r.loops.state_identity(op.operand_def[i]);
  }
  r.loops.local_results.clear();
  if (tile != kNone)
    r.loops.local_results.push_back({tile, {}});
  if (op.types.empty())
    return true;
  auto types = cuts_in(r.loops, op.types);
  const size_t count = op.operand_types.size() + op.result_types.size();
  if (types.size() == 1) // one type stands for all
    types.resize(count, types[0]);
  if (types.size() != count)
    return r.s.fail(
        "TW-421", op.at,
        fmt::format("{}: in a loop, types are one for all or one for each operand and result", op.name));
  bool local = false;
  if (!settle_local_types(r, op, types, local))
    return false;
  if (local)
    return true;
  told.typed = true;
  for (const auto &type : types) {
    auto &stated = told.stated.emplace_back();
    for (const CutText &cut : type) {
      LoopTypeCut &known = stated.emplace_back();
      known.dim = cut.dim;
      for (const std::string_view name : cut.names) {
        known.loops.push_back(r.loops.find_range(name));
        if (known.loops.back() == kNone)
          return r.s.fail("TW-421", cut.at,
                          fmt::format("no loop around this type binds the range %{}", name));
      }
    }
  }
  return true;
}

bool end_loop_op(Reader &r, const OpText &op, graph::OpId id) {
  if (r.loops.op.loop == kNone && r.loops.op.nest.empty())
    return true;
  r.loops.op.op = id;
  r.loops.op.pos = statement_position(r, op);
  r.loops.program.ops.push_back(std::exchange(r.loops.op, {}));
  const LoopOp &told = r.loops.program.ops.back();
  if (told.loop == kNone)
    return true;
  r.loops.program.steps.push_back(
      {LoopStep::Kind::op, static_cast<uint32_t>(r.loops.program.ops.size() - 1)});
  note_parts(r, told);
  const std::vector<LocalType> stated = std::exchange(r.loops.local_results, {});
  for (uint32_t i = 0; i < stated.size(); ++i)
    if (!check_local_type(r, nullptr, r.c.builder.graph().result(id, i), stated[i], op.at))
      return false;
  return true;
}

} // namespace tw::import
