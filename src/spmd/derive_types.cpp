// SPDX-License-Identifier: Apache-2.0
// Derives the distributed types of every node from its loop nest, once for each distinct pair of rule and
// nest. An argument that the caller gives with halos has tiles with these.
#include <algorithm>

#include "ops/halo.hpp"
#include "partition/stated.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {

namespace {

using partition::NodeId;

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
    types.reduce_axes = lowering.sharding(types.results[0]).partial_axes();
  return types;
}

// Arguments that the caller gives with halos: an op says so.
void find_given_halos(Lowering &lowering) {
  const graph::Graph &graph = lowering.graph;
  for (graph::OpId op = 0; op < graph.ops().size(); ++op)
    if (const auto halo = ops::kept_halo(graph, op); halo && halo->of_argument)
      if (const graph::OpId maker = graph.value(graph.operands(op)[0]).def;
          maker != graph::kNone && lowering.is_argument(maker))
        lowering.given_halos.emplace(maker, op);
}

// An argument has its halos where all who read it find it in its own tiles, those that keep the halos too.
void give_halo(Lowering &lowering, graph::OpId argument, graph::OpId keep_halo) {
  const partition::Plan &plan = lowering.plan;
  const graph::ValueId v = lowering.graph.result(argument);
  const NodeId pin = plan.pin_of(v);
  const NodeTypes tiles{{}, lowering.node(argument).results, {}};
  const NodeTypes passed{tiles.results, tiles.results, {}};
  if ((pin != graph::kNone && !(lowering.node(pin) == passed)) ||
      (plan.takes_part(keep_halo) && !(lowering.node(keep_halo) == passed)))
    return;
  const ShardingId kept = with_halo(lowering, v, tiles.results[0], keep_halo);
  const auto set = [&](NodeId n, NodeTypes types) {
    lowering.types_of[n] = static_cast<uint32_t>(lowering.types.size());
    lowering.types.push_back(std::move(types));
  };
  set(argument, {{}, {kept}, {}});
  if (pin != graph::kNone)
    set(pin, {{kept}, {kept}, {}});
}

} // namespace

std::set<uint32_t> results_at(const Lowering &lowering, NodeId n) {
  const partition::Plan &plan = lowering.plan;
  std::set<uint32_t> results;
  if (lowering.is_result(n))
    results.insert(lowering.signature_index(n));
  if (plan.is_op(n) && lowering.is_argument(n))
    if (const int32_t result = lowering.graph.alias_of_argument(lowering.signature_index(n)); result >= 0)
      results.insert(static_cast<uint32_t>(result));
  for (uint32_t i = 0; i < plan.num_made(n); ++i)
    plan.flow().each_reader(plan.made(n, i), [&](const partition::Port &reader) {
      if (lowering.is_result(reader.node))
        results.insert(lowering.signature_index(reader.node));
    });
  return results;
}

Status derive_types(Lowering &lowering) {
  const partition::Plan &plan = lowering.plan;
  std::vector<uint64_t> key;
  const auto derive = [&](NodeId n) {
    if (!plan.takes_part(n) || plan.is_source(n) || lowering.is_result(n))
      return;
    make_key(lowering, n, key);
    const uint32_t id = lowering.type_keys_.intern(std::as_const(key));
    if (id == lowering.types_of_key_.size()) {
      lowering.types_of_key_.push_back(static_cast<uint32_t>(lowering.types.size()));
      lowering.types.push_back(types_of(lowering, n));
    }
    lowering.types_of[n] = lowering.types_of_key_[id];
  };
  const auto ask = [&](uint32_t result) {
    const auto asked = partition::asked_layout(plan, result, lowering.overwritten_[result]);
    const graph::OpId op = lowering.graph.results()[result], overwritten = lowering.overwritten_[result];
    lowering.result_types[result] =
        asked ? std::optional(lowering.intern(*asked, lowering.graph.type(lowering.graph.operands(op)[0])))
              : std::nullopt;
    if (lowering.given_halos.contains(overwritten) && !partition::is_stated_result(plan, op))
      lowering.result_types[result] = lowering.node(overwritten).results[0];
  };
  if (lowering.scope) {
    for (const NodeId n : lowering.scope->nodes) {
      derive(n);
      for (const uint32_t result : results_at(lowering, n))
        ask(result);
    }
    return {};
  }
  const graph::Graph &graph = lowering.graph;
  lowering.types_of.assign(plan.num_nodes(), graph::kNone);
  for (NodeId n = 0; n < plan.num_nodes(); ++n)
    derive(n);
  find_given_halos(lowering);
  for (const auto &[argument, keep_halo] : lowering.given_halos)
    give_halo(lowering, argument, keep_halo);
  lowering.overwritten_.assign(graph.results().size(), graph::kNone);
  for (size_t i = 0; i < graph.arguments().size(); ++i)
    if (const int32_t result = graph.alias_of_argument(i); result >= 0)
      lowering.overwritten_[static_cast<size_t>(result)] = graph.arguments()[i];
  lowering.result_types.resize(graph.results().size());
  for (uint32_t i = 0; i < graph.results().size(); ++i)
    ask(i);
  return {};
}

} // namespace tw::spmd
