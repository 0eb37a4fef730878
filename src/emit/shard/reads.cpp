// SPDX-License-Identifier: Apache-2.0
// A tile that is cut out of a copy that has moved counts as that copy.
#include "emit/shard/reads.hpp"

#include <algorithm>

#include "emit/shard/words.hpp"

namespace tw::emit::shard {

using graph::kNone;
using graph::OpId;
using spmd::ValueRef;

Reads::Reads(const spmd::Program &program)
    : program_(program), in_parts_(program.graph().values().size()), made_(in_parts_.size(), kNone) {
  for (const spmd::Value &value : program.values())
    if (emit::shard::is_in_parts(program.sharding(value.sharding), program.mesh()))
      in_parts_[value.origin] = true;
  for (const spmd::Instr &instr : program.instrs()) {
    for (uint32_t i = 0; instr.kind != spmd::InstrKind::collective && i < instr.num_results; ++i)
      if (spmd::ValueRef &made = made_[program.values()[instr.first_result + i].origin]; made == kNone)
        made = instr.first_result + i;
    const bool is_result = instr.kind == spmd::InstrKind::result;
    if (!is_result && instr.kind != spmd::InstrKind::compute)
      continue;
    for (uint32_t i = 0; i < instr.num_operands; ++i) {
      const ValueRef read = program.operands(instr)[i];
      copies_.try_emplace({instr.op, i}, as_moved(read));
      if (!is_result &&
          emit::shard::is_in_parts(program.sharding(program.values()[read].sharding), program.mesh()))
        parts_.insert({instr.op, i});
    }
  }
}

const sharding::Sharding *Reads::made(graph::ValueId v) const {
  return made_[v] == kNone ? nullptr : &program_.sharding(program_.values()[made_[v]].sharding);
}

const sharding::Sharding *Reads::layout(OpId op, uint32_t operand) const {
  const auto found = copies_.find({op, operand});
  return found == copies_.end() ? nullptr : &program_.sharding(program_.values()[found->second].sharding);
}

bool Reads::read_the_same(OpId op, uint32_t operand, OpId other, uint32_t its_operand) const {
  const auto one = copies_.find({op, operand}), another = copies_.find({other, its_operand});
  return one != copies_.end() && another != copies_.end() && one->second == another->second;
}

graph::RegionId Reads::own_region(OpId op, uint32_t operand) const {
  const graph::Graph &graph = program_.graph();
  const graph::RegionId region = graph.op(op).parent;
  const graph::ValueId v = graph.operands(op)[operand];
  const bool is_shared = std::ranges::any_of(graph.uses(v), [&](const graph::Use &use) {
    return graph.op(use.op).parent != region && read_the_same(op, operand, use.op, use.operand);
  });
  return region == graph.region_of(v) || is_shared ? kNone : region;
}

ValueRef Reads::moved_from(ValueRef v) const {
  const uint32_t def = program_.values()[v].def;
  if (def == kNone)
    return kNone;
  const spmd::Instr &made = program_.instrs()[def];
  const bool moves = made.kind == spmd::InstrKind::collective && made.num_operands == 1;
  return moves ? program_.operands(made)[0] : kNone;
}

bool Reads::is_cut(ValueRef v) const {
  const spmd::Instr &made = program_.instrs()[program_.values()[v].def];
  return program_.collectives()[made.index].summary.kind == redistribute::Kind::copy;
}

ValueRef Reads::as_moved(ValueRef v) const {
  for (ValueRef from = moved_from(v); from != kNone && is_cut(v) && moved_from(from) != kNone;
       from = moved_from(v))
    v = from;
  return v;
}

} // namespace tw::emit::shard
