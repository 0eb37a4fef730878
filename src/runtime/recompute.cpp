// SPDX-License-Identifier: Apache-2.0
// What one fused step makes cheaply and only later ones read is made again by each of them: nothing is stored
// of it, and what it is made of is read instead. So of the chain of an activation function the next pass over
// it finds the argument, and not every link. Values are made again only where that shortens what is stored,
// in bytes times steps, and only from one fused step to another of the same straight run. They are decided in
// program order, so what a later one would be made of has been decided before it.
#include <algorithm>
#include <set>
#include <utility>

#include "ops/registry.hpp"
#include "runtime/members.hpp"
#include "runtime/scheduling.hpp"

namespace tw::runtime {
namespace {

using spmd::Instr;
using spmd::InstrKind;
using spmd::ValueRef;

// To make one value again.
constexpr size_t kMostAgain = 8;

class Recomputer {
public:
  explicit Recomputer(Scheduling &s)
      : steps_(s.schedule.steps), program_(s.program), layouts_(s.layouts), roles_(s.roles),
        is_cheap_(s.program.instrs().size(), false), uses_(s.program.values().size()),
        run_(s.straight_runs()) {
    for (const Instr &in : program_.instrs())
      if (in.kind == InstrKind::compute)
        is_cheap_[static_cast<size_t>(&in - program_.instrs().data())] =
            (ops::op_def(program_.graph().op(in.op).code).flags & ops::kCheap) != 0;
  }

  void run() {
    find_uses();
    for (uint32_t s = 0; s < steps_.size(); ++s) {
      if (steps_[s].kind != Step::Kind::fused)
        continue;
      const size_t before = steps_[s].results.size();
      for (const ValueRef v : std::vector(steps_[s].results))
        consider(v, s);
      if (steps_[s].results.size() != before)
        drop_unused(steps_[s]);
    }
  }

private:
  // Who reads what is stored, by root.
  struct Uses {
    std::vector<uint32_t> fused; // steps that read it element by element, each where it writes
    uint32_t first = 0, last = 0;
    bool stays = false; // somebody needs the array
  };

  ValueRef root(ValueRef v) const { return roles_.view(v).root; }
  uint32_t def(ValueRef v) const { return program_.values()[v].def; }

  void find_uses() {
    for (uint32_t s = 0; s < steps_.size(); ++s) {
      const Step &step = steps_[s];
      for (const ValueRef v : step.results)
        uses_[root(v)].first = uses_[root(v)].last = s;
      for (const ValueRef v : step.operands)
        note(v, s).stays = true;
      for (const FusedRead &read : step.reads)
        note(read, step, s);
    }
    for (const Instr &in : program_.instrs())
      if (in.kind == InstrKind::result)
        note(program_.operands(in)[0], static_cast<uint32_t>(steps_.size())).stays = true;
  }

  Uses &note(ValueRef v, uint32_t step) {
    Uses &uses = uses_[root(v)];
    uses.last = std::max(uses.last, step);
    return uses;
  }
  void note(const FusedRead &read, const Step &step, uint32_t s) {
    if (read.constant)
      return;
    Uses &uses = note(read.value, s);
    const bool by_index =
        read.is_identity() && root(read.value) == read.value && layouts_.of(read.value) == step.space;
    uses.stays = uses.stays || !by_index;
    if (by_index)
      uses.fused.push_back(s);
  }

  // Members of `step` that make `v` from what it reads, or else stores; none where one of them is dear.
  std::set<uint32_t> find_makers(const Step &step, ValueRef v, std::vector<ValueRef> &leaves) const {
    std::set<uint32_t> makers{def(v)};
    std::vector<uint32_t> open{def(v)};
    while (!open.empty()) {
      const uint32_t i = open.back();
      open.pop_back();
      if (!is_cheap_[i] || makers.size() > kMostAgain)
        return {};
      const Instr &in = program_.instrs()[i];
      for (const ValueRef operand : program_.operands(in)) {
        const FusedRead read = roles_.read_of(operand, in.first_result);
        if (read.constant)
          continue;
        if (!is_of_member(step, read, program_) || std::ranges::count(step.results, read.value) != 0)
          leaves.push_back(root(read.value));
        else if (makers.insert(def(read.value)).second)
          open.push_back(def(read.value));
      }
    }
    return makers;
  }

  void consider(ValueRef v, uint32_t s) {
    Step &step = steps_[s];
    const Uses &uses = uses_[v];
    if (uses.stays || root(v) != v || std::ranges::any_of(uses.fused, [&](uint32_t reader) {
          return run_[reader] != run_[s] || steps_[reader].space != step.space;
        }))
      return;
    std::vector<ValueRef> leaves;
    const std::set<uint32_t> makers = find_makers(step, v, leaves);
    if (makers.empty() || !is_shorter(v, std::set<ValueRef>(leaves.begin(), leaves.end())))
      return;
    const auto has = [](const Step &reader, uint32_t i) {
      return std::ranges::binary_search(reader.instrs, i);
    };
    for (const uint32_t r : uses.fused) { // before anything is copied
      const Step &reader = steps_[r];
      const auto more = std::ranges::count_if(makers, [&](uint32_t i) { return !has(reader, i); });
      if (reader.instrs.size() + static_cast<size_t>(more) > kMostMembers)
        return;
    }
    std::vector<std::pair<uint32_t, Step>> readers;
    for (const uint32_t r : uses.fused) {
      Step reader = steps_[r];
      for (const uint32_t i : makers)
        if (!has(reader, i)) {
          reader.instrs.insert(std::ranges::lower_bound(reader.instrs, i), i);
          reader.again.insert(std::ranges::lower_bound(reader.again, i), i);
        }
      connect_members(reader, program_, roles_);
      if (reader.reads.size() > kMostReads)
        return;
      readers.emplace_back(r, std::move(reader));
    }
    std::erase(step.results, v);
    for (auto &[r, reader] : readers) {
      steps_[r] = std::move(reader);
      for (const FusedRead &read : steps_[r].reads)
        note(read, steps_[r], r);
    }
  }

  // Not storing `v` saves at least what `leaves` cost that are needed for longer. A tie is taken: the values
  // behind may profit.
  bool is_shorter(ValueRef v, const std::set<ValueRef> &leaves) const {
    const Uses &uses = uses_[v];
    int64_t saved = roles_.most_bytes(v) * static_cast<int64_t>(uses.last - uses.first);
    for (const ValueRef leaf : leaves)
      if (uses_[leaf].last < uses.last)
        saved -= roles_.most_bytes(leaf) * static_cast<int64_t>(uses.last - uses_[leaf].last);
    return saved >= 0;
  }

  // Members that neither the step's results nor other members need.
  void drop_unused(Step &step) const {
    std::vector<bool> needed(step.instrs.size(), false);
    for (size_t m = step.instrs.size(); m-- > 0;) {
      const Instr &in = program_.instrs()[step.instrs[m]];
      needed[m] = needed[m] || std::ranges::count(step.results, in.first_result) != 0;
      for (const uint32_t a : step.args[m])
        if (needed[m] && a >= step.reads.size())
          needed[a - step.reads.size()] = true;
    }
    size_t m = 0;
    std::erase_if(step.instrs, [&](uint32_t) { return !needed[m++]; });
    std::erase_if(step.again, [&](uint32_t i) { return !std::ranges::binary_search(step.instrs, i); });
    connect_members(step, program_, roles_);
  }

  std::vector<Step> &steps_;
  const spmd::Program &program_;
  const Layouts &layouts_;
  const Roles &roles_;
  std::vector<bool> is_cheap_;
  std::vector<Uses> uses_; // by value
  const std::vector<uint32_t> run_;
};

} // namespace

void recompute(Scheduling &s) {
  Recomputer(s).run();
  // Of what some steps made nobody reads anything any more.
  const auto is_idle = [](const Step &step) {
    return step.kind == Step::Kind::fused && step.results.empty();
  };
  size_t i = 0;
  std::erase_if(s.places, [&](uint32_t) { return is_idle(s.schedule.steps[i++]); });
  std::erase_if(s.schedule.steps, is_idle);
}

} // namespace tw::runtime
