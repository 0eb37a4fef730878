// SPDX-License-Identifier: Apache-2.0
// The moves of a value follow from the types of those who make and read it, and types from nests and from
// where partial values are combined. So a change reaches the nodes whose nests are new, those with whom they
// may share a minimum cut (Lowering::may_be_partial) or the slices that are joined (join_slices), and the
// values at all nodes whose types came out otherwise. Over steps and threads a move may reach a whole loop:
// there everything is lowered again.
#include "spmd/moved_bytes.hpp"

#include <algorithm>
#include <cmath>

#include "base/saturating.hpp"
#include "ops/joined_slice.hpp"
namespace tw::spmd {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::NodeId;
using partition::Port;

Options counted_options(Options options) {
  options.naive = false; // ends in the same program
  options.without.insert(options.without.end(),
                         {"make_again", "hoist_invariant", "share_equal", "reorder_sums", "simplify"});
  return options;
}

Result<std::unique_ptr<MovedBytes>> MovedBytes::create(const partition::Plan &plan, const Options &options) {
  std::unique_ptr<MovedBytes> made(new MovedBytes(plan, counted_options(options)));
  TW_TRY(made->lower_all());
  return made;
}

std::shared_ptr<Program> MovedBytes::new_program() const {
  auto program = std::make_shared<Program>();
  program->graph_ = lowering_.plan.graph_ptr();
  program->rules_ = lowering_.plan.rules_ptr();
  program->mesh_ = lowering_.mesh;
  return program;
}

Status MovedBytes::lower_all() {
  moves_.clear();
  uneven_.clear();
  total_ = even_ = 0;
  lowering_.reduction_paths.clear();
  lowering_.may_be_partial.clear();
  lowering_.program = new_program();
  if (lowering_.mesh.loop_axes().empty()) {
    TW_TRY(run_passes(lowering_, outline_loop_crossings));
    collect();
    return {};
  }
  TW_ASSIGN(const auto program, lower(lowering_.plan, lowering_.options));
  const Statistics statistics = find_statistics(*program);
  total_ = std::llround(statistics.bytes_received_mean * static_cast<double>(lowering_.mesh.num_devices()));
  even_ = statistics.bytes_received_max;
  return {};
}

Status MovedBytes::update(std::span<const NodeId> changed) {
  constexpr size_t kFew = 16; // a part of a program takes longer than as much of the whole
  if (!lowering_.mesh.loop_axes().empty() || !lowering_.tiles_without_halo.empty() ||
      changed.size() > lowering_.plan.num_nodes() / kFew + kFew)
    return lower_all();
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

void MovedBytes::grow(std::set<NodeId> &nodes, NodeId first) const {
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

Status MovedBytes::find_types(std::set<NodeId> nodes) {
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

Status MovedBytes::emit_moves(std::unordered_set<ValueId> values) {
  if (values.empty())
    return {};
  for (const ValueId v : values)
    if (const auto known = moves_.find(v); known != moves_.end()) {
      for (const Times &t : known->second)
        count(t.move, -t.times);
      moves_.erase(known);
    }
  auto &ops = lowering_.scope->ops;
  for (const ValueId v : values)
    add_ops(ops, v);
  for (auto &[region, inside] : ops) {
    std::ranges::sort(inside);
    inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
  }
  lowering_.scope->values = std::move(values);
  lowering_.program = new_program();
  TW_TRY(place_reductions(lowering_));
  TW_TRY(emit(lowering_));
  collect();
  return {};
}

void MovedBytes::add_ops(std::map<graph::RegionId, std::vector<OpId>> &ops, ValueId v) const {
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

void MovedBytes::collect() {
  const Program &program = *lowering_.program;
  Statistics runs;
  count_runs(program, runs);
  for (size_t id = 0; id < program.collectives().size(); ++id) {
    const Instr &instr = program.instrs()[program.collectives()[id].instr];
    for (uint32_t i = 0; i < instr.num_operands; ++i) {
      const Value &from = program.values()[program.operands(instr)[i]];
      const Move move{lowering_.graph.value(from.origin).type, from.sharding,
                      program.values()[instr.first_result + i].sharding};
      if (!lowering_.has_in_scope(from.origin) ||
          lowering_.summary(move.type, move.src, move.dst).bytes_received_max == 0)
        continue;
      moves_[from.origin].push_back({move, runs.times[id]});
      count(move, runs.times[id]);
    }
  }
}

void MovedBytes::count(const Move &move, int64_t times) {
  const redistribute::Summary &summary = lowering_.summary(move.type, move.src, move.dst);
  const double everywhere = summary.bytes_received_mean * static_cast<double>(lowering_.mesh.num_devices());
  total_ = saturating_add(total_, saturating_mul(times, saturating_round(everywhere)));
  if (summary.even) {
    even_ = saturating_add(even_, saturating_mul(times, summary.bytes_received_max));
    return;
  }
  int64_t &all = uneven_[move];
  all += times;
  if (all == 0)
    uneven_.erase(move);
}

int64_t MovedBytes::received_max() const {
  if (uneven_.empty())
    return even_;
  std::vector<int64_t> devices(static_cast<size_t>(lowering_.mesh.num_devices()), 0);
  for (const auto &[move, times] : uneven_) {
    const auto received = redistribute::bytes_received(
        redistribute::Problem::within(lowering_.mesh, lowering_.graph.type_at(move.type),
                                      lowering_.sharding(move.src), lowering_.sharding(move.dst)));
    for (Position position; position < lowering_.mesh.num_positions(); ++position)
      devices[static_cast<size_t>(lowering_.mesh.device_of(position).index())] +=
          times * received[static_cast<size_t>(position)];
  }
  return even_ + std::ranges::max(devices);
}

bool MovedBytes::moves_at(NodeId n) const {
  if (!lowering_.mesh.loop_axes().empty())
    return total_ != 0;
  const partition::Plan &plan = lowering_.plan;
  bool moves = std::ranges::any_of(plan.reads(n), [&](ValueId v) { return moves_.contains(v); });
  for (uint32_t i = 0; i < plan.num_made(n); ++i)
    moves |= moves_.contains(plan.made(n, i));
  return moves;
}

namespace {

class PlanMoves : public partition::Moves {
public:
  explicit PlanMoves(std::unique_ptr<MovedBytes> moved) : moved_(std::move(moved)) {}
  Bytes bytes() const override { return {moved_->received_max(), moved_->received_total()}; }
  bool follow(std::span<const NodeId> changed) override { return moved_->update(changed).has_value(); }

private:
  std::unique_ptr<MovedBytes> moved_;
};

} // namespace

std::unique_ptr<partition::Moves> count_moves(const partition::Plan &plan) {
  auto moved = MovedBytes::create(plan);
  return moved ? std::make_unique<PlanMoves>(std::move(*moved)) : nullptr;
}

} // namespace tw::spmd
