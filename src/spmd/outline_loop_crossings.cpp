// SPDX-License-Identifier: Apache-2.0
// Serial and threads axes become borders: nothing moves along them. Between steps of a loop a value goes by
// way of its complete self outside: what leaves is accumulated over the steps, moves between devices there,
// and what enters is a slice of it.
//
// A move that changes nothing along an axis stays in the loop over it. Arguments and results lie outside of
// all loops, and so do the variables of control flow in which something moves along their axis; other control
// flow runs in the loop as a whole. An axis that is minor to one that must go is gathered first, inside,
// since the tiles of several steps are no tile.
#include <algorithm>
#include <map>

#include "spmd/lowering.hpp"

namespace tw::spmd {

namespace {

using graph::kNone;
using graph::ValueId;
using sharding::AxisId;
using sharding::AxisSet;
using sharding::DimSharding;
using sharding::Partial;
using sharding::Sharding;
using sharding::SplitRule;

class Rewriter {
public:
  explicit Rewriter(Lowering &lowering)
      : lowering_(lowering), graph_(lowering.graph), mesh_(lowering.mesh), program_(*lowering.program),
        old_(take_program(lowering)), threads_(mesh_.loop_axes(sharding::AxisKind::threads)),
        stay_(old_.instrs().size()), now_(old_.values().size(), kNone) {}

  void run() {
    if (!find_staying())
      return;
    for (uint32_t i = 0; i < old_.instrs().size(); ++i)
      rewrite(old_.instrs()[i], stay_[i]);
  }

private:
  // For whom something moves.
  struct Cause {
    graph::OpId op, producer, consumer;
  };

  // --- control flow ---
  // The axes over which a while, if or case runs as a whole at each step: it has variables tiled or partial
  // along them, and nothing in it moves along them. Loops nest in the order of the mesh, so such an axis is
  // none that is inside another one. False where one that does not has partial values along such an axis:
  // nothing whole can take their place.
  bool find_staying() {
    const std::vector<Regions> all = find_regions(old_); // inner ones before those around them
    const size_t crossed_before = lowering_.crossing_ops.size();
    for (size_t r = all.size(); r-- > 0;) {
      const std::vector<uint32_t> &markers = all[r].markers;
      const AxisSet around = stay_[markers[0]]; // of the one around it
      AxisSet variables, used, crossed;
      for (const uint32_t m : markers)
        variables |= old_.loop_axes(old_.instrs()[m]);
      for (uint32_t i = markers.front(); i <= markers.back(); ++i) {
        used |= old_.loop_axes(old_.instrs()[i]);
        crossed |= crossed_by(old_.instrs()[i]);
      }
      AxisSet stay, may = (variables - crossed) | around;
      for (AxisSet cut = AxisSet::first(mesh_.num_axes()); !cut.empty(); may -= cut) {
        stay = around;
        for (const AxisId axis : loop_order(mesh_)) {
          if (may.contains(axis))
            stay.add(axis);
          else if (used.contains(axis))
            break;
        }
        cut = {};
        for (uint32_t i = markers.front(); i <= markers.back(); ++i)
          cut |= cut_off(old_.instrs()[i], stay) - around;
      }
      for (uint32_t i = markers.front(); i <= markers.back(); ++i)
        stay_[i] = stay;
      for (const uint32_t m : markers)
        for (uint32_t v = 0; v < old_.instrs()[m].num_results; ++v)
          if (const Sharding &s = lowering_.sharding(old_sharding(old_.instrs()[m].first_result + v));
              s.partial_axes().intersects(mesh_.loop_axes() - stay))
            lowering_.crossing_ops.insert(old_.instrs()[m].op);
    }
    return lowering_.crossing_ops.size() == crossed_before;
  }

  // Staying axes that are minor to one that does not stay, in what control flow carries: without the one the
  // others go too.
  AxisSet cut_off(const Instr &marker, AxisSet stay) const {
    AxisSet cut;
    for (uint32_t r = 0; marker.kind == InstrKind::region && r < marker.num_results; ++r)
      for (const DimSharding &dim : lowering_.sharding(old_sharding(marker.first_result + r)).dims) {
        bool whole = false;
        for (const AxisId axis : dim.axes) {
          whole = whole || (mesh_.is_loop(axis) && !stay.contains(axis));
          if (whole && stay.contains(axis))
            cut.add(axis);
        }
      }
    return cut;
  }

  // The axes over loops that a move along or out of them must leave.
  AxisSet crossed_by(const Instr &instr) const {
    if (instr.kind != InstrKind::collective)
      return {};
    AxisSet crossed = axes_of(old_.collectives()[instr.index].summary);
    for (uint32_t a = 0; a < instr.num_operands; ++a) {
      const ValueRef from = old_.operands(instr)[a], to = instr.first_result + a;
      crossed |= old_.loop_axes(from) - common_loops(lowering_.sharding(old_sharding(from)),
                                                     lowering_.sharding(old_sharding(to)),
                                                     old_.values()[from].origin);
    }
    return crossed;
  }

  // --- instructions ---
  void rewrite(const Instr &instr, AxisSet stay) {
    const bool fixed = instr.kind == InstrKind::argument || instr.kind == InstrKind::result ||
                       instr.kind == InstrKind::region; // lies outside of loops, but those over `stay`
    if (instr.kind == InstrKind::collective) {
      const Collective &c = old_.collectives()[instr.index];
      if (instr.num_operands == 1 && c.summary.reduction != sharding::Reduction::region) {
        now_[instr.first_result] = convert(now_[old_.operands(instr)[0]], old_sharding(instr.first_result),
                                           {instr.op, c.producer, c.consumer});
        return;
      }
    }
    std::vector<ValueRef> operands;
    for (const ValueRef v : old_.operands(instr))
      operands.push_back(convert(now_[v], fixed ? outside(v, stay) : old_sharding(v),
                                 {instr.op, graph_.value(old_.values()[v].origin).def, instr.op}));
    if (instr.kind == InstrKind::region)
      pass_marker(instr);
    std::vector<ShardingId> results;
    for (uint32_t r = 0; r < instr.num_results; ++r)
      results.push_back(fixed ? outside(instr.first_result + r, stay) : old_sharding(instr.first_result + r));
    Instr copy = instr;
    if (instr.kind == InstrKind::collective)
      copy.index = add_collective(program_, old_.collectives()[instr.index]);
    const ValueRef first =
        append(program_, copy, operands,
               instr.num_results == 0 ? kNone : old_.values()[instr.first_result].origin, results);
    for (uint32_t r = 0; r < instr.num_results; ++r)
      now_[instr.first_result + r] = first + r;
  }

  // What a region made of outer values stays there.
  void pass_marker(const Instr &marker) {
    if (marker.index != 0) {
      for (; made_.size() > marks_.back(); made_.pop_back())
        moved_.erase(made_.back());
      marks_.pop_back();
    }
    if (marker.index < graph_.op(marker.op).num_regions)
      marks_.push_back(made_.size());
  }

  // --- moves ---
  // One instruction from a layout to another, made once.
  ValueRef move(ValueRef from, Sharding to, InstrKind kind, const Cause &cause) {
    const ValueId v = program_.values_[from].origin;
    const ShardingId target = lowering_.intern(std::move(to), graph_.type(v));
    if (target == program_.values_[from].sharding)
      return from;
    const std::pair<ValueRef, ShardingId> key{from, target};
    if (const auto known = moved_.find(key); known != moved_.end())
      return known->second;
    Instr instr{kind, cause.op};
    if (kind == InstrKind::collective)
      instr.index = add_collective(program_, {.moves = {&moving(from, target)},
                                              .value = v,
                                              .producer = cause.producer,
                                              .consumer = cause.consumer});
    const ValueRef made = append(program_, instr, {&from, 1}, v, {&target, 1});
    made_.push_back(key);
    moved_.emplace(key, made);
    return made;
  }

  ValueRef convert(ValueRef from, ShardingId to, const Cause &cause) {
    if (program_.values_[from].sharding == to)
      return from;
    const Sharding target = lowering_.sharding(to);
    const ValueId v = program_.values_[from].origin;
    AxisSet stay = common_loops(sharding_of(from), target, v);
    stay -= axes_of(
        moving(from, to).summary()); // other cuts in an equal outer tile: some elements come from other steps
    for (;;) {                       // what has left some axes may have other cuts along those that are left
      const ValueRef left = leave(from, stay, cause);
      const ShardingId there = lowering_.intern(entered_from(target, stay, v), graph_.type(v));
      const AxisSet crossed = axes_of(moving(left, there).summary());
      if (!crossed.intersects(stay))
        return move(move(left, lowering_.sharding(there), InstrKind::collective, cause), target,
                    InstrKind::collective, cause);
      stay -= crossed;
    }
  }

  // The value with no tiles or partial values over loops but these.
  ValueRef leave(ValueRef from, AxisSet stay, const Cause &cause) {
    for (;;) {
      const ValueId v = program_.values_[from].origin;
      const auto leaves = [&](AxisId axis) { return mesh_.is_loop(axis) && !stay.contains(axis); };
      Sharding at = sharding_of(from), gathered = at, combined = at;
      std::optional<sharding::Reduction> kind; // one at a time
      std::erase_if(at.partial, [&](const Partial &partial) {
        if (!leaves(partial.axis) || is_threads(partial.axis) || (kind && partial.kind != *kind))
          return false;
        kind = partial.kind;
        return true;
      });
      const auto threads = std::ranges::find_if(combined.partial, [&](const Partial &partial) {
        return leaves(partial.axis) && is_threads(partial.axis);
      });
      if (threads != combined.partial.end())
        combined.partial.erase(threads);
      for (size_t d = 0; d < at.dims.size(); ++d) {
        const auto &axes = gathered.dims[d].axes;
        size_t complete = axes.size(), inside = axes.size();
        while (complete > 0 && leaves(axes[complete - 1]))
          --complete;
        if (std::ranges::any_of(axes, leaves))
          while (inside > 0 && !leaves(axes[inside - 1]))
            --inside;
        at.dims[d] = outer(at.dims[d], complete, v, d);
        gathered.dims[d] = outer(gathered.dims[d], inside, v, d);
      }
      ValueRef next = move(from, std::move(at), InstrKind::accumulate, cause);
      if (next == from)
        next = move(from, std::move(gathered), InstrKind::collective, cause);
      if (next == from)
        next = move(from, std::move(combined), InstrKind::accumulate, cause);
      if (next == from)
        return from;
      from = next;
    }
  }

  // --- layouts ---
  bool is_threads(AxisId axis) const { return threads_.contains(axis); }
  // How a value is brought into a layout.
  const redistribute::Move &moving(ValueRef from, ShardingId to) const {
    const Value &value = program_.values_[from];
    return lowering_.move(graph_.value(value.origin).type, value.sharding, to);
  }
  const Sharding &sharding_of(ValueRef v) const { return lowering_.sharding(program_.values_[v].sharding); }
  ShardingId old_sharding(ValueRef v) const { return old_.values()[v].sharding; }

  ShardingId outside(ValueRef old, AxisSet stay) {
    const ValueId v = old_.values()[old].origin;
    return lowering_.intern(entered_from(Sharding(lowering_.sharding(old_sharding(old))), stay, v),
                            graph_.type(v));
  }

  // The first axes of a dimension: their tiles consist of whole tiles of it, with the same cuts. Of tiles
  // with halos nothing is left.
  DimSharding outer(const DimSharding &dim, size_t count, ValueId v, size_t d) const {
    if (count == dim.axes.size())
      return dim;
    if (count == 0 || dim.rule.kind == SplitRule::Kind::spans)
      return {};
    DimSharding result{{dim.axes.begin(), dim.axes.begin() + static_cast<ptrdiff_t>(count)}, {}};
    const int64_t n = graph_.type(v).dims[d], all = num_tiles(dim, mesh_), tiles = num_tiles(result, mesh_);
    std::vector<int64_t> cuts;
    for (int64_t t = 0; t < tiles; ++t)
      cuts.push_back(tile(dim.rule, n, all, t * (all / tiles)).begin);
    cuts.push_back(n);
    result.rule = sharding::normalise(
        {SplitRule::Kind::cuts, 1, std::make_shared<const std::vector<int64_t>>(std::move(cuts))}, n, tiles);
    return result;
  }

  // Loops that a move between two layouts need not leave: each step has all that it needs.
  AxisSet common_loops(const Sharding &from, const Sharding &to, ValueId v) const {
    AxisSet common;
    for (size_t d = 0; d < from.dims.size(); ++d) {
      const DimSharding &a = from.dims[d], &b = to.dims[d];
      for (size_t i = 0; i < a.axes.size() && i < b.axes.size() && a.axes[i] == b.axes[i]; ++i)
        if (mesh_.is_loop(a.axes[i]) && outer(a, i + 1, v, d) == outer(b, i + 1, v, d))
          common.add(a.axes[i]);
    }
    for (const Partial &partial : from.partial)
      if (mesh_.is_loop(partial.axis) && std::ranges::count(to.partial, partial) != 0)
        common.add(partial.axis);
    return common;
  }

  // The layout outside of all loops but those over some axes of which a layout is a slice.
  Sharding entered_from(Sharding s, AxisSet stay, ValueId v) const {
    const auto enters = [&](AxisId axis) { return mesh_.is_loop(axis) && !stay.contains(axis); };
    for (size_t d = 0; d < s.dims.size(); ++d) {
      const auto &axes = s.dims[d].axes;
      s.dims[d] =
          outer(s.dims[d], static_cast<size_t>(std::ranges::find_if(axes, enters) - axes.begin()), v, d);
    }
    std::erase_if(s.partial, [&](const Partial &partial) { return enters(partial.axis); });
    return s;
  }

  Lowering &lowering_;
  const graph::Graph &graph_;
  const sharding::Mesh &mesh_;
  Program &program_;
  const Program old_;
  const AxisSet threads_;
  std::vector<AxisSet> stay_; // per old instruction: the loops around the control flow that it is in
  std::vector<ValueRef> now_; // per old value
  std::map<std::pair<ValueRef, ShardingId>, ValueRef> moved_;
  std::vector<std::pair<ValueRef, ShardingId>> made_; // keys of moved_, in order
  std::vector<size_t> marks_;                         // into made_, of the regions around
};

} // namespace

Status outline_loop_crossings(Lowering &lowering) {
  if (!lowering.mesh.loop_axes().empty())
    Rewriter(lowering).run();
  return {};
}

} // namespace tw::spmd
