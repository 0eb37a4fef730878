// SPDX-License-Identifier: Apache-2.0
// Forced digits come from the source's or the target's tiles; free ones are filled with coordinates of the
// mesh that leave the tiles balanced for as long as the digit lives.
#include "redistribute/permutation_free.hpp"

#include <algorithm>

#include "base/status.hpp"

namespace tw::redistribute {

void PermutationFree::start(const Ends &ends, std::span<const int64_t> axes) {
  e_ = ends;
  axes_ = axes;
  rank_ = ends.graph->rank();
  devices_ = rank_ == 0 ? 0 : ends.src.size() / rank_;
  forced_.start(ends);
  coordinates_.clear();
  sums_ = false;
}

PermutationFree::Answer PermutationFree::realise(std::span<const State> path) {
  switch (forced_.judge(path)) {
  case ForcedDigits::Verdict::digits: return Answer::digits;
  case ForcedDigits::Verdict::balance: return Answer::balance;
  case ForcedDigits::Verdict::possible: break;
  }
  states_ = path.size();
  bool all_forced = true;
  for (size_t at = 0; at < states_; ++at)
    all_forced = all_forced && forced_.forced(at) == path[at];
  if (all_forced) {
    write_forced();
    return Answer::realised;
  }
  if (fill_with_coordinates(path))
    return Answer::realised;
  if (!search_.find(e_, path))
    return Answer::unknown;
  tiles_ = search_.tiles();
  return Answer::realised;
}

bool PermutationFree::fill_with_coordinates(std::span<const State> path) {
  if (!make_blocks(path))
    return false;
  make_free_digits();
  make_coordinates();
  tries_ = 0;
  if (!fill(0)) {
    add_sums();
    if (!fill(0))
      return false;
  }
  write_blocks();
  return true;
}

void PermutationFree::write_forced() {
  tiles_.resize(states_ * devices_ * rank_);
  for (size_t at = 0, i = 0; at < states_; ++at)
    for (size_t device = 0; device < devices_; ++device)
      for (size_t dim = 0; dim < rank_; ++dim)
        tiles_[i++] = forced_.tile(at, device, dim);
}

// Steps that refine a dimension push a block on its stack, steps that coarsen it pop from the minor end and
// may cut a block in two. False where a factor is popped that does not lie at the end (possible with several
// primes only).
bool PermutationFree::make_blocks(std::span<const State> path) {
  blocks_.resize(rank_);
  for (size_t dim = 0; dim < rank_; ++dim) {
    std::vector<Block> &stack = blocks_[dim];
    stack.clear();
    int32_t tiles = 1;
    for (size_t at = 0; at < states_; ++at) {
      const int32_t now = e_.graph->shards(path[at])[dim];
      if (now > tiles)
        stack.push_back({now / tiles, at, states_});
      int64_t gone = now < tiles ? tiles / now : 1;
      for (size_t i = stack.size(); gone > 1 && i-- > 0;) {
        if (stack[i].until != states_)
          continue;
        if (gone % stack[i].radix == 0) {
          gone /= stack[i].radix;
          stack[i].until = at;
        } else if (stack[i].radix % gone == 0) {
          stack[i].radix /= gone;
          stack.insert(stack.begin() + static_cast<std::ptrdiff_t>(i) + 1, {gone, stack[i].from, at});
          gone = 1;
        } else {
          return false;
        }
      }
      tiles = now;
    }
  }
  return true;
}

void PermutationFree::make_free_digits() {
  free_.clear();
  for (size_t dim = 0; dim < rank_; ++dim)
    for (size_t b = 0; b < blocks_[dim].size(); ++b) {
      const Block &block = blocks_[dim][b];
      if (block.from == 0 || block.until == states_)
        continue;
      int64_t left = block.radix;
      for (const int64_t p : e_.graph->primes())
        for (; left % p == 0; left /= p)
          free_.push_back({dim, b, static_cast<int32_t>(p), block.from, block.until});
    }
  class_of_.resize((free_.size() + 1) * states_);
  classes_.assign((free_.size() + 1) * states_, 1);
  for (size_t at = 0; at < states_; ++at) {
    std::vector<int32_t> &class_of = class_of_[at];
    class_of.assign(devices_, 0);
    for (size_t dim = 0; dim < rank_; ++dim) {
      const int32_t shards = e_.graph->shards(forced_.forced(at))[dim];
      if (shards == 1)
        continue;
      classes_[at] *= static_cast<size_t>(shards);
      for (size_t device = 0; device < devices_; ++device)
        class_of[device] = class_of[device] * shards + forced_.tile(at, device, dim);
    }
  }
}

// Every prime digit of an index below `size`, in every order of the primes.
void PermutationFree::add_coordinates(std::span<const int32_t> index, int64_t size) {
  for (int64_t minor = 1; minor < size; ++minor)
    for (const int64_t p : e_.graph->primes()) {
      if (size % (minor * p) != 0)
        continue;
      Coordinate c{static_cast<int32_t>(p), std::vector<int32_t>(devices_)};
      for (size_t device = 0; device < devices_; ++device)
        c.value[device] = static_cast<int32_t>(index[device] / minor % p);
      if (std::ranges::find(coordinates_, c.value, &Coordinate::value) == coordinates_.end())
        coordinates_.push_back(std::move(c));
    }
}

// Of the mesh, and of the tiles at both ends, which devices in any order may hold.
void PermutationFree::make_coordinates() {
  if (!coordinates_.empty())
    return;
  std::vector<int32_t> index(devices_);
  int64_t minor = 1;
  for (size_t axis = axes_.size(); axis-- > 0; minor *= axes_[axis]) {
    for (size_t device = 0; device < devices_; ++device)
      index[device] = static_cast<int32_t>(static_cast<int64_t>(device) / minor % axes_[axis]);
    add_coordinates(index, axes_[axis]);
  }
  for (size_t dim = 0; dim < rank_; ++dim)
    for (const bool target : {false, true}) {
      for (size_t device = 0; device < devices_; ++device)
        index[device] = (target ? e_.dst : e_.src)[device * rank_ + dim];
      add_coordinates(index, e_.graph->shards(target ? e_.target : e_.source)[dim]);
    }
}

// The sum of two coordinates can stand for either, where the other one is known.
void PermutationFree::add_sums() {
  if (sums_)
    return;
  sums_ = true;
  const size_t plain = coordinates_.size();
  for (size_t a = 0; a < plain; ++a)
    for (size_t b = 0; b < a; ++b) {
      if (coordinates_[a].prime != coordinates_[b].prime)
        continue;
      Coordinate c{coordinates_[a].prime, coordinates_[a].value};
      for (size_t device = 0; device < devices_; ++device)
        c.value[device] = (c.value[device] + coordinates_[b].value[device]) % c.prime;
      coordinates_.push_back(std::move(c));
    }
}

// Fills the free digits from the given one on, with one coordinate each.
bool PermutationFree::fill(size_t digit) {
  if (digit == free_.size())
    return true;
  FreeDigit &f = free_[digit];
  for (const Coordinate &c : coordinates_) {
    if (c.prime != f.prime || ++tries_ > kMaxTries)
      continue;
    bool fits = true;
    for (size_t at = 0; at < states_ && fits; ++at) {
      const std::vector<int32_t> &before = class_of_[digit * states_ + at];
      std::vector<int32_t> &after = class_of_[(digit + 1) * states_ + at];
      size_t &classes = classes_[(digit + 1) * states_ + at];
      after = before;
      classes = classes_[digit * states_ + at];
      if (at < f.from || at >= f.until)
        continue;
      classes *= static_cast<size_t>(f.prime);
      for (size_t device = 0; device < devices_; ++device)
        after[device] = after[device] * f.prime + c.value[device];
      fits = equally_many(after, classes, count_);
    }
    f.value = c.value.data();
    if (fits && fill(digit + 1))
      return true;
  }
  return false;
}

void PermutationFree::write_blocks() {
  tiles_.assign(states_ * devices_ * rank_, 0);
  std::vector<int32_t> value(devices_);
  for (size_t dim = 0; dim < rank_; ++dim)
    for (size_t b = 0; b < blocks_[dim].size(); ++b) {
      const Block &block = blocks_[dim][b];
      const bool source = block.from == 0, target = block.until == states_;
      if (source || target) {
        int64_t minor = 1;
        for (size_t later = b + 1; later < blocks_[dim].size(); ++later)
          if (source ? blocks_[dim][later].from == 0 : blocks_[dim][later].until == states_)
            minor *= blocks_[dim][later].radix;
        for (size_t device = 0; device < devices_; ++device)
          value[device] =
              static_cast<int32_t>((source ? e_.src : e_.dst)[device * rank_ + dim] / minor % block.radix);
      } else {
        std::ranges::fill(value, 0);
        for (const FreeDigit &f : free_)
          if (f.dim == dim && f.block == b)
            for (size_t device = 0; device < devices_; ++device)
              value[device] = value[device] * f.prime + f.value[device];
      }
      for (size_t at = block.from; at < block.until; ++at)
        for (size_t device = 0; device < devices_; ++device) {
          int32_t &tile = tiles_[(at * devices_ + device) * rank_ + dim];
          tile = tile * static_cast<int32_t>(block.radix) + value[device];
        }
    }
}

} // namespace tw::redistribute
