// SPDX-License-Identifier: Apache-2.0
// One sweep over the program, whose instructions have their roles: it grows groups of elementwise instructions, greedily
// from producer to consumer, and gives every step its place.
//
// Places keep groups convex without searching the program. A step gets its place (a rising number) when something
// outside first uses it; until then a group *floats*: nothing that has a place depends on it. A floating group may take
// any member whose operands do not come from the group by way of another floating group; a placed one only members
// whose operands have earlier places. So steps sorted by place are always in order. A group stays in the region of its
// first member, and has its place before another region begins.
#include "runtime/schedule.hpp"

#include <algorithm>
#include <utility>

#include "graph/graph.hpp"
#include "ops/variables.hpp"
#include "runtime/chains.hpp"
#include "runtime/hasten.hpp"
#include "runtime/members.hpp"
#include "runtime/overlap.hpp"
#include "runtime/recompute.hpp"
#include "runtime/sums.hpp"

namespace tw::runtime {
namespace {

using spmd::Instr;
using spmd::InstrKind;
using spmd::ValueRef;

constexpr uint32_t kFloating = UINT32_MAX;

struct Group {
  LayoutId space;
  uint32_t region; // which marker it stands behind; 0: in the entry body
  uint32_t place = kFloating;
  std::vector<uint32_t> instrs;
  std::vector<FusedRead> reads;
  uint32_t merged_into = graph::kNone;
  uint32_t visit = 0; // mark of the last search that came here
};

class Scheduler {
public:
  Scheduler(const spmd::Program &program, const Layouts &layouts, std::span<const Donation> donations,
            std::span<const int64_t> process, bool overlaps)
      : program_(program), layouts_(layouts), donations_(donations), process_(process), overlaps_(overlaps),
        roles_(program, layouts), group_of_(program.instrs().size(), graph::kNone),
        place_(program.instrs().size(), kFloating) {
    out_.is_static.assign(program.values().size(), false);
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
  uint32_t def(ValueRef v) const { return program_.values()[v].def; }

  // --- groups ---

  Group &group(uint32_t g) { return groups_[find(g)]; }
  uint32_t find(uint32_t g) const {
    while (groups_[g].merged_into != graph::kNone)
      g = groups_[g].merged_into;
    return g;
  }

  // The group that makes this value, or kNone.
  uint32_t group_making(ValueRef v) const {
    const uint32_t i = def(roles_.view(v).root);
    return roles_.of(i) == Role::member ? find(group_of_[i]) : graph::kNone;
  }

  void place_instr(uint32_t i) {
    switch (roles_.of(i)) {
    case Role::view: return;
    case Role::fixed: return; // places itself: `statics` are in program order
    case Role::fold:
      if (!roles_.dense(i))
        return;
      break;
    case Role::member: join(i); return;
    case Role::region: pass_marker(i); return;
    case Role::loop: pass_loop(i); return;
    case Role::signature:
    case Role::single: break;
    }
    for (const ValueRef v : program_.operands(instr(i)))
      settle(v);
    place_[i] = next_place_++;
  }

  void settle_all() {
    for (; first_unsettled_ < groups_.size(); ++first_unsettled_)
      if (groups_[first_unsettled_].merged_into == graph::kNone)
        settle_group(first_unsettled_);
  }

  // Groups stay on their side of the border of a loop over an axis.
  void pass_loop(uint32_t i) {
    settle_all();
    place_[i] = next_place_++;
    if (instr(i).kind == InstrKind::loop) {
      open_.push_back({i});
      return;
    }
    axis_loops_.emplace_back(open_.back()[0], i);
    open_.pop_back();
  }

  void pass_marker(uint32_t i) {
    for (const ValueRef v : program_.operands(instr(i)))
      settle(v);
    const Instr &in = instr(i);
    const uint32_t regions = program_.graph().op(in.op).num_regions;
    if (in.index == 0) {
      settle_all();
      open_.emplace_back();
    }
    open_.back().push_back(i);
    first_unsettled_ = static_cast<uint32_t>(groups_.size());
    place_[i] = next_place_++;
    if (in.index == regions) {
      markers_.push_back(std::move(open_.back()));
      open_.pop_back();
    }
  }
  uint32_t region() const { return open_.empty() ? 0 : 1 + open_.back().back(); }

  // Something with a place uses `v`: its maker gets an earlier one.
  void settle(ValueRef v) {
    const uint32_t g = group_making(v);
    if (g != graph::kNone)
      settle_group(g);
  }

  void settle_group(uint32_t g) {
    // Depth first over floating groups, without recursion: chains can be long.
    std::vector<std::pair<uint32_t, size_t>> stack{{g, 0}};
    while (!stack.empty()) {
      auto &[top, next] = stack.back();
      Group &at = groups_[top];
      if (at.place != kFloating) {
        stack.pop_back();
        continue;
      }
      bool descended = false;
      while (next < at.reads.size()) {
        const uint32_t maker = maker_of_read(at.reads[next++]);
        if (maker != graph::kNone && maker != top && groups_[maker].place == kFloating) {
          stack.emplace_back(maker, 0);
          descended = true;
          break;
        }
      }
      if (descended)
        continue;
      at.place = next_place_++;
      stack.pop_back();
    }
  }

  uint32_t maker_of_read(const FusedRead &read) const {
    return read.splat ? graph::kNone : group_making(read.value);
  }

  uint32_t place_of_read(const FusedRead &read) {
    if (read.splat)
      return 0;
    const uint32_t maker = group_making(read.value);
    if (maker != graph::kNone)
      return groups_[maker].place;
    const uint32_t i = def(roles_.view(read.value).root);
    return roles_.of(i) == Role::fixed ? 0 : place_[i];
  }

  // Does `from` use, directly or by way of other floating groups, a value of `target`? The edge from -> target itself
  // counts unless `skip_direct`.
  bool depends(uint32_t from, uint32_t target, bool skip_direct) {
    const uint32_t mark = ++visit_;
    search_.assign(1, from);
    groups_[from].visit = mark;
    while (!search_.empty()) {
      const uint32_t at = search_.back();
      search_.pop_back();
      for (const FusedRead &read : groups_[at].reads) {
        const uint32_t maker = maker_of_read(read);
        if (maker == graph::kNone || groups_[maker].place != kFloating || groups_[maker].visit == mark)
          continue;
        if (maker == target) {
          if (at == from && skip_direct)
            continue;
          return true;
        }
        groups_[maker].visit = mark;
        search_.push_back(maker);
      }
    }
    return false;
  }

  bool may_join(uint32_t g, const std::vector<FusedRead> &reads) {
    Group &to = groups_[g];
    if (to.instrs.size() >= kMostMembers || to.reads.size() + reads.size() > kMostReads)
      return false;
    for (const FusedRead &read : reads) {
      const uint32_t maker = maker_of_read(read);
      if (maker == g && !is_inner(read, g))
        return false; // reads the group's result in another arrangement
      if (maker == g)
        continue;
      if (to.place != kFloating) {
        if (place_of_read(read) >= to.place)
          return false;
      } else if (maker != graph::kNone && groups_[maker].place == kFloating && depends(maker, g, false)) {
        return false;
      }
    }
    return true;
  }

  // The read is of a member of the group at the same index.
  bool is_inner(const FusedRead &read, uint32_t g) const {
    return !read.splat && roles_.of(def(read.value)) == Role::member &&
           find(group_of_[def(read.value)]) == g && read.dims.size() == program_.type(read.value).rank() &&
           read.is_identity();
  }

  void join(uint32_t i) {
    const Instr &in = instr(i);
    std::vector<FusedRead> reads;
    for (const ValueRef v : program_.operands(in))
      reads.push_back(roles_.read_of(v, in.first_result));

    uint32_t home = graph::kNone;
    for (const FusedRead &read : reads) {
      const uint32_t g = maker_of_read(read);
      if (home == graph::kNone && g != graph::kNone && groups_[g].region == region() && is_inner(read, g) &&
          may_join(g, reads))
        home = g;
    }
    if (home != graph::kNone) {
      for (const FusedRead &read : reads) {
        const uint32_t g = maker_of_read(read);
        if (g != graph::kNone && g != home && groups_[g].region == region() && is_inner(read, g) &&
            may_merge(home, g))
          merge(home, g);
      }
    } else {
      home = static_cast<uint32_t>(groups_.size());
      groups_.push_back({layouts_.of(in.first_result), region(), kFloating, {}, {}, graph::kNone, 0});
    }
    Group &to = groups_[home];
    to.instrs.push_back(i);
    group_of_[i] = home;
    for (FusedRead &read : reads)
      if (!is_inner(read, home) && std::find(to.reads.begin(), to.reads.end(), read) == to.reads.end())
        to.reads.push_back(std::move(read));
  }

  // Two floating groups may become one unless a third lies between them.
  bool may_merge(uint32_t a, uint32_t b) {
    return groups_[a].place == kFloating && groups_[b].place == kFloating &&
           groups_[a].instrs.size() + groups_[b].instrs.size() < kMostMembers &&
           groups_[a].reads.size() + groups_[b].reads.size() <= kMostReads && only_inner_edges(a, b) &&
           only_inner_edges(b, a) && !depends(a, b, true) && !depends(b, a, true);
  }
  // Every read that `from` makes of `of` would be inside the merged group.
  bool only_inner_edges(uint32_t from, uint32_t of) const {
    return std::all_of(groups_[from].reads.begin(), groups_[from].reads.end(), [&](const FusedRead &read) {
      return maker_of_read(read) != of || is_inner(read, of);
    });
  }

  void merge(uint32_t a, uint32_t b) {
    Group &to = groups_[a], &from = groups_[b];
    to.instrs.insert(to.instrs.end(), from.instrs.begin(), from.instrs.end());
    for (FusedRead &read : from.reads)
      if (std::find(to.reads.begin(), to.reads.end(), read) == to.reads.end())
        to.reads.push_back(std::move(read));
    from.merged_into = a;
    from.instrs.clear();
    from.reads.clear();
    std::erase_if(to.reads, [&](const FusedRead &read) { return is_inner(read, a); });
  }

  // --- steps ---

  void emit() {
    std::vector<std::pair<uint32_t, Step>> placed;
    std::vector<bool> stored = find_stored();
    for (uint32_t i = 0; i < program_.instrs().size(); ++i) {
      const bool fixed_fold =
          roles_.of(i) == Role::fold && roles_.dense(i) && roles_.is_fixed_value(instr(i).first_result);
      if (roles_.of(i) == Role::fixed || fixed_fold) {
        out_.statics.push_back(single_step(i));
        for (uint32_t r = 0; r < instr(i).num_results; ++r)
          out_.is_static[instr(i).first_result + r] = true;
      } else if (roles_.of(i) == Role::single || (roles_.of(i) == Role::fold && roles_.dense(i))) {
        placed.emplace_back(place_[i], single_step(i));
      }
    }
    for (Group &g : groups_)
      if (g.place != kFloating && g.merged_into == graph::kNone)
        placed.emplace_back(g.place, fused_step(g, stored));
    for (const auto &markers : markers_)
      for (size_t k = 0; k < markers.size(); ++k)
        add_marker(markers, k, placed);
    for (const auto &[begin, end] : axis_loops_) {
      const auto axis = static_cast<sharding::AxisId>(instr(begin).index);
      placed.emplace_back(place_[begin],
                          Step{Step::Kind::enter, {begin}, {}, {}, 0, {}, {}, {}, axis, false, 0});
      placed.emplace_back(place_[end], Step{Step::Kind::turn, {end}, {}, {}, 0, {}, {}, {}, axis, false, 0});
    }
    std::stable_sort(placed.begin(), placed.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    for (auto &[place, step] : placed) {
      out_.steps.push_back(std::move(step));
      places_.push_back(place);
    }
    const std::vector<uint32_t> borders = find_borders();
    make_again(out_.steps, straight_runs(places_, borders), program_, layouts_, roles_);
    drop_idle();
    form_chains(out_.steps, places_, borders, program_, layouts_, roles_);
    hasten(out_.steps, straight_runs(places_, borders), program_, roles_, donations_);
    if (process_.empty())
      take_in_sums(out_.steps, places_, straight_runs(places_, borders), program_, layouts_, roles_);
    else if (overlaps_)
      overlap(out_.steps, places_, straight_runs(places_, borders), program_, layouts_, roles_, donations_,
              process_);
    for (const auto &markers : markers_)
      set_targets(markers);
    for (const auto &[begin, end] : axis_loops_) {
      const AxisLoop loop{static_cast<sharding::AxisId>(instr(begin).index), behind(begin) - 1,
                          behind(end) - 1};
      out_.steps[loop.last].targets = {loop.first + 1};
      for (uint32_t s = loop.first + 1; s <= loop.last; ++s)
        out_.steps[s].around |= uint64_t{1} << loop.axis;
      out_.axis_loops.push_back(loop);
    }
  }

  // Where regions and loops begin and end, whether that takes a step or not.
  std::vector<uint32_t> find_borders() const {
    std::vector<uint32_t> borders;
    for (uint32_t i = 0; i < program_.instrs().size(); ++i)
      if (roles_.of(i) == Role::region || roles_.of(i) == Role::loop)
        borders.push_back(place_[i]);
    std::ranges::sort(borders);
    return borders;
  }

  // By step, the number of its straight run: steps of one number follow each other, whatever is chosen.
  static std::vector<uint32_t> straight_runs(std::span<const uint32_t> places,
                                             std::span<const uint32_t> borders) {
    std::vector<uint32_t> runs;
    for (const uint32_t place : places) {
      const auto [at, behind] =
          std::equal_range(borders.begin(), borders.end(), place); // apart where it stands on one
      runs.push_back(static_cast<uint32_t>((at - borders.begin()) + (behind - borders.begin())));
    }
    return runs;
  }

  // --- regions ---

  bool is_loop(uint32_t marker) const { return ops::is_loop(program_.graph(), instr(marker).op); }

  // The steps of marker `k` of an op: a loop takes its initial values, asks its condition, takes what its body gives
  // and goes back; branches are chosen, and each leaves what it gives where the result lies.
  void add_marker(const std::vector<uint32_t> &markers, size_t k,
                  std::vector<std::pair<uint32_t, Step>> &placed) {
    const uint32_t i = markers[k];
    const auto operands = program_.operands(instr(i));
    const auto add = [&](Step::Kind kind, std::vector<ValueRef> from, std::vector<ValueRef> to) {
      placed.emplace_back(place_[i], Step{kind, {i}, std::move(to), std::move(from), 0, {}, {}, {}});
    };
    if (k == (is_loop(i) ? 1u : 0u)) {
      add(Step::Kind::jump, {operands[0]}, {});
      if (is_loop(i))
        add_assignment(add, copies(markers));
      return;
    }
    const Instr &home = instr(is_loop(i) ? markers.front() : markers.back());
    std::vector<std::pair<ValueRef, ValueRef>> moves;
    for (uint32_t r = 0; r < operands.size(); ++r)
      moves.emplace_back(operands[r], home.first_result + r);
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
    return static_cast<uint32_t>(std::upper_bound(places_.begin(), places_.end(), place_[marker]) -
                                 places_.begin());
  }
  uint32_t jump_of(uint32_t marker) const {
    auto at = static_cast<uint32_t>(std::lower_bound(places_.begin(), places_.end(), place_[marker]) -
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
  std::vector<bool> find_stored() {
    std::vector<bool> stored(program_.values().size(), false);
    for (uint32_t i = 0; i < program_.instrs().size(); ++i)
      if (roles_.of(i) != Role::member && roles_.of(i) != Role::view &&
          !(roles_.of(i) == Role::fold && !roles_.dense(i)))
        for (const ValueRef v : program_.operands(instr(i)))
          stored[roles_.view(v).root] = true;
    for (const Group &g : groups_)
      if (g.place != kFloating)
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
    const auto lanes = program_.combined_lanes(in);
    step.lanes = lanes.has_value();
    step.axis = lanes.value_or(0);
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

  // Of what these made nobody reads anything any more.
  void drop_idle() {
    const auto is_idle = [](const Step &step) {
      return step.kind == Step::Kind::fused && step.results.empty();
    };
    size_t s = 0;
    std::erase_if(places_, [&](uint32_t) { return is_idle(out_.steps[s++]); });
    std::erase_if(out_.steps, is_idle);
  }

  const spmd::Program &program_;
  const Layouts &layouts_;
  const std::span<const Donation> donations_;
  const std::span<const int64_t> process_;
  const bool overlaps_;
  Roles roles_;
  std::vector<uint32_t> group_of_;
  std::vector<uint32_t> place_;
  std::vector<Group> groups_;
  std::vector<uint32_t> search_;
  uint32_t visit_ = 0;
  uint32_t next_place_ = 1;
  uint32_t first_unsettled_ = 0; // groups from here on may float
  std::vector<std::vector<uint32_t>> open_,
      markers_; // of the regions around the instruction; of those that are over
  std::vector<std::pair<uint32_t, uint32_t>> axis_loops_; // that are over: their first and last instructions
  std::vector<uint32_t> places_;                          // of the steps
  Schedule out_;
};

} // namespace

Schedule schedule(const spmd::Program &program, const Layouts &layouts, std::span<const Donation> donations,
                  std::span<const int64_t> process, bool overlaps) {
  return Scheduler(program, layouts, donations, process, overlaps).run();
}

} // namespace tw::runtime
