// SPDX-License-Identifier: Apache-2.0
// Keeps the nests: what a caller sets, what propagation appends, and the log by which all of it is undone.
#include "partition/plan.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.hpp"
#include "ops/attributes.hpp"
#include "ops/registry.hpp"
#include "partition/projection.hpp"

namespace tw::partition {

using graph::kNone;
using graph::ValueId;
using sharding::AxisId;
using sharding::SplitRule;

namespace {

// Whether a rule can cut `size` elements into `tiles`.
Status check_rule(const SplitRule &rule, int64_t size, int64_t tiles) {
  if (rule.unit < 1 || size % rule.unit != 0)
    return fail(Code::invalid_argument, "TW-409",
                fmt::format("{} elements cannot be cut in blocks of {}", size, rule.unit));
  if ((rule.kind == SplitRule::Kind::cuts) != (rule.cuts != nullptr))
    return fail(Code::invalid_argument, "TW-409", "explicit cuts belong to the rule 'cuts'");
  if (rule.cuts == nullptr)
    return {};
  const std::vector<int64_t> &cuts = *rule.cuts;
  if (static_cast<int64_t>(cuts.size()) != tiles + 1)
    return fail(Code::invalid_argument, "TW-409",
                fmt::format("{} tiles need {} cuts, {} are given", tiles, tiles + 1, cuts.size()));
  const int64_t blocks = size / rule.unit;
  if (cuts.front() != 0 || cuts.back() != blocks || !std::ranges::is_sorted(cuts))
    return fail(Code::invalid_argument, "TW-409",
                fmt::format("cuts must ascend from 0 to {}, given are [{}]", blocks, fmt::join(cuts, ",")));
  return {};
}

std::shared_ptr<const std::vector<FlatRule>> flat_rules(const graph::Graph &graph,
                                                        const ops::RuleTable &rules) {
  auto flat = std::make_shared<std::vector<FlatRule>>(rules.num_rules());
  std::vector<bool> made(rules.num_rules(), false);
  for (graph::OpId op = 0; op < graph.ops().size(); ++op)
    if (const uint32_t id = rules.rule_id(op); !made[id]) {
      made[id] = true;
      (*flat)[id] = FlatRule(rules.rule(op));
    }
  return flat;
}

} // namespace

Plan::Plan(std::shared_ptr<const graph::Graph> graph, sharding::Mesh mesh, std::vector<ops::OpaqueRule> known)
    : graph_(std::move(graph)), num_ops_(static_cast<NodeId>(graph_->ops().size())), mesh_(std::move(mesh)),
      flow_(std::make_shared<const DataFlow>(*graph_)), opaque_rules_(std::move(known)),
      adjacency_(std::make_shared<const Adjacency>(*flow_)), names_(std::make_shared<const Names>(*graph_)) {
  make_variables();
  roles_.assign(flow_->num_nodes(), 0);
  nests_ = Nests(roles_.size(), mesh_.num_axes());
  const ops::Variables &variables = flow_->variables();
  const std::vector<bool> sources = ops::find_sources(*graph_);
  for (graph::OpId op = 0; op < num_ops_; ++op) {
    const bool inner = !variables.is_body(graph_->op(op).parent) || variables.stand_for(op);
    roles_[op] = static_cast<uint8_t>((sources[op] ? kSourceRole : 0) | (inner ? kInnerRole : 0));
    if (roles_[op] != 0)
      nests_.refuse(op);
  }
  set_rules();
  splits_.emplace_back();
  actions_.push_back(Action{"annotations of the module", {std::string(graph_->file()), 0, 0}});
}

Plan::IdentityRule Plan::make_identity(const graph::Graph &graph, graph::TypeId type, size_t reads,
                                       size_t makes) {
  const graph::Shape &dims = graph.type_at(type).dims;
  ops::RuleBuilder rule(reads, makes);
  for (size_t i = 0; i < reads; ++i)
    rule.operand_rank(i, dims.size());
  for (size_t i = 0; i < makes; ++i)
    rule.result_rank(i, dims.size());
  for (size_t d = 0; d < dims.size(); ++d) {
    const ops::FactorId f = rule.pass(dims[d]);
    for (size_t i = 0; i < reads; ++i)
      rule.in(i, d, f);
    for (size_t i = 0; i < makes; ++i)
      rule.out(i, d, f);
  }
  ops::Rule identity = rule.build();
  FlatRule flat(identity);
  return {std::move(identity), std::move(flat), type, reads, makes};
}

void Plan::make_variables() {
  auto made = std::make_shared<VariableRules>();
  for (const ops::Variable &v : flow_->variables().all()) {
    const auto same = [&](const IdentityRule &rule) {
      return rule.type == v.type && rule.reads == v.reads.size() && rule.makes == v.makes.size();
    };
    const auto known = std::ranges::find_if(made->rules, same);
    made->of.push_back(static_cast<uint32_t>(known - made->rules.begin()));
    if (known == made->rules.end())
      made->rules.push_back(make_identity(*graph_, v.type, v.reads.size(), v.makes.size()));
  }
  variable_rules_ = std::move(made);
}

graph::OpId Plan::op_of(NodeId n) const {
  if (is_pin(n))
    n = flow_->maker(pinned_value(n)).node;
  return n != kNone && is_variable(n) ? variable(n).op : n;
}

// --- nests ---

const ops::Rule &Plan::rule(NodeId n) const { return is_op(n) ? rules_->rule(n) : identity_rule(n).rule; }

NodeId Plan::pin_of(ValueId v) const {
  if (pin_of_.empty())
    return kNone;
  const auto found = pin_of_.find(v);
  return found == pin_of_.end() ? kNone : found->second;
}

NodeId Plan::source(ValueId v) const {
  const NodeId pin = pin_of(v);
  return pin != kNone ? pin : flow_->maker(v).node;
}

// --- building ---

Status Plan::set_mesh(const sharding::Mesh &mesh) {
  // Anonymous axes stand behind those that were named; refined axes read as the whole ones.
  std::vector<sharding::Axis> named(mesh_.axes().begin(),
                                    mesh_.axes().end() - static_cast<ptrdiff_t>(anonymous_.size()));
  const bool has_anonymous = named.size() != mesh_.num_axes();
  TW_ASSIGN(const sharding::Mesh given, sharding::Mesh::create(std::move(named)));
  if (given.num_axes() != 0) {
    if (given.text() == mesh.text()) {
      for (const sharding::Axis &axis : mesh.axes()) // its parts
        TW_TRY(begin_part(axis.parent, axis.pre));
      return {};
    }
    return fail(Code::invalid_argument, "TW-410",
                fmt::format("mesh {} does not agree with mesh {}, given before", mesh.text(), given.text()));
  }
  if (has_anonymous)
    return fail(Code::failed_precondition, "TW-410",
                "the mesh must be named before the first arg-tile or dumb-tile");
  earlier_meshes_.push_back(std::exchange(mesh_, mesh));
  nests_.set_num_axes(mesh_.num_axes());
  log_.push_back(kLogMesh);
  return {};
}

Status Plan::set_opaque_rule(ops::OpaqueRule rule) {
  std::vector<std::string> targets;
  bool met = false;
  const bool single = rule.op != kNone;
  for (graph::OpId op = 0; op < graph_->ops().size(); ++op) {
    if (single ? op != rule.op : !ops::is_opaque(*graph_, op))
      continue;
    const ops::OpViewHolder holder(*graph_, op);
    if (single) {
      TW_TRY(ops::parse_sharding_rule(rule.text, holder.view(),
                                      ops::is_opaque(*graph_, op) ? nullptr : &rules_->rule(op)));
    } else {
      targets.emplace_back(holder.view().string(ops::slot::custom_call::call_target_name));
      if (targets.back() != rule.target)
        continue;
      TW_TRY(ops::parse_opaque_rule(rule.text, holder.view()));
    }
    met = true;
    if (!nest(op).empty())
      return fail(Code::failed_precondition, "TW-404",
                  single ? std::string("the op is tiled already: its rule must come before the first action")
                         : fmt::format("a call of @{} is tiled already: its rule must come before the first "
                                       "action",
                                       rule.target));
  }
  if (!met)
    return fail(
        Code::not_found, "TW-401",
        fmt::format("there is no custom_call @{}{}", rule.target, nearest_text(rule.target, targets)));
  earlier_rules_.push_back(opaque_rules_);
  const auto replaced = [&](const ops::OpaqueRule &known) {
    return known.target == rule.target && (!single || known.op == rule.op);
  };
  std::erase_if(opaque_rules_, replaced);
  opaque_rules_.push_back(std::move(rule));
  set_rules();
  log_.push_back(kLogRules);
  return {};
}

void Plan::set_rules() {
  rules_ = std::make_shared<const ops::RuleTable>(*graph_, opaque_rules_);
  flat_rules_ = flat_rules(*graph_, *rules_);
  turning_ = std::make_shared<const std::vector<NodeId>>(find_turning());
}

ActionId Plan::begin_action(Action action) {
  actions_.push_back(std::move(action));
  log_.push_back(kLogAction);
  return static_cast<ActionId>(actions_.size() - 1);
}

int64_t Plan::tiles_of(NodeId n, ops::FactorId factor) const {
  int64_t tiles = 1;
  for (const NestEntry &e : nest(n))
    if (e.factor == factor)
      tiles *= mesh_.size(e.axis);
  return tiles;
}

bool Plan::contiguous(NodeId n, ops::FactorId factor) const {
  const FlatRule &flat = flat_rule(n);
  const auto is_behind = [&](const NestEntry &e) { // more tiles of this factor would move those of that one
    return e.factor != kAny && mesh_.size(e.axis) > 1 &&
           std::ranges::find(flat.before(e.factor), factor) != flat.before(e.factor).end();
  };
  return std::ranges::all_of(flat.before(factor), [&](ops::FactorId f) { return covered(n, f); }) &&
         (!flat.leads(factor) || std::ranges::none_of(nest(n), is_behind));
}

SplitId Plan::last_split(NodeId n, ops::FactorId factor) const {
  SplitId split = 0;
  for (const NestEntry &e : nest(n))
    if (e.factor == factor)
      split = e.split;
  return split;
}

bool Plan::covered(NodeId n, ops::FactorId factor) const {
  // As many tiles as elements may still be cuts such as 0, 2, 2.
  return tiles_of(n, factor) == flat_rule(n).size(factor) && splits_[last_split(n, factor)] == SplitRule{};
}

Status Plan::check_room(NodeId n, AxisId axis, ops::FactorId factor) const {
  if (axis >= mesh_.num_axes())
    return fail(Code::out_of_range, "TW-403",
                fmt::format("axis {} of a mesh of {} axes", axis, mesh_.num_axes()));
  if (const NestEntry *e = entry(n, axis))
    return fail(Code::invalid_argument, "TW-404",
                fmt::format("axis '{}' is used there already, {} by {}", mesh_.axis(axis).name,
                            e->factor == kAny ? "kept whole" : "tiled", actions_[e->action].text));
  if (decided(n, axis))
    return fail(Code::invalid_argument, "TW-406",
                is_source(n) ? "a constant or iota is made anew wherever it is used; tile its users instead"
                             : "an op inside a combiner, a while, if or case itself, a barrier of several "
                               "values, or a result with a fixed layout takes no axis");
  if (factor == kAny)
    return {};
  const FlatRule &flat = flat_rule(n);
  if (factor >= rule(n).factors.size())
    return fail(Code::out_of_range, "TW-405",
                fmt::format("factor {} of a rule of {} factors", factor, rule(n).factors.size()));
  if (flat.kind(factor) == ops::FactorKind::whole)
    return fail(Code::invalid_argument, "TW-406",
                fmt::format("this loop of {} must stay whole", flat.size(factor)));
  if (flat.folds(factor) && mesh_.is_loop(axis))
    return fail(
        Code::unimplemented, "TW-406",
        fmt::format("a reduction by a region is not split over a {} axis", name(mesh_.axis(axis).kind)));
  if (!contiguous(n, factor) && mesh_.size(axis) > 1)
    return fail(
        Code::invalid_argument, "TW-407",
        "a tile would not be contiguous: the more major part of a reshaped dimension is not covered by axes");
  return {};
}

Status Plan::set(NodeId n, AxisId axis, ops::FactorId factor, const SplitRule *rule) {
  TW_TRY(check_room(n, axis, factor));
  NestEntry e{axis, factor, static_cast<ActionId>(actions_.size() - 1), 0, kNone};
  if (factor != kAny) {
    const int64_t size = flat_rule(n).size(factor), outer = tiles_of(n, factor),
                  tiles = outer * mesh_.size(axis);
    SplitRule cut;
    if (rule != nullptr) {
      TW_TRY(check_rule(*rule, size, tiles));
      cut = *rule;
    } else {
      cut = sharding::refine(splits_[last_split(n, factor)], size, outer, mesh_.size(axis));
    }
    cut = sharding::normalise(std::move(cut), size, tiles);
    // An axis of one place has room anywhere, but its rule cuts anew what earlier axes of the factor cut: not
    // where a more minor factor is tiled inside of these tiles.
    if (mesh_.size(axis) == 1 && !contiguous(n, factor) && cut != splits_[last_split(n, factor)])
      return fail(Code::invalid_argument, "TW-407",
                  fmt::format("axis '{}' has one place, and its cuts would move tiles inside which the more "
                              "minor part of a reshaped dimension is tiled",
                              mesh_.axis(axis).name));
    e.split = intern_split(std::move(cut));
  }
  append(n, e);
  return {};
}

void Plan::append(NodeId n, const NestEntry &e) {
  nests_.append(n, e, is_scattered(n, e.factor));
  log_.push_back(n);
}

NodeId Plan::pin(ValueId v) {
  const NodeId existing = pin_of(v);
  return existing != kNone ? existing : pin_together({v});
}

NodeId Plan::pin_together(std::vector<ValueId> values) {
  const graph::TypeId type = graph_->value(values[0]).type;
  const auto same = [&](const auto &r) { return r->type == type && r->reads == values.size(); };
  auto rule = std::ranges::find_if(pin_rules_, same);
  if (rule == pin_rules_.end()) {
    pin_rules_.push_back(
        std::make_shared<const IdentityRule>(make_identity(*graph_, type, values.size(), values.size())));
    rule = pin_rules_.end() - 1;
  }
  const auto n = static_cast<NodeId>(num_nodes());
  for (const ValueId v : values) {
    TW_ASSERT(graph_->type(v).dims == graph_->type_at(type).dims);
    TW_ASSERT(!pin_of_.contains(v));
    pin_of_[v] = n;
  }
  pins_.push_back({std::move(values), static_cast<uint32_t>(rule - pin_rules_.begin())});
  nests_.add_node();
  log_.push_back(kLogPin);

  // The (first) value keeps the layout in which it is made; sums are closed before the pin.
  const Port maker = flow_->maker(pinned_value(n));
  if (maker.node == kNone)
    return n;
  const uint32_t slot = flat_rule(maker.node).result_slot(maker.index);
  const sharding::Sharding made = result_sharding(maker.node, maker.index);
  for (uint32_t d = 0; d < made.dims.size(); ++d)
    for (const AxisId a : made.dims[d].axes) {
      AxisCut cut = *axis_cut(maker.node, slot, d, a);
      append(n, {a, flat_rule(n).factors(0, d)[0], entry(maker.node, a)->action,
                 intern_split(std::move(cut.rule)), maker.node});
    }
  return n;
}

void Plan::set_direction(ValueId v, Direction direction) {
  pin(v);
  directions_.emplace_back(v, direction);
  directions_of_[v].push_back(direction);
  log_.push_back(kLogDirection);
}

Direction Plan::direction(ValueId v) const {
  const auto set = directions_of_.find(v);
  return set == directions_of_.end() || set->second.empty() ? Direction::both : set->second.back();
}

void Plan::close(NodeId n, ops::FactorId factor) {
  if (!closed_.insert(closed_key(n, factor)).second)
    return;
  closed_order_.push_back(closed_key(n, factor));
  log_.push_back(kLogClosed);
}

SplitId Plan::intern_split(SplitRule rule) {
  const auto found = std::ranges::find(splits_, rule);
  if (found != splits_.end())
    return static_cast<SplitId>(found - splits_.begin());
  splits_.push_back(std::move(rule));
  return static_cast<SplitId>(splits_.size() - 1);
}

Result<AxisId> Plan::anonymous_axis(int64_t n, int64_t w, uint32_t instance) {
  TW_ASSERT(n > 0 && w >= 0);
  for (const AnonymousAxis &known : anonymous_)
    if (known.n == n && known.w == w && known.instance == instance)
      return known.axis;
  const int64_t size = w == 0 ? n : n / w + (n % w != 0 ? 1 : 0);
  std::string name = w == 0 ? fmt::format("range<{}>", n) : fmt::format("range<{},{}>", n, w);
  if (instance != 0)
    name += fmt::format("#{}", instance);
  TW_ASSIGN(const AxisId axis, add_axis(std::move(name), size, sharding::AxisKind::device));
  anonymous_.push_back({n, w, instance, axis});
  log_.push_back(kLogAxisName);
  return axis;
}

Result<AxisId> Plan::add_axis(std::string name, int64_t size, sharding::AxisKind kind) {
  TW_ASSIGN(sharding::Mesh mesh, mesh_.with_axis(std::move(name), size, kind));
  earlier_meshes_.push_back(std::exchange(mesh_, std::move(mesh)));
  nests_.set_num_axes(mesh_.num_axes());
  log_.push_back(kLogMesh);
  return static_cast<AxisId>(mesh_.num_axes() - 1);
}

void Plan::expect(Expectation e) {
  expectations_.push_back(std::move(e));
  log_.push_back(kLogExpectation);
}

void Plan::record(Conflict c) {
  uint8_t &kinds = conflict_kinds_[conflict_key(c.node, c.axis)];
  const auto bit = static_cast<uint8_t>(1u << static_cast<unsigned>(c.kind));
  if ((kinds & bit) != 0)
    return;
  kinds |= bit;
  conflicts_.push_back(std::move(c));
  log_.push_back(kLogConflict);
}

} // namespace tw::partition
