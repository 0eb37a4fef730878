// SPDX-License-Identifier: Apache-2.0
// What a path of local shapes leaves no choice about when nothing is permuted, and whether that alone makes
// the path impossible.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "redistribute/shape_paths.hpp"

namespace tw::redistribute {

// Both ends of a problem: the tile of every device, devices x rank, in the dimensions of the graph.
struct Ends {
  const TileGraph *graph = nullptr;
  std::span<const int32_t> src, dst;
  State source = 0, target = 0;
};

// Remembers answers to yes-or-no questions.
class Memo {
public:
  void clear();
  // Where the answer is kept: 0 not known yet, 1 no, 2 yes. Valid until the next call.
  uint8_t &answer(uint64_t key);

private:
  void grow();
  std::vector<uint64_t> keys_;
  std::vector<uint8_t> answers_;
  size_t known_ = 0;
};

// At a state of the path, a device's tile lies in its source tile as far as no step up to there has gathered
// it, and in its target tile as far as no step from there on gathers it. Per dimension the finer of the two
// is forced.
class ForcedDigits {
public:
  void start(const Ends &ends); // which are kept by reference

  // What a path has to come down to, or else its verdict is `digits`: shapes alone tell. With several primes
  // that is not all.
  std::vector<Need> needs();

  enum class Verdict : uint8_t {
    possible,
    digits,  // in some dimension no chain of tiles leads from a device's source tile to its target tile
    balance, // at state `step`, the forced tiles are not held by equally many devices
  };
  Verdict judge(std::span<const State> path);
  size_t step() const { return step_; }

  // Of the path judged last, where possible. At each state, which tiles are forced, and in which dimensions
  // they are the target's (bits).
  State forced(size_t at) const { return forced_[at]; }
  uint32_t from_target(size_t at) const { return from_target_[at]; }
  // The forced tile of a device in a dimension.
  int32_t tile(size_t at, size_t device, size_t dim) const;

private:
  bool agree(size_t dim, int32_t shards);
  bool reachable(std::span<const State> path, size_t dim);
  bool balanced(State forced, uint32_t from_target);
  int32_t coarse(State forced, uint32_t from_target, size_t device, size_t dim) const;

  Ends e_;
  size_t rank_ = 0, devices_ = 0, step_ = 0;
  Memo agreements_, balances_;
  std::vector<uint8_t> least_before_, least_after_; // states of the path x digits
  std::vector<State> forced_;
  std::vector<uint32_t> from_target_;
  std::vector<std::pair<int32_t, int32_t>> reach_;
  std::vector<int32_t> count_;
};

// Whether classes [0, classes) have equally many members; `count` is working memory.
bool equally_many(std::span<const int32_t> class_of, size_t classes, std::vector<int32_t> &count);

} // namespace tw::redistribute
