// SPDX-License-Identifier: Apache-2.0
// Large ones only: what small ones are tiled like seldom matters.
#include "search/values.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "ops/op_def.hpp"
#include "ops/registry.hpp"

namespace tw::search {

using graph::Graph;
using graph::OpId;
using graph::TypeId;
using graph::ValueId;

std::vector<Value> find_values(const Graph &graph, const FewLayers &few) {
  constexpr size_t kOfType = 3, kMost = 16;
  const Graph &small = *few.graph;
  const std::vector<bool> sources = ops::find_sources(small);
  std::map<TypeId, std::vector<ValueId>> by_type;
  for (const OpId op : small.region(0).ops) {
    const graph::Op &of = small.op(op);
    if (ops::is_signature(ops::op_def(of.code)) || sources[op] || few.repeats.count[op] != 1)
      continue;
    for (uint32_t i = 0; i < of.num_results; ++i)
      if (const ValueId v = small.result(op, i); small.type(v).rank() > 1 && small.uses(v).size() > 1)
        by_type[small.value(v).type].push_back(v);
  }
  std::vector<ValueId> chosen;
  for (auto &[type, values] : by_type) {
    std::ranges::stable_sort(values, std::greater<>(), [&](ValueId v) { return small.uses(v).size(); });
    values.resize(std::min(values.size(), kOfType));
    chosen.insert(chosen.end(), values.begin(), values.end());
  }
  std::ranges::sort(chosen, {}, [&](ValueId v) { return std::tuple(-small.type(v).bytes(), v); });
  if (chosen.size() > kMost)
    chosen.resize(kMost);
  std::vector<Value> values;
  for (const ValueId v : chosen)
    values.push_back({v, graph.result(few.from[small.value(v).def], small.value(v).index)});
  return values;
}

} // namespace tw::search
