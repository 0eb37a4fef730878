// SPDX-License-Identifier: Apache-2.0
// Gathers what runs at every step of an axis into loops, as few as there can be: an instruction that needs something complete waits for
// the end of a loop, everything else of the same axis shares it. Loops over several axes nest in the order of the mesh, those of steps
// around those of lanes.
//
// Per axis each instruction has a level: how many loops over the axis must be over before it. Those of a level that run at every step are
// one loop; those that do not stand before it. What needs nothing from a loop stands as late as its users let it, so that nothing waits
// in memory while a loop runs. Slices and sources are made again in each loop that wants them: no step needs to keep them.
#include <algorithm>
#include <bit>
#include <map>

#include "spmd/lowering.hpp"

namespace tw::spmd {

namespace {

using graph::kNone;
using redistribute::Kind;
using sharding::AxisId;
using AxisSet = uint64_t;

// An instruction, or all those of a while, if or case with its markers.
struct Node {
  uint32_t begin, end;
};

class Former {
public:
  explicit Former(Lowering &lowering)
      : lowering_(lowering), mesh_(lowering.mesh), program_(*lowering.program), old_(program_),
        now_(old_.values().size(), kNone), node_of_(old_.values().size(), {0, 0}) {
    program_.instrs_.clear();
    program_.values_.clear();
    program_.operand_refs_.clear();
    program_.collectives_.clear();
    old_.shardings_ = lowering.shardings(); // so that it can be asked
    for (const Instr &instr : old_.instrs())
      axes_.push_back(old_.loop_axes(instr));
    for (const auto kind : {sharding::AxisKind::serial, sharding::AxisKind::threads})
      for (size_t a = 0; a < mesh_.num_axes(); ++a)
        if (const auto axis = static_cast<AxisId>(a); mesh_.is_loop(axis) && mesh_.axis(axis).kind == kind)
          order_.push_back(axis);
  }

  void run() { write(nodes_of(0, static_cast<uint32_t>(old_.instrs().size())), order_); }

private:
  // --- nodes ---
  std::vector<Node> nodes_of(uint32_t begin, uint32_t end) const {
    std::vector<Node> nodes;
    for (uint32_t i = begin; i < end;) {
      const uint32_t first = i;
      uint32_t depth = 0;
      do {
        const Instr &instr = old_.instrs()[i++];
        if (instr.kind != InstrKind::region)
          continue;
        depth += instr.index == 0;
        depth -= instr.index == lowering_.graph.op(instr.op).num_regions;
      } while (depth != 0);
      nodes.push_back({first, i});
    }
    return nodes;
  }
  bool is_region(const Node &n) const { return n.end - n.begin > 1; }
  // The loops around a node; those in the regions of control flow stand there.
  AxisSet axes_of(const Node &n) const { return is_region(n) ? 0 : axes_[n.begin]; }
  // The loops that must be over before what it makes may be read.
  AxisSet completed_by(const Node &n) const {
    const Instr &instr = old_.instrs()[n.begin];
    return instr.kind == InstrKind::accumulate ? axes_[n.begin] & ~old_.loop_axes(instr.first_result)
                                               : 0; // lanes: none
  }

  // Made again in every loop that wants it: a slice of what is outside, or what is computed from no argument.
  bool is_light(const Node &n, AxisId axis) const {
    const Instr &instr = old_.instrs()[n.begin];
    if (instr.kind == InstrKind::collective)
      return old_.collectives()[instr.index].summary.kind == Kind::copy &&
             (old_.loop_axes(old_.operands(instr)[0]) >> axis & 1) == 0;
    return instr.kind == InstrKind::compute && lowering_.plan.is_source(instr.op);
  }

  // --- order ---
  void write(const std::vector<Node> &nodes, std::span<const AxisId> axes) {
    while (!axes.empty() && std::ranges::none_of(nodes, [&](const Node &n) { return in(n, axes[0]); }))
      axes = axes.subspan(1);
    if (axes.empty()) {
      for (const Node &n : nodes)
        write(n);
      return;
    }
    // By level what stands before its loop, and the loop.
    std::map<std::pair<uint32_t, bool>, std::vector<Node>> parts;
    const std::vector<std::vector<uint32_t>> levels = find_levels(nodes, axes[0]);
    for (size_t i = 0; i < nodes.size(); ++i)
      for (const uint32_t level : levels[i])
        parts[{level, in(nodes[i], axes[0])}].push_back(nodes[i]);
    for (const auto &[part, members] : parts) {
      if (part.second)
        push(Instr{InstrKind::loop, kNone, 0, 0, 0, 0, axes[0]}, {});
      write(members, axes.subspan(1));
      if (part.second)
        push(Instr{InstrKind::end_loop, kNone, 0, 0, 0, 0, axes[0]}, {});
    }
  }

  bool in(const Node &n, AxisId axis) const { return (axes_of(n) >> axis & 1) != 0; }

  // Visits the nodes of this sequence of which a node reads something.
  template <class Visit> void each_maker(const Node &n, Visit visit) const {
    for (uint32_t i = n.begin; i < n.end; ++i)
      for (const ValueRef v : old_.operands(old_.instrs()[i]))
        if (node_of_[v].sequence == sequence_ && old_.values()[v].def < n.begin)
          visit(node_of_[v].node);
  }

  // The levels at which each node stands: one; of light nodes in loops those of their users.
  std::vector<std::vector<uint32_t>> find_levels(const std::vector<Node> &nodes, AxisId axis) {
    ++sequence_;
    for (uint32_t n = 0; n < nodes.size(); ++n)
      for (uint32_t i = nodes[n].begin; i < nodes[n].end; ++i)
        for (uint32_t r = 0; r < old_.instrs()[i].num_results; ++r)
          node_of_[old_.instrs()[i].first_result + r] = {sequence_, n};
    // From one of these to a reader: is a loop to be ended between them?
    const auto ends = [&](uint32_t maker, bool reader_in) {
      return in(nodes[maker], axis) && (!reader_in || (completed_by(nodes[maker]) >> axis & 1) != 0);
    };
    std::vector<uint32_t> level(nodes.size(), 0);
    std::vector<std::vector<uint32_t>> wanted(nodes.size()); // levels of readers, less the loop between
    for (uint32_t n = 0; n < nodes.size(); ++n)
      each_maker(nodes[n], [&](uint32_t maker) {
        level[n] = std::max(level[n], level[maker] + ends(maker, in(nodes[n], axis)));
      });
    std::vector<std::vector<uint32_t>> levels(nodes.size());
    for (uint32_t n = static_cast<uint32_t>(nodes.size()); n-- > 0;) {
      std::vector<uint32_t> &at = wanted[n];
      std::ranges::sort(at);
      at.erase(std::unique(at.begin(), at.end()), at.end());
      const bool inside = in(nodes[n], axis), floats = !inside && level[n] == 0 && !is_signature(nodes[n]);
      if (at.empty() || !(inside ? is_light(nodes[n], axis) : floats))
        at.assign(1, level[n]);
      else if (floats)
        at.resize(1);
      each_maker(nodes[n], [&](uint32_t maker) {
        for (const uint32_t l : at)
          wanted[maker].push_back(l - ends(maker, inside));
      });
      levels[n] = at;
    }
    return levels;
  }

  bool is_signature(const Node &n) const {
    const InstrKind kind = old_.instrs()[n.begin].kind;
    return kind == InstrKind::argument || kind == InstrKind::result;
  }

  // --- the program ---
  void write(const Node &n) {
    if (!is_region(n))
      return write(n.begin);
    for (uint32_t i = n.begin; i < n.end;) { // each marker, and the region behind it
      write(i++);
      uint32_t depth = 0, end = i;
      for (; end < n.end; ++end) {
        const Instr &instr = old_.instrs()[end];
        if (instr.kind != InstrKind::region)
          continue;
        if (depth == 0 && instr.index != 0)
          break;
        depth += instr.index == 0;
        depth -= instr.index == lowering_.graph.op(instr.op).num_regions;
      }
      if (end > i)
        write(nodes_of(i, end), order_);
      i = end;
    }
  }

  void write(uint32_t i) {
    const Instr &instr = old_.instrs()[i];
    std::vector<ValueRef> operands;
    for (const ValueRef v : old_.operands(instr))
      operands.push_back(now_[v]);
    const auto id = static_cast<uint32_t>(program_.instrs_.size());
    Instr copy = instr;
    copy.first_result = static_cast<ValueRef>(program_.values_.size());
    for (uint32_t r = 0; r < instr.num_results; ++r) {
      now_[instr.first_result + r] = copy.first_result + r;
      program_.values_.push_back(old_.values()[instr.first_result + r]);
      program_.values_.back().def = id;
    }
    if (instr.kind == InstrKind::collective) {
      copy.index = static_cast<uint32_t>(program_.collectives_.size());
      program_.collectives_.push_back(old_.collectives()[instr.index]);
      program_.collectives_.back().instr = id;
    }
    push(copy, operands);
  }

  void push(Instr instr, std::span<const ValueRef> operands) {
    instr.first_operand = static_cast<uint32_t>(program_.operand_refs_.size());
    program_.operand_refs_.insert(program_.operand_refs_.end(), operands.begin(), operands.end());
    program_.instrs_.push_back(instr);
  }

  struct Place {
    uint32_t sequence, node;
  };

  Lowering &lowering_;
  const sharding::Mesh &mesh_;
  Program &program_;
  Program old_;
  std::vector<ValueRef> now_;  // per old value: its last copy
  std::vector<AxisSet> axes_;  // per old instruction
  std::vector<AxisId> order_;  // of the loops, outer ones first
  std::vector<Place> node_of_; // per old value, in the sequence that was looked at last
  uint32_t sequence_ = 0;
};

} // namespace

Status form_loops(Lowering &lowering) {
  if (lowering.mesh.loop_axes() != 0)
    Former(lowering).run();
  return {};
}

} // namespace tw::spmd
