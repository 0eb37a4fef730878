// SPDX-License-Identifier: Apache-2.0
// Costs each resolution of a conflict by what the program moves in which it alone is decided.
#include "report/conflicts.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/ranges.h>

#include "base/watch.hpp"
#include "partition/disagreements.hpp"
#include "report/describe.hpp"
#include "spmd/moved_bytes.hpp"

namespace tw::report {
namespace {

using partition::Candidate;
using partition::Conflict;
using partition::Plan;

struct Case {
  const Conflict *conflict;
  std::span<const partition::Axes> orders; // as in partition::Disagreement
};

// A way reaches as much of the program as shares a decision on partial values with it, in a transformer all
// of it. So as many ways are counted as programs of so many nodes in all: 100 of a program of 30,000.
constexpr int64_t kNodes = 3'000'000, kFewestWays = 16;

// Tries candidates on a copy of the plan, one at a time.
class Trials {
public:
  explicit Trials(const Subject &subject)
      : plan_(*subject.plan),
        left_(std::max(kFewestWays, kNodes / static_cast<int64_t>(plan_.num_nodes() + 1))) {}

  Plan &plan() { return plan_; }

  bool moves_at(partition::NodeId n) { return lowered() && moved_->moves_at(n); }

  void cost(const Case &c, size_t candidate, Resolution &to) {
    if (!lowered())
      return;
    if (is_present(c, candidate)) {
      to.bytes = undecided_;
      to.more = 0;
      return;
    }
    if (left_ == 0) {
      to.counted = false;
      return;
    }
    --left_;
    const Plan::Stamp before = plan_.stamp();
    if (!decide(c, candidate)) {
      plan_.undo_to(before);
      return;
    }
    const std::array changed{c.conflict->node};
    if (moved_->update(changed)) {
      to.bytes = moved_->received_max();
      to.more = *to.bytes - undecided_;
    }
    plan_.undo_to(before);
    if (!moved_->update(changed))
      moved_.reset();
  }

private:
  bool is_present(const Case &of, size_t i) const {
    const Conflict &c = *of.conflict;
    const Candidate &candidate = c.candidates[i];
    if (c.kind == Conflict::Kind::illegal)
      return candidate.factor == partition::kAny;
    if (!of.orders.empty())
      return i == 0;
    const auto *own = plan_.entry(c.node, c.axis);
    return own != nullptr && own->factor == candidate.factor && own->split == candidate.split;
  }

  Status decide(const Case &of, size_t i) {
    const Conflict &c = *of.conflict;
    const Candidate &candidate = c.candidates[i];
    if (!of.orders.empty())
      return partition::reorder(plan_, c.node, candidate.factor, of.orders[i]);
    if (plan_.entry(c.node, c.axis) != nullptr)
      TW_TRY(plan_.take_off(c.node, c.axis));
    return plan_.set(c.node, c.axis, candidate.factor, &plan_.split(candidate.split));
  }

  // Is done when first asked for, since most programs have no conflicts. False where the plan cannot be
  // lowered.
  bool lowered() {
    if (!std::exchange(tried_, true))
      if (auto made = spmd::MovedBytes::create(plan_)) {
        moved_ = std::move(*made);
        undecided_ = moved_->received_max();
      }
    return moved_ != nullptr;
  }

  Plan plan_;
  int64_t left_; // ways that may still be counted
  bool tried_ = false;
  std::unique_ptr<spmd::MovedBytes> moved_; // of plan_
  int64_t undecided_ = 0;
};

Resolution resolution_of(const Plan &plan, const Case &each, size_t i) {
  const Conflict &c = *each.conflict;
  const Candidate &candidate = c.candidates[i];
  const auto *from = candidate.source == graph::kNone ? nullptr : plan.entry(candidate.source, c.axis);
  Resolution way;
  way.factor = partition::candidate_text(plan, c, each.orders, i);
  way.role = partition::role_of(plan, c.node, candidate.factor);
  if (candidate.source != graph::kNone)
    way.source_op = plan.op_of(candidate.source);
  if (from != nullptr) {
    way.source = describe(plan.actions()[from->action], plan.graph());
    way.action = from->action;
  }
  return way;
}

ConflictReport report_of(const Plan &plan, const Case &each) {
  const Conflict &c = *each.conflict;
  const auto &graph = plan.graph();
  ConflictReport report;
  report.kind = c.kind;
  report.axis = plan.mesh().axis(c.axis).name;
  report.at = plan.op_of(c.node);
  if (plan.num_made(c.node) != 0) {
    report.made = plan.made(c.node, 0);
    report.value = graph.value_name(report.made);
  }
  if (!plan.is_pin(c.node)) {
    report.op = op_name(graph, report.at);
    report.location = graph.location_text(report.at);
  }
  std::vector<std::string> ways;
  for (size_t i = 0; i < c.candidates.size(); ++i) {
    report.candidates.push_back(resolution_of(plan, each, i));
    ways.push_back(report.candidates.back().factor);
  }
  report.text = each.orders.empty()
                    ? partition::describe(plan, c)
                    : fmt::format("axis '{}' at {}: {}", report.axis, partition::node_text(plan, c.node),
                                  fmt::join(ways, ", or "));
  return report;
}

std::vector<ConflictReport> reports_of(const Plan &plan, const std::vector<Case> &cases) {
  std::vector<ConflictReport> reports;
  for (const Case &each : cases)
    reports.push_back(report_of(plan, each));
  return reports;
}

std::vector<ConflictReport> reports_of(Trials &trials, const std::vector<Case> &cases) {
  std::vector<ConflictReport> reports = reports_of(trials.plan(), cases);
  for (size_t r = 0; r < reports.size(); ++r)
    reports[r].moves = trials.moves_at(cases[r].conflict->node);
  for (const bool moves : {true, false}) // those that move something first
    for (size_t r = 0; r < reports.size(); ++r)
      for (size_t i = 0; reports[r].moves == moves && i < reports[r].candidates.size() && !gives_up(); ++i)
        trials.cost(cases[r], i, reports[r].candidates[i]);
  return reports;
}

std::vector<Case> open_cases(const Plan &plan) {
  std::vector<Case> open;
  for (const Conflict *c : partition::real_conflicts(plan))
    open.push_back({c, {}});
  return open;
}

std::vector<Case> cases_of(const std::vector<partition::Disagreement> &found) {
  std::vector<Case> each;
  for (const partition::Disagreement &d : found)
    each.push_back({&d, d.orders});
  return each;
}

} // namespace

std::vector<ConflictReport> conflict_reports(const Plan &plan) { return reports_of(plan, open_cases(plan)); }

std::vector<ConflictReport> disagreement_reports(const Plan &plan) {
  Plan copy = plan; // which keeps the split rules of what is offered
  const std::vector<partition::Disagreement> found = partition::disagreements(copy);
  return reports_of(copy, cases_of(found));
}

std::vector<ConflictReport> conflict_reports(const Subject &subject) {
  if (!subject.plan)
    return {};
  Trials trials(subject);
  return reports_of(trials, open_cases(*subject.plan));
}

std::vector<ConflictReport> disagreement_reports(const Subject &subject) {
  if (!subject.plan)
    return {};
  Trials trials(subject);
  const std::vector<partition::Disagreement> found = partition::disagreements(trials.plan());
  return reports_of(trials, cases_of(found));
}

} // namespace tw::report
