// SPDX-License-Identifier: Apache-2.0
// Gathers what runs at every step of an axis into loops, as few as there can be: an instruction that needs
// something complete waits for the end of a loop, everything else of the same axis shares it. Loops over
// several axes nest in the order of the mesh, those of steps around those of threads.
//
// Per axis each instruction has a level: how many loops over the axis must be over before it. Those of a
// level that run at every step are one loop; those that do not stand before it. What needs nothing from a
// loop stands as late as its users let it, so that nothing waits in memory while a loop runs. Slices and
// sources are made again in each loop that wants them: no step needs to keep them.
#include <algorithm>
#include <bit>
#include <map>

#include "spmd/rewrite.hpp"

namespace tw::spmd {

namespace {

using graph::kNone;
using redistribute::Kind;
using sharding::AxisId;
using sharding::AxisSet;

class Former {
public:
  explicit Former(Lowering &lowering)
      : lowering_(lowering), mesh_(lowering.mesh), rewrite_(lowering), old_(rewrite_.old()),
        order_(loop_order(mesh_)), node_of_(old_.values().size(), {0, 0}) {
    for (const Instr &instr : old_.instrs())
      axes_.push_back(old_.loop_axes(instr));
    for (const Regions &regions : find_regions(old_))
      for (const uint32_t marker : regions.markers)
        axes_[regions.markers[0]] |= axes_[marker];
  }

  void run() { write(rewrite_.nodes_of({0, static_cast<uint32_t>(old_.instrs().size())}), order_); }

private:
  // --- nodes ---
  bool is_region(const Node &n) const { return n.end - n.begin > 1; }
  // The loops around a node: of control flow those over which its variables are tiled or partial; others
  // stand in its regions.
  AxisSet axes_of(const Node &n) const { return axes_[n.begin]; }
  // The loops that must be over before what it makes may be read.
  AxisSet completed_by(const Node &n) const {
    const Instr &instr = old_.instrs()[n.begin];
    return instr.kind == InstrKind::accumulate ? axes_[n.begin] - old_.loop_axes(instr.first_result)
                                               : AxisSet(); // threads: none
  }

  // Made again in every loop that wants it: a slice of what is outside, or what is computed from no argument.
  bool is_light(const Node &n, AxisId axis) const {
    const Instr &instr = old_.instrs()[n.begin];
    if (instr.kind == InstrKind::collective)
      return old_.collectives()[instr.index].summary.kind == Kind::copy &&
             !old_.loop_axes(old_.operands(instr)[0]).contains(axis);
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
      if (!part.second) {
        write(members, axes.subspan(1));
        continue;
      }
      rewrite_.push({InstrKind::loop, kNone, 0, 0, 0, 0, axes[0]});
      open_.add(axes[0]);
      write(members, axes.subspan(1));
      open_.remove(axes[0]);
      rewrite_.push({InstrKind::end_loop, kNone, 0, 0, 0, 0, axes[0]});
    }
  }

  bool in(const Node &n, AxisId axis) const { return axes_of(n).contains(axis); }

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
      return in(nodes[maker], axis) && (!reader_in || completed_by(nodes[maker]).contains(axis));
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
      return rewrite_.copy(n.begin);
    std::vector<AxisId> others; // the loops that are not around it
    for (const AxisId axis : order_)
      if (!open_.contains(axis))
        others.push_back(axis);
    rewrite_.copy(n, [&](const Node &body) { write(rewrite_.nodes_of(body), others); });
  }

  struct Place {
    uint32_t sequence, node;
  };

  Lowering &lowering_;
  const sharding::Mesh &mesh_;
  Rewrite rewrite_;
  const Program &old_;
  const std::vector<AxisId> order_;
  std::vector<AxisSet> axes_;  // per old instruction
  AxisSet open_;               // the loops around what is being written
  std::vector<Place> node_of_; // per old value, in the sequence that was looked at last
  uint32_t sequence_ = 0;
};

} // namespace

std::vector<AxisId> loop_order(const sharding::Mesh &mesh) {
  std::vector<AxisId> order;
  for (const auto kind : {sharding::AxisKind::serial, sharding::AxisKind::threads})
    for (const AxisId axis : mesh.loop_axes(kind))
      order.push_back(axis);
  return order;
}

Status form_loops(Lowering &lowering) {
  if (!lowering.mesh.loop_axes().empty())
    Former(lowering).run();
  return {};
}

} // namespace tw::spmd
