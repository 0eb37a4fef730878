// SPDX-License-Identifier: Apache-2.0
// The layouts of values: which there are, and how one that an instruction needs is fetched or made.
#include "spmd/emitter.hpp"

#include <algorithm>
#include <limits>

namespace tw::spmd {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::NodeId;
using redistribute::Kind;
using redistribute::Summary;

ValueRef Emitter::find(ValueId v, ShardingId type) const {
  for (ValueRef ref = first_[v]; ref != kNone; ref = next_[ref])
    if (program_.values_[ref].sharding == type)
      return ref;
  return kNone;
}

void Emitter::remember(ValueId v, ValueRef ref) {
  remembered_.emplace_back(v, ref);
  if (first_[v] == kNone) {
    first_[v] = ref;
    return;
  }
  next_[ref] = next_[first_[v]];
  next_[first_[v]] = ref;
}

void Emitter::forget(size_t mark) {
  for (; remembered_.size() > mark; remembered_.pop_back()) {
    const auto &[v, ref] = remembered_.back();
    if (first_[v] == ref)
      first_[v] = kNone;
    else if (first_[v] != kNone &&
             next_[first_[v]] == ref) // a pin that was passed since leaves nothing of it
      next_[first_[v]] = next_[ref];
  }
}

ValueRef Emitter::fetch(ValueId v, ShardingId type, NodeId user) {
  if (!lowering_.has_in_scope(v))
    return kNone;
  if (lowering_.is_source(v))
    return make_source(v, type, user);
  if (is_made_again(v))
    return make_again(v, type);
  pass_pin(v, user, type);
  if (const ValueRef there = find(v, type); there != kNone)
    return there;
  bring_tiles(v, type, user);
  bring_union(v, type, user);
  const ValueRef from = nearest(v, type);
  const ValueRef made = push_collective(from, type, user, {plan_.source(v), user});
  if (lowering_.does("share_moves") && !is_gathered_per_use(v, from, type))
    remember(v, made);
  return made;
}

bool Emitter::is_made_again(ValueId v) const {
  return !lowering_.made_again.empty() && lowering_.made_again.contains(graph_.value(v).def);
}

ValueRef Emitter::make_again(ValueId v, ShardingId type) {
  if (const ValueRef there = find(v, type); there != kNone)
    return there;
  const OpId op = graph_.value(v).def;
  const ValueRef made = push_compute(op, *made_in(lowering_, op, type));
  remember(v, made);
  return made;
}

bool Emitter::is_gathered_per_use(ValueId v, ValueRef from, ShardingId type) {
  const OpId op = graph_.value(v).def;
  return lowering_.options.gather_per_use && op != kNone && lowering_.is_argument(op) &&
         lowering_.summary(graph_.value(v).type, program_.values_[from].sharding, type).kind ==
             Kind::all_gather;
}

ValueRef Emitter::fetch_operand(OpId op, uint32_t operand, ShardingId type) {
  const ValueId v = graph_.operands(op)[operand];
  const ops::Rule &rule = plan_.rules().rule(op);
  bool moves = false, exact = false;
  for (const ops::Window &window : rule.windows)
    if (window.operand == operand) {
      moves |= window.terms.size() == 1;
      exact |= window.exact;
    }
  if (!moves || exact || lowering_.is_source(v) || !lowering_.has_in_scope(v) || is_made_again(v))
    return fetch(v, type, op);
  pass_pin(v, op, type);
  bring_tiles(v, type, op);
  bring_union(v, type, op);
  const ValueRef held = nearest(v, type);
  const ShardingId from = program_.values_[held].sharding;
  bool contained = lowering_.summary(graph_.value(v).type, from, type).kind == Kind::copy;
  for (uint32_t d = 0; d < rule.operands[operand].size() && contained; ++d)
    contained = rule.window(operand, d) != nullptr ||
                lowering_.sharding(from).dims[d] == lowering_.sharding(type).dims[d];
  return contained ? held : fetch(v, type, op);
}

void Emitter::bring_repeated(OpId op, const NodeTypes &types) {
  const auto operands = graph_.operands(op);
  const ops::Rule &rule = plan_.rules().rule(op);
  if (rule.windows.empty() || !lowering_.does("share_moves"))
    return;
  for (uint32_t i = 0; i + 1 < operands.size(); ++i) {
    const ValueId v = operands[i];
    std::vector<ShardingId> parts;
    for (uint32_t j = i; j < operands.size(); ++j)
      if (operands[j] == v && std::ranges::find(parts, types.operands[j]) == parts.end())
        parts.push_back(types.operands[j]);
    if (parts.size() < 2 || lowering_.is_source(v) || !lowering_.has_in_scope(v) || is_made_again(v))
      continue;
    pass_pin(v, op, types.operands[i]);
    sharding::Sharding all = lowering_.sharding(types.operands[i]);
    for (uint32_t d = 0; d < all.dims.size(); ++d)
      if (rule.window(i, d) != nullptr)
        all.dims[d] = {};
    const ShardingId whole = lowering_.intern(std::move(all), graph_.type(v));
    bring_tiles(v, whole, op);
    double bytes = 0;
    for (const ShardingId part : parts) {
      bring_tiles(v, part, op); // another operand's part may be tiled along other dimensions than the whole
      bytes += moved_bytes(v, part);
    }
    if (bytes > 0 && moved_bytes(v, whole) <= bytes * (1 + 1e-9) &&
        !is_gathered_per_use(v, cheapest(v, whole), whole))
      fetch(v, whole, op);
  }
}

void Emitter::bring_union(ValueId v, ShardingId type, NodeId user) {
  if (!may_be_joined(type) || find(v, type) != kNone || !lowering_.does("share_moves") ||
      graph_.op(plan_.op_of(user)).parent != graph_.region_of(v) || nearest(v, type) != cheapest(v, type))
    return;
  double bytes = moved_bytes(v, type);
  if (bytes == 0) // it may lie in tiles with halos, which others do not come from
    return;
  std::vector<ShardingId> joined{type};
  std::optional<ShardingId> all;
  for (const ShardingId other : wanted_spans(v)) {
    if (other == type)
      continue;
    joined.push_back(other);
    const auto wide = hull(v, joined);
    const double apart = bytes + moved_bytes(v, other);
    const double together = wide ? moved_bytes(v, *wide) : apart + 1;
    if (together <= apart * (1 + 1e-9)) {
      all = wide;
      bytes = together;
    } else {
      joined.pop_back();
    }
  }
  if (all && find(v, *all) == kNone)
    remember(v, push_collective(cheapest(v, *all), *all, user, {plan_.source(v), user}));
}

std::vector<ShardingId> Emitter::wanted_spans(ValueId v) {
  std::vector<ShardingId> wanted;
  plan_.flow().each_reader(v, [&](const partition::Port &reader) {
    if (!lowering_.is_live(reader.node) || lowering_.is_result(reader.node) ||
        graph_.op(plan_.op_of(reader.node)).parent != graph_.region_of(v))
      return;
    const auto add = [&](ShardingId type) {
      if (may_be_joined(type) && std::ranges::find(wanted, type) == wanted.end() && find(v, type) == kNone &&
          nearest(v, type) == cheapest(v, type) && moved_bytes(v, type) > 0)
        wanted.push_back(type);
    };
    if (const auto again = lowering_.made_again.find(reader.node); again == lowering_.made_again.end())
      add(lowering_.node(reader.node).operands[reader.index]);
    else
      for (const ShardingId type : again->second)
        add(made_in(lowering_, reader.node, type)->operands[reader.index]);
  });
  return wanted;
}

std::optional<ShardingId> Emitter::hull(ValueId v, std::span<const ShardingId> types) {
  const graph::TensorType &type = graph_.type(v);
  sharding::Sharding wide = lowering_.sharding(types[0]);
  for (size_t d = 0; d < wide.dims.size(); ++d) {
    sharding::DimSharding &dim = wide.dims[d];
    std::vector<sharding::Interval> tiles(static_cast<size_t>(num_tiles(dim, lowering_.mesh)));
    bool same = true;
    for (const ShardingId id : types) {
      const sharding::DimSharding &other = lowering_.sharding(id).dims[d];
      if (other.axes != dim.axes)
        return std::nullopt;
      same &= other.rule == dim.rule;
      for (size_t t = 0; t < tiles.size(); ++t) {
        const auto tile =
            sharding::tile(other.rule, type.dims[d], std::ssize(tiles), static_cast<int64_t>(t));
        if (tile.size() > 0)
          tiles[t] = tiles[t].size() == 0 ? tile
                                          : sharding::Interval{std::min(tiles[t].begin, tile.begin),
                                                               std::max(tiles[t].end, tile.end)};
      }
    }
    if (!same)
      dim.rule = sharding::make_spans(tiles, type.dims[d]);
  }
  return lowering_.intern(std::move(wide), type);
}

ValueRef Emitter::nearest(ValueId v, ShardingId type) {
  for (ValueRef ref = next_[first_[v]]; ref != kNone && may_be_joined(type); ref = next_[ref])
    if (has_spans(ref) && lowering_.lies_in(graph_.value(v).type, type, program_.values_[ref].sharding))
      return ref;
  return cheapest(v, type);
}

double Emitter::moved_bytes(ValueId v, ShardingId to) {
  return lowering_.summary(graph_.value(v).type, program_.values_[cheapest(v, to)].sharding, to)
      .bytes_received_mean;
}

void Emitter::pass_pin(ValueId v, NodeId user, std::optional<ShardingId> wanted) {
  const NodeId pin = plan_.pin_of(v);
  if (pin == kNone || pin_done_[v] || (wanted && skips_pin(v, pin, *wanted)))
    return;
  pin_done_[v] = true;
  const ShardingId type = lowering_.node(pin).results[0];
  if (!is_cut_from(first_[v], type))
    first_[v] = push_collective(first_[v], without_halo(first_[v]), user, {plan_.flow().maker(v).node, pin});
  if (program_.values_[first_[v]].sharding != type)
    first_[v] = push_collective(first_[v], type, user, {plan_.flow().maker(v).node, pin});
}

bool Emitter::skips_pin(ValueId v, NodeId pin, ShardingId wanted) {
  const ShardingId pinned = lowering_.node(pin).results[0], made = program_.values_[first_[v]].sharding;
  if (!lowering_.does("fuse_moves") || !lowering_.sharding(made).partial.empty() || wanted == pinned ||
      has_spans(first_[v]) || lowering_.tiles_without_halo.contains(pinned))
    return false;
  const auto bytes = [&](ShardingId from, ShardingId to) {
    return lowering_.summary(graph_.value(v).type, from, to).bytes_received_mean;
  };
  const double direct = bytes(made, wanted), rest = bytes(pinned, wanted);
  bool alone = true;
  plan_.flow().each_reader(v, [&](const partition::Port &reader) {
    alone &=
        !lowering_.is_live(reader.node) ||
        (!lowering_.is_result(reader.node) && lowering_.node(reader.node).operands[reader.index] == wanted);
  });
  return direct <= rest || (alone && direct <= bytes(made, pinned) + rest);
}

bool Emitter::can_make(ValueRef from, ShardingId to) const {
  const auto &partial = lowering_.sharding(program_.values_[from].sharding).partial;
  return std::ranges::all_of(lowering_.sharding(to).partial,
                             [&](const sharding::Partial &s) { return std::ranges::count(partial, s) != 0; });
}

ValueRef Emitter::cheapest(ValueId v, ShardingId type) {
  ValueRef best = first_[v];
  if (next_[best] == kNone)
    return best;
  const graph::TypeId array = graph_.value(v).type;
  for (ValueRef ref = next_[best]; ref != kNone; ref = next_[ref]) {
    if (has_spans(ref) || !can_make(ref, type))
      continue;
    if (!can_make(best, type) || !is_cut_from(best, type)) {
      best = ref;
      continue;
    }
    const Summary &a = lowering_.summary(array, program_.values_[ref].sharding, type);
    const Summary &b = lowering_.summary(array, program_.values_[best].sharding, type);
    if (a.bytes_received_mean < b.bytes_received_mean ||
        (a.bytes_received_mean == b.bytes_received_mean && tile_elements(ref) < tile_elements(best)))
      best = ref;
  }
  return best;
}

bool Emitter::is_spans(ShardingId type) const {
  return std::ranges::any_of(lowering_.sharding(type).dims, [](const sharding::DimSharding &d) {
    return d.rule.kind == sharding::SplitRule::Kind::spans;
  });
}

bool Emitter::may_be_joined(ShardingId type) const {
  const auto &dims = lowering_.sharding(type).dims;
  const auto is_loop = [&](sharding::AxisId axis) { return lowering_.mesh.is_loop(axis); };
  return is_spans(type) && std::ranges::none_of(dims, [&](const sharding::DimSharding &d) {
           return std::ranges::any_of(d.axes, is_loop);
         });
}

void Emitter::bring_tiles(ValueId v, ShardingId type, NodeId user) {
  const ValueRef made = first_[v];
  if (is_cut_from(made, type) || find(v, without_halo(made)) != kNone)
    return;
  remember(v, push_collective(made, without_halo(made), user, {plan_.source(v), user}));
}

bool Emitter::is_cut_from(ValueRef ref, ShardingId type) const {
  const Value &value = program_.values_[ref];
  return !has_spans(ref) || lowering_.lies_in(graph_.value(value.origin).type, type, value.sharding);
}

ShardingId Emitter::without_halo(ValueRef ref) const {
  return lowering_.tiles_without_halo.at(program_.values_[ref].sharding);
}

int64_t Emitter::tile_elements(ValueRef ref) const {
  const Value &value = program_.values_[ref];
  return largest_tile_elements(lowering_.sharding(value.sharding), graph_.type(value.origin).dims,
                               lowering_.mesh);
}

ValueRef Emitter::fetch_result(ValueId v, OpId user, std::optional<ShardingId> asked) {
  if (asked || !lowering_.has_in_scope(v))
    return fetch(v, asked.value_or(0), user);
  if (lowering_.is_source(v))
    return make_source(v, lowering_.intern(plan_.operand_sharding(user, 0), graph_.type(v)), user);
  pass_pin(v, user, std::nullopt);
  return has_spans(first_[v]) ? fetch(v, without_halo(first_[v]), user) : first_[v];
}

ValueRef Emitter::make_source(ValueId v, ShardingId type, NodeId user) {
  struct Link {
    ValueId v;
    ShardingId type;
    bool cut;
  };
  std::vector<Link> chain; // from the value wanted to what it is made of; sources have at most one operand
  ValueRef ref = kNone;
  for (;;) {
    if (ref = find(v, type); ref != kNone)
      break;
    const OpId op = graph_.value(v).def;
    const bool is_first = graph_.op(op).num_operands == 0;
    const auto operand = is_first ? std::optional(type) : operand_type(lowering_, op, 0, type);
    chain.push_back({v, type, !operand.has_value()});
    if (!operand) {
      type = lowering_.intern(sharding::Sharding::replicated(graph_.type(v).rank()), graph_.type(v));
    } else if (!is_first) {
      v = graph_.operands(op)[0];
      type = *operand;
    } else {
      break;
    }
  }
  while (!chain.empty()) {
    const Link link = chain.back();
    chain.pop_back();
    const OpId op = graph_.value(link.v).def;
    if (link.cut)
      ref = push_collective(ref, link.type, user, {kNone, user});
    else
      ref = push(source_instr(op, link.type), {&ref, graph_.op(op).num_operands}, link.v, {&link.type, 1});
    remember(link.v, ref);
  }
  return ref;
}

Instr Emitter::source_instr(OpId op, ShardingId type) const {
  Instr instr{InstrKind::compute, op};
  instr.reduce_axes = lowering_.sharding(type).partial_axes();
  return instr;
}

std::optional<ShardingId> operand_type(Lowering &lowering, OpId op, uint32_t index, ShardingId result) {
  const ops::Rule &rule = lowering.plan.rules().rule(op);
  const ValueId operand = lowering.graph.operands(op)[index];
  const sharding::Sharding &made = lowering.sharding(result);
  std::vector<const sharding::DimSharding *> of_factor(rule.factors.size(), nullptr);
  for (size_t d = 0; d < made.dims.size(); ++d) {
    const ops::DimFactors &factors = rule.results[0][d];
    if (made.dims[d].axes.empty())
      continue;
    if (factors.size() != 1 || rule.factors[factors[0]].kind == ops::FactorKind::whole)
      return std::nullopt;
    of_factor[factors[0]] = &made.dims[d];
  }
  auto needed = sharding::Sharding::replicated(lowering.graph.type(operand).rank());
  if (!rule.windows.empty())
    return std::nullopt;
  for (size_t d = 0; d < needed.dims.size(); ++d)
    for (const ops::FactorId f : rule.operands[index][d]) {
      if (of_factor[f] == nullptr)
        continue;
      if (rule.operands[index][d].size() != 1)
        return std::nullopt;
      needed.dims[d] = *of_factor[f];
    }
  needed.partial = made.partial;
  return lowering.intern(std::move(needed), lowering.graph.type(operand));
}

} // namespace tw::spmd
