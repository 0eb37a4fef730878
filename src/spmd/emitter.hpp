// SPDX-License-Identifier: Apache-2.0
// The pass `emit` at work: instructions in the order of the program (emit.cpp), and the layouts of values
// that they fetch (emit_values.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "spmd/lowering.hpp"

namespace tw::spmd {

// The sides of a collective.
struct Sides {
  partition::NodeId producer, consumer; // kNone where there is none
};

class Emitter {
public:
  explicit Emitter(Lowering &lowering)
      : lowering_(lowering), plan_(lowering.plan), graph_(lowering.graph), program_(*lowering.program),
        first_(graph_.values().size(), graph::kNone), pin_done_(graph_.values().size(), false) {
    if (lowering_.scope)
      return;
    const size_t ops = graph_.ops().size();
    program_.instrs_.reserve(ops);
    program_.values_.reserve(ops);
    next_.reserve(ops);
    program_.operand_refs_.reserve(2 * ops);
  }

  void run() { emit_body(0); }

private:
  // --- instructions ---
  std::span<const graph::OpId> ops_of(graph::RegionId body) const;
  void emit_body(graph::RegionId body);
  void emit_argument(graph::OpId op);
  void emit_result(graph::OpId op);
  void emit_compute(graph::OpId op);
  // The instruction of an op in some types, with its operands; answers with its first result.
  ValueRef push_compute(graph::OpId op, const NodeTypes &types);
  // Every value that passes has a layout of its own.
  void emit_barrier(graph::OpId op);
  // Every region with a marker before it, and one behind the last.
  void emit_control_flow(graph::OpId op);
  // Makes the `made`-th value of each of some variables.
  void push_variables(const Instr &instr, partition::NodeId first, uint32_t count, uint32_t made);
  ValueRef fetch_variable(partition::NodeId variable, uint32_t slot);
  // What regions use from outside passes its pin before them. A loop moves it into the layouts that its
  // bodies want before the first turn, not in every turn.
  void bring_captures(graph::OpId op, bool loop);
  // Appends an instruction and its results; answers with the first result.
  ValueRef push(const Instr &instr, std::span<const ValueRef> operands, graph::ValueId first_origin,
                std::span<const ShardingId> results);
  ValueRef push_collective(ValueRef from, ShardingId to, partition::NodeId user, Sides sides);
  // Of values that move together, of which the first is `origin`.
  ValueRef push_collective(graph::OpId at, graph::ValueId origin,
                           std::vector<const redistribute::Move *> moves, std::span<const ValueRef> from,
                           std::span<const ShardingId> to, Sides sides);
  // Partial values that the region of their op combines, all of its results together.
  ValueRef push_region_reduce(graph::OpId op, const NodeTypes &types, ValueRef partials);
  graph::OpId op_of(partition::NodeId n) const { return n == graph::kNone ? graph::kNone : plan_.op_of(n); }

  // --- layouts of a value ---
  void define_results(graph::OpId op, const NodeTypes &types, ValueRef results);
  // Makes a value available to its users, partial ones also reduced for the uses that want them combined.
  void define(graph::ValueId v, ValueRef made, graph::OpId op, const NodeTypes &types);
  ValueRef find(graph::ValueId v, ShardingId type) const;
  // Later layouts stand behind the first, which stays the one that was made.
  void remember(graph::ValueId v, ValueRef ref);
  // Drops the layouts that were remembered since the mark.
  void forget(size_t mark);
  // The value in a layout for a node that uses it; kNone for one that is not lowered now.
  ValueRef fetch(graph::ValueId v, ShardingId type, partition::NodeId user);
  // What is made in each layout in which it is wanted (make_again).
  bool is_made_again(graph::ValueId v) const;
  ValueRef make_again(graph::ValueId v, ShardingId type);
  bool is_gathered_per_use(graph::ValueId v, ValueRef from, ShardingId type);
  // Ops that move elements take what they need out of whatever tile holds it: that needs no cutting first.
  ValueRef fetch_operand(graph::OpId op, uint32_t operand, ShardingId type);
  // An op that takes several parts of one value, as a concatenation of copies does: where these move as much
  // as all of it, it is brought whole, once, along the dimensions that they are cut out of.
  void bring_repeated(graph::OpId op, const NodeTypes &types);
  // Tiles with what lies around them, which several readers want of a value, move as the tiles that hold them
  // all, corners too, where no more moves then: slices that are shifted against each other, halos of several
  // sizes.
  void bring_union(graph::ValueId v, ShardingId type, partition::NodeId user);
  // The layouts with overlapping tiles that readers in the body of its maker want and that have to be moved.
  std::vector<ShardingId> wanted_spans(graph::ValueId v);
  // Tiles that hold those of several layouts over the same axes.
  std::optional<ShardingId> hull(graph::ValueId v, std::span<const ShardingId> types);
  // Where a layout comes from: tiles that were brought for it and others, else the cheapest.
  ValueRef nearest(graph::ValueId v, ShardingId type);
  // What a device receives in the mean where a value is brought into a layout.
  double moved_bytes(graph::ValueId v, ShardingId to);
  // A pin stands between the value's maker and all its users: these see its layout.
  void pass_pin(graph::ValueId v, partition::NodeId user, std::optional<ShardingId> wanted);
  // fuse_moves: nothing goes by way of a pinned layout if the direct way moves no more than the second half
  // of it, or, where nobody uses that layout as it is, than both. So a gather of what is sliced at once
  // cancels, and two all_to_alls are one.
  bool skips_pin(graph::ValueId v, partition::NodeId pin, ShardingId wanted);
  // Whether a layout has, still partial, what the wanted one leaves partial.
  bool can_make(ValueRef from, ShardingId to) const;
  // The layout at hand from which the least has to move; of equal ones that from which the least is read.
  // Tiles with halos serve the op that asked for them alone, and those that are kept what lies in them: they
  // overlap, and may leave elements out.
  ValueRef cheapest(graph::ValueId v, ShardingId type);
  bool has_spans(ValueRef ref) const { return is_spans(program_.values_[ref].sharding); }
  bool is_spans(ShardingId type) const;
  // Tiles that overlap, none of a step or a thread: what those want comes from outside their loop.
  bool may_be_joined(ShardingId type) const;
  // What was made with halos that are kept is there without them too, where a type does not lie in them.
  void bring_tiles(graph::ValueId v, ShardingId type, partition::NodeId user);
  // Whether a type can come from a layout: from tiles with halos only what lies in them.
  bool is_cut_from(ValueRef ref, ShardingId type) const;
  ShardingId without_halo(ValueRef ref) const; // of tiles with halos that are kept: those that were widened
  int64_t tile_elements(ValueRef ref) const;
  ValueRef fetch_result(graph::ValueId v, graph::OpId user, std::optional<ShardingId> asked);

  // --- sources ---
  // Makes a constant, an iota or what is computed from them alone in the layout in which it is used: nothing
  // of it ever moves. A layout that its op cannot make directly is cut out of the whole.
  ValueRef make_source(graph::ValueId v, ShardingId type, partition::NodeId user);
  // What partial sums begin with is partial on every device.
  Instr source_instr(graph::OpId op, ShardingId type) const;

  Lowering &lowering_;
  const partition::Plan &plan_;
  const graph::Graph &graph_;
  Program &program_;
  std::vector<ValueRef> first_, next_; // the layouts of each graph value, as lists
  std::vector<bool> pin_done_;
  std::vector<std::pair<graph::ValueId, ValueRef>> remembered_; // layouts that were added, in order
  std::vector<ValueRef> operands_;
};

} // namespace tw::spmd
