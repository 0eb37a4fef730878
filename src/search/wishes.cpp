// SPDX-License-Identifier: Apache-2.0
// The relaxation with one axis to decide at a time, so that ops have few choices. Where bytes count, it is
// on a machine whose time is bytes: each picosecond a byte is received, or loops turn as often as a byte is
// worth.
#include "search/wishes.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "base/watch.hpp"
#include "cost/timed_moves.hpp"
#include "partition/alike.hpp"
#include "search/relaxation.hpp"
#include "spmd/moved_bytes.hpp"

namespace tw::search {

using partition::NodeId;
using partition::Plan;
using partition::Wish;

namespace {

system::System machine_of_bytes(double turns) {
  constexpr double kPicoseconds = 1e12; // a second
  constexpr double kFlops = 2;          // a turn
  system::System system;
  system.device.flops["f32"] = kFlops * turns * kPicoseconds;
  system.device.hbm_bytes_per_s = std::numeric_limits<double>::infinity();
  system.axes["*"] = {.topology = system::Link::Topology::switched, .bytes_per_s = kPicoseconds};
  return system;
}

// Ops in an order that does not know how they are numbered, but for those that are alike.
struct Order {
  explicit Order(const Plan &plan)
      : ops(plan.graph().ops().size()), alike(partition::find_alike(plan, kDepth)) {
    std::vector<uint32_t> level(ops.size(), 0); // makers stand on lower ones
    for (graph::OpId op = 0; op < level.size(); ++op)
      for (const graph::ValueId v : plan.graph().operands(op))
        if (const graph::OpId maker = plan.graph().value(v).def; maker != graph::kNone)
          level[op] = std::max(level[op], level[maker] + 1);
    std::iota(ops.begin(), ops.end(), 0);
    std::ranges::sort(ops, {}, [&](graph::OpId op) { return std::tuple(level[op], alike[op], op); });
  }
  static constexpr int kDepth = 12;
  std::vector<graph::OpId> ops;
  std::vector<uint64_t> alike; // by node
};

class MovesWithWishes : public partition::Moves {
public:
  MovesWithWishes(std::unique_ptr<partition::Moves> counted, std::shared_ptr<const system::System> system)
      : counted_(std::move(counted)), system_(std::move(system)) {}
  Moved moved() const override { return counted_->moved(); }
  bool is_time() const override { return counted_->is_time(); }
  bool follow(std::span<const NodeId> changed) override { return counted_->follow(changed); }
  bool moves_at(NodeId n) const override { return counted_->moves_at(n); }
  std::unique_ptr<Moves> whole() const override { return counted_->whole(); }

  std::vector<Wish> wishes(const Plan &plan, sharding::AxisId axis, double turns) const override {
    constexpr Effort kEffort{.bounding = 1e7}; // few rounds in a large program, and many in a small one
    std::vector<Wish> wishes;
    const system::System system = system_ == nullptr ? machine_of_bytes(turns) : *system_;
    const Order order(plan);
    const auto relaxation = relax(plan, system, axis, order.ops);
    if (!relaxation)
      return wishes;
    const Relaxed relaxed = solve(*relaxation, kEffort);
    std::map<uint64_t, std::map<ops::FactorId, size_t>> votes; // of ops that are alike
    for (NodeId n = 0; n < relaxed.nests.size(); ++n) {
      if (!relaxed.nests[n] || plan.entry(n, axis) != nullptr)
        continue;
      Wish wish{n, partition::kAny};
      for (const auto &[of, factor] : *relaxed.nests[n])
        if (of == axis)
          wish.factor = factor;
      wishes.push_back(wish);
      ++votes[order.alike[n]][wish.factor];
    }
    for (Wish &wish : wishes)
      wish.factor = std::ranges::max_element(votes[order.alike[wish.node]], {}, [](const auto &vote) {
                      return vote.second;
                    })->first;
    return wishes;
  }

private:
  std::unique_ptr<partition::Moves> counted_;
  const std::shared_ptr<const system::System> system_; // null: bytes count
};

} // namespace

partition::CountMoves count_for(partition::Policy policy, std::shared_ptr<const system::System> system) {
  const auto count = [system](const Plan &plan) {
    return system == nullptr ? spmd::count_moves(plan) : cost::time_moves(plan, system);
  };
  if (policy != partition::Policy::cheapest)
    return count;
  return [=](const Plan &plan) -> std::unique_ptr<partition::Moves> {
    auto counted = count(plan);
    return counted ? std::make_unique<MovesWithWishes>(std::move(counted), system) : nullptr;
  };
}

} // namespace tw::search
