// SPDX-License-Identifier: Apache-2.0
// Between processes a collective takes the time of its messages, in which devices need not stand still: steps
// that need nothing of what comes run meanwhile, and a device waits where the first does that needs it: at a
// step of kind `await`. Steps that need it come as much later as the messages are likely to take, and no
// more, since what they would give back stays that long.
//
// Walks a straight run with a clock that tells how long its steps have kept a device busy. A step that needs
// what is under way is put off until that is due, and what needs the step with it; what was put off keeps its
// order.
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "ops/registry.hpp"
#include "runtime/members.hpp"
#include "runtime/scheduling.hpp"

namespace tw::runtime {
namespace {

using spmd::ValueRef;

// What a device is taken to do in a nanosecond, and to wait for a message of no bytes. A wrong guess costs
// some of the gain, or some memory for some time.
constexpr double kFlops = 50, kBytes = 10, kMessageBytes = 1, kMessage = 20'000;
constexpr size_t kMostPutOff = 64;
constexpr size_t kMostUnderWay =
    16; // what they read, make and stage stays that long: some hundredths of a training step's memory
constexpr int kMostAhead = 2; // collectives under way while another one begins before its turn

class Overlap {
public:
  explicit Overlap(Scheduling &s)
      : steps_(s.schedule.steps), places_(s.places), runs_(s.straight_runs()), program_(s.program),
        layouts_(s.layouts), roles_(s.roles), process_(s.options.process) {
    for (const Donation &d : s.schedule.donations)
      given_[root(d.made)] = root(d.given);
    for (const Step &step : steps_) {
      reads_.push_back(roots_read(step, roles_));
      crosses_.push_back(crosses(step));
    }
  }

  void run() {
    if (!program_.mesh().loop_axes().empty()) // a device may be several counters there
      return;
    for (uint32_t s = 0; s < steps_.size(); ++s) {
      if (s > 0 && runs_[s] != runs_[s - 1])
        end_run();
      pass(s);
    }
    end_run();
    take_over();
  }

private:
  struct UnderWay {
    uint32_t step;
    size_t at;  // in order_
    double due; // on the clock
  };
  // A step, or the wait for a collective.
  struct Entry {
    uint32_t step;
    bool waits = false;
  };
  struct PutOff {
    uint32_t step;
    double due;
  };

  ValueRef root(ValueRef v) const { return roles_.view(v).root; }
  // Reads what the other makes.
  bool follows(uint32_t s, uint32_t maker) const {
    return std::ranges::any_of(steps_[maker].results,
                               [&](ValueRef v) { return reads_[s].contains(root(v)); });
  }
  // May be written over what the other reads.
  bool writes_over(uint32_t s, uint32_t reader) const {
    return std::ranges::any_of(steps_[s].results, [&](ValueRef v) {
      const auto given = given_.find(root(v));
      return given != given_.end() && reads_[reader].contains(given->second);
    });
  }

  void pass(uint32_t s) {
    const Step &step = steps_[s];
    const auto [due, after_put_off] = needs(s);
    if (keeps_place(step)) {
      put_back(true);
      emit(s);
    } else if (after_put_off || due > clock_ || comes_too_early(step)) {
      put_off(s, std::max(due, clock_));
    } else {
      emit(s);
      put_back(false);
    }
  }

  // When what it reads is due, and whether something that was put off must run before it.
  std::pair<double, bool> needs(uint32_t s) const {
    double due = 0;
    bool after_put_off = false;
    for (const UnderWay &c : under_way_)
      if (follows(s, c.step))
        due = std::max(due, c.due);
    for (const PutOff &other : put_off_)
      if (follows(s, other.step) || writes_over(s, other.step)) {
        after_put_off = true;
        due = std::max(due, other.due + (crosses_[other.step] ? message(steps_[other.step]) : 0));
      }
    return {due, after_put_off};
  }

  bool keeps_place(const Step &step) const {
    switch (step.kind) {
    case Step::Kind::fused:
    case Step::Kind::chain:
    case Step::Kind::collective: return false;
    case Step::Kind::kernel: {
      const graph::OpId op = program_.instrs()[step.instrs[0]].op;
      return (ops::op_def(program_.graph().op(op).code).flags & (ops::kSideEffect | ops::kOpaque)) != 0;
    }
    default: return true;
    }
  }

  bool comes_too_early(const Step &step) const {
    return step.kind == Step::Kind::collective && !put_off_.empty() &&
           std::ranges::count_if(under_way_, [&](const UnderWay &c) { return c.due > clock_; }) >= kMostAhead;
  }

  void put_off(uint32_t s, double due) {
    put_off_.push_back({s, due});
    if (put_off_.size() > kMostPutOff)
      put_back(true);
  }

  // Those whose time has come, or all.
  void put_back(bool all) {
    while (!put_off_.empty() && (all || put_off_.front().due <= clock_)) {
      const uint32_t s = put_off_.front().step;
      put_off_.pop_front();
      emit(s);
    }
  }

  void emit(uint32_t s) {
    const Step &step = steps_[s];
    std::erase_if(under_way_, [&](const UnderWay &c) {
      const bool needed = follows(s, c.step);
      if (needed)
        await(c);
      return needed;
    });
    if (crosses_[s]) {
      if (under_way_.size() == kMostUnderWay) {
        await(under_way_.front());
        under_way_.erase(under_way_.begin());
      }
      network_free_ = std::max(network_free_, clock_) + message(step);
      under_way_.push_back({s, order_.size(), network_free_});
    } else {
      clock_ += cost(s);
    }
    order_.push_back({s});
  }

  // No step is needed where nothing but other waits stands between.
  void await(const UnderWay &c) {
    clock_ = std::max(clock_, c.due);
    if (std::any_of(order_.begin() + static_cast<std::ptrdiff_t>(c.at) + 1, order_.end(),
                    [](const Entry &e) { return !e.waits; }))
      order_.push_back({c.step, true});
  }

  void end_run() {
    put_back(true);
    std::ranges::for_each(under_way_, [&](const UnderWay &c) { await(c); });
    under_way_.clear();
    clock_ = network_free_ = 0;
  }

  // Steps stand in the places of their run; one that waits in that of the step before it.
  void take_over() {
    std::vector<Step> steps;
    std::vector<uint32_t> places;
    std::map<uint32_t, uint32_t> collectives; // where they stand now
    size_t next = 0;
    for (const Entry &e : order_) {
      if (e.waits) {
        Step wait{};
        const Step &collective = steps[collectives.at(e.step)];
        wait.kind = Step::Kind::await;
        wait.instrs = collective.instrs;
        wait.operands = collective.operands;
        wait.operands.insert(wait.operands.end(), collective.results.begin(), collective.results.end());
        wait.awaited = collectives.at(e.step);
        steps[wait.awaited].awaited = static_cast<uint32_t>(steps.size());
        steps.push_back(std::move(wait));
        places.push_back(places.back());
        continue;
      }
      collectives[e.step] = static_cast<uint32_t>(steps.size());
      steps.push_back(std::move(steps_[e.step]));
      places.push_back(places_[next++]);
    }
    steps_ = std::move(steps);
    places_ = std::move(places);
  }

  // Some device needs what another process has, or may.
  bool crosses(const Step &step) const {
    if (step.kind != Step::Kind::collective)
      return false;
    const sharding::Mesh &mesh = program_.mesh();
    const auto sharding_of = [&](ValueRef v) -> const sharding::Sharding & {
      return program_.sharding(program_.values()[v].sharding);
    };
    sharding::AxisSet axes; // that any of it has to do with
    for (const auto *values : {&step.operands, &step.results})
      for (const ValueRef v : *values)
        for (size_t a = 0; a < mesh.num_axes(); ++a)
          if (const auto axis = static_cast<sharding::AxisId>(a);
              sharding_of(v).uses(axis) || sharding_of(v).find_partial(axis) != nullptr)
            axes.add(static_cast<sharding::AxisId>(a));
    for (Position p; p < mesh.num_positions(); ++p)
      if (process_[static_cast<size_t>(p)] != process_[static_cast<size_t>(mesh.without(p, axes))])
        return true;
    return false;
  }

  double bytes(const auto &values) const {
    int64_t sum = 0;
    for (const ValueRef v : values)
      sum += roles_.most_bytes(v);
    return static_cast<double>(sum);
  }

  double message(const Step &step) const { return kMessage + bytes(step.operands) / kMessageBytes; }

  double cost(uint32_t s) const {
    const Step &step = steps_[s];
    double flops = 0;
    for (const uint32_t i : step.instrs) {
      const spmd::Instr &in = program_.instrs()[i];
      if (in.kind != spmd::InstrKind::compute || in.num_results == 0)
        continue;
      const auto whole = static_cast<double>(std::max<int64_t>(program_.type(in.first_result).elements(), 1));
      flops += ops::op_cost(program_.graph(), in.op).flops *
               static_cast<double>(layouts_.most_elements(layouts_.of(in.first_result))) / whole;
    }
    return flops / kFlops + (bytes(reads_[s]) + bytes(step.results)) / kBytes;
  }

  std::vector<Step> &steps_;
  std::vector<uint32_t> &places_;
  const std::vector<uint32_t> runs_;
  const spmd::Program &program_;
  const Layouts &layouts_;
  const Roles &roles_;
  const std::vector<int64_t> &process_;   // by position
  std::vector<std::set<ValueRef>> reads_; // by step: roots
  std::vector<bool> crosses_;             // by step
  std::map<ValueRef, ValueRef> given_;    // the argument over which a result may be written
  std::vector<Entry> order_;
  // Of this run.
  std::vector<UnderWay> under_way_;
  std::deque<PutOff> put_off_;
  double clock_ = 0, network_free_ = 0;
};

} // namespace

void overlap_messages(Scheduling &s) {
  if (!s.options.process.empty())
    Overlap(s).run();
}

} // namespace tw::runtime
