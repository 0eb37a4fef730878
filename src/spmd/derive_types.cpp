// SPDX-License-Identifier: Apache-2.0
// Derives the distributed types of every node from its loop nest, once for each distinct pair of rule and
// nest. An argument that the caller gives with halos has tiles with these.
#include <algorithm>
#include <numeric>

#include "ops/halo.hpp"
#include "partition/stated.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {

namespace {

using partition::NodeId;

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
  lowering.set_types(argument, {{}, {kept}, {}});
  if (pin != graph::kNone)
    lowering.set_types(pin, {{kept}, {kept}, {}});
}

} // namespace

uint32_t Lowering::key_without_nest(NodeId n) {
  if (plan.is_op(n))
    return key_with(0, plan.rules().rule_id(n) << 1);
  // One array, read and made some times.
  const graph::ValueId v = plan.num_made(n) != 0 ? plan.made(n, 0) : plan.reads(n)[0];
  return key_with(
      key_with(key_with(0, graph.value(v).type << 1 | 1), static_cast<uint32_t>(plan.reads(n).size())),
      plan.num_made(n));
}

void Lowering::find_results_at() {
  std::vector<std::pair<NodeId, uint32_t>> at;
  for (uint32_t result = 0; result < graph.results().size(); ++result) {
    const graph::OpId op = graph.results()[result];
    const graph::ValueId v = graph.operands(op)[0];
    at.emplace_back(op, result);
    for (const NodeId n : {plan.flow().maker(v).node, plan.pin_of(v)})
      if (n != graph::kNone)
        at.emplace_back(n, result);
  }
  for (size_t i = 0; i < graph.arguments().size(); ++i)
    if (const int32_t result = graph.alias_of_argument(i); result >= 0)
      at.emplace_back(graph.arguments()[i], static_cast<uint32_t>(result));
  std::ranges::sort(at);
  at.erase(std::unique(at.begin(), at.end()), at.end());
  results_begin_.assign(plan.num_nodes() + 1, 0);
  results_.clear();
  for (const auto &[n, result] : at) {
    ++results_begin_[n + 1];
    results_.push_back(result);
  }
  std::partial_sum(results_begin_.begin(), results_begin_.end(), results_begin_.begin());
}

Status derive_types(Lowering &lowering) {
  const partition::Plan &plan = lowering.plan;
  constexpr uint32_t kSplit = uint32_t{1} << 31;
  lowering.keys_without_nest_.resize(plan.num_nodes(), graph::kNone);
  const auto derive = [&](NodeId n) {
    if (!plan.takes_part(n) || plan.is_source(n) || lowering.is_result(n))
      return;
    uint32_t &without_nest = lowering.keys_without_nest_[n];
    if (without_nest == graph::kNone)
      without_nest = lowering.key_without_nest(n);
    uint32_t key = without_nest;
    for (const partition::NestEntry &e : plan.nest(n)) {
      if (e.split != 0) // its cuts, then its factor
        key = lowering.key_with(key, kSplit | e.split);
      key = lowering.key_with(key, uint32_t{e.factor} << 8 | e.axis);
    }
    if (lowering.types_of_key_[key] == graph::kNone) {
      const uint32_t types = lowering.types.intern(types_of(lowering, n));
      lowering.types_of_key_[key] = types;
    }
    lowering.set_types(n, lowering.types_of_key_[key]);
  };
  const auto ask = [&](uint32_t result) {
    const graph::OpId op = lowering.graph.results()[result], overwritten = lowering.overwritten_[result];
    if (overwritten != graph::kNone && !partition::is_stated_result(plan, op)) // as it is, with its halos
      return lowering.ask_result(result, lowering.node(overwritten).results[0]);
    const auto asked = partition::asked_layout(plan, result, overwritten);
    lowering.ask_result(result, asked ? std::optional(lowering.intern(
                                            *asked, lowering.graph.type(lowering.graph.operands(op)[0])))
                                      : std::nullopt);
  };
  if (lowering.scope) {
    lowering.scope->nodes.each([&](NodeId n) {
      derive(n);
      for (const uint32_t result : lowering.results_at(n))
        ask(result);
    });
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
