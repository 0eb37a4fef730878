// SPDX-License-Identifier: Apache-2.0
// Decides where partial values are combined: where they are made, or behind linear ops that work on partial values as well, so that
// x@a + y@b + z@c moves one sum and not three.
//
// Per axis, of all ways to place the reductions this is one that moves the fewest bytes, and of these one with the fewest collectives, the
// earliest of equal ones: a minimum cut. A value on the source's side is left partial, and costs its reduction as soon as one of
// its uses is on the other side, however many are. An op may stay on the source's side only with all the operands in which it is linear; what a
// loop adds up only from zero, and if its body does nothing else with it, so that the sum of all turns moves once, after the last.
#include <algorithm>
#include <optional>
#include <set>

#include "ops/literal.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"
#include "ops/trip_count.hpp"
#include "spmd/lowering.hpp"
#include "spmd/min_cut.hpp"

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
using sharding::Stacked;

// Without the tiles along an axis: every device holds what its peers along it hold together. False where the cuts of the rest do not
// follow.
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
      : lowering_(lowering), plan_(lowering.plan), graph_(lowering.graph), axis_(axis) {}

  void run(std::span<const OpId> makers) {
    for (const OpId op : makers)
      add({op, lowering_.sharding(lowering_.node(op).results[0]).find_stacked(axis_)->kind, 0,
           layout(lowering_.node(op).results[0], graph_.result(op))});
    add_variables(makers);
    while (!queue_.empty()) {
      const OpId op = *queue_.begin();
      queue_.erase(queue_.begin());
      consider(op);
    }
    if (num_candidates_ == 0)
      return;
    for (const std::vector<uint32_t> &group : groups())
      place(group);
  }

private:
  // A node whose results are partial over the axis, or may be: one that reduces over it, a linear op, a loop variable.
  struct Partial {
    NodeId node;
    Reduction kind;
    uint64_t operands = 0;          // which must be partial too; none: the op itself reduces over the axis
    std::optional<ShardingId> dims; // the layout without partial values and without tiles along the axis
  };

  void add(const Partial &partial) {
    if (!partial.dims)
      return;
    const auto index = static_cast<uint32_t>(partials_.size());
    partials_.push_back(partial);
    of_node_[partial.node] = index;
    num_candidates_ += partial.operands != 0;
    for (uint32_t i = 0; i < plan_.num_made(partial.node); ++i) {
      const ValueId v = plan_.made(partial.node, i);
      of_value_[v] = index;
      if (plan_.pin_of(v) == kNone) // an action asks for the value itself
        plan_.flow().each_reader(v, [&](const Port &reader) {
          if (plan_.is_op(reader.node) && lowering_.is_live(reader.node) &&
              lowering_.types_of[reader.node] != kNone && op_def(reader.node).linear &&
              graph_.op(reader.node).parent == graph_.region_of(v))
            queue_.insert(reader.node);
        });
    }
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
          (lowering_.mesh.is_loop(axis_) && lowering_.crossed.contains(loop)))
        continue;
      for (uint32_t i = 0; i < graph_.op(loop).num_results; ++i) {
        const NodeId n = plan_.flow().condition_of(loop) + 1 + i;
        if (lowering_.is_live(n) && is_zero(plan_.reads(n)[0]))
          add({n, Reduction::sum, kYield, layout(lowering_.node(n).results[0], plan_.made(n, 0))});
      }
    }
  }

  // An array of zeros that every device makes itself.
  bool is_zero(ValueId v) const {
    const OpId op = graph_.value(v).def;
    if (op != kNone && std::string_view(op_def(op).name) == "stablehlo.broadcast_in_dim")
      v = graph_.operands(op)[0];
    const graph::Constant *literal = ops::literal_of_value(graph_, v);
    return literal && ops::is_identity(*literal, graph_.type(v).dtype, Reduction::sum);
  }

  // An op with an operand that may be partial. Operands come before their users, so all of them are known.
  void consider(OpId op) {
    const NodeTypes &types = lowering_.node(op);
    if (types.results.size() != 1 || (types.reduce_axes >> axis_ & 1) != 0)
      return;
    Partial partial{op, Reduction::sum, 0, layout(types.results[0], graph_.result(op))};
    const auto operands = graph_.operands(op);
    for (uint32_t i = 0; i < operands.size() && i < 64; ++i) {
      const auto found = of_value_.find(operands[i]);
      if (found == of_value_.end())
        continue;
      const Partial &operand = partials_[found->second];
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
    for (const Stacked &other : lowering_.sharding(types.results[0]).stacked)
      if (other.kind != partial.kind)
        return;
    if (partial.operands != 0 &&
        op_def(op).linear(ops::OpViewHolder(graph_, op).view(), partial.operands, partial.kind))
      add(partial);
  }

  // Interned, without the axis; nothing where its tiles along the axis cannot be taken away.
  std::optional<ShardingId> layout(ShardingId id, ValueId v) {
    Sharding s = lowering_.sharding(id);
    std::erase_if(s.stacked, [&](const Stacked &stacked) { return stacked.axis == axis_; });
    if (!remove_axis(s, axis_))
      return std::nullopt;
    return lowering_.intern(std::move(s), graph_.type(v));
  }

  // Partial values that ops may bring together; those that nobody hands on are left out.
  std::vector<std::vector<uint32_t>> groups() {
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
    std::vector<std::vector<uint32_t>> of_root(partials_.size());
    for (uint32_t i = 0; i < partials_.size(); ++i)
      of_root[root(i)].push_back(i);
    std::erase_if(of_root, [](const auto &group) { return group.size() < 2; });
    return of_root;
  }

  // Visits what makes them; nothing where a loop's body yields something else than it may.
  template <class Visit> void each_partial_operand(const Partial &partial, Visit visit) const {
    for (uint32_t i = 0; i < 64; ++i)
      if ((partial.operands >> i & 1) != 0) {
        const ValueId v = plan_.reads(partial.node)[i];
        const auto found = of_value_.find(v);
        const bool fits = found != of_value_.end() && plan_.pin_of(v) == kNone &&
                          partials_[found->second].kind == partial.kind &&
                          (plan_.is_op(partial.node) ||
                           (partials_[found->second].dims == partial.dims &&
                            graph_.region_of(v) == graph_.region_of(plan_.made(partial.node, 1))));
        visit(fits ? std::optional(found->second) : std::nullopt);
      }
  }

  // Three nodes a value: it is left partial; all its uses take it partial; so do all that would not take a tile along the axis. What scatters
  // a sum moves half of what gives it to every device.
  void place(const std::vector<uint32_t> &group) {
    MinCut cut(2 + 3 * group.size());
    constexpr uint32_t kSource = 0, kSink = 1;
    const auto left = [&](uint32_t partial) {
      return 2 + 3 * static_cast<uint32_t>(std::ranges::lower_bound(group, partial) - group.begin());
    };
    const auto user = [&](const Port &reader) {
      const std::optional<uint32_t> partial = taken_partial(reader);
      return partial ? left(*partial) : kSink;
    };
    for (const uint32_t i : group) {
      const Partial &partial = partials_[i];
      const ValueId v = plan_.made(partial.node, plan_.num_made(partial.node) - 1); // of a loop its result
      const int64_t bytes = local_bytes(partial, v) * runs(graph_.region_of(v));
      cut.add(left(i), left(i) + 1, bytes + 1); // of equal ones the fewest collectives
      cut.add(left(i), left(i) + 2, bytes);
      if (partial.operands == 0)
        cut.add(kSource, left(i), MinCut::kUnlimited);
      each_partial_operand(partial, [&](std::optional<uint32_t> operand) {
        cut.add(left(i), operand ? left(*operand) : kSink, MinCut::kUnlimited);
      });
      for (uint32_t inner = 0; inner + 1 < plan_.num_made(partial.node); ++inner)
        each_use(plan_.made(partial.node, inner),
                 [&](const Port &reader) { cut.add(left(i), user(reader), MinCut::kUnlimited); });
      each_use(v, [&](const Port &reader) {
        cut.add(left(i) + 1, user(reader), MinCut::kUnlimited);
        if (!takes_tile(reader))
          cut.add(left(i) + 2, user(reader), MinCut::kUnlimited);
      });
    }
    const std::vector<bool> on_source_side = cut.solve(kSource, kSink);
    for (const uint32_t i : group)
      if (partials_[i].operands != 0 && on_source_side[left(i)])
        defer(partials_[i]);
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
    const auto found = of_node_.find(reader.node);
    if (found == of_node_.end() || reader.index >= 64 ||
        (partials_[found->second].operands >> reader.index & 1) == 0)
      return std::nullopt;
    return found->second;
  }

  bool takes_tile(const Port &reader) const {
    if (!lowering_.is_result(reader.node))
      return lowering_.sharding(lowering_.node(reader.node).operands[reader.index]).uses(axis_);
    const auto &asked = lowering_.result_types[lowering_.signature_index(reader.node)];
    const Port maker = plan_.flow().maker(plan_.reads(reader.node)[0]);
    return lowering_.sharding(asked ? *asked : lowering_.node(maker.node).results[maker.index]).uses(axis_);
  }

  int64_t local_bytes(const Partial &partial, ValueId v) const {
    const graph::TensorType &type = graph_.type(v);
    const int64_t elements =
        largest_tile_elements(lowering_.sharding(*partial.dims), type.dims, lowering_.mesh);
    return std::min(elements * static_cast<int64_t>(graph::byte_size(type.dtype)), int64_t{1} << 40);
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

  void defer(const Partial &partial) {
    NodeTypes types = lowering_.node(partial.node);
    keep_result_layouts(partial.node, types);
    const auto make_partial = [&](ShardingId &id, ValueId v) {
      Sharding s = lowering_.sharding(id);
      remove_axis(s, axis_);
      s.stacked.insert(std::ranges::lower_bound(s.stacked, axis_, {}, &Stacked::axis), {axis_, partial.kind});
      id = lowering_.intern(std::move(s), graph_.type(v));
    };
    for (uint32_t i = 0; i < types.operands.size(); ++i)
      if ((partial.operands >> i & 1) != 0 || plan_.is_variable(partial.node))
        make_partial(types.operands[i], plan_.reads(partial.node)[i]);
    for (uint32_t i = 0; i < types.results.size(); ++i)
      make_partial(types.results[i], plan_.made(partial.node, i));
    types.reduce_axes |= uint64_t{1} << axis_;
    lowering_.types_of[partial.node] = static_cast<uint32_t>(lowering_.types.size());
    lowering_.types.push_back(std::move(types));
  }

  // The caller gets what the node makes in the layout that its loops give, whatever is left partial on the way.
  void keep_result_layouts(NodeId n, const NodeTypes &types) {
    for (uint32_t i = 0; i < plan_.num_made(n); ++i) {
      const ValueId v = plan_.made(n, i);
      plan_.flow().each_reader(v, [&](const Port &reader) {
        if (!lowering_.is_result(reader.node))
          return;
        auto &asked = lowering_.result_types[lowering_.signature_index(reader.node)];
        Sharding layout = lowering_.sharding(types.results[i]);
        layout.stacked.clear();
        if (!asked)
          asked = lowering_.intern(std::move(layout), graph_.type(v));
      });
    }
  }

  const ops::OpDef &op_def(OpId op) const { return ops::op_def(graph_.op(op).code); }

  static constexpr uint64_t kYield = 0b10; // what the body of a loop hands to its next turn

  Lowering &lowering_;
  const partition::Plan &plan_;
  const graph::Graph &graph_;
  const AxisId axis_;
  std::vector<Partial> partials_; // what reduces, variables, then ops in their order
  std::unordered_map<ValueId, uint32_t> of_value_;
  std::unordered_map<NodeId, uint32_t> of_node_;
  std::set<OpId> queue_;
  size_t num_candidates_ = 0;
};

} // namespace

Status defer_sums(Lowering &lowering) {
  std::vector<std::vector<OpId>> makers(lowering.mesh.num_axes()); // per axis
  for (OpId op = 0; op < lowering.graph.ops().size(); ++op) {
    if (!lowering.live[op] || lowering.types_of[op] == kNone || lowering.node(op).reduce_axes == 0 ||
        lowering.graph.op(op).num_results != 1)
      continue;
    for (const Stacked &stacked : lowering.sharding(lowering.node(op).results[0]).stacked)
      if (stacked.kind != Reduction::region) // is folded in order, at once
        makers[stacked.axis].push_back(op);
  }
  for (size_t axis = 0; axis < makers.size(); ++axis)
    if (!makers[axis].empty())
      Deferral(lowering, static_cast<AxisId>(axis)).run(makers[axis]);
  return {};
}

} // namespace tw::spmd
