// SPDX-License-Identifier: Apache-2.0
// Roles of stacks first; what is in none is a group by itself.
#include "search/groups.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "ops/op_def.hpp"
#include "ops/registry.hpp"
#include "search/looks.hpp"

namespace tw::search {

using graph::Graph;
using graph::OpId;
using graph::ValueId;

namespace {

Purpose purpose_of(const Graph &graph, OpId argument) {
  const ValueId v = graph.result(argument);
  if (!graph::is_float(graph.type(v).dtype))
    return Purpose::other;
  bool elementwise = true, products = false;
  for (const graph::Use &use : graph.uses(v)) {
    const ops::OpDef &def = ops::op_def(graph.op(use.op).code);
    elementwise = elementwise && (def.flags & ops::kElementwise) != 0;
    products = products || def.kind == ops::OpKind::dot || def.kind == ops::OpKind::convolution;
  }
  const auto makes_same = [&](OpId result) { return graph.type(graph.operands(result)[0]) == graph.type(v); };
  const bool comes_back = std::ranges::any_of(graph.results(), makes_same);
  if (elementwise && comes_back)
    return Purpose::state;
  return comes_back || products ? Purpose::weight : Purpose::other;
}

} // namespace

std::vector<Group> find_groups(const Graph &graph, const Looks &looks, const std::vector<Stack> &stacks,
                               const FewLayers &few) {
  std::unordered_map<OpId, size_t> index;
  for (size_t i = 0; i < graph.arguments().size(); ++i)
    index[graph.arguments()[i]] = i;
  std::vector<Group> groups;
  std::vector<bool> taken(graph.arguments().size(), false);
  const auto add = [&](const std::vector<OpId> &ops) {
    const graph::TensorType &type = graph.type(graph.result(ops[0]));
    Group group;
    for (const OpId op : ops) {
      const size_t i = index.at(op);
      taken[i] = true;
      group.arguments.push_back(i);
      const OpId there = few.graph->arguments()[few.arguments[i]];
      if (std::ranges::find(group.few, there) == group.few.end())
        group.few.push_back(there);
    }
    if (type.rank() == 0 || graph.uses(graph.result(ops[0])).empty())
      return;
    group.type = few.graph->value(few.graph->result(group.few[0])).type;
    group.purpose = purpose_of(graph, ops[0]);
    groups.push_back(std::move(group));
  };
  for (const Stack &stack : stacks)
    for (const Role &role : stack.roles)
      if (index.contains(role[0]))
        add(role);
  for (size_t i = 0; i < taken.size(); ++i)
    if (!taken[i])
      add({graph.arguments()[i]});

  const auto order = [&](const Group &group) {
    const OpId first = graph.arguments()[group.arguments[0]];
    const auto bytes = static_cast<double>(graph.type(graph.result(first)).bytes()) *
                       static_cast<double>(group.arguments.size());
    const int place = group.purpose == Purpose::weight ? 0 : group.purpose == Purpose::other ? 1 : 2;
    return std::tuple(place, -bytes, looks.time_of(first), looks.far(first));
  };
  std::ranges::stable_sort(groups, {}, order);
  return groups;
}

} // namespace tw::search
