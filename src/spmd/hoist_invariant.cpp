// SPDX-License-Identifier: Apache-2.0
// What no turn of a loop changes moves once, before the loop: what is computed in it of values from outside
// and of variables that it hands on, with all that the move needs of that. It then lies in its layout as long
// as the loop runs. A branch is not left: it may not be taken.
#include <algorithm>
#include <map>

#include "ops/equal_values.hpp"
#include "ops/registry.hpp"
#include "spmd/rewrite.hpp"

namespace tw::spmd {

namespace {

using graph::kNone;

class Hoister {
public:
  explicit Hoister(Lowering &lowering)
      : lowering_(lowering), program_(*lowering.program), graph_(lowering.graph),
        equal_(graph_, lowering.variables()), initial_(program_.values_.size(), kNone),
        level_(program_.values_.size(), 0), target_(program_.instrs_.size(), kNone) {}

  void run() {
    find_levels();
    bool found = false;
    for (uint32_t i = 0; i < program_.instrs_.size(); ++i)
      if (is_worth_it(i))
        if (const uint32_t to = reached(i); to < depth(i)) {
          lift(i, to);
          found = true;
        }
    if (found)
      write();
  }

private:
  // A body, in the body that holds its op.
  struct Body {
    uint32_t parent = 0, depth = 0;
    uint32_t marker = 0; // the first of its op
    bool is_loop = true;
  };

  std::span<ValueRef> operands(const Instr &instr) {
    return {program_.operand_refs_.data() + instr.first_operand, instr.num_operands};
  }
  uint32_t depth(uint32_t i) const { return bodies_[body_[i]].depth; }

  // The outermost depth at which each value can be: that of the innermost body that makes something of it.
  void find_levels() {
    bodies_.push_back({});
    std::vector<uint32_t> open{0}; // bodies around, and the first markers of their ops
    std::vector<uint32_t> markers;
    for (uint32_t i = 0; i < program_.instrs_.size(); ++i) {
      const Instr &instr = program_.instrs_[i];
      if (instr.kind == InstrKind::region && instr.index != 0)
        open.pop_back();
      body_.push_back(open.back());
      if (instr.kind != InstrKind::region) {
        const uint32_t level = is_pure(instr) ? operands_level(instr) : depth(i);
        for (uint32_t r = 0; r < instr.num_results; ++r)
          level_[instr.first_result + r] = level;
        continue;
      }
      if (instr.index == 0)
        markers.push_back(i);
      const bool is_last = instr.index == graph_.op(instr.op).num_regions;
      if (!is_last) {
        bodies_.push_back(
            {open.back(), bodies_[open.back()].depth + 1, markers.back(), ops::is_loop(graph_, instr.op)});
        open.push_back(static_cast<uint32_t>(bodies_.size() - 1));
      }
      find_variables(instr, program_.instrs_[markers.back()], bodies_[open.back()].depth);
      if (is_last)
        markers.pop_back();
    }
  }

  // What a loop hands on is its initial value, in the same layout.
  void find_variables(const Instr &marker, const Instr &first, uint32_t depth) {
    const auto variables = lowering_.variables().of(marker.op);
    for (uint32_t r = 0; r < marker.num_results; ++r) {
      const ValueRef v = marker.first_result + r;
      level_[v] = depth;
      if (!ops::is_loop(graph_, marker.op) ||
          !equal_.is_unchanged(lowering_.variables().all()[variables.first + 1 + r]))
        continue;
      initial_[v] = operands(first)[r];
      level_[v] = level_[initial_[v]];
    }
  }

  uint32_t operands_level(const Instr &instr) {
    uint32_t level = 0;
    for (const ValueRef v : operands(instr))
      level = std::max(level, level_[v]);
    return level;
  }

  bool is_pure(const Instr &instr) const {
    if (instr.kind == InstrKind::collective)
      return true;
    if (instr.kind != InstrKind::compute)
      return false;
    const ops::OpDef &def = ops::op_def(graph_.op(instr.op).code);
    return (def.flags & (ops::kSideEffect | ops::kOpaque)) == 0 && def.kind != ops::OpKind::custom_call &&
           !ops::is_joint_barrier(graph_, instr.op);
  }

  // A move in a loop that need not be made anew for each use, into tiles that may be kept.
  bool is_worth_it(uint32_t i) const {
    const Instr &instr = program_.instrs_[i];
    if (depth(i) == 0 || instr.kind != InstrKind::collective)
      return false;
    const redistribute::Summary &summary = program_.collectives_[instr.index].summary;
    const graph::OpId made = graph_.value(equal_.of(program_.values_[instr.first_result].origin)).def;
    const bool per_use = lowering_.options.gather_per_use && summary.kind == redistribute::Kind::all_gather &&
                         made != kNone && lowering_.is_argument(made);
    const Value &kept = program_.values_[instr.first_result];
    return summary.bytes_received_max != 0 && !per_use && lowering_.may_be_kept(kept.origin, kept.sharding);
  }

  // The outermost depth at which an instruction may stand: out of loops alone.
  uint32_t reached(uint32_t i) {
    const uint32_t level = operands_level(program_.instrs_[i]);
    uint32_t at = depth(i);
    for (uint32_t b = body_[i]; at > level && bodies_[b].is_loop; b = bodies_[b].parent)
      --at;
    return at;
  }

  // An instruction, with all that it needs from deeper.
  void lift(uint32_t first, uint32_t to) {
    std::vector<uint32_t> lifted{first};
    while (!lifted.empty()) {
      const uint32_t i = lifted.back();
      lifted.pop_back();
      if (std::min(target_[i], depth(i)) <= to)
        continue;
      target_[i] = to;
      for (ValueRef &v : operands(program_.instrs_[i])) {
        while (initial_[v] != kNone && is_deeper(v, to))
          v = initial_[v];
        lifted.push_back(program_.values_[v].def);
      }
    }
  }

  // Whether a marker makes a variable in bodies that are deeper.
  bool is_deeper(ValueRef variable, uint32_t to) const {
    const uint32_t marker = program_.values_[variable].def;
    const Instr &instr = program_.instrs_[marker];
    const bool is_last = instr.index == graph_.op(instr.op).num_regions;
    return depth(marker) + (is_last ? 0 : 1) > to;
  }

  void write() {
    std::map<uint32_t, std::vector<uint32_t>> before; // by the marker in front of which they stand
    for (uint32_t i = 0; i < target_.size(); ++i)
      if (target_[i] < depth(i)) {
        uint32_t b = body_[i];
        while (bodies_[b].depth > target_[i] + 1)
          b = bodies_[b].parent;
        before[bodies_[b].marker].push_back(i);
      }
    Rewrite rewrite(lowering_);
    for (uint32_t i = 0; i < target_.size(); ++i) {
      if (const auto lifted = before.find(i); lifted != before.end())
        for (const uint32_t moved : lifted->second)
          rewrite.copy(moved);
      if (target_[i] >= depth(i))
        rewrite.copy(i);
    }
  }

  Lowering &lowering_;
  Program &program_;
  const graph::Graph &graph_;
  const ops::EqualValues equal_;
  std::vector<Body> bodies_;
  std::vector<uint32_t> body_;    // per instruction
  std::vector<ValueRef> initial_; // per value: of a variable that is handed on, what it is before the loop
  std::vector<uint32_t> level_;   // per value: the outermost depth at which it can be
  std::vector<uint32_t> target_;  // per instruction: the depth at which it is to stand; kNone: where it is
};

} // namespace

Status hoist_invariant(Lowering &lowering) {
  const auto is_region = [](const Instr &instr) { return instr.kind == InstrKind::region; };
  if (lowering.does("hoist_moves") && lowering.does("share_moves") &&
      std::ranges::any_of(lowering.program->instrs(), is_region))
    Hoister(lowering).run();
  return {};
}

} // namespace tw::spmd
