// SPDX-License-Identifier: Apache-2.0
// Steps that give back at least the memory that they take run as soon as what they read is there: an
// optimizer's update, written over the parameter that is donated to it, does not let its gradient wait until
// all others are there. Fused steps and collectives move ahead, each within its straight run.
//
// A step that moves ahead comes behind the last of those that it needs, and behind those in front of it that
// did the same. What it needs moves ahead with it where that costs nothing.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "runtime/members.hpp"
#include "runtime/scheduling.hpp"

namespace tw::runtime {
namespace {

using spmd::InstrKind;
using spmd::ValueRef;

// Less than this is no reason to wait, nor to hurry.
constexpr int64_t kSmall = 4096;

class Reordering {
public:
  explicit Reordering(Scheduling &scheduling)
      : steps_(scheduling.schedule.steps), roles_(scheduling.roles), runs_(scheduling.straight_runs()),
        maker_(scheduling.program.values().size(), graph::kNone), readers_(maker_.size()) {
    for (uint32_t s = 0; s < steps_.size(); ++s) {
      for (const ValueRef v : steps_[s].results)
        maker_[root(v)] = s;
      for (const ValueRef v : roots_read(steps_[s], roles_))
        readers_[v].push_back(s);
      moves_.push_back(steps_[s].kind == Step::Kind::fused || steps_[s].kind == Step::Kind::collective);
    }
    for (const Step &step :
         steps_) // a variable's new value is best made when nobody needs the old one any more
      if (step.kind == Step::Kind::assign)
        for (const ValueRef v : step.operands)
          if (maker_[root(v)] != graph::kNone)
            moves_[maker_[root(v)]] = false;
    for (const spmd::Instr &in : scheduling.program.instrs()) {
      if (in.kind == InstrKind::result)
        readers_[root(scheduling.program.operands(in)[0])].push_back(static_cast<uint32_t>(steps_.size()));
      if (in.kind == InstrKind::argument)
        is_argument_.insert(in.first_result);
    }
    for (const Donation &d : scheduling.schedule.donations)
      given_[root(d.made)] = d.given;
  }

  void run() {
    std::vector<uint32_t> order(steps_.size());
    std::iota(order.begin(), order.end(), 0);
    after_ = order;
    for (const uint32_t s : order)
      if (saved(s) > 0)
        after_[s] = earliest(s);
    std::ranges::stable_sort(order, {}, [&](uint32_t s) { return after_[s]; });
    std::vector<Step> moved;
    for (const uint32_t s : order)
      moved.push_back(std::move(steps_[s]));
    steps_ = std::move(moved);
  }

private:
  ValueRef root(ValueRef v) const { return roles_.view(v).root; }
  int64_t bytes(ValueRef v) const {
    const int64_t all = roles_.most_bytes(v);
    return all < kSmall ? 0 : all;
  }

  // Nobody reads it after this step.
  bool dies_at(ValueRef v, uint32_t s) const {
    return std::ranges::all_of(readers_[v], [&](uint32_t reader) { return reader <= s; });
  }

  // Bytes that it gives back, less those that it takes; results in the places of donated arguments take
  // nothing.
  int64_t saved(uint32_t s) const {
    if (!moves_[s])
      return -1;
    int64_t gain = 0;
    for (const ValueRef v : roots_read(steps_[s], roles_)) {
      const uint32_t maker = maker_[v];
      if (!is_argument_.contains(v) && maker != graph::kNone && runs_[maker] == runs_[s] && dies_at(v, s))
        gain += bytes(v);
    }
    for (const ValueRef v : steps_[s].results) {
      const auto given = given_.find(v);
      if (given == given_.end() || !dies_at(given->second, s))
        gain -= bytes(v);
    }
    return gain;
  }

  // Behind what it needs: the makers of what it reads, and other readers of what it may write over.
  uint32_t earliest(uint32_t s) {
    uint32_t first = s;
    while (first > 0 && runs_[first - 1] == runs_[s])
      --first;
    uint32_t at = first;
    const auto wait_for = [&](uint32_t other) {
      if (other >= s)
        return;
      if (other >= first && after_[other] == other && saved(other) == 0)
        after_[other] = earliest(other);
      at = std::max(at, after_[other]);
    };
    for (const ValueRef v : roots_read(steps_[s], roles_))
      if (maker_[v] != graph::kNone)
        wait_for(maker_[v]);
    for (const ValueRef v : steps_[s].results)
      if (const auto given = given_.find(v); given != given_.end())
        std::ranges::for_each(readers_[given->second], wait_for);
    return at;
  }

  std::vector<Step> &steps_;
  const Roles &roles_;
  const std::vector<uint32_t> runs_;
  std::vector<uint32_t> maker_; // by root; of a variable the last
  std::vector<bool> moves_;     // by step: it may be moved
  std::vector<uint32_t> after_; // by step: where it stands, in numbers of steps before
  std::vector<std::vector<uint32_t>> readers_;
  std::set<ValueRef> is_argument_;
  std::map<ValueRef, ValueRef> given_; // the argument whose place a result may take
};

} // namespace

void reorder_for_memory(Scheduling &s) { Reordering(s).run(); }

} // namespace tw::runtime
