// SPDX-License-Identifier: Apache-2.0
// Costs each resolution of a conflict by the redistributions that it would ask for.
#include "report/conflicts.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "partition/conflicts.hpp"
#include "partition/disagreements.hpp"
#include "report/describe.hpp"

namespace tw::report {
namespace {

using partition::Candidate;
using partition::Conflict;
using partition::NodeId;
using partition::Plan;

// The node's value that two nodes share, and its type in each of them.
struct Edge {
  graph::ValueId value;
  sharding::Sharding src, dst;
};

// The edges between a node and a neighbour, were the node to take the candidate on the conflict's axis.
std::vector<Edge> edges(const Plan &plan, const Conflict &c, NodeId neighbour, const Candidate &candidate) {
  std::vector<Edge> found;
  if (plan.is_pin(c.node))
    return found;
  const auto decided = plan.nest(c.node);
  std::vector<partition::NestEntry> nest(decided.begin(), decided.end());
  const partition::NestEntry taken{c.axis, candidate.factor, c.tactic, candidate.split, candidate.source};
  const auto own = std::ranges::find(nest, c.axis, &partition::NestEntry::axis);
  if (own == nest.end())
    nest.push_back(taken);
  else
    *own = taken;
  const auto operands = plan.reads(c.node);
  for (uint32_t p = 0; p < operands.size(); ++p) {
    if (plan.source(operands[p]) != neighbour)
      continue;
    const uint32_t index = plan.is_pin(neighbour) ? 0 : plan.flow().maker(operands[p]).index;
    found.push_back(
        {operands[p], plan.result_sharding(neighbour, index), plan.operand_sharding(c.node, p, nest)});
  }
  for (uint32_t r = 0; r < plan.num_made(c.node); ++r) {
    const auto v = plan.made(c.node, r);
    if (plan.source(v) != c.node)
      continue;
    plan.flow().each_reader(v, [&](const partition::Port &reader) {
      if (reader.node != neighbour)
        return;
      Edge e{v, plan.result_sharding(c.node, r), plan.operand_sharding(neighbour, reader.index)};
      e.src.dims = plan.result_sharding(c.node, r, nest).dims; // sums are closed whatever is chosen
      found.push_back(std::move(e));
    });
  }
  return found;
}

// Large programs ask the same question many times.
class Costs {
public:
  explicit Costs(const sharding::Mesh &mesh) : mesh_(mesh) {}

  int64_t bytes(const graph::TensorType &type, const Edge &e) {
    if (e.src == e.dst || !sharding::verify(e.src, type.dims, mesh_) ||
        !sharding::verify(e.dst, type.dims, mesh_))
      return 0;
    const auto [known, fresh] =
        known_.try_emplace(fmt::format("{} {} {}", graph::to_text(type), sharding::to_text(e.src, mesh_),
                                       sharding::to_text(e.dst, mesh_)),
                           0);
    if (fresh)
      known->second = redistribute::summarise({mesh_, type, e.src, e.dst}).bytes_received_max;
    return known->second;
  }

private:
  const sharding::Mesh &mesh_;
  std::unordered_map<std::string, int64_t> known_;
};

int64_t resolution_bytes(const Plan &plan, const Conflict &c, const Candidate &chosen, Costs &costs) {
  int64_t bytes = 0;
  for (const auto &other : c.candidates) {
    if (other.source == chosen.source || other.source == graph::kNone || other.source == c.node)
      continue;
    for (const auto &e : edges(plan, c, other.source, chosen))
      bytes += costs.bytes(plan.graph().type(e.value), e);
  }
  return bytes;
}

std::vector<ConflictReport> reports_of(const Plan &plan, const std::vector<const Conflict *> &conflicts) {
  std::vector<ConflictReport> reports;
  Costs costs(plan.mesh());
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
      report.candidates.push_back({partition::factor_text(plan, c.node, candidate.factor),
                                   from == nullptr ? std::string() : describe(plan.tactics()[from->tactic]),
                                   resolution_bytes(plan, c, candidate, costs)});
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

} // namespace

std::vector<ConflictReport> conflict_reports(const Subject &subject) {
  if (!subject.plan)
    return {};
  return reports_of(*subject.plan, partition::real_conflicts(*subject.plan));
}

std::vector<ConflictReport> disagreement_reports(const Subject &subject) {
  if (!subject.plan)
    return {};
  const std::vector<Conflict> found = partition::disagreements(*subject.plan);
  std::vector<const Conflict *> each;
  for (const Conflict &c : found)
    each.push_back(&c);
  return reports_of(*subject.plan, each);
}

} // namespace tw::report
