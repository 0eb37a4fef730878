// SPDX-License-Identifier: Apache-2.0
// Of each value what it moves, so that what is lowered again takes the place of what was counted for it.
#include "spmd/moved_bytes.hpp"

#include <algorithm>
#include <cmath>

#include "base/saturating.hpp"

namespace tw::spmd {

using graph::ValueId;
using partition::NodeId;

Result<std::unique_ptr<MovedBytes>> MovedBytes::create(const partition::Plan &plan, const Options &options) {
  TW_ASSIGN(auto kept, KeptLowering::create(plan, options));
  std::unique_ptr<MovedBytes> made(new MovedBytes(std::move(kept)));
  made->collect();
  return made;
}

Status MovedBytes::update(std::span<const NodeId> changed) {
  kept_->forget();
  TW_TRY(kept_->update(changed));
  collect();
  return {};
}

void MovedBytes::collect() {
  Lowering &lowering = kept_->lowering();
  const Program &program = kept_->program();
  if (kept_->lowered_all()) {
    moves_.clear();
    uneven_.clear();
    total_ = even_ = 0;
    if (!lowering.mesh.loop_axes().empty()) {
      const Statistics statistics = find_statistics(program);
      total_ =
          std::llround(statistics.bytes_received_mean * static_cast<double>(lowering.mesh.num_devices()));
      even_ = statistics.bytes_received_max;
      return;
    }
  }
  kept_->values().each([&](ValueId v) {
    if (const auto known = moves_.find(v); known != moves_.end()) {
      for (const Times &t : known->second)
        count(t.move, -t.times);
      moves_.erase(known);
    }
  });
  Statistics runs;
  count_runs(program, runs);
  for (size_t id = 0; id < program.collectives().size(); ++id) {
    const Instr &instr = program.instrs()[program.collectives()[id].instr];
    for (uint32_t i = 0; i < instr.num_operands; ++i) {
      const Value &from = program.values()[program.operands(instr)[i]];
      const Move move{lowering.graph.value(from.origin).type, from.sharding,
                      program.values()[instr.first_result + i].sharding};
      if (!kept_->has(from.origin) || lowering.summary(move.type, move.src, move.dst).bytes_received_max == 0)
        continue;
      moves_[from.origin].push_back({move, runs.times[id]});
      count(move, runs.times[id]);
    }
  }
}

void MovedBytes::count(const Move &move, int64_t times) {
  Lowering &lowering = kept_->lowering();
  const redistribute::Summary &summary = lowering.summary(move.type, move.src, move.dst);
  const double everywhere = summary.bytes_received_mean * static_cast<double>(lowering.mesh.num_devices());
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
  Lowering &lowering = kept_->lowering();
  std::vector<int64_t> devices(static_cast<size_t>(lowering.mesh.num_devices()), 0);
  for (const auto &[move, times] : uneven_) {
    const auto received =
        redistribute::bytes_received(lowering.move(move.type, move.src, move.dst).problem());
    for (Position position; position < lowering.mesh.num_positions(); ++position)
      devices[static_cast<size_t>(lowering.mesh.device_of(position).index())] +=
          times * received[static_cast<size_t>(position)];
  }
  return even_ + std::ranges::max(devices);
}

bool MovedBytes::moves_at(NodeId n) const {
  const partition::Plan &plan = kept_->lowering().plan;
  if (!plan.mesh().loop_axes().empty())
    return total_ != 0;
  bool moves = std::ranges::any_of(plan.reads(n), [&](ValueId v) { return moves_.contains(v); });
  for (uint32_t i = 0; i < plan.num_made(n); ++i)
    moves |= moves_.contains(plan.made(n, i));
  return moves;
}

} // namespace tw::spmd
