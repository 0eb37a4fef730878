// SPDX-License-Identifier: Apache-2.0
// What a loop picks slices of, turn by turn, out of an array that is tiled along them and that it does not
// change, is gathered once before the loop, where that moves less than bringing together each slice does: the
// weights of a scan over layers that are tiled along the layers. For that the slice needs the array whole,
// and so do the loop variables that hand it on unchanged; that the move of what a body takes from outside
// stands before the loop is up to `emit` (hoist_moves).
//
// What is read at a known place is sent by the devices that have it, where that moves less than combining
// what all devices have of it, or putting it together from tiles. For that the slice needs this place on
// each device.
#include <algorithm>

#include "ops/trip_count.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {

namespace {

using graph::OpId;
using graph::ValueId;
using sharding::Sharding;

bool is_pick(const ops::Factor &factor) {
  return factor.kind == ops::FactorKind::reduce && factor.reduction == sharding::Reduction::pick;
}

class Gatherer {
public:
  explicit Gatherer(Lowering &lowering) : lowering_(lowering), plan_(lowering.plan), graph_(lowering.graph) {}

  void consider(OpId op) {
    if (!lowering_.live[op] || lowering_.types_of[op] == graph::kNone || !may_bring_picks(lowering_, op) ||
        send(op) || graph_.op(op).parent == 0)
      return;
    const sharding::AxisSet axes = picked_axes(op);
    if (axes.intersects(lowering_.mesh.loop_axes()))
      return;
    for (uint32_t i = 0; i < graph_.operands(op).size(); ++i) {
      const ShardingId now = lowering_.node(op).operands[i];
      const ValueId v = graph_.operands(op)[i];
      const auto whole = without(now, axes, graph_.type(v));
      if (!whole)
        return;
      if (*whole == now)
        continue;
      const auto source = source_of(op, v);
      const auto follows = [&](partition::NodeId n) {
        const ShardingId type = lowering_.node(n).operands[0];
        return type == now || type == *whole;
      };
      if (source && source->turns > 1 && may_be_gathered(source->value) &&
          lowering_.may_be_kept(source->value, *whole) && std::ranges::all_of(source->variables, follows) &&
          is_less(op, i, axes, *whole, *source))
        gather(op, i, axes, *whole, *source);
      return;
    }
  }

private:
  // Along which the op's picks are split, or those of one dimension.
  sharding::AxisSet picked_axes(OpId op) const {
    sharding::AxisSet axes;
    for (const ops::DimFactors &dim : plan_.rule(op).operands[0])
      axes |= picked_axes(op, dim);
    return axes;
  }
  sharding::AxisSet picked_axes(OpId op, const ops::DimFactors &dim) const {
    sharding::AxisSet axes;
    for (const partition::NestEntry &e : plan_.nest(op))
      if (std::ranges::count(dim, e.factor) != 0 && is_pick(plan_.rule(op).factors[e.factor]))
        axes.add(e.axis);
    return axes;
  }

  // Whether what is read at known places is sent to all by the devices that have it: by bytes.
  bool send(OpId op) {
    const ValueId v = graph_.operands(op)[0];
    const ops::Rule &rule = plan_.rule(op);
    const NodeTypes &now = lowering_.node(op);
    Sharding needed = lowering_.sharding(now.operands[0]), made = lowering_.sharding(now.results[0]);
    const Sharding held = lowering_.sharding(this->held(v));
    sharding::AxisSet axes; // along which the op would read the same everywhere
    for (size_t d = 0; d < needed.dims.size(); ++d)
      if (const auto part = known_part(rule, d); part && !held.dims[d].axes.empty()) {
        const auto tiles = static_cast<size_t>(num_tiles(held.dims[d], lowering_.mesh));
        needed.dims[d] = {held.dims[d].axes,
                          sharding::make_spans(std::vector(tiles, *part), graph_.type(v).dims[d])};
        for (const sharding::AxisId axis : held.dims[d].axes)
          axes.add(axis);
        axes |= picked_axes(op, rule.operands[0][d]); // those in whose tiles it is not too
      }
    if (axes.empty() || axes.intersects(lowering_.mesh.loop_axes()) || !is_once(needed) ||
        splits_others(op, axes))
      return false;
    std::erase_if(made.partial, [&](const sharding::Partial &s) { return axes.contains(s.axis); });
    for (sharding::DimSharding &dim : made.dims)
      if (std::ranges::any_of(dim.axes, [&](sharding::AxisId axis) { return axes.contains(axis); }))
        dim = {};
    const ShardingId sent = lowering_.intern(std::move(needed), graph_.type(v)),
                     result = lowering_.intern(std::move(made), graph_.type(graph_.result(op)));
    if (is_as_cheap(op, sent, result))
      return false;
    NodeTypes types = now;
    types.operands[0] = sent;
    types.results[0] = result;
    types.reduce_axes -= axes;
    set(op, std::move(types));
    return true;
  }

  // The part of a dimension of the array that an op reads, if that is known and not all of it.
  static std::optional<sharding::Interval> known_part(const ops::Rule &rule, size_t d) {
    for (const ops::FactorId f : rule.operands[0][d])
      if (const int64_t at = rule.factors[f].picked; at >= 0)
        return sharding::Interval{at, at + 1};
    const ops::Window *window = rule.window(0, d);
    if (window == nullptr || window->terms.size() != 1 || goes_with_others(rule, window->terms[0].factor))
      return std::nullopt;
    std::vector<sharding::Interval> all;
    for (const ops::Factor &factor : rule.factors)
      all.push_back({0, factor.size});
    const sharding::Interval part = rule.needed(*window, all);
    return part.size() > 0 && part.size() < window->size ? std::optional(part) : std::nullopt;
  }

  // Whether a loop runs through other operands too, as one over index vectors does.
  static bool goes_with_others(const ops::Rule &rule, ops::FactorId f) {
    for (size_t v = 1; v < rule.operands.size(); ++v)
      for (const ops::DimFactors &dim : rule.operands[v])
        if (std::ranges::count(dim, f) != 0)
          return true;
    return false;
  }

  // Whether no axis occurs twice.
  static bool is_once(const Sharding &s) {
    sharding::AxisSet seen;
    for (const sharding::DimSharding &dim : s.dims)
      for (const sharding::AxisId axis : dim.axes) {
        if (seen.contains(axis))
          return false;
        seen.add(axis);
      }
    return true;
  }

  // Whether an axis splits a loop of the op that does not only run through such a part.
  bool splits_others(OpId op, sharding::AxisSet axes) const {
    const ops::Rule &rule = plan_.rule(op);
    return std::ranges::any_of(plan_.nest(op), [&](const partition::NestEntry &e) {
      bool is_known = e.factor == partition::kAny || !axes.contains(e.axis);
      for (size_t d = 0; d < rule.operands[0].size() && !is_known; ++d)
        is_known = known_part(rule, d) && std::ranges::count(rule.operands[0][d], e.factor) != 0;
      return !is_known;
    });
  }

  bool is_as_cheap(OpId op, ShardingId sent, ShardingId result) {
    const ValueId v = graph_.operands(op)[0];
    const NodeTypes types = lowering_.node(op); // a copy: more come
    const ShardingId held = this->held(v);
    return bytes(v, held, sent) + bytes_behind(op, result) >=
           (bytes(v, held, types.operands[0]) + bytes_behind(op, types.results[0])) * (1 - 1e-9);
  }

  // What an operand is before all loops that do not change it, the variables that hand it on, outer ones
  // last, and how often the op runs then.
  struct Source {
    ValueId value;
    std::vector<partition::NodeId> variables;
    int64_t turns;
  };

  // Nothing where data decide how often it runs.
  std::optional<Source> source_of(OpId op, ValueId v) const {
    Source source{v, {}, 1};
    graph::RegionId r = graph_.op(op).parent;
    const auto leave = [&] { // the region, and the loop whose it is
      const OpId around = graph_.region(r).parent;
      r = graph_.op(around).parent;
      if (!ops::is_loop(graph_, around))
        return true;
      constexpr int64_t kMost = int64_t{1} << 40;
      const auto trips = ops::trip_count(graph_, around);
      source.turns = std::min(kMost, source.turns * std::clamp<int64_t>(trips.value_or(1), 1, kMost));
      return trips.has_value();
    };
    for (;;) {
      while (r != graph_.region_of(source.value))
        if (!leave())
          return std::nullopt;
      const partition::NodeId maker = plan_.flow().maker(source.value).node;
      if (maker == graph::kNone || !hands_on(plan_, maker) || graph_.value(source.value).def != graph::kNone)
        return source;
      source.variables.push_back(maker);
      source.value = plan_.reads(maker)[0];
      if (!leave())
        return std::nullopt;
    }
  }

  bool is_less(OpId op, uint32_t operand, sharding::AxisSet axes, ShardingId whole, const Source &source) {
    const NodeTypes &types = lowering_.node(op);
    const ShardingId now = types.operands[operand], made = types.results[0];
    const ShardingId held = this->held(source.value);
    const auto turns = static_cast<double>(source.turns);
    const double picked = bytes(source.value, held, now) + turns * bytes_behind(op, made);
    const double gathered =
        bytes(source.value, held, whole) + turns * bytes_behind(op, combined(op, made, axes));
    return gathered < picked * (1 - 1e-9);
  }

  void gather(OpId op, uint32_t operand, sharding::AxisSet axes, ShardingId whole, const Source &source) {
    NodeTypes types = lowering_.node(op);
    types.operands[operand] = whole;
    types.results[0] = combined(op, types.results[0], axes);
    types.reduce_axes -= axes;
    set(op, std::move(types));
    for (const partition::NodeId n : source.variables) {
      NodeTypes all = lowering_.node(n);
      std::ranges::fill(all.operands, whole);
      std::ranges::fill(all.results, whole);
      set(n, std::move(all));
    }
  }

  void set(partition::NodeId n, NodeTypes types) { lowering_.set_types(n, std::move(types)); }

  // What the op makes without partial values over some axes.
  ShardingId combined(OpId op, ShardingId made, sharding::AxisSet axes) {
    Sharding s = lowering_.sharding(made);
    std::erase_if(s.partial, [&](const sharding::Partial &partial) { return axes.contains(partial.axis); });
    return lowering_.intern(std::move(s), graph_.type(graph_.result(op)));
  }

  // Not what is asked to be gathered for each use, nor what stands for partial values or is made anew for
  // each use.
  bool may_be_gathered(ValueId v) const {
    const OpId def = graph_.value(v).def;
    const bool per_use =
        lowering_.options.gather_per_use && def != graph::kNone && lowering_.is_argument(def);
    const partition::Port maker = plan_.flow().maker(v);
    return !per_use && !lowering_.is_source(v) && maker.node != graph::kNone &&
           (plan_.pin_of(v) != graph::kNone ||
            plan_.result_sharding(maker.node, maker.index).partial.empty());
  }

  // Without the tiles along some axes; nothing where the cuts of the rest do not follow.
  std::optional<ShardingId> without(ShardingId id, sharding::AxisSet axes, const graph::TensorType &type) {
    Sharding s = lowering_.sharding(id);
    for (sharding::DimSharding &dim : s.dims) {
      if (std::erase_if(dim.axes, [&](sharding::AxisId axis) { return axes.contains(axis); }) == 0)
        continue;
      if (dim.axes.empty())
        dim = {};
      else if (dim.rule.kind != sharding::SplitRule::Kind::balanced)
        return std::nullopt;
    }
    return lowering_.intern(std::move(s), type);
  }

  // All that is asked of other nodes is what their nests say, whatever later passes make of their types.
  ShardingId held(ValueId v) {
    const partition::Port maker = plan_.flow().maker(v);
    const partition::NodeId pin = plan_.pin_of(v);
    return lowering_.intern(pin != graph::kNone ? plan_.operand_sharding(pin, 0)
                                                : plan_.result_sharding(maker.node, maker.index),
                            graph_.type(v));
  }

  // What a device receives in the mean until all who read what the op makes have it as they want it.
  double bytes_behind(OpId op, ShardingId made) {
    const ValueId v = graph_.result(op);
    std::vector<ShardingId> wanted;
    const auto add = [&](partition::NodeId n, uint32_t operand) {
      const ShardingId id = lowering_.intern(plan_.operand_sharding(n, operand), graph_.type(v));
      if (std::ranges::find(wanted, id) == wanted.end())
        wanted.push_back(id);
    };
    if (const partition::NodeId pin = plan_.pin_of(v); pin != graph::kNone)
      add(pin, 0);
    else
      plan_.flow().each_reader(v, [&](const partition::Port &reader) {
        if (lowering_.is_live(reader.node) && plan_.takes_part(reader.node))
          add(reader.node, reader.index);
      });
    double all = 0;
    for (const ShardingId step : closing_steps(lowering_, made, graph_.value(v).type, wanted)) {
      all += bytes(v, made, step);
      made = step;
    }
    for (const ShardingId to : wanted)
      all += bytes(v, made, to);
    return all;
  }

  double bytes(ValueId v, ShardingId from, ShardingId to) {
    return lowering_.summary(graph_.value(v).type, from, to).bytes_received_mean;
  }

  Lowering &lowering_;
  const partition::Plan &plan_;
  const graph::Graph &graph_;
};

} // namespace

bool hands_on(const partition::Plan &plan, partition::NodeId n) {
  if (!plan.is_variable(n) || plan.reads(n).size() != 2 || plan.num_made(n) != 3)
    return false;
  const ValueId v = plan.made(n, 1);
  return plan.reads(n)[1] == v && ops::is_loop(plan.graph(), plan.op_of(n)) &&
         plan.pin_of(v) == graph::kNone && plan.pin_of(plan.made(n, 0)) == graph::kNone;
}

bool may_bring_picks(const Lowering &lowering, partition::NodeId n) {
  const partition::Plan &plan = lowering.plan;
  if (!plan.is_op(n) || plan.num_made(n) != 1 || plan.is_source(n))
    return false;
  switch (ops::op_def(lowering.graph.op(n).code).kind) { // reads a part of one array
  case ops::OpKind::dynamic_slice:
  case ops::OpKind::gather:
  case ops::OpKind::slice: break;
  default: return false;
  }
  return lowering.graph.op(n).parent != 0 || !plan.rule(n).windows.empty() ||
         std::ranges::any_of(plan.rule(n).factors, [](const ops::Factor &f) { return f.picked >= 0; });
}

Status gather_picks(Lowering &lowering) {
  if (!lowering.does("hoist_moves") || !lowering.does("share_moves"))
    return {};
  Gatherer gatherer(lowering);
  if (lowering.scope) {
    lowering.scope->nodes.each([&](partition::NodeId n) {
      if (lowering.plan.is_op(n))
        gatherer.consider(n);
    });
    return {};
  }
  for (OpId op = 0; op < lowering.graph.ops().size(); ++op)
    gatherer.consider(op);
  return {};
}

} // namespace tw::spmd
