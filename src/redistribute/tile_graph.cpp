// SPDX-License-Identifier: Apache-2.0
// Enumerates the states of a graph of local shapes and links each with its neighbours.
#include "redistribute/tile_graph.hpp"

#include <algorithm>
#include <memory>

namespace tw::redistribute {

namespace {

constexpr size_t kGraphsKept = 8;

std::vector<PrimePower> factorise(int64_t n) {
  std::vector<PrimePower> powers;
  for (int64_t p = 2; n > 1; ++p) {
    if (p * p > n)
      p = n;
    int exponent = 0;
    for (; n % p == 0; n /= p)
      ++exponent;
    if (exponent != 0)
      powers.push_back({p, exponent});
  }
  return powers;
}

// How many states there are: per prime, the ways to put at most `exponent` factors into `rank` dimensions.
bool too_many(size_t rank, const std::vector<PrimePower> &powers) {
  double states = 1;
  for (const PrimePower &power : powers)
    for (int i = 1; i <= power.exponent; ++i)
      states *= static_cast<double>(rank + static_cast<size_t>(i)) / i;
  return states > static_cast<double>(kMaxStates) + 0.5;
}

} // namespace

const TileGraph *TileGraph::of(size_t rank, int64_t devices) {
  static thread_local std::vector<std::unique_ptr<TileGraph>> kept; // the latest first
  const auto at = std::ranges::find_if(
      kept, [&](const auto &graph) { return graph->rank_ == rank && graph->devices_ == devices; });
  if (at != kept.end()) {
    std::rotate(kept.begin(), at, at + 1);
    return kept.front().get();
  }
  if (too_many(rank, factorise(devices)))
    return nullptr;
  if (kept.size() == kGraphsKept)
    kept.pop_back();
  kept.insert(kept.begin(), std::unique_ptr<TileGraph>(new TileGraph(rank, devices)));
  return kept.front().get();
}

TileGraph::TileGraph(size_t rank, int64_t devices) : rank_(rank), devices_(devices) {
  const std::vector<PrimePower> powers = factorise(devices);
  for (const PrimePower &power : powers)
    primes_.push_back(power.prime);
  list_states(powers);
  link_neighbours();
  group_peers(powers);
}

void TileGraph::list_states(std::span<const PrimePower> powers) {
  const size_t digits = num_digits(), width = digits + 1;
  // All exponent vectors in lexicographic order: count up from the last digit, within what is left of each
  // prime.
  std::vector<uint8_t> now(width, 0);
  std::vector<int> used(powers.size(), 0);
  for (bool more = true; more;) {
    exponents_.insert(exponents_.end(), now.begin(), now.end());
    more = false;
    for (size_t digit = digits; digit-- > 0 && !more;) {
      const size_t prime = digit % powers.size();
      if (used[prime] < powers[prime].exponent) {
        ++now[digit];
        ++used[prime];
        more = true;
      } else {
        used[prime] -= now[digit];
        now[digit] = 0;
      }
    }
  }

  const size_t states = num_states();
  shards_.assign(states * rank_, 1);
  for (size_t s = 0; s < states; ++s)
    for (size_t digit = 0; digit < digits; ++digit)
      for (int i = 0; i < exponents_[s * width + digit]; ++i)
        shards_[s * rank_ + digit / powers.size()] *=
            static_cast<int32_t>(powers[digit % powers.size()].prime);
}

// They are sorted, so that a neighbour is found by bisection.
void TileGraph::link_neighbours() {
  const size_t states = num_states(), digits = num_digits(), width = digits + 1;
  const auto vector_of = [&](size_t s) { return exponents_.data() + s * width; };
  const auto index_of = [&](const std::vector<uint8_t> &wanted) {
    size_t low = 0, high = states;
    while (high - low > 1) {
      const size_t middle = (low + high) / 2;
      if (std::lexicographical_compare(wanted.begin(), wanted.end(), vector_of(middle),
                                       vector_of(middle) + width))
        high = middle;
      else
        low = middle;
    }
    return static_cast<State>(low);
  };
  std::vector<uint8_t> now;
  finer_.assign(states * digits, kNoState);
  coarser_.assign(states * digits, kNoState);
  for (size_t s = 0; s < states; ++s) {
    now.assign(vector_of(s), vector_of(s) + width);
    for (size_t digit = 0; digit < digits; ++digit) {
      if (now[digit] == 0)
        continue;
      --now[digit];
      const State less = index_of(now);
      ++now[digit];
      coarser_[s * digits + digit] = less;
      finer_[static_cast<size_t>(less) * digits + digit] = static_cast<State>(s);
    }
  }
}

// A level is a number of tiles in all.
void TileGraph::group_peers(std::span<const PrimePower> powers) {
  const size_t states = num_states(), digits = num_digits(), width = digits + 1;
  std::vector<int> used(powers.size(), 0);
  level_.assign(states, 0);
  size_t levels = 1;
  for (const PrimePower &power : powers)
    levels *= static_cast<size_t>(power.exponent) + 1;
  first_peer_.assign(levels + 1, 0);
  for (size_t s = 0; s < states; ++s) {
    std::ranges::fill(used, 0);
    for (size_t digit = 0; digit < digits; ++digit)
      used[digit % powers.size()] += exponents_[s * width + digit];
    int32_t level = 0;
    for (size_t prime = 0; prime < powers.size(); ++prime)
      level = level * (powers[prime].exponent + 1) + used[prime];
    level_[s] = level;
    ++first_peer_[static_cast<size_t>(level) + 1];
  }
  for (size_t level = 0; level < levels; ++level)
    first_peer_[level + 1] += first_peer_[level];
  std::vector<size_t> end(first_peer_.begin(), first_peer_.end() - 1);
  peers_.resize(states);
  for (size_t s = 0; s < states; ++s)
    peers_[end[static_cast<size_t>(level_[s])]++] = static_cast<State>(s);
}

State TileGraph::find(std::span<const int64_t> shards) const {
  State s = 0; // no dimension is cut
  for (size_t dim = 0; dim < rank_ && s != kNoState; ++dim) {
    int64_t left = shards[dim];
    for (size_t prime = 0; prime < primes_.size(); ++prime)
      for (; left % primes_[prime] == 0 && s != kNoState; left /= primes_[prime])
        s = finer(s, dim * primes_.size() + prime);
    if (left != 1)
      return kNoState;
  }
  return s;
}

bool TileGraph::contains(State a, State b) const {
  const std::span<const uint8_t> x = exponents(a), y = exponents(b);
  for (size_t digit = 0; digit < x.size(); ++digit)
    if (x[digit] > y[digit])
      return false;
  return true;
}

// Each dimension grows or shrinks by a whole factor.
bool TileGraph::exchangeable(State a, State b) const {
  const std::span<const uint8_t> x = exponents(a), y = exponents(b);
  for (size_t dim = 0; dim < rank_; ++dim) {
    bool less = false, more = false;
    for (size_t digit = dim * primes_.size(); digit < (dim + 1) * primes_.size(); ++digit) {
      less = less || x[digit] < y[digit];
      more = more || x[digit] > y[digit];
    }
    if (less && more)
      return false;
  }
  return true;
}

} // namespace tw::redistribute
