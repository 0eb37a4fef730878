// SPDX-License-Identifier: Apache-2.0
// Writes the instructions: every live op on its tiles, and right before its first use every layout of a value
// that is not there yet. A value in one layout exists once, whoever uses it (share_moves), and before a loop
// what the loop does not change (hoist_moves).
#include "spmd/emitter.hpp"

#include <algorithm>

namespace tw::spmd {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::NodeId;
using redistribute::Kind;

std::span<const OpId> Emitter::ops_of(graph::RegionId body) const {
  if (!lowering_.scope)
    return graph_.region(body).ops;
  const auto found = lowering_.scope->ops.find(body);
  return found == lowering_.scope->ops.end() ? std::span<const OpId>() : found->second;
}

void Emitter::emit_body(graph::RegionId body) {
  for (const OpId op : ops_of(body)) {
    if (body == 0 && lowering_.is_argument(op))
      emit_argument(op);
    else if (!lowering_.live[op] || plan_.is_source(op))
      continue;
    else if (lowering_.is_result(op))
      emit_result(op);
    else if (ops::is_joint_barrier(graph_, op))
      emit_barrier(op);
    else if (lowering_.variables().stand_for(op))
      emit_control_flow(op);
    else if (lowering_.made_again.contains(op))
      continue; // by those who want it
    else
      emit_compute(op);
  }
}

void Emitter::emit_argument(OpId op) {
  Instr instr{InstrKind::argument, op};
  instr.index = lowering_.signature_index(op);
  define_results(op, lowering_.node(op), push(instr, {}, graph_.result(op), lowering_.node(op).results));
}

void Emitter::emit_result(OpId op) {
  Instr instr{InstrKind::result, op};
  instr.index = lowering_.signature_index(op);
  const ValueId v = graph_.operands(op)[0];
  const ValueRef from = fetch_result(v, op, lowering_.result_types[instr.index]);
  push(instr, {&from, 1}, kNone, {});
}

void Emitter::emit_compute(OpId op) {
  const NodeTypes &types = lowering_.node(op);
  define_results(op, types, push_compute(op, types));
}

ValueRef Emitter::push_compute(OpId op, const NodeTypes &types) {
  std::vector<ValueRef> refs;
  const auto operands = graph_.operands(op);
  bring_repeated(op, types);
  for (uint32_t i = 0; i < operands.size(); ++i)
    refs.push_back(fetch_operand(op, i, types.operands[i]));
  Instr instr{InstrKind::compute, op};
  instr.reduce_axes = types.reduce_axes;
  return push(instr, refs, graph_.result(op), types.results);
}

void Emitter::emit_barrier(OpId op) {
  const NodeId first = plan_.flow().variable_of(op, 0);
  const uint32_t results = graph_.op(op).num_results;
  operands_.clear();
  for (uint32_t i = 0; i < results; ++i)
    operands_.push_back(fetch_variable(first + i, 0));
  push_variables({InstrKind::compute, op}, first, results, 0);
}

void Emitter::emit_control_flow(OpId op) {
  const uint32_t regions = graph_.op(op).num_regions, results = graph_.op(op).num_results;
  const bool loop = ops::is_loop(graph_, op);
  const NodeId condition = plan_.flow().condition_of(op), first = plan_.flow().variable_of(op, 0);
  bring_captures(op, loop);
  size_t mark = remembered_.size();
  for (uint32_t k = 0; k <= regions; ++k) {
    operands_.clear();
    if (k == (loop ? 1u : 0u))
      operands_.push_back(fetch_variable(condition, 0));
    else
      for (uint32_t i = 0; i < results; ++i)
        operands_.push_back(fetch_variable(first + i, loop ? k / 2 : k - 1));
    forget(mark); // what the region before made of outer values stays there
    Instr instr{InstrKind::region, op};
    instr.index = k;
    push_variables(instr, first, loop ? results : k == regions ? results : 0, loop ? k : 0);
    mark = remembered_.size();
    if (k < regions)
      emit_body(graph_.op(op).first_region + k);
  }
}

void Emitter::push_variables(const Instr &instr, NodeId first, uint32_t count, uint32_t made) {
  std::vector<ShardingId> types;
  for (uint32_t i = 0; i < count; ++i)
    types.push_back(lowering_.node(first + i).results[made]);
  const ValueRef refs = push(instr, operands_, count != 0 ? plan_.made(first, made) : kNone, types);
  for (uint32_t i = 0; i < count; ++i)
    define(plan_.made(first + i, made), refs + i, instr.op, lowering_.node(first + i));
}

ValueRef Emitter::fetch_variable(NodeId variable, uint32_t slot) {
  return fetch(plan_.reads(variable)[slot], lowering_.node(variable).operands[slot], variable);
}

void Emitter::bring_captures(OpId op, bool loop) {
  const auto bring = [&](NodeId user) {
    const auto reads = plan_.reads(user);
    for (uint32_t i = 0; i < reads.size(); ++i) {
      if (lowering_.is_source(reads[i]) || !lowering_.has_in_scope(reads[i]) ||
          first_[reads[i]] == kNone) // made inside
        continue;
      const ShardingId type = lowering_.node(user).operands[i];
      pass_pin(reads[i], user, type);
      if (loop && lowering_.does("hoist_moves") && lowering_.does("share_moves") &&
          lowering_.may_be_kept(reads[i], type) && !is_gathered_per_use(reads[i], first_[reads[i]], type))
        fetch(reads[i], type, user);
    }
  };
  const auto [first, count] = plan_.flow().variables_of(op);
  for (NodeId n = first; n < first + count; ++n)
    bring(n);
  for (uint32_t r = 0; r < graph_.op(op).num_regions; ++r)
    for (const OpId inner : ops_of(graph_.op(op).first_region + r)) {
      if (!lowering_.live[inner] || plan_.is_source(inner))
        continue;
      if (lowering_.variables().stand_for(inner))
        bring_captures(inner, loop);
      else
        bring(inner);
    }
}

ValueRef Emitter::push(const Instr &instr, std::span<const ValueRef> operands, ValueId first_origin,
                       std::span<const ShardingId> results) {
  const ValueRef first = append(program_, instr, operands, first_origin, results);
  next_.resize(program_.values_.size(), kNone);
  return first;
}

ValueRef Emitter::push_collective(ValueRef from, ShardingId to, NodeId user, Sides sides) {
  const Value source = program_.values_[from];
  const redistribute::Move &move = lowering_.move(graph_.value(source.origin).type, source.sharding, to);
  return push_collective(plan_.op_of(user), source.origin, {&move}, {&from, 1}, {&to, 1}, sides);
}

ValueRef Emitter::push_collective(OpId at, ValueId origin, std::vector<const redistribute::Move *> moves,
                                  std::span<const ValueRef> from, std::span<const ShardingId> to,
                                  Sides sides) {
  const uint32_t id = add_collective(program_, {.moves = std::move(moves),
                                                .value = origin,
                                                .producer = op_of(sides.producer),
                                                .consumer = op_of(sides.consumer)});
  return push({.kind = InstrKind::collective, .op = at, .index = id}, from, origin, to);
}

ValueRef Emitter::push_region_reduce(OpId op, const NodeTypes &types, ValueRef partials) {
  std::vector<ValueRef> from;
  std::vector<ShardingId> to;
  std::vector<const redistribute::Move *> moves;
  for (uint32_t i = 0; i < types.results.size(); ++i) {
    const ValueId v = graph_.result(op, i);
    from.push_back(partials + i);
    to.push_back(lowering_.reduction_paths.at(v).steps.front());
    moves.push_back(&lowering_.move(graph_.value(v).type, types.results[i], to[i]));
  }
  return push_collective(op, graph_.result(op), std::move(moves), from, to, {op, kNone});
}

void Emitter::define_results(OpId op, const NodeTypes &types, ValueRef results) {
  if (types.reduce_axes.empty() || !lowering_.has_in_scope(graph_.result(op)) ||
      lowering_.sharding(types.results[0]).partial[0].kind != sharding::Reduction::region) {
    for (uint32_t i = 0; i < types.results.size(); ++i)
      define(graph_.result(op, i), results + i, op, types);
    return;
  }
  results = push_region_reduce(op, types, results);
  for (uint32_t i = 0; i < types.results.size(); ++i)
    first_[graph_.result(op, i)] = results + i;
}

void Emitter::define(ValueId v, ValueRef made, OpId op, const NodeTypes &types) {
  first_[v] = made;
  if (types.reduce_axes.empty() || !lowering_.has_in_scope(v))
    return;
  const auto reduction_paths = lowering_.reduction_paths.find(v);
  if (reduction_paths == lowering_.reduction_paths.end())
    return;
  ValueRef ref = made;
  for (const ShardingId type : reduction_paths->second.steps)
    ref = push_collective(ref, type, op, {op, kNone});
  first_[v] = ref;
  if (reduction_paths->second.kept_partial)
    remember(v, made);
}

Status emit(Lowering &lowering) {
  Emitter(lowering).run();
  return {};
}

} // namespace tw::spmd
