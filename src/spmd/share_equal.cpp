// SPDX-License-Identifier: Apache-2.0
// What is equal moves once. Values of the graph are equal where the same is computed of the same, or where an
// op changes nothing (ops/equal_values.hpp). A value that is wanted in some layout is
// - the equal one that is there in this layout;
// - made where it is wanted, elementwise, if all that it is made of is there in this layout, as constants and
//   iotas always are;
// - else moved from that of its equals from which the least has to move.
// What nobody reads any more is left out. Barriers that state no layout keep apart what stands on their
// sides: what is computed again behind one is to be computed again.
#include <algorithm>
#include <optional>
#include <utility>

#include "ops/equal_values.hpp"
#include "ops/registry.hpp"
#include "spmd/rewrite.hpp"

namespace tw::spmd {

namespace {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using redistribute::Kind;

class Sharer {
public:
  explicit Sharer(Lowering &lowering)
      : lowering_(lowering), program_(*lowering.program), graph_(lowering.graph),
        equal_(graph_, lowering.variables(), [&](OpId op) { return is_barrier(lowering, op); }),
        same_(program_.values_.size(), kNone), first_(graph_.values().size(), kNone) {}

  void run() {
    for (uint32_t i = 0, end = static_cast<uint32_t>(program_.instrs_.size()); i < end; ++i) {
      for (ValueRef &v : operands(i))
        v = now(v);
      if (program_.instrs_[i].kind == InstrKind::region)
        enter(program_.instrs_[i]);
      if (is_move(i) && replaces(i))
        continue;
      order_.push_back(i);
      add_results(i);
    }
    if (!changed_)
      return;
    drop_unread();
    Rewrite rewrite(lowering_);
    for (const uint32_t i : order_)
      rewrite.copy(i);
  }

private:
  static bool is_barrier(const Lowering &lowering, OpId op) {
    return ops::op_def(lowering.graph.op(op).code).kind == ops::OpKind::barrier &&
           lowering.plan.pin_of(lowering.graph.result(op)) == kNone;
  }

  // --- the program ---
  std::span<ValueRef> operands(uint32_t i) {
    const Instr &instr = program_.instrs_[i];
    return {program_.operand_refs_.data() + instr.first_operand, instr.num_operands};
  }
  ValueRef now(ValueRef v) const {
    while (v < same_.size() && same_[v] != kNone)
      v = same_[v];
    return v;
  }
  ShardingId layout(ValueRef v) const { return program_.values_[v].sharding; }
  ValueId class_of(ValueRef v) const { return equal_.of(program_.values_[v].origin); }
  // A single array that is gathered once for all uses.
  bool is_move(uint32_t i) const {
    const Instr &instr = program_.instrs_[i];
    if (instr.kind != InstrKind::collective || instr.num_operands != 1)
      return false;
    const redistribute::Summary &summary = program_.collectives_[instr.index].summary;
    const OpId made = graph_.value(class_of(instr.first_result)).def;
    const bool per_use = lowering_.options.gather_per_use && summary.kind == Kind::all_gather &&
                         made != kNone && lowering_.is_argument(made);
    return summary.reduction != sharding::Reduction::region && !per_use;
  }
  double bytes(ValueRef from, ShardingId to) {
    return lowering_.summary(graph_.value(program_.values_[from].origin).type, layout(from), to)
        .bytes_received_mean;
  }
  bool is_tiles(ShardingId id) const {
    const sharding::Sharding &s = lowering_.sharding(id);
    return s.partial.empty() && std::ranges::none_of(s.dims, [](const sharding::DimSharding &dim) {
             return dim.rule.kind == sharding::SplitRule::Kind::spans;
           });
  }

  // --- what is there ---
  // A region ends what was made in the one before it.
  void enter(const Instr &marker) {
    if (marker.index != 0) {
      for (; added_.size() > open_.back(); added_.pop_back())
        first_[class_of(added_.back())] = next_[added_.back()];
      open_.pop_back();
    }
    if (marker.index != graph_.op(marker.op).num_regions)
      open_.push_back(added_.size());
  }
  void add_results(uint32_t i) {
    const Instr &instr = program_.instrs_[i];
    next_.resize(program_.values_.size(), kNone);
    decided_.resize(program_.values_.size(), false);
    const bool is_decided = instr.kind == InstrKind::compute && instr.reduce_axes.empty() &&
                            (lowering_.plan.is_source(instr.op) ||
                             (instr.num_operands != 0 && is_movable(instr.op) &&
                              std::ranges::all_of(operands(i), [&](ValueRef v) { return decided_[v]; })));
    for (ValueRef v = instr.first_result; v < instr.first_result + instr.num_results; ++v)
      decided_[v] = is_decided;
    for (ValueRef v = instr.first_result; v < instr.first_result + instr.num_results; ++v) {
      if (lowering_.is_source(program_.values_[v].origin))
        continue;
      next_[v] = std::exchange(first_[class_of(v)], v);
      if (!open_.empty())
        added_.push_back(v);
    }
  }
  ValueRef find(ValueId v, ShardingId type) const {
    ValueRef ref = first_[equal_.of(v)];
    while (ref != kNone && layout(ref) != type)
      ref = next_[ref];
    return ref;
  }

  // --- moves ---
  // Whether nothing of the move is left.
  bool replaces(uint32_t i) {
    const ValueRef to = program_.instrs_[i].first_result;
    const ValueId v = program_.values_[to].origin;
    if (lowering_.is_source(v))
      return false;
    ValueRef there = find(v, layout(to));
    if (there == kNone && program_.collectives_[program_.instrs_[i].index].summary.kind != Kind::copy)
      there = make(operands(i)[0], layout(to));
    if (there == kNone) {
      move_from_nearest(i);
      return false;
    }
    same_[to] = there;
    return changed_ = true;
  }

  // A value as it would be made of what is there in some layout; kNone where something is missing, or nothing
  // moved there: work that is shared out stays so. What constants and iotas decide is always there.
  ValueRef make(ValueRef v, ShardingId type) {
    moved_there_ = false;
    of_sources_ = true;
    ops_left_ = kOps;
    depth_ = 0;
    return can_make(v, type, 1) && (of_sources_ || (moved_there_ && depth_ <= kDepth)) ? make_again(v, type)
                                                                                       : kNone;
  }
  ValueRef make_again(ValueRef v, ShardingId type) {
    const Instr maker = program_.instrs_[program_.values_[v].def];
    const auto types = operand_types(maker.op, type);
    std::vector<ValueRef> operands;
    for (uint32_t p = 0; p < maker.num_operands; ++p)
      operands.push_back(operand(program_.operand_refs_[maker.first_operand + p], (*types)[p]));
    return push(maker, operands, program_.values_[v].origin, type);
  }
  ValueRef operand(ValueRef v, ShardingId type) {
    v = now(v);
    const ValueId origin = program_.values_[v].origin;
    if (layout(v) == type)
      return v;
    const ValueRef there = lowering_.is_source(origin) ? kNone : find(origin, type);
    return there != kNone ? there : make_again(v, type);
  }
  ValueRef push(const Instr &like, std::span<const ValueRef> operands, ValueId origin, ShardingId type) {
    Instr instr{InstrKind::compute, like.op};
    order_.push_back(static_cast<uint32_t>(program_.instrs_.size()));
    const ValueRef made = append(program_, instr, operands, origin, {&type, 1});
    add_results(order_.back());
    return made;
  }

  // Whether it can be made.
  bool can_make(ValueRef v, ShardingId type, int depth) {
    const Instr &maker = program_.instrs_[program_.values_[v].def];
    if (ops_left_-- == 0 || maker.kind != InstrKind::compute || !is_tiles(type) ||
        !lowering_.sharding(layout(v)).partial.empty())
      return false;
    depth_ = std::max(depth_, depth);
    const auto types = operand_types(maker.op, type);
    for (uint32_t p = 0; types && p < maker.num_operands; ++p)
      if (!has_operand(now(program_.operand_refs_[maker.first_operand + p]), (*types)[p], depth))
        return false;
    return types.has_value();
  }
  bool has_operand(ValueRef v, ShardingId type, int depth) {
    const ValueId origin = program_.values_[v].origin;
    const bool is_source = lowering_.is_source(origin);
    if (layout(v) == type) {
      of_sources_ = of_sources_ && decided_[v];
      return true;
    }
    if (const ValueRef there = is_source ? kNone : find(origin, type); there != kNone) {
      of_sources_ = of_sources_ && decided_[there];
      moved_there_ = moved_there_ || has_moved(there);
      return true;
    }
    return can_make(v, type, is_source ? depth : depth + 1);
  }

  // Works element by element, or puts elements elsewhere.
  bool is_movable(OpId op) const {
    return (ops::op_def(graph_.op(op).code).flags & (ops::kElementwise | ops::kRearranges)) != 0;
  }
  // In which layouts an op needs its operands to make its result in another one.
  std::optional<std::vector<ShardingId>> operand_types(OpId op, ShardingId type) {
    if (!lowering_.plan.is_source(op) && !is_movable(op))
      return std::nullopt;
    std::vector<ShardingId> types;
    for (uint32_t p = 0; p < graph_.op(op).num_operands; ++p)
      if (const auto needed = operand_type(lowering_, op, p, type))
        types.push_back(*needed);
      else
        return std::nullopt;
    return types;
  }

  bool has_moved(ValueRef v) const {
    const Instr &maker = program_.instrs_[program_.values_[v].def];
    return maker.kind == InstrKind::collective &&
           program_.collectives_[maker.index].summary.bytes_received_max != 0;
  }

  void move_from_nearest(uint32_t i) {
    const ValueRef to = program_.instrs_[i].first_result;
    Collective &now = program_.collectives_[program_.instrs_[i].index];
    ValueRef best = kNone;
    double least = now.summary.bytes_received_mean * (1 - 1e-9);
    for (ValueRef held = first_[class_of(to)]; held != kNone; held = next_[held]) {
      if (!is_tiles(layout(held)))
        continue;
      if (const double here = bytes(held, layout(to)); here < least) {
        least = here;
        best = held;
      }
    }
    if (best == kNone || !is_tiles(layout(to)))
      return;
    operands(i)[0] = best;
    now.set_move(lowering_.move(graph_.value(program_.values_[to].origin).type, layout(best), layout(to)));
    changed_ = true;
  }

  // --- what is left over ---
  void drop_unread() {
    std::vector<uint32_t> readers(program_.values_.size(), 0);
    for (const uint32_t i : order_)
      for (const ValueRef v : operands(i))
        ++readers[v];
    const auto is_unread = [&](uint32_t i) {
      const Instr &instr = program_.instrs_[i];
      const bool pure = instr.kind == InstrKind::compute
                            ? (ops::op_def(graph_.op(instr.op).code).flags & ops::kSideEffect) == 0 &&
                                  ops::op_def(graph_.op(instr.op).code).kind != ops::OpKind::custom_call
                            : is_move(i);
      for (uint32_t r = 0; r < instr.num_results; ++r)
        if (readers[instr.first_result + r] != 0)
          return false;
      return pure;
    };
    std::vector<uint32_t> kept;
    for (size_t at = order_.size(); at-- > 0;) {
      if (!is_unread(order_[at])) {
        kept.push_back(order_[at]);
        continue;
      }
      for (const ValueRef v : operands(order_[at]))
        --readers[v];
    }
    order_.assign(kept.rbegin(), kept.rend());
  }

  static constexpr int kDepth = 4, kOps = 64; // of what is made again
  Lowering &lowering_;
  Program &program_;
  const graph::Graph &graph_;
  const ops::EqualValues equal_;
  std::vector<ValueRef> same_;         // per value that was there: what is read in its place
  std::vector<ValueRef> first_, next_; // what is there of equal values, the last made first, as lists
  std::vector<bool> decided_;          // per value: by constants and iotas alone
  std::vector<ValueRef> added_;        // to these, in the bodies of regions
  std::vector<size_t> open_;           // into these, where each open region began
  std::vector<uint32_t> order_;
  bool moved_there_ = false; // something of which the last value can be made
  bool of_sources_ = false;  // that value, of nothing but constants and iotas
  int ops_left_ = 0, depth_ = 0;
  bool changed_ = false;
};

} // namespace

Status share_equal(Lowering &lowering) {
  const auto moves = [](const Collective &c) { return c.summary.bytes_received_max != 0; };
  if (lowering.does("share_moves") && std::ranges::any_of(lowering.program->collectives(), moves))
    Sharer(lowering).run();
  return {};
}

} // namespace tw::spmd
