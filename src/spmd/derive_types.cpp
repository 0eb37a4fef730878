// SPDX-License-Identifier: Apache-2.0
// Derives the distributed types of every node from its loop nest, once for each distinct pair of rule and nest.
#include <algorithm>

#include "partition/stated.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {

namespace {

using partition::NodeId;

struct KeyHash {
  size_t operator()(const std::vector<uint64_t> &key) const { return Hasher().add(std::span(key)).value(); }
};

// All that a node's types depend on.
void make_key(const Lowering &lowering, NodeId n, std::vector<uint64_t> &key) {
  const partition::Plan &plan = lowering.plan;
  key.clear();
  if (plan.is_op(n)) {
    key.push_back(plan.rules().rule_id(n));
  } else { // one array, read and made some times
    const graph::ValueId v = plan.num_made(n) != 0 ? plan.made(n, 0) : plan.reads(n)[0];
    key.push_back(uint64_t{1} << 63 | lowering.graph.value(v).type);
    key.push_back(uint64_t{plan.reads(n).size()} << 32 | plan.num_made(n));
  }
  for (const partition::NestEntry &e : plan.nest(n))
    key.push_back(uint64_t{e.split} << 16 | uint64_t{e.factor} << 8 | e.axis);
}

NodeTypes types_of(Lowering &lowering, NodeId n) {
  const partition::Plan &plan = lowering.plan;
  const graph::Graph &graph = lowering.graph;
  NodeTypes types;
  const auto reads = plan.reads(n);
  for (uint32_t i = 0; i < reads.size(); ++i)
    types.operands.push_back(lowering.intern(plan.operand_sharding(n, i), graph.type(reads[i])));
  for (uint32_t i = 0; i < plan.num_made(n); ++i)
    types.results.push_back(lowering.intern(plan.result_sharding(n, i), graph.type(plan.made(n, i))));
  if (!types.results.empty())
    types.reduce_axes = lowering.sharding(types.results[0]).stacked_axes();
  return types;
}

// The layout that the plan asks for a result: one that was fixed, one that somebody stated, or that of the argument which the result
// overwrites, so that the next step can take it. Otherwise a result stays as it was made.
std::vector<std::optional<ShardingId>> result_types_of(Lowering &lowering) {
  const partition::Plan &plan = lowering.plan;
  const graph::Graph &graph = lowering.graph;
  std::vector<std::optional<ShardingId>> asked(graph.results().size());
  for (size_t i = 0; i < graph.arguments().size(); ++i)
    if (const int32_t result = graph.alias_of_argument(i); result >= 0) {
      const graph::OpId argument = graph.arguments()[i];
      asked[static_cast<size_t>(result)] =
          lowering.intern(plan.result_sharding(argument, 0), graph.type(graph.result(argument)));
    }
  for (size_t i = 0; i < asked.size(); ++i) {
    const graph::OpId op = graph.results()[i];
    const graph::TensorType &type = graph.type(graph.operands(op)[0]);
    if (const sharding::Sharding *fixed = plan.result_layout(i))
      asked[i] = lowering.intern(*fixed, type);
    else if (partition::is_stated_result(plan, op))
      asked[i] = lowering.intern(plan.operand_sharding(op, 0), type);
  }
  return asked;
}

} // namespace

Status derive_types(Lowering &lowering) {
  const partition::Plan &plan = lowering.plan;
  Interner<std::vector<uint64_t>, KeyHash> keys;
  std::vector<uint64_t> key;
  lowering.types_of.assign(plan.num_nodes(), graph::kNone);
  for (NodeId n = 0; n < plan.num_nodes(); ++n) {
    if (!plan.takes_part(n) || plan.is_source(n) || lowering.is_result(n))
      continue;
    make_key(lowering, n, key);
    const uint32_t id = keys.intern(std::as_const(key));
    if (id == lowering.types.size())
      lowering.types.push_back(types_of(lowering, n));
    lowering.types_of[n] = id;
  }
  lowering.result_types = result_types_of(lowering);
  return {};
}

} // namespace tw::spmd
