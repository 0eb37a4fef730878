// SPDX-License-Identifier: Apache-2.0
// The moves of a value follow from the types of those who make and read it, and types from nests and from
// where partial values are combined. So a change reaches the nodes whose nests are new, those with whom they
// may share a minimum cut (Lowering::may_be_partial) or the slices that are joined (join_slices), and the
// values at all nodes whose types came out otherwise. Over steps and threads a move may reach a whole loop:
// there everything is lowered again.
#include "spmd/kept_lowering.hpp"

#include <algorithm>
#include <utility>

#include "ops/joined_slice.hpp"

namespace tw::spmd {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::NodeId;
using partition::Port;

Options counted_options(Options options) {
  options.naive = false; // ends in the same program
  options.bucket_bytes = 0;
  options.without.insert(options.without.end(), {"make_again", "hoist_invariant", "share_equal",
                                                 "reorder_sums", "simplify", "fold_tiles"});
  return options;
}

Result<std::unique_ptr<KeptLowering>> KeptLowering::create(const partition::Plan &plan,
                                                           const Options &options) {
  std::unique_ptr<KeptLowering> made(new KeptLowering(plan, counted_options(options)));
  TW_TRY(made->lower_all());
  return made;
}

std::shared_ptr<Program> KeptLowering::new_program() const {
  auto program = std::make_shared<Program>();
  program->graph_ = lowering_.plan.graph_ptr();
  program->rules_ = lowering_.plan.rules_ptr();
  program->mesh_ = lowering_.mesh;
  program->moves_ = lowering_.program->moves_;
  return program;
}

Status KeptLowering::lower_all() {
  all_ = true;
  retyped_.clear();
  values_.clear();
  lowering_.reduction_paths.clear();
  lowering_.may_be_partial.clear();
  lowering_.program = new_program();
  if (lowering_.mesh.loop_axes().empty())
    return run_passes(lowering_, outline_loop_crossings);
  TW_ASSIGN(const auto program, lower(lowering_.plan, lowering_.options));
  *lowering_.program = *program;
  return {};
}

KeptLowering::State KeptLowering::state() const {
  return {lowering_.types_of, lowering_.result_types, lowering_.may_be_partial, lowering_.reduction_paths,
          lowering_.tiles_without_halo};
}

void KeptLowering::go_back(State state) {
  lowering_.types_of = std::move(state.types_of);
  lowering_.result_types = std::move(state.result_types);
  lowering_.may_be_partial = std::move(state.may_be_partial);
  lowering_.reduction_paths = std::move(state.reduction_paths);
  lowering_.tiles_without_halo = std::move(state.tiles_without_halo);
}

Status KeptLowering::update(std::span<const NodeId> changed) {
  constexpr size_t kFew = 16; // a part of a program takes longer than as much of the whole
  if (!lowering_.mesh.loop_axes().empty() || !lowering_.tiles_without_halo.empty() ||
      !lowering_.given_halos.empty() || changed.size() > lowering_.plan.num_nodes() / kFew + kFew)
    return lower_all();
  all_ = false;
  retyped_.clear();
  std::set<NodeId> nodes;
  for (const NodeId n : changed) {
    grow(nodes, n);
    for (const uint32_t result : results_at(lowering_, n)) {
      const ValueId v = lowering_.graph.operands(lowering_.graph.results()[result])[0];
      if (const NodeId maker = lowering_.plan.flow().maker(v).node; lowering_.may_be_partial[maker])
        grow(nodes, maker);
    }
  }
  return find_types(std::move(nodes));
}

void KeptLowering::grow(std::set<NodeId> &nodes, NodeId first) const {
  const partition::Plan &plan = lowering_.plan;
  std::vector<NodeId> found;
  const auto add = [&](NodeId n) {
    if (nodes.insert(n).second)
      found.push_back(n);
  };
  const auto is_joined = [&](NodeId n) { return plan.is_op(n) && ops::is_joined_slice(lowering_.graph, n); };
  const auto consider = [&](NodeId n, NodeId neighbour) {
    if (n != kNone && (lowering_.may_be_partial[n] || is_joined(n) || is_joined(neighbour) ||
                       may_bring_picks(lowering_, n) || hands_on(plan, n)))
      add(n);
  };
  add(first);
  while (!found.empty()) {
    const NodeId n = found.back();
    found.pop_back();
    for (const ValueId v : plan.reads(n))
      consider(plan.flow().maker(v).node, n);
    for (uint32_t i = 0; i < plan.num_made(n); ++i)
      plan.flow().each_reader(plan.made(n, i), [&](const Port &reader) { consider(reader.node, n); });
  }
}

Status KeptLowering::find_types(std::set<NodeId> nodes) {
  std::map<NodeId, uint32_t> types;
  std::map<uint32_t, std::optional<ShardingId>> results;
  for (;;) {
    for (const NodeId n : nodes) {
      types.try_emplace(n, lowering_.types_of[n]);
      for (const uint32_t result : results_at(lowering_, n))
        results.try_emplace(result, lowering_.result_types[result]);
    }
    lowering_.scope.emplace().nodes = nodes;
    TW_TRY(derive_types(lowering_));
    if (lowering_.does("gather_picks"))
      TW_TRY(gather_picks(lowering_));
    if (lowering_.does("join_slices"))
      TW_TRY(join_slices(lowering_));
    if (lowering_.does("defer_sums"))
      TW_TRY(defer_sums(lowering_));
    const std::vector<NodeId> reached = std::move(lowering_.scope->reached);
    if (reached.empty())
      break;
    for (const NodeId n : reached)
      grow(nodes, n);
  }

  std::unordered_set<ValueId> values;
  const auto add = [&](ValueId v) {
    if (!lowering_.is_source(v))
      values.insert(v);
  };
  const partition::Plan &plan = lowering_.plan;
  for (const auto &[n, before] : types) {
    const uint32_t now = lowering_.types_of[n];
    if (before == now || lowering_.types[before] == lowering_.types[now])
      continue;
    retyped_.push_back(n);
    for (const ValueId v : plan.reads(n))
      add(v);
    for (uint32_t i = 0; i < plan.num_made(n); ++i)
      add(plan.made(n, i));
  }
  for (const auto &[result, before] : results)
    if (before != lowering_.result_types[result])
      add(lowering_.graph.operands(lowering_.graph.results()[result])[0]);
  TW_TRY(emit_moves(std::move(values)));
  lowering_.scope.reset();
  return {};
}

Status KeptLowering::emit_moves(std::unordered_set<ValueId> values) {
  values_ = values;
  lowering_.program = new_program();
  if (values.empty())
    return {};
  auto &ops = lowering_.scope->ops;
  for (const ValueId v : values)
    add_ops(ops, v);
  for (auto &[region, inside] : ops) {
    std::ranges::sort(inside);
    inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
  }
  lowering_.scope->values = std::move(values);
  TW_TRY(place_reductions(lowering_));
  return emit(lowering_);
}

void KeptLowering::add_ops(std::map<graph::RegionId, std::vector<OpId>> &ops, ValueId v) const {
  const partition::Plan &plan = lowering_.plan;
  const auto add = [&](NodeId n) {
    for (OpId op = n == kNone ? kNone : plan.op_of(n); op != kNone;) {
      const graph::RegionId region = lowering_.graph.op(op).parent;
      ops[region].push_back(op);
      op = region == 0 ? kNone : lowering_.graph.region(region).parent;
    }
  };
  add(plan.flow().maker(v).node);
  plan.flow().each_reader(v, [&](const Port &reader) { add(reader.node); });
}

} // namespace tw::spmd
