// SPDX-License-Identifier: Apache-2.0
// The graph of local shapes that sequences of collectives walk: its states say into how many tiles each
// dimension is cut, its edges which collectives lead from one to another. It depends on the rank and the
// devices alone, so problems share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "redistribute/sequence.hpp"

namespace tw::redistribute {

using State = int32_t;
constexpr State kNoState = -1;
constexpr size_t kMaxStates = 1 << 15;

struct PrimePower {
  int64_t prime;
  int exponent;
};

// A state is a vector of exponents, one per dimension and prime of the devices ("digit"; those of a dimension
// lie side by side): in state s dimension i has prod p^exponent tiles, and all tiles together divide the
// devices.
class TileGraph {
public:
  // The graphs used last are kept per thread; valid until the thread's next call. None where it has more than
  // kMaxStates.
  static const TileGraph *of(size_t rank, int64_t devices);

  size_t rank() const { return rank_; }
  std::span<const int64_t> primes() const { return primes_; }
  size_t num_digits() const { return rank_ * primes_.size(); }
  size_t num_states() const { return exponents_.size() / (num_digits() + 1); }
  bool one_prime() const { return primes_.size() <= 1; }

  std::span<const uint8_t> exponents(State s) const {
    return {exponents_.data() + static_cast<size_t>(s) * (num_digits() + 1), num_digits()};
  }
  std::span<const int32_t> shards(State s) const {
    return {shards_.data() + static_cast<size_t>(s) * rank_, rank_};
  }
  State find(std::span<const int64_t> shards) const;
  // One more or one less factor of a digit's prime; none where the devices do not suffice, or it has none.
  State finer(State s, size_t digit) const { return finer_[static_cast<size_t>(s) * num_digits() + digit]; }
  State coarser(State s, size_t digit) const {
    return coarser_[static_cast<size_t>(s) * num_digits() + digit];
  }
  // The states with as many tiles in all.
  std::span<const State> peers(State s) const {
    const auto level = static_cast<size_t>(level_[static_cast<size_t>(s)]);
    return {peers_.data() + first_peer_[level], peers_.data() + first_peer_[level + 1]};
  }
  size_t level(State s) const { return static_cast<size_t>(level_[static_cast<size_t>(s)]); }
  size_t num_levels() const { return first_peer_.size() - 1; }

  // Whether each dimension's tiles of `a` are unions of those of `b`.
  bool contains(State a, State b) const;

  // Visits every other state in which the digits [begin, end) are finer, or coarser; f says whether to go on
  // beyond its argument.
  template <typename F> void each_finer(State s, size_t begin, size_t end, F &&f) const {
    each_beyond(finer_.data(), s, begin, end, f);
  }
  template <typename F> void each_coarser(State s, size_t begin, size_t end, F &&f) const {
    each_beyond(coarser_.data(), s, begin, end, f);
  }
  // Visits every state to which one all-to-all leads. It leads back, too.
  template <typename F> void each_exchanged(State s, OpSet ops, F &&f) const;

private:
  TileGraph(size_t rank, int64_t devices);
  void list_states(std::span<const PrimePower> powers);
  void link_neighbours();
  void group_peers(std::span<const PrimePower> powers);

  template <typename F> void each_beyond(const State *next, State s, size_t begin, size_t end, F &f) const {
    const State *row = next + static_cast<size_t>(s) * num_digits();
    for (size_t digit = begin; digit < end; ++digit)
      if (row[digit] != kNoState && f(row[digit]))
        each_beyond(next, row[digit], digit, end, f);
  }
  template <typename F> void each_moved(State s, size_t from, size_t to, size_t prime, F &f) const {
    for (; prime < primes_.size(); ++prime) {
      const State less = coarser(s, from * primes_.size() + prime);
      if (less == kNoState)
        continue;
      const State moved = finer(less, to * primes_.size() + prime);
      f(moved);
      each_moved(moved, from, to, prime, f);
    }
  }
  bool exchangeable(State a, State b) const;

  size_t rank_;
  int64_t devices_;
  std::vector<int64_t> primes_;
  std::vector<uint8_t> exponents_; // states x (digits + 1), so that a scalar has states, too
  std::vector<int32_t> shards_;
  std::vector<State> finer_, coarser_;
  std::vector<int32_t> level_;
  std::vector<State> peers_;
  std::vector<size_t> first_peer_;
};

template <typename F> void TileGraph::each_exchanged(State s, OpSet ops, F &&f) const {
  if (ops == OpSet::scalar) {
    for (size_t from = 0; from < rank_; ++from)
      for (size_t to = 0; to < rank_; ++to)
        if (from != to)
          each_moved(s, from, to, 0, f);
    return;
  }
  for (const State other : peers(s))
    if (other != s && (one_prime() || exchangeable(s, other)))
      f(other);
}

} // namespace tw::redistribute
