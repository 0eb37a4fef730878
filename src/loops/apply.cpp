// SPDX-License-Identifier: Apache-2.0
// From the loops of a text to the nests of a plan: each loop around an op becomes the loop of its rule that
// cuts what the text says is cut.
#include <algorithm>
#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include "annotation/loop_program.hpp"
#include "loops/derive.hpp"
#include "loops/loops.hpp"
#include "loops/materialised.hpp"
#include "loops/notes.hpp"
#include "loops/order.hpp"
#include "loops/text_axes.hpp"
#include "ops/loop_names.hpp"
#include "ops/registry.hpp"
#include "partition/stated.hpp"
#include "partition/target.hpp"

namespace tw::loops {

using annotation::LoopDecl;
using annotation::LoopOp;
using annotation::LoopView;
using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::kAny;
using partition::NestEntry;
using sharding::AxisId;
using sharding::RangeCut;
using sharding::SplitRule;

namespace {

class Applier {
public:
  Applier(Plan &plan, const annotation::LoopProgram &program)
      : plan_(plan), graph_(plan.graph()), program_(program) {}

  Status run() {
    plan_.begin_action({"loops of the text", {std::string(graph_.file()), 0, 0}});
    TW_ASSIGN(axes_, make_axes(plan_, program_));
    for (const auto &[target, text] : program_.rules)
      TW_TRY(plan_.set_opaque_rule({target, text}));
    TW_TRY(make_bonds());
    for (const annotation::LoopIdentity &identity :
         program_.identities) // a new pin takes the layout in which its value is made so far
      identified_.push_back(node_of(identity.view.value));
    for (const LoopOp &op : program_.ops) {
      place_[op.op] = &op;
      TW_TRY(op.loop == kNone ? set_variables(op) : set_op(op));
    }
    for (size_t i = 0; i < program_.identities.size(); ++i)
      TW_TRY(set_identity(program_.identities[i], identified_[i]));
    TW_TRY(set_arguments());
    TW_TRY(set_results());
    for (size_t i = 0; i < program_.loops.size(); ++i)
      TW_TRY(check_results(static_cast<uint32_t>(i)));
    return set_materialised();
  }

private:
  // --- ops ---

  std::vector<uint32_t> chain(uint32_t loop) const {
    std::vector<uint32_t> loops;
    for (; loop != kNone; loop = program_.loops[loop].parent)
      loops.push_back(loop);
    std::ranges::reverse(loops);
    return loops;
  }

  struct Cut {
    uint32_t loop;
    uint32_t dim;
    SplitRule rule;
  };

  // What the loops around a reader cut of a value: those around its maker as it is made, the others as the
  // text slices it.
  Result<std::vector<Cut>> cuts_of(const LoopView &view, uint32_t loop) const {
    std::vector<Cut> cuts;
    const graph::Shape &dims = graph_.type(view.value).dims;
    std::vector<int64_t> before(dims.size(), 1);
    const graph::Value &value = graph_.value(view.value);
    const auto maker = value.def == kNone ? place_.end() : place_.find(value.def);
    if (maker != place_.end() && maker->second->loop != kNone) {
      const std::vector<uint32_t> around = chain(loop), made = chain(maker->second->loop);
      for (size_t i = 0; i < std::min(around.size(), made.size()) && around[i] == made[i]; ++i)
        if (auto cut = plan_.result_cut(value.def, value.index, axes_[around[i]])) {
          before[cut->dim] *= plan_.mesh().size(axes_[around[i]]);
          cuts.push_back({around[i], cut->dim, std::move(cut->rule)});
        }
    }
    for (const annotation::LoopSlice &slice : view.slices) {
      const int64_t tiles = plan_.mesh().size(axes_[slice.loop]);
      auto rule = checked_rule_in(slice.range, {dims[slice.dim], before[slice.dim], tiles, {}});
      if (!rule)
        return fail(at(std::move(rule.error()), slice.pos));
      if (std::ranges::find(cuts, slice.loop, &Cut::loop) != cuts.end())
        return fail(error("TW-421", slice.pos, "this range cuts the array already, where it is made"));
      before[slice.dim] *= tiles;
      cuts.push_back({slice.loop, slice.dim, std::move(*rule)});
    }
    return cuts;
  }

  Status set_op(const LoopOp &op) {
    const NodeId n = op.op;
    if (plan_.is_source(n)) // made again wherever it is used
      return {};
    const std::vector<uint32_t> loops = chain(op.loop);
    const auto factors = items(op.factors);
    if (!op.factors.empty() && factors.size() != loops.size())
      return fail(error("TW-421", op.pos,
                        fmt::format("partir.factors of {} loops in {}", factors.size(), loops.size())));
    std::vector<std::vector<Cut>> operands;
    for (const LoopView &view : op.operands) {
      TW_ASSIGN(auto cuts, cuts_of(view, op.loop));
      operands.push_back(std::move(cuts));
    }
    for (size_t d = 0; d < loops.size(); ++d) {
      const AxisId axis = axes_[loops[d]];
      std::vector<Evidence> evidence;
      for (uint32_t p = 0; p < operands.size(); ++p)
        for (const Cut &cut : operands[p])
          if (cut.loop == loops[d])
            evidence.push_back({false, p, cut.dim, cut.rule});
      if (op.typed)
        add_stated(op, loops[d], evidence);
      std::optional<Meaning> meaning;
      if (op.factors.empty() || factors[d] == "_") {
        meaning = derive(plan_, n, plan_.nest(n), axis, evidence);
        if (!meaning)
          return fail(error("TW-421", op.pos,
                            fmt::format("what the loop over \"{}\" cuts is no loop of {}, whose rule is {}",
                                        plan_.mesh().axis(axis).name, ops::op_def(graph_.op(n).code).name,
                                        plan_.rule(n).text())));
      } else {
        TW_ASSIGN(meaning, read_factor(op, factors[d], axis));
      }
      if (auto status = meaning->factor == kAny ? plan_.set(n, axis, kAny)
                                                : plan_.set(n, axis, meaning->factor, &meaning->rule);
          !status)
        return fail(at(std::move(status.error()), op.pos));
    }
    return check_op(op, loops, operands);
  }

  void add_stated(const LoopOp &op, uint32_t loop, std::vector<Evidence> &evidence) const {
    for (uint32_t r = 0; r < graph_.op(op.op).num_results; ++r) {
      const graph::Shape &dims = graph_.type(graph_.result(op.op, r)).dims;
      for (const annotation::LoopTypeCut &cut : op.stated[op.operands.size() + r]) {
        int64_t before = 1;
        for (const uint32_t by : cut.loops) {
          const int64_t tiles = plan_.mesh().size(axes_[by]);
          if (by == loop && cut.dim < dims.size())
            evidence.push_back(
                {true, r, cut.dim, rule_in(program_.loops[by].range, {dims[cut.dim], before, tiles, {}})});
          before *= tiles;
        }
      }
    }
  }

  // 3, 3 by 16/5, any
  Result<std::optional<Meaning>> read_factor(const LoopOp &op, std::string_view text, AxisId axis) const {
    const NodeId n = op.op;
    if (text == "any")
      return Meaning{kAny, {}};
    unsigned number = 0;
    const size_t by = text.find(" by ");
    const std::string_view digits = text.substr(0, by);
    const auto [stop, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (wrong != std::errc() || stop != digits.data() + digits.size() ||
        number >= plan_.rule(n).factors.size())
      return fail(error("TW-421", op.pos,
                        fmt::format("partir.factors: '{}' is no loop of {}, whose rule is {}", text,
                                    ops::op_def(graph_.op(n).code).name, plan_.rule(n).text())));
    Meaning meaning{static_cast<ops::FactorId>(number), {}};
    if (by == std::string_view::npos)
      return meaning;
    RangeCut cut{plan_.rule(n).factors[number].size, 1, plan_.mesh().size(axis), {}};
    for (const NestEntry &e : plan_.nest(n))
      if (e.factor == meaning.factor)
        cut.before *= plan_.mesh().size(e.axis);
    auto rule = parse_width(text.substr(by + 4), cut);
    if (!rule)
      return fail(at(std::move(rule.error()), op.pos));
    meaning.rule = std::move(*rule);
    return meaning;
  }

  // What the text slices is what the op's loops need, and stated types say the same.
  Status check_op(const LoopOp &op, const std::vector<uint32_t> &loops,
                  const std::vector<std::vector<Cut>> &operands) const {
    const auto stated_at = [&](size_t port, uint32_t loop) {
      for (const annotation::LoopTypeCut &cut : op.stated[port])
        if (std::ranges::find(cut.loops, loop) != cut.loops.end())
          return std::optional<uint32_t>(cut.dim);
      return std::optional<uint32_t>();
    };
    const auto told = [](std::optional<uint32_t> dim) {
      return dim ? fmt::format("cut in dimension {}", *dim) : std::string("whole");
    };
    const size_t results = graph_.op(op.op).num_results;
    for (const uint32_t loop : loops)
      for (uint32_t port = 0; port < op.operands.size() + results; ++port) {
        const bool is_result = port >= op.operands.size();
        const auto r = static_cast<uint32_t>(port - op.operands.size());
        const auto cut =
            is_result ? plan_.result_cut(op.op, r, axes_[loop]) : plan_.operand_cut(op.op, port, axes_[loop]);
        const std::optional<uint32_t> dim = cut ? std::optional(cut->dim) : std::nullopt;
        const std::string what = is_result ? fmt::format("result {}", r) : fmt::format("operand {}", port);
        if (!is_result) {
          const auto given = std::ranges::find(operands[port], loop, &Cut::loop);
          const auto given_dim = given == operands[port].end() ? std::nullopt : std::optional(given->dim);
          if (given_dim != dim || (cut && !(given->rule == cut->rule)))
            return fail(
                error("TW-421", op.pos,
                      fmt::format("{}: {} must be {} in the loop over \"{}\", and is {}",
                                  ops::op_def(graph_.op(op.op).code).name, what, told(dim),
                                  program_.loops[loop].axis,
                                  given_dim == dim ? std::string("cut otherwise") : told(given_dim))));
        }
        if (op.typed && stated_at(port, loop) != dim)
          return fail(error("TW-421", op.pos,
                            fmt::format("{}: {} is {} in the loop over \"{}\", its type says {}",
                                        ops::op_def(graph_.op(op.op).code).name, what, told(dim),
                                        program_.loops[loop].axis, told(stated_at(port, loop)))));
      }
    return {};
  }

  // --- arrays with one loop a dimension ---

  Status set_nest(NodeId n, std::string_view text, const SourcePos &pos) {
    TW_ASSIGN(const std::vector<DimLoop> loops, read_nest(plan_, n, text, pos));
    return set(n, loops, pos);
  }
  Status set(NodeId n, const std::vector<DimLoop> &loops, const SourcePos &pos) {
    if (auto status = set_dim_loops(plan_, n, loops); !status)
      return fail(at(std::move(status.error()), pos));
    return {};
  }

  Status set_variables(const LoopOp &op) {
    const auto [first, count] = plan_.flow().variables_of(op.op);
    const auto nests = items(op.nest);
    if (nests.size() != count)
      return fail(error("TW-421", op.pos,
                        fmt::format("partir.nest of {} variables, the op has {}", nests.size(), count)));
    for (uint32_t i = 0; i < count; ++i)
      TW_TRY(set_nest(first + i, nests[i], op.pos));
    return {};
  }

  Status make_bonds() {
    for (const annotation::LoopBond &bond : program_.bonds) {
      if (bond.values.empty())
        return fail(error("TW-421", bond.pos,
                          fmt::format("partir.{} names no value: expected \"%0, %1\"", bond.kind)));
      if (bond.kind == "group") {
        for (const ValueId v : bond.values)
          if (plan_.pin_of(v) != kNone || std::ranges::count(bond.values, v) != 1 ||
              graph_.type(v).dims != graph_.type(bond.values[0]).dims)
            return fail(error("TW-421", bond.pos,
                              fmt::format("partir.group: {} is in another group, or of other dimensions",
                                          graph_.value_name(v))));
        plan_.pin_together(bond.values);
        continue;
      }
      if (bond.kind == "rule_of") {
        const size_t text = std::min(bond.names.find(' '), bond.names.size() - 1) + 1;
        if (auto status =
                plan_.set_opaque_rule({"", bond.names.substr(text), graph_.value(bond.values[0]).def});
            !status)
          return fail(at(std::move(status.error()), bond.pos));
        continue;
      }
      if (bond.kind.starts_with("apart")) // once all have their loops
        continue;
      const size_t space = bond.kind.find(' ');
      const auto direction = find_direction(space == std::string::npos ? "" : bond.kind.substr(space + 1));
      if (!direction)
        return fail(error("TW-421", bond.pos, "partir.passage: expected forward, backward, both or none"));
      for (const ValueId v : bond.values)
        plan_.set_direction(v, *direction);
    }
    return {};
  }

  // The pin of what an op makes. Of an argument the first identity is its own, unless it says otherwise what
  // its loops are; then its pin's.
  NodeId node_of(ValueId v) {
    const OpId def = graph_.value(v).def;
    if (def == kNone || !ops::is(graph_, def, ops::OpKind::argument) ||
        std::ranges::find(identified_, def) != identified_.end())
      return plan_.pin(v);
    const auto index = std::ranges::find(graph_.arguments(), def) - graph_.arguments().begin();
    const bool noted = std::ranges::find(program_.arguments, static_cast<uint32_t>(index),
                                         &annotation::LoopNote::index) != program_.arguments.end();
    return noted ? plan_.pin(v) : def;
  }

  Status set_identity(const annotation::LoopIdentity &identity, NodeId n) {
    const std::vector<uint32_t> chain_of = chain(identity.loop);
    const SourcePos &pos = program_.loops[identity.loop].pos;
    TW_ASSIGN(const std::vector<Cut> cuts, cuts_of(identity.view, identity.loop));
    std::vector<DimLoop> loops;
    for (const uint32_t loop : chain_of) {
      const auto cut = std::ranges::find(cuts, loop, &Cut::loop);
      loops.push_back({axes_[loop], cut == cuts.end() ? DimLoop::kWhole : cut->dim,
                       cut == cuts.end() ? SplitRule{} : cut->rule});
    }
    if (plan_.is_pin(n) && plan_.pinned(n).size() > 1 && std::ranges::find(told_, n) != told_.end()) {
      if (dim_loops(plan_, n) == loops)
        return {};
      return fail(error("TW-421", pos, "this value and one of its group have other loops"));
    }
    told_.push_back(n);
    return set(n, loops, pos);
  }

  Status set_arguments() {
    for (size_t i = 0; i < graph_.arguments().size(); ++i) {
      const NodeId n = graph_.arguments()[i];
      const auto note = std::ranges::find(program_.arguments, i, &annotation::LoopNote::index);
      const graph::Location where = graph_.location(n);
      if (note != program_.arguments.end())
        TW_TRY(set_nest(n, note->text, note->pos));
      else if (std::ranges::find(told_, n) == told_.end())
        TW_TRY(set(n, implied_of_argument(plan_, i), {std::string(graph_.file()), where.line, where.column}));
    }
    return {};
  }

  // Values that are made whole though some who read them could go on in their loops: those listed, or else as
  // the loops stand.
  Status set_materialised() {
    bool listed = false;
    for (const annotation::LoopBond &bond : program_.bonds) {
      if (!bond.kind.starts_with("apart"))
        continue;
      listed = true;
      TW_ASSIGN(const AxisId axis,
                find_axis(plan_, bond.kind.substr(std::min<size_t>(6, bond.kind.size())), bond.pos));
      for (const ValueId v : bond.values) {
        if (const OpId maker = graph_.value(v).def; maker == kNone || !plan_.takes_part(maker))
          return fail(error("TW-421", bond.pos,
                            fmt::format("partir.{}: no loop makes {}", bond.kind, graph_.value_name(v))));
        plan_.set_materialised(v, axis, true);
      }
    }
    if (listed)
      return {};
    for (size_t i = 0; i < graph_.arguments().size(); ++i) {
      const NodeId n = graph_.arguments()[i];
      if (std::ranges::find(told_, n) != told_.end() &&
          follows_readers(plan_, i)) // a tile that need not be said
        for (const NestEntry &e : plan_.nest(n))
          plan_.set_materialised(graph_.result(n), e.axis, true);
    }
    mark_apart(plan_, program_, axes_);
    return {};
  }

  Status set_results() {
    for (size_t i = 0; i < graph_.results().size(); ++i) {
      const NodeId n = graph_.results()[i];
      const auto note = std::ranges::find(program_.results, i, &annotation::LoopNote::index);
      const auto layout = std::ranges::find(program_.layouts, i, &annotation::LoopNote::index);
      if (note != program_.results.end())
        TW_TRY(set_nest(n, note->text, note->pos));
      else if (layout == program_.layouts.end() &&
               partition::overwritten_argument(graph_, static_cast<uint32_t>(i)) == kNone)
        TW_TRY(set(n, implied_of_result(plan_, i), {std::string(graph_.file()), 0, 0}));
      if (layout == program_.layouts.end())
        continue;
      auto wanted = sharding::parse_sharding(layout->text, plan_.mesh());
      if (!wanted)
        return fail(at(std::move(wanted.error()), layout->pos));
      const partition::Target target{partition::Target::Kind::result, static_cast<uint32_t>(i),
                                     graph_.operands(n)[0]};
      if (auto status = partition::shard(plan_, target, *wanted); !status)
        return fail(at(std::move(status.error()), layout->pos));
    }
    return {};
  }

  // What a loop yields is put together as it is made: tiled where the loop cuts it, combined where its parts
  // are partial. Of one turn every way makes the same.
  Status check_results(uint32_t id) const {
    const LoopDecl &loop = program_.loops[id];
    if (loop.tiles == 1)
      return {};
    for (size_t i = 0; i < loop.yields.size(); ++i) {
      const graph::Value &value = graph_.value(loop.yields[i].value);
      const annotation::LoopAction &action = loop.actions[i];
      const auto maker = value.def == kNone ? place_.end() : place_.find(value.def);
      std::string made = "any";
      uint32_t dim = 0;
      bool inside = false;
      if (maker != place_.end())
        for (const uint32_t around : chain(maker->second->loop))
          inside = inside || around == id;
      if (!inside) {
        for (const annotation::LoopIdentity &identity : program_.identities)
          for (const annotation::LoopSlice &slice : identity.view.slices)
            if (slice.loop == id && identity.view.value == loop.yields[i].value)
              made = "tile", dim = slice.dim;
      } else if (const auto cut = plan_.result_cut(value.def, value.index, axes_[id])) {
        made = "tile", dim = cut->dim;
      } else if (const NestEntry *e = plan_.entry(value.def, axes_[id]);
                 e != nullptr && e->factor != kAny &&
                 plan_.rule(value.def).factors[e->factor].kind == ops::FactorKind::reduce) {
        made = ops::reduction_word(plan_.rule(value.def).factors[e->factor].reduction);
      }
      if (action.kind != made || action.dim != dim)
        return fail(
            error("TW-421", loop.pos,
                  fmt::format("the loop over \"{}\" puts result {} together by '{}', but it is made for '{}'",
                              loop.axis, i,
                              action.kind == "tile" ? fmt::format("tile {}", action.dim) : action.kind,
                              made == "tile" ? fmt::format("tile {}", dim) : made)));
    }
    return {};
  }

  Plan &plan_;
  const graph::Graph &graph_;
  const annotation::LoopProgram &program_;
  std::vector<AxisId> axes_; // by loop
  std::unordered_map<OpId, const LoopOp *> place_;
  std::vector<NodeId> identified_; // whose loops each identity states
  std::vector<NodeId> told_;       // arguments and pins of identities
};

} // namespace

Status apply(Plan &plan, const annotation::LoopProgram &program) { return Applier(plan, program).run(); }

} // namespace tw::loops
