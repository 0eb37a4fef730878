// SPDX-License-Identifier: Apache-2.0
// Arrays that go from one layout to another, and what is known of each: what that amounts to, and the plan by
// which it goes. Whatever asks for a move, to count it, to price it, to report it or to run it, has the same
// one.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "redistribute/exchange.hpp"
#include "redistribute/plan.hpp"
#include "redistribute/problem.hpp"

namespace tw::redistribute {

// Immutable. What takes time by pairs of devices is found when it is first asked for, by any thread.
class Move {
public:
  // What a program moves on its mesh (Problem::within), straight from holder to taker.
  Move(const sharding::Mesh &mesh, graph::TensorType type, sharding::Sharding src, sharding::Sharding dst);
  // What was planned. `is_straight`: it goes straight all the same, and the plan only says what that costs.
  struct Planned {
    std::shared_ptr<const Plan> plan;
    std::vector<int64_t> bytes_by_level = {}; // of redistribute::bytes_by_level
    int64_t scratch_bytes = 0;                // of intermediate tiles, on the device that needs most
    bool is_straight = false;
  };
  explicit Move(Planned planned, Summary summary = {});
  Move(const Move &) = delete;

  const Problem &problem() const { return *problem_; }
  const std::shared_ptr<const Problem> &shared_problem() const { return problem_; }
  // Of layouts on one mesh. From tiles that overlap it tells local slices alone.
  const Summary &summary() const;
  // Whether every device takes what it misses from a holder, in one step (direct_pieces). Else it goes by the
  // steps of its plan.
  bool is_straight() const { return is_straight_; }
  const Plan &plan() const;
  // Per level of what it was planned for, outermost first, and inside the innermost groups: what the group,
  // or at last the device, that receives most gets from others. Empty where it was planned for no levels.
  std::span<const int64_t> bytes_by_level() const { return bytes_by_level_; }
  int64_t scratch_bytes() const { return scratch_bytes_; }

private:
  std::shared_ptr<const Problem> problem_;
  mutable std::once_flag summarised_;
  mutable std::optional<Summary> summary_;
  bool is_straight_ = true;
  mutable std::once_flag planned_;
  mutable std::shared_ptr<const Plan> plan_;
  std::vector<int64_t> bytes_by_level_;
  int64_t scratch_bytes_ = 0;
};

// What several that move together in one way amount to.
Summary together(std::span<const Move *const> moves);

// The moves of a program, which stay where they are. One thread at a time adds to them.
class Moves {
public:
  // Numbers that stand for a type and two layouts of one mesh.
  struct Key {
    uint32_t type, src, dst;
    bool operator==(const Key &) const = default;
  };
  const Move &find(const Key &key, const sharding::Mesh &mesh, const graph::TensorType &type,
                   const sharding::Sharding &src, const sharding::Sharding &dst) {
    const auto [at, fresh] = known_.try_emplace(key, nullptr);
    if (fresh)
      at->second = &all_.emplace_back(mesh, type, src, dst);
    return *at->second;
  }
  // One that nobody asks for by its key.
  template <class... Args> const Move &add(Args &&...args) {
    return all_.emplace_back(std::forward<Args>(args)...);
  }

private:
  struct Hash {
    size_t operator()(const Key &key) const {
      return Hasher().add(key.type).add(key.src).add(key.dst).value();
    }
  };
  std::deque<Move> all_;
  std::unordered_map<Key, const Move *, Hash> known_;
};

} // namespace tw::redistribute
