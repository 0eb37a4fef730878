// SPDX-License-Identifier: Apache-2.0
// Collectives that others make needless, mostly around layouts that actions or the code of a device fixed:
// - all_reduce(x) + all_reduce(y) is all_reduce(x + y), as is every op that lets its reduction pass;
// - two moves one after the other are one where that moves less: what is gathered and cut in another way, an
//   all_reduce of which only a slice is read; an op between them that changes nothing is left out.
// What is there already, share_equal finds. No device receives more than before. Collectives of different
// bodies are left alone, as they may run differently often.
#include <algorithm>
#include <optional>

#include "ops/equal_values.hpp"
#include "ops/registry.hpp"
#include "spmd/rewrite.hpp"

namespace tw::spmd {

namespace {

using graph::kNone;
using redistribute::Kind;
using redistribute::Summary;

class Simplifier {
public:
  explicit Simplifier(Lowering &lowering)
      : lowering_(lowering), program_(*lowering.program), readers_(program_.values_.size(), 0),
        body_(find_bodies(program_)), place_(program_.instrs_.size(), kNone) {
    for (const ValueRef v : program_.operand_refs_)
      ++readers_[v];
  }

  void run() {
    for (uint32_t i = 0; i < program_.instrs_.size(); ++i) {
      if (is_single_move(i) && !has_readers(i))
        remove(i);
      else
        append(i);
      if (is_single_move(i))
        join(i);
      else if (program_.instrs_[i].kind == InstrKind::compute)
        combine(i);
    }
    if (!changed_)
      return;
    Rewrite rewrite(lowering_);
    for (const uint32_t i : order_)
      if (i != kNone)
        rewrite.copy(i);
  }

private:
  // --- the program ---
  std::span<ValueRef> operands(uint32_t i) {
    const Instr &instr = program_.instrs_[i];
    return {program_.operand_refs_.data() + instr.first_operand, instr.num_operands};
  }
  bool is_single_move(uint32_t i) const {
    const Instr &instr = program_.instrs_[i];
    return instr.kind == InstrKind::collective && instr.num_operands == 1 && !is_by_region(i);
  }
  bool is_by_region(uint32_t i) const { return move(i).summary.reduction == sharding::Reduction::region; }
  Collective &move(uint32_t i) { return program_.collectives_[program_.instrs_[i].index]; }
  const Collective &move(uint32_t i) const { return program_.collectives_[program_.instrs_[i].index]; }
  ShardingId layout(ValueRef v) const { return program_.values_[v].sharding; }
  ValueRef made(uint32_t i) const { return program_.instrs_[i].first_result; }
  bool has_readers(uint32_t i) const { return readers_[made(i)] != 0; }
  const redistribute::Move &way(ValueRef v, ShardingId from, ShardingId to) {
    return lowering_.move(program_.graph().value(program_.values_[v].origin).type, from, to);
  }
  // The move that makes a value and that nobody else reads, in the body of its reader.
  std::optional<uint32_t> own_move(ValueRef v, uint32_t reader) const {
    const uint32_t maker = program_.values_[v].def;
    const bool own = is_single_move(maker) && readers_[v] == 1 && body_[maker] == body_[reader];
    return own ? std::optional(maker) : std::nullopt;
  }

  // The op that gives a value on as it is, for nobody else, in the body of its reader.
  std::optional<uint32_t> own_identity(ValueRef v, uint32_t reader) const {
    const uint32_t maker = program_.values_[v].def;
    const Instr &instr = program_.instrs_[maker];
    const bool own = instr.kind == InstrKind::compute && instr.num_operands == 1 && readers_[v] == 1 &&
                     body_[maker] == body_[reader] && place_[maker] != kNone &&
                     ops::handed_on(program_.graph(), instr.op).has_value() &&
                     layout(v) == layout(program_.operand_refs_[instr.first_operand]);
    return own ? std::optional(maker) : std::nullopt;
  }

  // --- what is written ---
  void append(uint32_t i) {
    place_[i] = static_cast<uint32_t>(order_.size());
    order_.push_back(i);
  }
  // Its operand loses a reader, and a move whose result nobody reads any more goes as well.
  void remove(uint32_t i) {
    changed_ = true;
    if (place_[i] != kNone)
      order_[place_[i]] = kNone;
    const ValueRef v = operands(i)[0];
    if (const uint32_t maker = program_.values_[v].def;
        --readers_[v] == 0 && is_single_move(maker) && place_[maker] != kNone)
      remove(maker);
  }

  // --- what simplifies ---
  // A move of what another one makes for it alone.
  void join(uint32_t i) {
    if (place_[i] == kNone)
      return;
    std::vector<uint32_t> between; // ops that change nothing
    ValueRef v = operands(i)[0];
    for (auto op = own_identity(v, i); op; op = own_identity(v, i)) {
      between.push_back(*op);
      v = operands(*op)[0];
    }
    const auto first = own_move(v, i);
    if (!first)
      return;
    const ValueRef from = operands(*first)[0];
    const Summary &now = move(i).summary;
    if (!is_cut(layout(from)) || !is_cut(layout(v)) ||
        (now.reduction != sharding::Reduction::raw &&
         move(*first).summary.reduction != sharding::Reduction::raw))
      return;
    const redistribute::Move &straight = way(v, layout(from), layout(made(i)));
    const Summary &direct = straight.summary();
    const Summary both = together_one_by_one(move(*first).summary, now);
    const bool is_named = direct.reduction == sharding::Reduction::raw || direct.kind == Kind::all_reduce ||
                          direct.kind == Kind::reduce_scatter;
    if (!is_named || !is_no_more(direct, both) ||
        (now.kind != Kind::copy && direct.bytes_received_mean > both.bytes_received_mean * (1 - 1e-9)))
      return;
    move(i).set_move(straight);
    move(i).producer = move(*first).producer;
    for (const uint32_t op : between) {
      order_[place_[op]] = kNone;
      readers_[operands(op)[0]] -= 1;
    }
    if (between.empty())
      --readers_[v];
    operands(i)[0] = from;
    ++readers_[from];
    remove(*first);
  }

  // Tiles that do not overlap, of which every element is somewhere.
  bool is_cut(ShardingId id) const {
    return std::ranges::none_of(lowering_.sharding(id).dims, [](const sharding::DimSharding &dim) {
      return dim.rule.kind == sharding::SplitRule::Kind::spans;
    });
  }

  static Summary together_one_by_one(const Summary &first, const Summary &second) {
    Summary both = second;
    both.bytes_received_max += first.bytes_received_max;
    both.bytes_received_mean += first.bytes_received_mean;
    return both;
  }

  static bool is_no_more(const Summary &now, const Summary &before) {
    return now.bytes_received_max <= before.bytes_received_max &&
           now.bytes_received_mean <= before.bytes_received_mean * (1 + 1e-9);
  }

  // An elementwise op of several all_reduces of one kind works on what they reduce, where it lets that pass.
  // The last of them then reduces what the op makes.
  void combine(uint32_t i) {
    Instr &instr = program_.instrs_[i];
    const ops::OpDef &def = ops::op_def(program_.graph().op(instr.op).code);
    if (!def.linear || (def.flags & ops::kElementwise) == 0 || instr.num_results != 1)
      return;
    std::vector<uint32_t> reductions;
    uint64_t mask = 0;
    for (uint32_t p = 0; p < instr.num_operands; ++p) {
      const auto found = own_move(operands(i)[p], i);
      if (!found || move(*found).summary.kind != Kind::all_reduce || !is_reduced_alike(*found, reductions))
        continue;
      reductions.push_back(*found);
      mask |= uint64_t{1} << p;
    }
    if (reductions.size() < 2 || !def.linear(ops::OpViewHolder(program_.graph(), instr.op).view(), mask,
                                             move(reductions[0]).summary.reduction))
      return;
    const uint32_t last = reductions.back();
    const ShardingId partial = layout(operands(last)[0]), combined = layout(made(i));
    if (combined != layout(made(last)))
      return;
    std::vector<const redistribute::Move *> before;
    for (const uint32_t r : reductions)
      before.push_back(move(r).moves[0]);
    const redistribute::Move &after = way(made(i), partial, combined);
    if (!is_no_more(after.summary(), redistribute::together(before)))
      return;
    for (ValueRef &v : operands(i))
      if (const auto found = own_move(v, i); found && std::ranges::count(reductions, *found) != 0)
        v = operands(*found)[0];
    for (const uint32_t r : reductions)
      order_[place_[r]] = kNone;
    reduce_behind(i, last, partial, after);
  }

  // Whether it reduces from the layout to the layout of the others.
  bool is_reduced_alike(uint32_t i, std::span<const uint32_t> others) {
    const ShardingId from = layout(operands(i)[0]), to = layout(made(i));
    return lowering_.sharding(to).partial.empty() &&
           lowering_.sharding(from).dims == lowering_.sharding(to).dims &&
           (others.empty() || (layout(operands(others[0])[0]) == from && layout(made(others[0])) == to));
  }

  // The op makes partial values where the reduction's result was; that of the op comes of the reduction.
  void reduce_behind(uint32_t i, uint32_t reduction, ShardingId partial, const redistribute::Move &how) {
    Instr &op = program_.instrs_[i], &reduce = program_.instrs_[reduction];
    const ValueRef whole = op.first_result, parts = reduce.first_result;
    program_.values_[parts] = {program_.values_[whole].origin, partial, i};
    program_.values_[whole].def = reduction;
    op.first_result = parts;
    op.reduce_axes |= lowering_.sharding(partial).partial_axes();
    reduce.first_result = whole;
    reduce.op = op.op;
    operands(reduction)[0] = parts;
    readers_[parts] = 1;
    Collective &collective = move(reduction);
    collective.set_move(how);
    collective.value = program_.values_[whole].origin;
    collective.producer = op.op;
    append(reduction);
    changed_ = true;
  }

  Lowering &lowering_;
  Program &program_;
  std::vector<uint32_t> readers_; // per value
  std::vector<uint32_t> body_;    // per instruction
  std::vector<uint32_t> place_;   // per instruction: in the order
  std::vector<uint32_t> order_;   // kNone: one that was removed
  bool changed_ = false;
};

} // namespace

Status simplify(Lowering &lowering) {
  Simplifier(lowering).run();
  return {};
}

} // namespace tw::spmd
