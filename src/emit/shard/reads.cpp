// SPDX-License-Identifier: Apache-2.0
// A tile that is cut out of a copy that has moved counts as that copy.
#include "emit/shard/reads.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emit/shard/words.hpp"

namespace tw::emit::shard {

using graph::kNone;
using graph::OpId;
using spmd::ValueRef;

Reads::Reads(const spmd::Program &program) : program_(program), in_parts_(program.graph().values().size()) {
  for (const spmd::Value &value : program.values())
    if (!program.sharding(value.sharding).partial.empty())
      in_parts_[value.origin] = true;
  for (const spmd::Instr &instr : program.instrs()) {
    const bool is_result = instr.kind == spmd::InstrKind::result;
    if (!is_result && instr.kind != spmd::InstrKind::compute)
      continue;
    for (uint32_t i = 0; i < instr.num_operands; ++i) {
      const ValueRef read = program.operands(instr)[i];
      copies_.try_emplace({instr.op, i}, as_moved(read));
      if (!is_result && !program.sharding(program.values()[read].sharding).partial.empty())
        parts_.insert({instr.op, i});
    }
  }
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

std::string unsaid(const partition::Plan &plan, const Reads &reads, partition::NodeId n) {
  const graph::Graph &graph = plan.graph();
  const auto read = plan.reads(n);
  for (uint32_t i = 0; i < read.size(); ++i)
    if (const sharding::Sharding wanted = plan.operand_sharding(n, i);
        !sharding_text(wanted, graph.type(read[i]), plan.mesh()))
      return fmt::format(": it reads {} as [{}], {}", graph.value_name(read[i]),
                         sharding::to_text(wanted, plan.mesh()),
                         wanted.partial.empty() ? "tiles that overlap or leave gaps" : "parts that add up");
  for (uint32_t i = 0; i < plan.num_made(n); ++i)
    if (const graph::ValueId v = plan.made(n, i); reads.is_in_parts(v))
      return fmt::format(": {} is made in parts that add up", graph.value_name(v));
  return ": what it reads and makes does not decide this";
}

} // namespace tw::emit::shard
