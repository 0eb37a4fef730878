// SPDX-License-Identifier: Apache-2.0
// Terms are compared as they stand, and taken apart from the last made on only as far as they differ.
#include "spmd/check_sums.hpp"

#include <functional>
#include <map>

#include "ops/reduction.hpp"
#include "ops/registry.hpp"

namespace tw::spmd {

using graph::ValueId;

bool is_addition(const graph::Graph &graph, graph::OpId op) {
  static const graph::OpCode add = *ops::find_op(ops::combiner_op(sharding::Reduction::sum));
  return graph.op(op).code == add;
}

void OpenSums::add(const Instr &instr, const ops::EqualValues &equal) {
  std::vector<ValueId> terms;
  for (const ValueRef v : program_.operands(instr)) {
    if (const auto open = terms_.find(v); open != terms_.end())
      terms.insert(terms.end(), open->second.begin(), open->second.end());
    else
      terms.push_back(program_.values()[v].origin);
  }
  if (!is_sum_of(program_.graph().result(instr.op), terms, equal))
    terms_.emplace(instr.first_result, std::move(terms));
}

void OpenSums::move(ValueRef from, ValueRef to) {
  if (const auto open = terms_.find(from); open != terms_.end()) {
    std::vector<ValueId> terms = open->second;
    terms_.emplace(to, std::move(terms));
  }
}

bool OpenSums::is_sum_of(ValueId sum, std::span<const ValueId> terms, const ops::EqualValues &equal) const {
  const graph::Graph &graph = program_.graph();
  std::map<ValueId, int64_t, std::greater<>> more; // how often a value is a term too often
  const auto count = [&](ValueId v, int64_t times) {
    if (const auto at = more.try_emplace(equal.of(v), 0).first; (at->second += times) == 0)
      more.erase(at);
  };
  for (const ValueId v : terms)
    count(v, 1);
  count(sum, -1);
  while (!more.empty()) {
    const auto [v, times] = *more.begin(); // what it is made of comes before it
    const graph::OpId op = graph.value(v).def;
    if (op == graph::kNone || !is_addition(graph, op))
      return false;
    more.erase(more.begin());
    for (const ValueId term : graph.operands(op))
      count(term, times);
  }
  return true;
}

} // namespace tw::spmd
