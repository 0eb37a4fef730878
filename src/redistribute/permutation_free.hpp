// SPDX-License-Identifier: Apache-2.0
// Walks a path of local shapes without a permutation: which tile every device has after each step, or why
// that is impossible.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "redistribute/tile_search.hpp"

namespace tw::redistribute {

class PermutationFree {
public:
  // The ends are kept by reference, and so are the sizes of the mesh's axes (row-major).
  void start(const Ends &ends, std::span<const int64_t> axes);

  std::vector<Need> needs() { return forced_.needs(); }

  enum class Answer : uint8_t {
    realised,
    digits,  // see ForcedDigits
    balance, // see ForcedDigits
    unknown, // no tiles found for the digits that are not forced
  };
  Answer realise(std::span<const State> path);
  size_t step() const { return forced_.step(); } // of `balance`
  // After `realised`: the tiles at a state of the path, devices x rank.
  std::span<const int32_t> tiles(size_t at) const {
    return {tiles_.data() + at * devices_ * rank_, devices_ * rank_};
  }

private:
  // Digits of one dimension's tile index that come and go together: from state `from` of the path until
  // before `until`. There from the beginning: digits of the source. There until the end: of the target.
  // Otherwise free.
  struct Block {
    int64_t radix;
    size_t from, until;
  };
  // One prime of a free block, and what fills it.
  struct FreeDigit {
    size_t dim, block;
    int32_t prime;
    size_t from, until;
    const int32_t *value = nullptr; // per device
  };
  struct Coordinate {
    int32_t prime;
    std::vector<int32_t> value; // per device
  };

  bool fill_with_coordinates(std::span<const State> path);
  bool make_blocks(std::span<const State> path);
  void make_free_digits();
  void make_coordinates();
  void add_coordinates(std::span<const int32_t> index, int64_t size);
  void add_sums();
  bool fill(size_t digit);
  void write_forced();
  void write_blocks();

  Ends e_;
  std::span<const int64_t> axes_;
  ForcedDigits forced_;
  size_t rank_ = 0, devices_ = 0, states_ = 0;
  std::vector<std::vector<Block>> blocks_; // per dimension, major to minor
  std::vector<FreeDigit> free_;
  std::vector<Coordinate> coordinates_;
  bool sums_ = false; // are among them
  static constexpr int kMaxTries = 5000;
  int tries_ = 0;
  // Per number of filled digits and state: which tile of those known so far every device has, and how many
  // tiles those are.
  std::vector<std::vector<int32_t>> class_of_;
  std::vector<size_t> classes_;
  TileSearch search_; // where coordinates do not fit
  std::vector<int32_t> tiles_, count_;
};

} // namespace tw::redistribute
