// SPDX-License-Identifier: Apache-2.0
// Costs each resolution of a conflict by what the program moves in which it alone is decided.
#include "report/conflicts.hpp"

#include <array>
#include <utility>

#include "partition/conflicts.hpp"
#include "partition/disagreements.hpp"
#include "report/describe.hpp"
#include "spmd/moved_bytes.hpp"

namespace tw::report {
namespace {

using partition::Candidate;
using partition::Conflict;
using partition::Plan;

// Tries candidates on a copy of the plan, one at a time.
class Trials {
public:
  explicit Trials(const Subject &subject) : plan_(*subject.plan) {}

  Plan &plan() { return plan_; }

  bool moves_at(partition::NodeId n) { return lowered() && moved_->moves_at(n); }

  void cost(const Conflict &c, const Candidate &candidate, Resolution &to) {
    if (!lowered())
      return;
    const auto *own = plan_.entry(c.node, c.axis);
    const bool is_present =
        c.kind == Conflict::Kind::illegal
            ? candidate.factor == partition::kAny
            : own != nullptr && own->factor == candidate.factor && own->split == candidate.split;
    if (is_present) {
      to.bytes = undecided_;
      to.more = 0;
      return;
    }
    const Plan::Stamp before = plan_.stamp();
    if ((own != nullptr && !plan_.take_off(c.node, c.axis)) ||
        !plan_.set(c.node, c.axis, candidate.factor, &plan_.split(candidate.split))) {
      plan_.undo_to(before);
      return;
    }
    const std::array changed{c.node};
    if (moved_->update(changed)) {
      to.bytes = moved_->received_max();
      to.more = *to.bytes - undecided_;
    }
    plan_.undo_to(before);
    if (!moved_->update(changed))
      moved_.reset();
  }

private:
  // Is done when first asked for, since most programs have no conflicts. False where the plan cannot be lowered.
  bool lowered() {
    if (!std::exchange(tried_, true))
      if (auto made = spmd::MovedBytes::create(plan_)) {
        moved_ = std::move(*made);
        undecided_ = moved_->received_max();
      }
    return moved_ != nullptr;
  }

  Plan plan_;
  bool tried_ = false;
  std::unique_ptr<spmd::MovedBytes> moved_; // of plan_
  int64_t undecided_ = 0;
};

std::vector<ConflictReport> reports_of(Trials &trials, const std::vector<const Conflict *> &conflicts) {
  std::vector<ConflictReport> reports;
  const Plan &plan = trials.plan();
  const auto &graph = plan.graph();
  for (const Conflict *conflict : conflicts) {
    const Conflict &c = *conflict;
    ConflictReport report;
    report.kind = partition::name(c.kind);
    report.axis = plan.mesh().axis(c.axis).name;
    if (plan.is_pin(c.node)) {
      report.value = graph.value_name(plan.pinned_value(c.node));
    } else {
      const graph::OpId op = plan.op_of(c.node);
      report.op = op_name(graph, op);
      report.value = plan.num_made(c.node) ? graph.value_name(plan.made(c.node, 0)) : std::string();
      report.location = graph.location_text(op);
    }
    for (const auto &candidate : c.candidates) {
      const auto *from = candidate.source == graph::kNone ? nullptr : plan.entry(candidate.source, c.axis);
      Resolution &way = report.candidates.emplace_back();
      way.factor = partition::factor_text(plan, c.node, candidate.factor);
      way.source = from == nullptr ? std::string() : describe(plan.tactics()[from->tactic]);
      trials.cost(c, candidate, way);
    }
    report.moves = trials.moves_at(c.node);
    reports.push_back(std::move(report));
  }
  return reports;
}

} // namespace

std::vector<ConflictReport> conflict_reports(const Subject &subject) {
  if (!subject.plan)
    return {};
  const auto open = partition::real_conflicts(*subject.plan);
  Trials trials(subject);
  return reports_of(trials, open);
}

std::vector<ConflictReport> disagreement_reports(const Subject &subject) {
  if (!subject.plan)
    return {};
  Trials trials(subject);
  const std::vector<Conflict> found = partition::disagreements(trials.plan());
  std::vector<const Conflict *> each;
  for (const Conflict &c : found)
    each.push_back(&c);
  return reports_of(trials, each);
}

} // namespace tw::report
