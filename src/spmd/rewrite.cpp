// SPDX-License-Identifier: Apache-2.0
// Instructions keep their values: what is copied takes what its operands are now.
#include "spmd/rewrite.hpp"

#include <utility>

namespace tw::spmd {

std::vector<uint32_t> find_bodies(const Program &program) {
  std::vector<uint32_t> body, open{0};
  uint32_t count = 0;
  for (const Instr &instr : program.instrs()) {
    if (instr.kind == InstrKind::region && instr.index != 0)
      open.pop_back();
    body.push_back(open.back());
    if (instr.kind == InstrKind::region && instr.index != program.graph().op(instr.op).num_regions)
      open.push_back(++count);
  }
  return body;
}

Rewrite::Rewrite(Lowering &lowering)
    : program_(*lowering.program), old_(take_program(lowering)), now_(old_.values().size(), graph::kNone) {}

// 1 where an instruction begins something that holds bodies, -1 where it ends it, 0 elsewhere.
int Rewrite::nesting(uint32_t i) const {
  const Instr &instr = old_.instrs()[i];
  switch (instr.kind) {
  case InstrKind::loop: return 1;
  case InstrKind::end_loop: return -1;
  case InstrKind::region:
    return instr.index == 0 ? 1 : instr.index == old_.graph().op(instr.op).num_regions ? -1 : 0;
  default: return 0;
  }
}

std::vector<Node> Rewrite::nodes_of(const Node &body) const {
  std::vector<Node> nodes;
  for (uint32_t i = body.begin; i < body.end;) {
    const uint32_t first = i;
    int depth = 0;
    do
      depth += nesting(i++);
    while (depth != 0);
    nodes.push_back({first, i});
  }
  return nodes;
}

// Its operands and results, behind those that are there.
void Rewrite::take(const Instr &instr) {
  for (const ValueRef v : old_.operands(instr))
    program_.operand_refs_.push_back(now_[v]);
  for (uint32_t r = 0; r < instr.num_results; ++r) {
    now_[instr.first_result + r] = static_cast<ValueRef>(program_.values_.size());
    program_.values_.push_back(old_.values()[instr.first_result + r]);
    program_.values_.back().def = static_cast<uint32_t>(program_.instrs_.size());
  }
}

void Rewrite::copy(uint32_t instr) {
  if (old_.instrs()[instr].kind == InstrKind::collective)
    return copy_together({&instr, 1});
  Instr copy = old_.instrs()[instr];
  copy.first_operand = static_cast<uint32_t>(program_.operand_refs_.size());
  copy.first_result = static_cast<ValueRef>(program_.values_.size());
  take(old_.instrs()[instr]);
  program_.instrs_.push_back(copy);
}

void Rewrite::copy(const Node &node, const std::function<void(const Node &)> &body) {
  for (uint32_t i = node.begin; i < node.end;) { // each marker, and what stands behind it
    copy(i++);
    const uint32_t first = i;
    for (int depth = 0; i < node.end; ++i) {
      const bool marker = old_.instrs()[i].kind == InstrKind::region || nesting(i) != 0;
      if (depth == 0 && marker && nesting(i) <= 0)
        break;
      depth += nesting(i);
    }
    if (i > first)
      body({first, i});
  }
}

void Rewrite::copy_together(std::span<const uint32_t> collectives) {
  Instr all = old_.instrs()[collectives[0]];
  Collective collective = old_.collectives()[all.index];
  all.first_operand = static_cast<uint32_t>(program_.operand_refs_.size());
  all.first_result = static_cast<ValueRef>(program_.values_.size());
  collective.moves.clear();
  for (const uint32_t c : collectives) {
    take(old_.instrs()[c]);
    const auto &moves = old_.collectives()[old_.instrs()[c].index].moves;
    collective.moves.insert(collective.moves.end(), moves.begin(), moves.end());
  }
  all.num_operands = static_cast<uint32_t>(program_.operand_refs_.size()) - all.first_operand;
  all.num_results = static_cast<uint32_t>(program_.values_.size()) - all.first_result;
  collective.summary = redistribute::together(collective.moves);
  all.index = add_collective(program_, std::move(collective));
  program_.instrs_.push_back(all);
}

} // namespace tw::spmd
