// SPDX-License-Identifier: Apache-2.0
// Decides where partial values are combined: where they are made, or behind linear ops that work on partial
// values as well, so that x@a + y@b + z@c moves one sum and not three.
//
// Per axis, of all ways to place the reductions this is one that moves the fewest bytes, and of these one
// with the fewest collectives, the earliest of equal ones: a minimum cut. A value on the source's side is
// left partial, and costs its reduction as soon as one of its uses is on the other side, however many are. An
// op may stay on the source's side only with all the operands in which it is linear; what a loop adds up only
// from zero, and if its body does nothing else with it, so that the sum of all turns moves once, after the
// last.
#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <set>

#include "ops/literal.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"
#include "ops/trip_count.hpp"
#include "spmd/deferred_before.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {

namespace {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::NodeId;
using partition::Port;
using sharding::AxisId;
using sharding::Reduction;
using sharding::Sharding;
using sharding::SplitRule;

// Without the tiles along an axis: every device holds what its peers along it hold together. False where the
// cuts of the rest do not follow.
bool remove_axis(Sharding &s, AxisId axis) {
  for (sharding::DimSharding &dim : s.dims)
    if (std::erase(dim.axes, axis) != 0 && dim.rule.kind != SplitRule::Kind::balanced)
      return false;
  return true;
}

// The work for one axis.
class Deferral {
public:
  Deferral(Lowering &lowering, AxisId axis)
      : lowering_(lowering), plan_(lowering.plan), graph_(lowering.graph), axis_(axis),
        before_(*lowering.deferred_before), of_axis_(before_.of_axis[axis]), of_value_(before_.of_value),
        of_node_(before_.of_node), queue_(before_.queue), cut_(before_.cut) {
    of_value_.resize(graph_.values().size(), kNone);
    of_node_.resize(plan_.num_nodes(), kNone);
    queue_.begin(graph_.ops().size());
  }
  Deferral(const Deferral &) = delete;
  Deferral &operator=(const Deferral &) = delete;
  ~Deferral() {
    for (const PartialValue &partial : partials_) {
      of_node_[partial.node] = kNone;
      for (uint32_t i = 0; i < plan_.num_made(partial.node); ++i)
        of_value_[plan_.made(partial.node, i)] = kNone;
    }
  }

  void run(std::span<const OpId> makers) {
    for (const OpId op : makers)
      add({op, lowering_.sharding(lowering_.node(op).results[0]).find_partial(axis_)->kind, 0,
           layout(lowering_.node(op).results[0], graph_.result(op))});
    add_variables(makers);
    for (OpId op = queue_.take(); op != kNone; op = queue_.take())
      consider(op);
    if (num_candidates_ != 0)
      place_groups();
  }

private:
  // A node whose results are partial over the axis, or may be: one that reduces over it, a linear op, a loop
  // variable.
  struct PartialValue {
    NodeId node;
    Reduction kind;
    uint64_t operands = 0;          // which must be partial too; none: the op itself reduces over the axis
    std::optional<ShardingId> dims; // the layout without partial values and without tiles along the axis
    uint32_t place = 0;             // in the cut
  };

  void add(const PartialValue &partial) {
    if (!partial.dims)
      return;
    const auto index = static_cast<uint32_t>(partials_.size());
    partials_.push_back(partial);
    of_node_[partial.node] = index;
    num_candidates_ += partial.operands != 0;
    reach(partial.node);
    lowering_.set_may_be_partial(partial.node, true);
    for (uint32_t i = 0; i < plan_.num_made(partial.node); ++i) {
      const ValueId v = plan_.made(partial.node, i);
      of_value_[v] = index;
      if (plan_.pin_of(v) == kNone) // an action asks for the value itself
        plan_.flow().each_reader(v, [&](const Port &reader) {
          if (plan_.is_op(reader.node) && lowering_.is_live(reader.node) &&
              lowering_.types_of[reader.node] != kNone && op_def(reader.node).linear &&
              graph_.op(reader.node).parent == graph_.region_of(v))
            queue_.add(reader.node);
        });
    }
  }

  // What is found for a node depends on this one.
  void reach(NodeId n) {
    if (lowering_.scope && !lowering_.scope->nodes.contains(n))
      lowering_.scope->reached.push_back(n);
  }

  // What loops may add up from zero, in whose bodies something becomes partial.
  void add_variables(std::span<const OpId> makers) {
    if (plan_.flow().variables().empty())
      return;
    std::set<graph::RegionId> regions; // that hold makers
    for (const OpId op : makers)
      for (graph::RegionId r = graph_.op(op).parent; r != 0 && regions.insert(r).second;)
        r = graph_.op(graph_.region(r).parent).parent;
    for (const graph::RegionId r : regions) {
      const OpId loop = graph_.region(r).parent;
      if (!ops::is_loop(graph_, loop) || graph_.op(loop).first_region + 1 != r ||
          (lowering_.mesh.is_loop(axis_) && lowering_.crossing_ops.contains(loop)))
        continue;
      for (uint32_t i = 0; i < graph_.op(loop).num_results; ++i) {
        const NodeId n = plan_.flow().variable_of(loop, i);
        if (lowering_.is_live(n) && is_zero(plan_.reads(n)[0]))
          add({n, Reduction::sum, kYield, layout(lowering_.node(n).results[0], plan_.made(n, 0))});
      }
    }
  }

  // An array of zeros that every device makes itself.
  bool is_zero(ValueId v) const {
    const OpId op = graph_.value(v).def;
    if (op != kNone && op_def(op).kind == ops::OpKind::broadcast)
      v = graph_.operands(op)[0];
    const graph::Constant *literal = ops::literal_of_value(graph_, v);
    return literal && ops::is_identity(*literal, graph_.type(v).dtype, Reduction::sum);
  }

  // An op with an operand that may be partial. Operands come before their users, so all of them are known.
  void consider(OpId op) {
    reach(op);
    lowering_.set_may_be_partial(op, true); // were its operands so
    const NodeTypes &types = lowering_.node(op);
    if (types.results.size() != 1 || types.reduce_axes.contains(axis_))
      return;
    PartialValue partial{op, Reduction::sum, 0, layout(types.results[0], graph_.result(op))};
    const auto operands = graph_.operands(op);
    for (uint32_t i = 0; i < operands.size() && i < 64; ++i) {
      const uint32_t made = of_value_[operands[i]];
      if (made == kNone)
        continue;
      const PartialValue &operand = partials_[made];
      if ((partial.operands != 0 && operand.kind != partial.kind) || plan_.pin_of(operands[i]) != kNone ||
          graph_.region_of(operands[i]) != graph_.op(op).parent ||
          layout(types.operands[i], operands[i]) != operand.dims)
        return;
      partial.kind = operand.kind;
      partial.operands |= uint64_t{1} << i;
    }
    for (uint32_t i = 0; i < operands.size(); ++i)
      if ((partial.operands >> i & 1) == 0 && lowering_.sharding(types.operands[i]).uses(axis_))
        return; // it would have to be brought together
    for (const sharding::Partial &other : lowering_.sharding(types.results[0]).partial)
      if (other.kind != partial.kind)
        return;
    if (partial.operands != 0 && is_linear(op, partial))
      add(partial);
  }

  // Ops of one rule have the same attributes and types, and regions that reduce alike.
  bool is_linear(OpId op, const PartialValue &partial) {
    const uint32_t asked =
        before_.rules.intern(Question{plan_.rules().rule_id(op), partial.operands, uint64_t(partial.kind)});
    if (asked == before_.linear.size())
      before_.linear.push_back(
          op_def(op).linear(ops::OpViewHolder(graph_, op).view(), partial.operands, partial.kind));
    return before_.linear[asked];
  }

  // Interned, without the axis; nothing where its tiles along the axis cannot be taken away.
  std::optional<ShardingId> layout(ShardingId id, ValueId v) {
    const auto [known, fresh] = of_axis_.layouts.try_emplace(uint64_t{graph_.value(v).type} << 32 | id);
    if (fresh) {
      Sharding s = lowering_.sharding(id);
      std::erase_if(s.partial, [&](const sharding::Partial &partial) { return partial.axis == axis_; });
      known = remove_axis(s, axis_) ? lowering_.intern(std::move(s), graph_.type(v)) : kNone;
    }
    return known == kNone ? std::nullopt : std::optional(known);
  }

  // Partial values that ops may bring together, group by group; those that nobody hands on are left out.
  void place_groups() {
    std::vector<uint32_t> parent(partials_.size());
    for (uint32_t i = 0; i < parent.size(); ++i)
      parent[i] = i;
    const auto root = [&](uint32_t i) {
      while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
      return i;
    };
    for (uint32_t i = 0; i < partials_.size(); ++i)
      each_partial_operand(partials_[i], [&](std::optional<uint32_t> operand) {
        if (operand)
          parent[root(*operand)] = root(i);
      });
    std::vector<uint32_t> end(partials_.size() + 1, 0); // of the group of each root, once it is filled
    for (uint32_t i = 0; i < partials_.size(); ++i)
      ++end[root(i) + 1];
    std::partial_sum(end.begin(), end.end(), end.begin());
    std::vector<uint32_t> members(partials_.size());
    for (uint32_t i = 0; i < partials_.size(); ++i)
      members[end[root(i)]++] = i;
    for (uint32_t r = 0, begin = 0; r < partials_.size(); begin = end[r++])
      if (end[r] - begin > 1)
        place(std::span(members).subspan(begin, end[r] - begin));
  }

  // Visits what makes them; nothing where a loop's body yields something else than it may.
  template <class Visit> void each_partial_operand(const PartialValue &partial, Visit visit) const {
    for (uint64_t rest = partial.operands; rest != 0; rest &= rest - 1) {
      const ValueId v = plan_.reads(partial.node)[static_cast<size_t>(std::countr_zero(rest))];
      const uint32_t made = of_value_[v];
      const bool fits = made != kNone && plan_.pin_of(v) == kNone && partials_[made].kind == partial.kind &&
                        (plan_.is_op(partial.node) ||
                         (partials_[made].dims == partial.dims &&
                          graph_.region_of(v) == graph_.region_of(plan_.made(partial.node, 1))));
      visit(fits ? std::optional(made) : std::nullopt);
    }
  }

  // A node a value that is left partial, and one for each of its uses together: all of them take it partial,
  // or all that would not take a tile along the axis. What scatters a sum moves half of what gives it to
  // every device.
  void place(std::span<const uint32_t> group) {
    constexpr uint32_t kSource = 0, kSink = 1;
    cut_.clear(2 + group.size());
    for (uint32_t i = 0; i < group.size(); ++i)
      partials_[group[i]].place = 2 + i;
    const auto user = [&](const Port &reader) {
      const std::optional<uint32_t> partial = taken_partial(reader);
      return partial ? partials_[*partial].place : kSink;
    };
    for (const uint32_t i : group) {
      const PartialValue &partial = partials_[i];
      const uint32_t left = partial.place;
      const ValueId v = plan_.made(partial.node, plan_.num_made(partial.node) - 1); // of a loop its result
      if (partial.operands == 0)
        cut_.add(kSource, left, MinCut::kUnlimited);
      each_partial_operand(partial, [&](std::optional<uint32_t> operand) {
        cut_.add(left, operand ? partials_[*operand].place : kSink, MinCut::kUnlimited);
      });
      for (uint32_t inner = 0; inner + 1 < plan_.num_made(partial.node); ++inner)
        each_use(plan_.made(partial.node, inner),
                 [&](const Port &reader) { cut_.add(left, user(reader), MinCut::kUnlimited); });
      users_.clear();
      whole_users_.clear();
      each_use(v, [&](const Port &reader) {
        (takes_tile(reader) ? users_ : whole_users_).push_back(user(reader));
      });
      const int64_t bytes = local_bytes(partial, v) * runs(graph_.region_of(v));
      if (users_.empty()) {
        add_uses(left, whole_users_, 2 * bytes + 1); // of equal ones the fewest collectives
        continue;
      }
      add_uses(left, whole_users_, bytes);
      users_.insert(users_.end(), whole_users_.begin(), whole_users_.end());
      add_uses(left, users_, bytes + 1);
    }
    const std::vector<bool> on_source_side = cut_.solve(kSource, kSink);
    for (const uint32_t i : group)
      if (partials_[i].operands != 0 && on_source_side[partials_[i].place])
        defer(partials_[i]);
  }

  // What a value costs as soon as one of these uses does not take it partial.
  void add_uses(uint32_t left, std::span<const uint32_t> users, int64_t cost) {
    if (users.empty())
      return;
    if (std::ranges::count(users, users[0]) == std::ssize(users))
      return cut_.add(left, users[0], cost);
    const uint32_t all = cut_.add_node();
    cut_.add(left, all, cost);
    for (const uint32_t user : users)
      cut_.add(all, user, MinCut::kUnlimited);
  }

  template <class Visit> void each_use(ValueId v, Visit visit) const {
    if (const NodeId pin = plan_.pin_of(v); pin != kNone)
      visit(Port{pin, 0});
    else
      plan_.flow().each_reader(v, [&](const Port &reader) {
        if (lowering_.is_live(reader.node))
          visit(reader);
      });
  }

  // Who makes something partial of this use, if anybody may.
  std::optional<uint32_t> taken_partial(const Port &reader) const {
    const uint32_t made = of_node_[reader.node];
    if (made == kNone || reader.index >= 64 || (partials_[made].operands >> reader.index & 1) == 0)
      return std::nullopt;
    return made;
  }

  bool takes_tile(const Port &reader) const {
    if (!lowering_.is_result(reader.node))
      return lowering_.sharding(lowering_.node(reader.node).operands[reader.index]).uses(axis_);
    const auto &asked = lowering_.result_types[lowering_.signature_index(reader.node)];
    const Port maker = plan_.flow().maker(plan_.reads(reader.node)[0]);
    return lowering_.sharding(asked ? *asked : lowering_.node(maker.node).results[maker.index]).uses(axis_);
  }

  int64_t local_bytes(const PartialValue &partial, ValueId v) {
    const auto [known, fresh] =
        of_axis_.bytes.try_emplace(uint64_t{graph_.value(v).type} << 32 | *partial.dims);
    if (fresh) {
      const graph::TensorType &type = graph_.type(v);
      const int64_t elements =
          largest_tile_elements(lowering_.sharding(*partial.dims), type.dims, lowering_.mesh);
      known = std::min(elements * static_cast<int64_t>(graph::byte_size(type.dtype)), int64_t{1} << 40);
    }
    return known;
  }

  // How often a region runs, as far as constants say; a few times where data decide.
  int64_t runs(graph::RegionId region) const {
    constexpr int64_t kUnknown = 8, kMost = int64_t{1} << 20;
    int64_t times = 1;
    for (; region != 0; region = graph_.op(graph_.region(region).parent).parent)
      if (const OpId op = graph_.region(region).parent; ops::is_loop(graph_, op))
        times = std::min(
            kMost,
            times * std::max<int64_t>(1, std::min(kMost, ops::trip_count(graph_, op).value_or(kUnknown))));
    return times;
  }

  void defer(const PartialValue &partial) {
    if (lowering_.scope && !lowering_.scope->nodes.contains(partial.node))
      return; // was reached: all is found once more, with it
    const NodeId n = partial.node;
    keep_result_layouts(n, lowering_.node(n));
    // All that shapes depend on is the rule of an op, or the type of a variable.
    const uint64_t shapes = plan_.is_op(n) ? uint64_t{plan_.rules().rule_id(n)} << 1
                                           : uint64_t{graph_.value(plan_.reads(n)[0]).type} << 1 | 1;
    const uint32_t asked = of_axis_.asked.intern(
        Question{shapes, partial.operands, uint64_t{lowering_.types_of[n]} << 8 | uint64_t(partial.kind)});
    if (asked == of_axis_.deferred.size())
      of_axis_.deferred.push_back(lowering_.types.intern(made_partial(partial)));
    lowering_.set_types(n, of_axis_.deferred[asked]);
  }

  NodeTypes made_partial(const PartialValue &partial) {
    NodeTypes types = lowering_.node(partial.node);
    const auto make_partial = [&](ShardingId &id, ValueId v) {
      Sharding s = lowering_.sharding(id);
      remove_axis(s, axis_);
      s.partial.insert(std::ranges::lower_bound(s.partial, axis_, {}, &sharding::Partial::axis),
                       {axis_, partial.kind});
      id = lowering_.intern(std::move(s), graph_.type(v));
    };
    for (uint32_t i = 0; i < types.operands.size(); ++i)
      if ((partial.operands >> i & 1) != 0 || plan_.is_variable(partial.node))
        make_partial(types.operands[i], plan_.reads(partial.node)[i]);
    for (uint32_t i = 0; i < types.results.size(); ++i)
      make_partial(types.results[i], plan_.made(partial.node, i));
    types.reduce_axes.add(axis_);
    return types;
  }

  // The caller gets what the node makes in the layout that its loops give, whatever is left partial on the
  // way.
  void keep_result_layouts(NodeId n, const NodeTypes &types) {
    for (uint32_t i = 0; i < plan_.num_made(n); ++i) {
      const ValueId v = plan_.made(n, i);
      plan_.flow().each_reader(v, [&](const Port &reader) {
        if (!lowering_.is_result(reader.node))
          return;
        const uint32_t result = lowering_.signature_index(reader.node);
        if (lowering_.result_types[result])
          return;
        Sharding layout = lowering_.sharding(types.results[i]);
        layout.partial.clear();
        lowering_.ask_result(result, lowering_.intern(std::move(layout), graph_.type(v)));
      });
    }
  }

  const ops::OpDef &op_def(OpId op) const { return ops::op_def(graph_.op(op).code); }

  static constexpr uint64_t kYield = 0b10; // what the body of a loop hands to its next turn

  Lowering &lowering_;
  const partition::Plan &plan_;
  const graph::Graph &graph_;
  const AxisId axis_;
  DeferredBefore &before_;
  DeferredBefore::OfAxis &of_axis_;
  std::vector<PartialValue> partials_;         // what reduces, variables, then ops in their order
  std::vector<uint32_t> &of_value_, &of_node_; // into partials_
  OpQueue &queue_;
  size_t num_candidates_ = 0;
  // Of the group at hand.
  MinCut &cut_;
  std::vector<uint32_t> users_, whole_users_;
};

} // namespace

Status defer_sums(Lowering &lowering) {
  std::vector<std::vector<OpId>> makers(lowering.mesh.num_axes()); // per axis
  const auto consider = [&](OpId op) {
    if (!lowering.live[op] || lowering.types_of[op] == kNone || lowering.node(op).reduce_axes.empty() ||
        lowering.graph.op(op).num_results != 1)
      return;
    for (const sharding::Partial &partial : lowering.sharding(lowering.node(op).results[0]).partial)
      if (partial.kind != Reduction::region) // is folded in order, at once
        makers[partial.axis].push_back(op);
  };
  lowering.may_be_partial.resize(lowering.plan.num_nodes());
  if (lowering.deferred_before == nullptr)
    lowering.deferred_before = std::make_shared<DeferredBefore>();
  lowering.deferred_before->of_axis.resize(lowering.mesh.num_axes());
  if (lowering.scope) {
    lowering.scope->nodes.each([&](NodeId n) {
      lowering.set_may_be_partial(n, false);
      if (lowering.plan.is_op(n))
        consider(n);
    });
  } else {
    for (OpId op = 0; op < lowering.graph.ops().size(); ++op)
      consider(op);
  }
  for (size_t axis = 0; axis < makers.size(); ++axis)
    if (!makers[axis].empty())
      Deferral(lowering, static_cast<AxisId>(axis)).run(makers[axis]);
  return {};
}

} // namespace tw::spmd
