// SPDX-License-Identifier: Apache-2.0
// One sweep over the program, whose instructions have their roles: elementwise ones join groups, and every
// step gets its place (`runtime/groups`). A group stays in the region of its first member, and has its place
// before another region begins.
#include "runtime/schedule.hpp"

#include <algorithm>
#include <utility>

#include "graph/graph.hpp"
#include "ops/variables.hpp"
#include "runtime/groups.hpp"
#include "runtime/members.hpp"
#include "runtime/scheduling.hpp"

namespace tw::runtime {
namespace {

using spmd::Instr;
using spmd::InstrKind;
using spmd::ValueRef;

class Scheduler {
public:
  Scheduler(const spmd::Program &program, const Layouts &layouts, const ScheduleOptions &options)
      : program_(program), roles_(program, layouts),
        groups_(program, layouts, roles_), passes_{program, layouts, roles_, options, {}} {
    out_.is_static.assign(program.values().size(), false);
    out_.packable = out_.is_static;
  }

  Schedule run() {
    for (uint32_t i = 0; i < program_.instrs().size(); ++i)
      place_instr(i);
    emit();
    out_.views = roles_.take_views();
    out_.from_zero = roles_.take_from_zero();
    return std::move(out_);
  }

private:
  const Instr &instr(uint32_t i) const { return program_.instrs()[i]; }

  // --- places ---

  void place_instr(uint32_t i) {
    switch (roles_.of(i)) {
    case Role::view: return;
    case Role::fixed: return; // places itself: `statics` are in program order
    case Role::strided_read:
      if (!roles_.dense(i))
        return;
      break;
    case Role::member: groups_.join(i, region()); return;
    case Role::region: pass_marker(i); return;
    case Role::loop: pass_loop(i); return;
    case Role::signature:
    case Role::single: break;
    }
    for (const ValueRef v : program_.operands(instr(i)))
      groups_.settle(v);
    groups_.give_place(i);
  }

  // Groups stay on their side of the border of a loop over an axis.
  void pass_loop(uint32_t i) {
    groups_.settle_all();
    groups_.give_place(i);
    if (instr(i).kind == InstrKind::loop) {
      open_.push_back({i});
      return;
    }
    axis_loops_.emplace_back(open_.back()[0], i);
    open_.pop_back();
  }

  void pass_marker(uint32_t i) {
    for (const ValueRef v : program_.operands(instr(i)))
      groups_.settle(v);
    const Instr &in = instr(i);
    const uint32_t regions = program_.graph().op(in.op).num_regions;
    if (in.index == 0) {
      groups_.settle_all();
      open_.emplace_back();
    }
    open_.back().push_back(i);
    groups_.begin_region();
    groups_.give_place(i);
    if (in.index == regions) {
      markers_.push_back(std::move(open_.back()));
      open_.pop_back();
    }
  }
  uint32_t region() const { return open_.empty() ? 0 : 1 + open_.back().back(); }

  // --- steps ---

  void emit() {
    std::vector<std::pair<uint32_t, Step>> placed;
    std::vector<Group> grown = groups_.take();
    const std::vector<bool> stored = find_stored(grown);
    for (uint32_t i = 0; i < program_.instrs().size(); ++i) {
      const bool fixed_fold = roles_.of(i) == Role::strided_read && roles_.dense(i) &&
                              roles_.is_fixed_value(instr(i).first_result);
      if (roles_.of(i) == Role::fixed || fixed_fold) {
        out_.statics.push_back(single_step(i));
        for (uint32_t r = 0; r < instr(i).num_results; ++r)
          out_.is_static[instr(i).first_result + r] = true;
      } else if (roles_.of(i) == Role::single || (roles_.of(i) == Role::strided_read && roles_.dense(i))) {
        placed.emplace_back(groups_.place(i), single_step(i));
      }
    }
    for (Group &g : grown)
      if (!g.floats())
        placed.emplace_back(g.place, fused_step(g, stored));
    for (const auto &markers : markers_)
      for (size_t k = 0; k < markers.size(); ++k)
        add_marker(markers, k, placed);
    for (const auto &[begin, end] : axis_loops_) {
      const auto axis = static_cast<sharding::AxisId>(instr(begin).index);
      placed.emplace_back(groups_.place(begin),
                          Step{Step::Kind::loop_begin, {begin}, {}, {}, 0, {}, {}, {}, axis, false});
      placed.emplace_back(groups_.place(end),
                          Step{Step::Kind::loop_end, {end}, {}, {}, 0, {}, {}, {}, axis, false});
    }
    std::stable_sort(placed.begin(), placed.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    for (auto &[place, step] : placed) {
      out_.steps.push_back(std::move(step));
      places_.push_back(place);
    }
    passes_.borders = find_borders();
    run_passes(passes_);
    link();
  }

  // Where jumps and loops go on, once every step has its number.
  void link() {
    for (const auto &markers : markers_)
      set_targets(markers);
    for (const auto &[begin, end] : axis_loops_) {
      const AxisLoop loop{static_cast<sharding::AxisId>(instr(begin).index), behind(begin) - 1,
                          behind(end) - 1};
      out_.steps[loop.last].targets = {loop.first + 1};
      for (uint32_t s = loop.first + 1; s <= loop.last; ++s)
        out_.steps[s].around.add(loop.axis);
      out_.axis_loops.push_back(loop);
    }
  }

  // Where regions and loops begin and end, whether that takes a step or not.
  std::vector<uint32_t> find_borders() const {
    std::vector<uint32_t> borders;
    for (uint32_t i = 0; i < program_.instrs().size(); ++i)
      if (roles_.of(i) == Role::region || roles_.of(i) == Role::loop)
        borders.push_back(groups_.place(i));
    std::ranges::sort(borders);
    return borders;
  }

  // --- regions ---

  bool is_loop(uint32_t marker) const { return ops::is_loop(program_.graph(), instr(marker).op); }

  // The steps of marker `k` of an op: a loop takes its initial values, asks its condition, takes what its
  // body gives and goes back; branches are chosen, and each leaves what it gives where the result lies.
  void add_marker(const std::vector<uint32_t> &markers, size_t k,
                  std::vector<std::pair<uint32_t, Step>> &placed) {
    const uint32_t i = markers[k];
    const auto operands = program_.operands(instr(i));
    const auto add = [&](Step::Kind kind, std::vector<ValueRef> from, std::vector<ValueRef> to) {
      placed.emplace_back(groups_.place(i), Step{kind, {i}, std::move(to), std::move(from), 0, {}, {}, {}});
    };
    if (k == (is_loop(i) ? 1u : 0u)) {
      add(Step::Kind::jump, {operands[0]}, {});
      if (is_loop(i))
        add_assignment(add, copies(markers));
      return;
    }
    const Instr &marker = instr(is_loop(i) ? markers.front() : markers.back());
    std::vector<std::pair<ValueRef, ValueRef>> moves;
    for (uint32_t r = 0; r < operands.size(); ++r)
      moves.emplace_back(operands[r], marker.first_result + r);
    add_assignment(add, moves);
    if (k != 0 && (is_loop(i) || k + 1 < markers.size()))
      add(Step::Kind::jump, {}, {});
  }

  // Variables of a loop on whose copies the body works.
  std::vector<std::pair<ValueRef, ValueRef>> copies(const std::vector<uint32_t> &markers) const {
    std::vector<std::pair<ValueRef, ValueRef>> moves;
    const Instr &begin = instr(markers[0]), &body = instr(markers[1]);
    for (uint32_t r = 0; r < body.num_results; ++r)
      moves.emplace_back(begin.first_result + r, body.first_result + r);
    return moves;
  }

  template <class Add>
  void add_assignment(Add &add, const std::vector<std::pair<ValueRef, ValueRef>> &moves) const {
    std::vector<ValueRef> from, to;
    for (const auto &[source, target] : moves)
      if (!roles_.stays(source, target)) {
        from.push_back(source);
        to.push_back(target);
      }
    if (!from.empty())
      add(Step::Kind::assign, std::move(from), std::move(to));
  }

  // The first step behind those of a marker.
  uint32_t behind(uint32_t marker) const {
    return static_cast<uint32_t>(std::upper_bound(places_.begin(), places_.end(), groups_.place(marker)) -
                                 places_.begin());
  }
  uint32_t jump_of(uint32_t marker) const {
    auto at = static_cast<uint32_t>(std::lower_bound(places_.begin(), places_.end(), groups_.place(marker)) -
                                    places_.begin());
    while (out_.steps[at].kind != Step::Kind::jump)
      ++at;
    return at;
  }

  void set_targets(const std::vector<uint32_t> &markers) {
    const auto targets = [&](size_t k) -> std::vector<uint32_t> & {
      return out_.steps[jump_of(markers[k])].targets;
    };
    if (is_loop(markers[0])) {
      targets(1) = {jump_of(markers[1]) + 1, behind(markers[2])};
      targets(2) = {behind(markers[0])};
      out_.loops.push_back({behind(markers[0]), behind(markers[1]), jump_of(markers[2])});
      return;
    }
    for (size_t k = 0; k + 1 < markers.size(); ++k) {
      targets(0).push_back(behind(markers[k]));
      if (k > 0)
        targets(k) = {behind(markers.back())};
    }
  }

  // Values that something outside their own group reads.
  std::vector<bool> find_stored(std::span<const Group> groups) const {
    std::vector<bool> stored(program_.values().size(), false);
    for (uint32_t i = 0; i < program_.instrs().size(); ++i)
      if (roles_.of(i) != Role::member && roles_.of(i) != Role::view &&
          !(roles_.of(i) == Role::strided_read && !roles_.dense(i)))
        for (const ValueRef v : program_.operands(instr(i)))
          stored[roles_.view(v).root] = true;
    for (const Group &g : groups)
      if (!g.floats())
        for (const FusedRead &read : g.reads)
          stored[roles_.view(read.value).root] = true;
    return stored;
  }

  Step single_step(uint32_t i) const {
    const Instr &in = instr(i);
    Step step{};
    step.kind = in.kind == InstrKind::collective   ? Step::Kind::collective
                : in.kind == InstrKind::accumulate ? Step::Kind::accumulate
                                                   : Step::Kind::kernel;
    step.instrs = {i};
    const auto threads = program_.combined_threads(in);
    step.threads = threads.has_value();
    step.axis = threads.value_or(0);
    for (uint32_t r = 0; r < in.num_results; ++r)
      step.results.push_back(in.first_result + r);
    const auto operands = program_.operands(in);
    step.operands.assign(operands.begin(), operands.end());
    return step;
  }

  Step fused_step(Group &g, const std::vector<bool> &stored) const {
    std::sort(g.instrs.begin(), g.instrs.end());
    Step step{Step::Kind::fused, g.instrs, {}, {}, g.space, {}, {}, {}};
    for (const uint32_t i : g.instrs)
      if (stored[instr(i).first_result])
        step.results.push_back(instr(i).first_result);
    connect_members(step, program_, roles_);
    return step;
  }

  const spmd::Program &program_;
  Roles roles_;
  Groups groups_;
  std::vector<std::vector<uint32_t>> open_,
      markers_; // of the regions around the instruction; of those that are over
  std::vector<std::pair<uint32_t, uint32_t>> axis_loops_; // that are over: their first and last instructions
  Scheduling passes_;
  Schedule &out_ = passes_.schedule;
  std::vector<uint32_t> &places_ = passes_.places;
};

} // namespace

Schedule schedule(const spmd::Program &program, const Layouts &layouts, const ScheduleOptions &options) {
  return Scheduler(program, layouts, options).run();
}

} // namespace tw::runtime
