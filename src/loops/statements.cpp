// SPDX-License-Identifier: Apache-2.0
// Puts each node into its loops and slices what it reads there.
#include "loops/statements.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loops/derive.hpp"
#include "loops/materialised.hpp"
#include "loops/notes.hpp"
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

class Writer {
public:
  Writer(const Plan &plan, sharding::Style style) : plan_(plan), graph_(plan.graph()), style_(style) {}

  Statements run() {
    open_scope(kNone);
    add_arguments();
    add_body(0);
    for (const OpId argument : graph_.arguments())
      made_.arguments.push_back(places({graph_.result(argument), false})[0].symbol);
    for (const OpId result : graph_.results())
      made_.returned.push_back(find(graph_.operands(result)[0]).symbol);
    add_bonds();
    return std::move(made_);
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
  Symbol fresh() { return made_.num_symbols++; }

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

  // --- statements ---

  // What a node in a scope is given of a value: sliced in each loop around the node, but not around the
  // value, that cuts it.
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
      if (follows_readers(plan_, i) && !plan_.is_materialised(graph_.result(op)))
        continue;
      if (plan_.nest(op).empty())
        made_.nests[op] = nest_text(plan_, op); // its readers tile it, it is whole
      else
        add_identity(op);
    }
  }
  // Which values one pin holds, which way layouts pass it, what is stated of single ops, and what is kept
  // apart.
  void add_bonds() {
    const auto symbol = [&](ValueId v) { return places({v, false})[0].symbol; };
    for (auto n = static_cast<NodeId>(plan_.flow().num_nodes()); n < plan_.num_nodes(); ++n)
      if (plan_.pinned(n).size() > 1) {
        made_.groups.emplace_back();
        for (const ValueId v : plan_.pinned(n))
          made_.groups.back().push_back(symbol(v));
      }
    for (const auto &[v, direction] : plan_.directions())
      made_.directions.emplace_back(symbol(v), direction);
    for (const ops::OpaqueRule &rule : plan_.opaque_rules())
      if (rule.op != kNone && graph_.op(rule.op).num_results > 0)
        made_.rules.emplace_back(symbol(graph_.result(rule.op)), rule.text);
    for (const auto &[v, axis] : listed_materialised(plan_))
      made_.materialised[axis].push_back(symbol(v));
    for (auto &[axis, values] : made_.materialised)
      std::ranges::sort(values); // as the text makes them
  }
  // A dumb tile of an argument: loops around nothing but a slice.
  void add_identity(OpId op) {
    const Made made{graph_.result(op), false};
    const Place from = find(made.value, 0, true);
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
      case Step::Kind::op: add_op(step.id, scope); break;
      case Step::Kind::pin: {
        const NodeId pin = pin_of(plan_, step.id);
        name({step.id, true}, scope, operand(pin, 0, step.id, scope));
      }
      }
  }

  void add_op(OpId n, uint32_t scope) {
    Statement st;
    st.op = n;
    st.scope = scope;
    for (uint32_t p = 0; p < graph_.op(n).num_operands; ++p)
      st.operands.push_back(operand(n, p, graph_.operands(n)[p], scope));
    const graph::Op &op = graph_.op(n);
    const bool compact = ops::is(graph_, n, ops::OpKind::reduce) && !applied_op(graph_, n).empty();
    for (uint32_t r = 0; r < op.num_regions; ++r)
      if (compact)
        made_.ops_of_region[n].push_back(graph_.region(op.first_region + r).ops[0]);
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
        add_op(op, scope);
    for (const ValueId v : region.yields)
      text.yields.push_back(find(v, scope).symbol);
    text.body = std::move(scopes_[scope].statements);
    return text;
  }

  // Which loop of its rule an op stands in, for each loop around it, where that does not follow from what the
  // loops cut.
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

  const Plan &plan_;
  const graph::Graph &graph_;
  sharding::Style style_;
  Statements made_;
  std::vector<Scope> &scopes_ = made_.scopes;
  std::unordered_map<uint64_t, std::vector<Place>> places_;
};

} // namespace

Statements make_statements(const Plan &plan, sharding::Style style) { return Writer(plan, style).run(); }

} // namespace tw::loops
