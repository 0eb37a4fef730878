// SPDX-License-Identifier: Apache-2.0
// Plans as loop text. First statements with symbols for names, since a slice stands before the loop that needs it; then names, in the order
// of the text.
#include "loops/loops.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loops/derive.hpp"
#include "loops/order.hpp"
#include "loops/spelling.hpp"
#include "ops/loop_names.hpp"
#include "ops/registry.hpp"
#include "ops/variables.hpp"

namespace tw::loops {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::kAny;
using partition::NestEntry;
using sharding::AxisId;
using sharding::Range;
using sharding::RangeCut;

namespace {

using Symbol = uint32_t; // a name yet to be given

struct Statement {
  enum class Kind : uint8_t { slice, op, loop } kind = Kind::op;
  uint32_t scope = 0;  // where it stands; a loop: its own
  OpId op = kNone;     // kind op
  uint32_t dim = 0;    // kind slice
  std::string range;   // kind slice: its own range type, where it is not the loop's
  std::string factors; // kind op: which loops of its rule it stands in, where that does not follow
  std::vector<Symbol> operands, results;
  std::vector<std::string> actions; // of a loop, by result: "tile 0"
  std::vector<Statement> body;      // of a loop
  struct Region {
    std::vector<Symbol> arguments, yields;
    std::vector<Statement> body;
  };
  std::vector<Region> regions;
};

// The entry body, a region, or a loop.
struct Scope {
  uint32_t parent = kNone;
  bool is_loop = false;
  AxisId axis = 0;
  uint32_t level = 0; // loops around it, itself included
  std::optional<Range> range;
  std::vector<Statement> statements;
  std::map<std::tuple<Symbol, uint32_t, std::string>, Symbol> slices; // of it, by what and how
};

class Printer {
public:
  Printer(const Plan &plan, sharding::Style style) : plan_(plan), graph_(plan.graph()), style_(style) {}

  Printed print() {
    open_scope(kNone);
    add_arguments();
    add_body(0);
    for (const OpId result : graph_.results())
      returned_.push_back(find(graph_.operands(result)[0]).symbol);
    for (const OpId argument : graph_.arguments())
      names_[symbol(argument)] = argument_name(argument);
    std::string body = render(scopes_[0].statements, 1);
    body += "  return";
    for (size_t i = 0; i < returned_.size(); ++i)
      body += fmt::format("{} {}", i == 0 ? "" : ",", names_[returned_[i]]);
    return {signature() + body + "\n}\n", std::move(ops_)};
  }

private:
  // --- scopes and names ---

  uint32_t open_scope(uint32_t parent) {
    scopes_.emplace_back();
    scopes_.back().parent = parent;
    scopes_.back().level = parent == kNone ? 0 : scopes_[parent].level;
    return static_cast<uint32_t>(scopes_.size() - 1);
  }
  uint32_t open_loop(uint32_t parent, AxisId axis) {
    const uint32_t scope = open_scope(parent);
    scopes_[scope].is_loop = true;
    scopes_[scope].axis = axis;
    ++scopes_[scope].level;
    return scope;
  }
  Symbol fresh() {
    names_.emplace_back();
    return static_cast<Symbol>(names_.size() - 1);
  }

  struct Place {
    uint32_t scope;
    Symbol symbol;
  };
  std::vector<Place> &places(const Made &made) { return places_[uint64_t{made.value} << 1 | made.pinned]; }
  void name(const Made &made, uint32_t scope, Symbol symbol) { places(made).push_back({scope, symbol}); }
  // What a reader in a scope calls a value: the name in the innermost scope around it that has one.
  Place find(ValueId v, uint32_t scope, bool unpinned = false) {
    const bool pinned = !unpinned && pin_of(plan_, v) != kNone;
    const std::vector<Place> &known = places({v, pinned});
    for (; scope != kNone; scope = scopes_[scope].parent)
      for (size_t i = known.size(); i-- > 0;)
        if (known[i].scope == scope)
          return known[i];
    TW_ASSERT(false);
    return {0, 0};
  }
  Place find(ValueId v) { return find(v, 0); }
  Symbol symbol(OpId argument) { return places({graph_.result(argument), false})[0].symbol; }

  // --- statements ---

  // What a node in a scope is given of a value: sliced in each loop around the node, but not around the value, that cuts it.
  template <class CutOf> Symbol sliced(Place from, uint32_t scope, const graph::Shape &dims, CutOf cut_of) {
    std::vector<uint32_t> loops;
    for (uint32_t s = scope; s != from.scope; s = scopes_[s].parent)
      if (scopes_[s].is_loop)
        loops.push_back(s);
    Symbol at = from.symbol;
    for (size_t i = loops.size(); i-- > 0;)
      if (const std::optional<Plan::Cut> cut = cut_of(scopes_[loops[i]].axis))
        at = slice(loops[i], at, cut->dim, range_cut(*cut, dims, scopes_[loops[i]].axis));
    return at;
  }
  RangeCut range_cut(const Plan::Cut &cut, const graph::Shape &dims, AxisId axis) const {
    return {dims[cut.dim], cut.before, plan_.mesh().size(axis), cut.rule};
  }
  Symbol slice(uint32_t loop, Symbol of, uint32_t dim, const RangeCut &cut) {
    Scope &s = scopes_[loop];
    const Range range = make_range(cut, style_);
    if (!s.range)
      s.range = range;
    const std::string own = range == *s.range ? "" : text_of(range);
    const auto [known, fresh_one] = s.slices.try_emplace({of, dim, own}, 0);
    if (fresh_one) {
      known->second = fresh();
      Statement st;
      st.kind = Statement::Kind::slice;
      st.dim = dim;
      st.scope = loop;
      st.range = own;
      st.operands = {of};
      st.results = {known->second};
      s.statements.push_back(std::move(st));
    }
    return known->second;
  }
  Symbol operand(NodeId n, uint32_t p, ValueId v, uint32_t scope) {
    const graph::Shape &dims = graph_.type(v).dims;
    return sliced(find(v, scope, plan_.is_pin(n)), scope, dims,
                  [&](AxisId axis) { return plan_.operand_cut(n, p, axis); });
  }

  // Closes a loop: what it yields gets a name outside.
  void close_loop(uint32_t scope, const std::vector<Made> &results) {
    const uint32_t parent = scopes_[scope].parent;
    Statement loop;
    loop.kind = Statement::Kind::loop;
    loop.scope = scope;
    for (const Made &made : results) {
      const Symbol outside = fresh();
      loop.operands.push_back(places(made).back().symbol);
      loop.results.push_back(outside);
      loop.actions.push_back(action(made, scopes_[scope].axis, scope));
      name(made, parent, outside);
    }
    loop.body = std::move(scopes_[scope].statements);
    scopes_[parent].statements.push_back(std::move(loop));
  }

  // How a loop makes a whole of what its body yields: "tile 0", "sum", "any".
  std::string action(const Made &made, AxisId axis, uint32_t scope) {
    const NodeId n = made.pinned ? pin_of(plan_, made.value) : graph_.value(made.value).def;
    const uint32_t result = made.pinned ? 0 : graph_.value(made.value).index;
    if (const auto cut = plan_.result_cut(n, result, axis)) {
      if (!scopes_[scope].range)
        scopes_[scope].range = make_range(range_cut(*cut, graph_.type(made.value).dims, axis), style_);
      return fmt::format("tile {}", cut->dim);
    }
    const NestEntry &e = *plan_.entry(n, axis);
    if (e.factor == kAny || plan_.rule(n).factors[e.factor].kind != ops::FactorKind::reduce)
      return "any";
    return std::string(ops::reduction_word(plan_.rule(n).factors[e.factor].reduction));
  }

  void add_arguments() {
    for (const OpId op : graph_.arguments())
      name({graph_.result(op), false}, 0, fresh());
    for (size_t i = 0; i < graph_.arguments().size(); ++i) {
      const OpId op = graph_.arguments()[i];
      std::vector<DimLoop> own = dim_loops(plan_, op);
      if (own == implied_of_argument(plan_, i) && !plan_.is_apart(graph_.result(op)))
        continue;
      if (own.empty())
        nests_[op] = nest_text(op); // its readers tile it, it is whole
      else
        add_identity(op);
    }
  }
  // A dumb tile of an argument: loops around nothing but a slice.
  void add_identity(OpId op) {
    const Made made{graph_.result(op), false};
    const Place from = find(made.value);
    uint32_t scope = 0;
    for (const NestEntry &e : plan_.nest(op))
      scope = open_loop(scope, e.axis);
    name(made, scope, sliced(from, scope, graph_.type(made.value).dims, [&](AxisId axis) {
           return plan_.result_cut(op, 0, axis);
         }));
    while (scopes_[scope].is_loop) {
      const uint32_t parent = scopes_[scope].parent;
      close_loop(scope, {made});
      scope = parent;
    }
  }

  void add_body(graph::RegionId body, uint32_t scope = 0) {
    const Order order = arrange(plan_, body);
    std::vector<uint32_t> scope_of(order.loops.size());
    for (const Step &step : order.steps)
      switch (step.kind) {
      case Step::Kind::open: scope = scope_of[step.id] = open_loop(scope, order.loops[step.id].axis); break;
      case Step::Kind::close:
        close_loop(scope, order.loops[step.id].results);
        scope = scopes_[scope].parent;
        break;
      case Step::Kind::node: add_node(step.id, scope); break;
      }
  }

  void add_node(NodeId n, uint32_t scope) {
    if (plan_.is_pin(n)) {
      const ValueId v = plan_.pinned_value(n);
      name({v, true}, scope, operand(n, 0, v, scope));
      return;
    }
    Statement st;
    st.op = n;
    st.scope = scope;
    for (uint32_t p = 0; p < graph_.op(n).num_operands; ++p)
      st.operands.push_back(operand(n, p, graph_.operands(n)[p], scope));
    const graph::Op &op = graph_.op(n);
    const bool compact =
        ops::op_def(op.code).name == std::string_view("stablehlo.reduce") && !applied_op(graph_, n).empty();
    for (uint32_t r = 0; r < op.num_regions; ++r)
      if (compact)
        ops_of_region_[n].push_back(graph_.region(op.first_region + r).ops[0]);
      else
        st.regions.push_back(add_region(op.first_region + r, scope));
    for (uint32_t i = 0; i < op.num_results; ++i) {
      st.results.push_back(fresh());
      name({graph_.result(n, i), false}, scope, st.results.back());
    }
    st.factors = factors_text(n, scope);
    scopes_[scope].statements.push_back(std::move(st));
  }

  Statement::Region add_region(graph::RegionId id, uint32_t parent) {
    const graph::Region &region = graph_.region(id);
    const uint32_t scope = open_scope(parent);
    Statement::Region text;
    for (const ValueId v : region.args) {
      text.arguments.push_back(fresh());
      name({v, false}, scope, text.arguments.back());
    }
    if (plan_.flow().variables().is_body(id))
      add_body(id, scope);
    else
      for (const OpId op : region.ops)
        add_node(op, scope);
    for (const ValueId v : region.yields)
      text.yields.push_back(find(v, scope).symbol);
    text.body = std::move(scopes_[scope].statements);
    return text;
  }

  // Which loop of its rule an op stands in, for each loop around it, where that does not follow from what the loops cut.
  std::string factors_text(NodeId n, uint32_t scope) {
    const auto nest = plan_.nest(n);
    std::vector<uint32_t> loops(nest.size());
    for (size_t d = nest.size(); d-- > 0; scope = scopes_[scope].parent)
      loops[d] = scope;
    std::vector<std::string> factors;
    bool all_follow = true;
    for (size_t d = 0; d < nest.size(); ++d) {
      const NestEntry &e = nest[d];
      std::optional<Range> &range = scopes_[loops[d]].range;
      std::vector<Evidence> evidence;
      for (uint32_t p = 0; p < plan_.reads(n).size(); ++p)
        if (auto cut = plan_.operand_cut(n, p, e.axis))
          evidence.push_back({false, p, cut->dim, cut->rule});
      if (!is_matmul(graph_, n))
        for (uint32_t r = 0; r < graph_.op(n).num_results; ++r)
          if (const auto cut = plan_.result_cut(n, r, e.axis)) {
            const RangeCut own = range_cut(*cut, graph_.type(graph_.result(n, r)).dims, e.axis);
            if (!range)
              range = make_range(own, style_);
            evidence.push_back({true, r, cut->dim, rule_in(*range, own)});
          }
      const auto meaning = derive(plan_, n, nest.first(d), e.axis, evidence);
      const bool follows = meaning && meaning->factor == e.factor && meaning->rule == plan_.split(e.split);
      all_follow = all_follow && follows;
      if (e.factor == kAny) {
        factors.emplace_back("any");
      } else if (follows) {
        factors.emplace_back("_");
      } else {
        int64_t before = 1;
        for (const NestEntry &outer : nest.first(d))
          if (outer.factor == e.factor)
            before *= plan_.mesh().size(outer.axis);
        const RangeCut own{plan_.rule(n).factors[e.factor].size, before, plan_.mesh().size(e.axis),
                           plan_.split(e.split)};
        factors.push_back(own.rule == sharding::SplitRule{}
                              ? fmt::format("{}", e.factor)
                              : fmt::format("{} by {}", e.factor, width_text(own)));
      }
    }
    return all_follow ? "" : fmt::format("partir.factors = [{}]", fmt::join(factors, ", "));
  }

  // [tile 0 "batch", any "model"]
  std::string nest_text(NodeId n) const {
    const ops::Rule &rule = plan_.rule(n);
    std::vector<std::string> items;
    std::map<uint32_t, int64_t> before;
    for (const DimLoop &loop : dim_loops(plan_, n)) {
      const std::string axis = quoted(plan_.mesh().axis(loop.axis).name);
      if (loop.dim == DimLoop::kWhole) {
        items.push_back(fmt::format("any {}", axis));
        continue;
      }
      const auto &dims = rule.results.empty() ? rule.operands[0] : rule.results[0];
      int64_t &tiles = before.try_emplace(loop.dim, 1).first->second;
      const RangeCut cut{rule.factors[dims[loop.dim][0]].size, tiles, plan_.mesh().size(loop.axis),
                         loop.rule};
      tiles *= cut.tiles;
      items.push_back(
          fmt::format("tile {} {}{}", loop.dim, axis,
                      loop.rule == sharding::SplitRule{} ? "" : fmt::format(" by {}", width_text(cut))));
    }
    return fmt::format("[{}]", fmt::join(items, ", "));
  }

  // --- text ---

  std::string argument_name(OpId op) {
    const ValueId v = graph_.result(op);
    const std::string own = graph_.value_name(v);
    const bool word = own.size() > 1 && !(own[1] >= '0' && own[1] <= '9') &&
                      own.find_first_of("%#.\"", 1) == std::string::npos;
    const auto index = std::ranges::find(graph_.arguments(), op) - graph_.arguments().begin();
    return word && taken_.insert(own).second ? own : fmt::format("%arg{}", index);
  }
  std::string range_name(const Scope &loop) {
    static constexpr std::string_view kLetters = "rstuvwxyzabcdefghijklmnopq";
    // Letters that arguments bear are passed over.
    std::string found;
    for (uint32_t level = 0, at = 0; level < loop.level; ++at) {
      found = at < kLetters.size() ? fmt::format("%{}", kLetters[at]) : fmt::format("%r{}", at);
      level += !taken_.contains(found);
    }
    return found;
  }

  void indent(std::string &text, uint32_t depth) const { text.append(2 * depth, ' '); }
  void number(const std::vector<Symbol> &symbols) {
    if (symbols.empty())
      return;
    const std::string base = fmt::format("%{}", next_++);
    for (size_t i = 0; i < symbols.size(); ++i)
      names_[symbols[i]] = symbols.size() == 1 ? base : fmt::format("{}#{}", base, i);
  }
  std::string list(const std::vector<Symbol> &symbols) const {
    std::vector<std::string_view> all;
    for (const Symbol s : symbols)
      all.push_back(names_[s]);
    return fmt::format("{}", fmt::join(all, ", "));
  }
  std::string left_side(const std::vector<Symbol> &results) const {
    if (results.empty())
      return "";
    const std::string &first = names_[results[0]];
    return results.size() == 1 ? first + " = "
                               : fmt::format("{}:{} = ", first.substr(0, first.find('#')), results.size());
  }

  std::string render(const std::vector<Statement> &statements, uint32_t depth) {
    std::string text;
    for (const Statement &st : statements) {
      indent(text, depth);
      switch (st.kind) {
      case Statement::Kind::slice:
        number(st.results);
        text += fmt::format("{}partir.slice {} {}[{}{}]\n", left_side(st.results), st.dim,
                            names_[st.operands[0]], range_name(scopes_[st.scope]),
                            st.range.empty() ? "" : fmt::format(" : !partir.{}", st.range));
        break;
      case Statement::Kind::loop: render_loop(text, st, depth); break;
      case Statement::Kind::op: render_op(text, st, depth); break;
      }
    }
    return text;
  }

  void render_loop(std::string &text, const Statement &st, uint32_t depth) {
    const Scope &loop = scopes_[st.scope];
    const std::string &axis = plan_.mesh().axis(loop.axis).name;
    const std::string range =
        loop.range ? text_of(*loop.range) : fmt::format("range<{}>", plan_.mesh().size(loop.axis));
    number(st.results);
    text += fmt::format("{}partir.{} ", left_side(st.results),
                        st.actions.size() == 1 ? st.actions[0]
                                               : fmt::format("loop ({})", fmt::join(st.actions, ", ")));
    if (!(axis.starts_with("range<") && axis == range))
      text += fmt::format("{} ", quoted(axis));
    if (axis.starts_with("range<") && std::ranges::find(met_, loop.axis) == met_.end())
      met_.push_back(loop.axis);
    text += fmt::format("({} : !partir.{}) {{\n", range_name(loop), range) + render(st.body, depth + 1);
    indent(text, depth + 1);
    text += st.operands.empty() ? "partir.yield\n" : fmt::format("partir.yield {}\n", list(st.operands));
    indent(text, depth);
    text += "}\n";
  }

  // "tensor<16{%r}x256xf32>"
  template <class CutOf> std::string type_text(ValueId v, uint32_t scope, NodeId n, CutOf cut_of) {
    const graph::TensorType &type = graph_.type(v);
    if (type.dtype == graph::DType::token)
      return "!stablehlo.token";
    const auto nest = plan_.is_op(n) && plan_.takes_part(n) ? plan_.nest(n) : std::span<const NestEntry>();
    std::vector<std::string> cuts(type.rank());
    std::vector<uint32_t> loops(nest.size());
    for (size_t d = nest.size(); d-- > 0; scope = scopes_[scope].parent)
      loops[d] = scope;
    for (size_t d = 0; d < nest.size(); ++d)
      if (const std::optional<Plan::Cut> cut = cut_of(nest[d].axis)) {
        std::string &at = cuts[cut->dim];
        at += fmt::format("{}{}", at.empty() ? "" : ",", range_name(scopes_[loops[d]]));
      }
    std::string text = "tensor<";
    for (size_t d = 0; d < type.rank(); ++d)
      text += cuts[d].empty() ? fmt::format("{}x", type.dims[d])
                              : fmt::format("{}{{{}}}x", type.dims[d], cuts[d]);
    return text.append(graph::name(type.dtype)).append(">");
  }
  std::string whole_type(ValueId v) {
    return type_text(v, 0, kNone, [](AxisId) { return std::optional<Plan::Cut>(); });
  }

  void render_op(std::string &text, const Statement &st, uint32_t depth) {
    Words words;
    number(st.results);
    for (const Symbol s : st.operands)
      words.operands.push_back(names_[s]);
    for (uint32_t p = 0; p < graph_.op(st.op).num_operands; ++p)
      words.operand_types.push_back(type_text(graph_.operands(st.op)[p], st.scope, st.op, [&](AxisId axis) {
        return plan_.operand_cut(st.op, p, axis);
      }));
    for (uint32_t r = 0; r < graph_.op(st.op).num_results; ++r)
      words.result_types.push_back(type_text(graph_.result(st.op, r), st.scope, st.op,
                                             [&](AxisId axis) { return plan_.result_cut(st.op, r, axis); }));
    if (!st.factors.empty())
      words.attributes.push_back(st.factors);
    if (const std::string nests = variables_text(st.op); !nests.empty())
      words.attributes.push_back(nests);
    if (ops::op_def(graph_.op(st.op).code).name == std::string_view("stablehlo.while")) {
      text += left_side(st.results) + while_text(st, words, depth) + "\n";
    } else {
      for (uint32_t r = 0; r < st.regions.size(); ++r)
        words.regions.push_back(region_text(st.regions[r], graph_.op(st.op).first_region + r, true, depth));
      text += left_side(st.results) + spell(graph_, st.op, words) + "\n";
    }
    for (const OpId inner : ops_of_region_[st.op])
      ops_.push_back(inner);
    ops_.push_back(st.op);
  }

  // { [^bb0(%1: T):] .. stablehlo.return %2 : T }
  std::string region_text(const Statement::Region &region, graph::RegionId id, bool header, uint32_t depth) {
    std::string text = "{\n";
    const auto &args = graph_.region(id).args;
    if (header)
      for (const Symbol s : region.arguments)
        number({s});
    if (header && !args.empty()) {
      std::vector<std::string> typed;
      for (size_t i = 0; i < args.size(); ++i)
        typed.push_back(fmt::format("{}: {}", names_[region.arguments[i]], whole_type(args[i])));
      indent(text, depth);
      text += fmt::format("^bb0({}):\n", fmt::join(typed, ", "));
    }
    text += render(region.body, depth + 1);
    indent(text, depth + 1);
    text += "stablehlo.return";
    if (!region.yields.empty()) {
      std::vector<std::string> types;
      for (const ValueId v : graph_.region(id).yields)
        types.push_back(whole_type(v));
      text += fmt::format(" {} : {}", list(region.yields), fmt::join(types, ", "));
    }
    text += "\n";
    indent(text, depth);
    return text + "}";
  }

  std::string while_text(const Statement &st, const Words &words, uint32_t depth) {
    const graph::RegionId first = graph_.op(st.op).first_region;
    std::vector<std::string> variables;
    for (size_t i = 0; i < st.operands.size(); ++i) {
      number({st.regions[0].arguments[i]});
      names_[st.regions[1].arguments[i]] = names_[st.regions[0].arguments[i]];
      variables.push_back(fmt::format("{} = {}", names_[st.regions[0].arguments[i]], words.operands[i]));
    }
    std::string text = fmt::format("stablehlo.while({})", fmt::join(variables, ", "));
    if (!variables.empty())
      text += fmt::format(" : {}", fmt::join(words.operand_types, ", "));
    if (!words.attributes.empty())
      text += fmt::format(" attributes {{{}}}", fmt::join(words.attributes, ", "));
    text += " cond " + region_text(st.regions[0], first, false, depth);
    return text + " do " + region_text(st.regions[1], first + 1, false, depth);
  }

  // The loops of the variables of a while, if or case, the one that decides first; empty where they have none.
  std::string variables_text(OpId op) const {
    const ops::Variables &variables = plan_.flow().variables();
    const uint32_t condition = variables.empty() ? kNone : variables.condition_of(op);
    if (condition == kNone)
      return "";
    std::vector<std::string> nests;
    bool any = false;
    for (uint32_t i = condition; i < variables.all().size() && variables.all()[i].op == op; ++i) {
      const NodeId n = static_cast<NodeId>(graph_.ops().size()) + i;
      any = any || !plan_.nest(n).empty();
      nests.push_back(nest_text(n));
    }
    return any ? fmt::format("partir.nest = [{}]", fmt::join(nests, ", ")) : "";
  }

  std::string signature() {
    std::vector<std::string> arguments, results;
    bool says_more = style_ == sharding::Style::extents;
    for (size_t i = 0; i < graph_.arguments().size(); ++i) {
      const OpId op = graph_.arguments()[i];
      const std::string &own = names_[symbol(op)];
      std::vector<std::string> attrs;
      if (const std::string known = graph_.argument_name(i); known != own.substr(1))
        attrs.push_back(fmt::format("jax.arg_info = {}", quoted(known)));
      if (const int32_t alias = graph_.alias_of_argument(i); alias >= 0)
        attrs.push_back(fmt::format("tf.aliasing_output = {} : i32", alias));
      else if (alias == -2)
        attrs.emplace_back("jax.buffer_donor = true");
      if (const auto nest = nests_.find(op); nest != nests_.end())
        attrs.push_back(fmt::format("partir.nest = {}", nest->second));
      arguments.push_back(fmt::format("{}: {}{}", own, whole_type(graph_.result(op)), dict(attrs)));
    }
    for (size_t i = 0; i < graph_.results().size(); ++i) {
      const OpId op = graph_.results()[i];
      std::vector<std::string> attrs;
      if (const std::string known = graph_.result_name(i); known != fmt::format("out{}", i))
        attrs.push_back(fmt::format("jax.result_info = {}", quoted(known)));
      if (const sharding::Sharding *layout = plan_.result_layout(i))
        attrs.push_back(fmt::format("partir.layout = {}", quoted(sharding::to_text(*layout, plan_.mesh()))));
      else if (dim_loops(plan_, op) != implied_of_result(plan_, i))
        attrs.push_back(fmt::format("partir.nest = {}", nest_text(op)));
      says_more = says_more || !attrs.empty();
      results.push_back(whole_type(graph_.operands(op)[0]) + dict(attrs));
    }
    std::string text = fmt::format(
        "func @{}({})", name_or_quoted(graph_.module_name().empty() ? "main" : graph_.module_name()),
        fmt::join(arguments, ", "));
    if (says_more)
      text += results.size() == 1 && !results[0].ends_with('}')
                  ? fmt::format(" -> {}", results[0])
                  : fmt::format(" -> ({})", fmt::join(results, ", "));
    return text + mesh_text() + " {\n";
  }
  static std::string dict(const std::vector<std::string> &attrs) {
    return attrs.empty() ? "" : fmt::format(" {{{}}}", fmt::join(attrs, ", "));
  }

  // attributes {batch:2, shard:2}. Axes that ranges make by themselves are left out where the reader makes them in the same order.
  std::string mesh_text() const {
    const sharding::Mesh &mesh = plan_.mesh();
    std::vector<AxisId> anonymous;
    std::vector<std::string> axes, rules;
    for (size_t a = 0; a < mesh.num_axes(); ++a)
      if (mesh.axis(static_cast<AxisId>(a)).name.starts_with("range<"))
        anonymous.push_back(static_cast<AxisId>(a));
    for (size_t a = 0; a < mesh.num_axes(); ++a) {
      const sharding::Axis &axis = mesh.axis(static_cast<AxisId>(a));
      if (anonymous != met_ || !axis.name.starts_with("range<"))
        axes.push_back(fmt::format("{}:{}", name_or_quoted(axis.name), axis.size));
    }
    for (const ops::OpaqueRule &rule : plan_.opaque_rules())
      axes.push_back(fmt::format("\"partir.rule {}\":{}",
                                 quoted(rule.target).substr(1, quoted(rule.target).size() - 2),
                                 quoted(rule.text)));
    return axes.empty() ? "" : fmt::format("\n  attributes {{{}}}", fmt::join(axes, ", "));
  }

  const Plan &plan_;
  const graph::Graph &graph_;
  sharding::Style style_;
  std::vector<Scope> scopes_;
  std::unordered_map<uint64_t, std::vector<Place>> places_;
  std::unordered_map<OpId, std::vector<OpId>> ops_of_region_; // of reductions in their short form
  std::unordered_map<OpId, std::string> nests_;               // of arguments, where they must be said
  std::vector<Symbol> returned_;
  std::vector<std::string> names_; // by symbol
  std::set<std::string> taken_;    // by arguments
  std::vector<AxisId> met_;        // axes without a name of their own, as they occur
  uint32_t next_ = 0;
  std::vector<OpId> ops_;
};

} // namespace

Printed print(const Plan &plan, sharding::Style style) { return Printer(plan, style).print(); }

} // namespace tw::loops
