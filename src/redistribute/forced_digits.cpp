// SPDX-License-Identifier: Apache-2.0
// The two conditions that every path without a permutation meets.
#include "redistribute/forced_digits.hpp"

#include <algorithm>

#include "base/status.hpp"

namespace tw::redistribute {

namespace {

constexpr uint64_t kNoKey = ~uint64_t{0};
constexpr uint8_t kNo = 1, kYes = 2;

} // namespace

void Memo::clear() {
  if (keys_.empty())
    keys_.resize(64);
  std::ranges::fill(keys_, kNoKey);
  answers_.assign(keys_.size(), 0);
  known_ = 0;
}

uint8_t &Memo::answer(uint64_t key) {
  if (2 * known_ >= keys_.size())
    grow();
  size_t at = (key * 0x9e3779b97f4a7c15u) >> 32 & (keys_.size() - 1);
  while (keys_[at] != key && keys_[at] != kNoKey)
    at = (at + 1) & (keys_.size() - 1);
  known_ += keys_[at] == kNoKey;
  keys_[at] = key;
  return answers_[at];
}

void Memo::grow() {
  std::vector<uint64_t> keys(2 * keys_.size(), kNoKey);
  std::vector<uint8_t> answers(keys.size(), 0);
  keys.swap(keys_);
  answers.swap(answers_);
  known_ = 0;
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i] != kNoKey)
      answer(keys[i]) = answers[i];
}

bool equally_many(std::span<const int32_t> class_of, size_t classes, std::vector<int32_t> &count) {
  if (class_of.size() % classes != 0)
    return false;
  const auto share = static_cast<int32_t>(class_of.size() / classes);
  count.assign(classes, 0);
  for (const int32_t c : class_of)
    if (++count[static_cast<size_t>(c)] > share)
      return false;
  return true;
}

void ForcedDigits::start(const Ends &ends) {
  e_ = ends;
  rank_ = ends.graph->rank();
  devices_ = rank_ == 0 ? 0 : ends.src.size() / rank_;
  agreements_.clear();
  balances_.clear();
}

std::vector<Need> ForcedDigits::needs() {
  const size_t primes = e_.graph->primes().size();
  std::vector<Need> needs;
  for (size_t digit = 0; digit < e_.graph->num_digits(); ++digit) {
    const uint8_t both =
        std::min(e_.graph->exponents(e_.source)[digit], e_.graph->exponents(e_.target)[digit]);
    uint8_t agreed = 0;
    for (int32_t shards = 1; agreed < both; ++agreed) {
      shards *= static_cast<int32_t>(e_.graph->primes()[digit % primes]);
      if (!agree(digit / primes, shards))
        break;
    }
    if (agreed < both)
      needs.push_back({digit, agreed});
  }
  return needs;
}

ForcedDigits::Verdict ForcedDigits::judge(std::span<const State> path) {
  const TileGraph &graph = *e_.graph;
  const size_t digits = graph.num_digits(), primes = graph.primes().size(), states = path.size();
  least_before_.resize(states * digits);
  least_after_.resize(states * digits);
  for (size_t at = 0; at < states; ++at)
    for (size_t i = 0; i < digits; ++i) {
      const uint8_t now = graph.exponents(path[at])[i];
      least_before_[at * digits + i] = at == 0 ? now : std::min(now, least_before_[(at - 1) * digits + i]);
    }
  for (size_t at = states; at-- > 0;)
    for (size_t i = 0; i < digits; ++i) {
      const uint8_t now = graph.exponents(path[at])[i];
      least_after_[at * digits + i] =
          at + 1 == states ? now : std::min(now, least_after_[(at + 1) * digits + i]);
    }

  const auto value = [&](const uint8_t *exponents) {
    int32_t v = 1;
    for (size_t prime = 0; prime < primes; ++prime)
      for (int i = 0; i < exponents[prime]; ++i)
        v *= static_cast<int32_t>(graph.primes()[prime]);
    return v;
  };
  for (size_t dim = 0; dim < rank_; ++dim)
    if (!agree(dim, value(least_after_.data() + dim * primes)))
      return Verdict::digits;
  if (!graph.one_prime())
    for (size_t dim = 0; dim < rank_; ++dim)
      if (!reachable(path, dim))
        return Verdict::digits;

  forced_.assign(states, kNoState);
  from_target_.assign(states, 0);
  for (size_t at = 0; at < states; ++at) {
    State forced = path[at];
    for (size_t dim = 0; dim < rank_; ++dim) {
      const uint8_t *before = least_before_.data() + at * digits + dim * primes;
      const uint8_t *after = least_after_.data() + at * digits + dim * primes;
      // With one prime, the finer contains all that the other says.
      const bool target = value(after) >= value(before);
      if (target)
        from_target_[at] |= uint32_t{1} << dim;
      for (size_t prime = 0; prime < primes; ++prime)
        for (int i = graph.exponents(forced)[dim * primes + prime]; i > (target ? after : before)[prime]; --i)
          forced = graph.coarser(forced, dim * primes + prime);
    }
    forced_[at] = forced;
    if (at != 0 && at + 1 != states && !balanced(forced, from_target_[at])) {
      step_ = at;
      return Verdict::balance;
    }
  }
  return Verdict::possible;
}

int32_t ForcedDigits::coarse(State forced, uint32_t from_target, size_t device, size_t dim) const {
  const bool target = (from_target >> dim & 1) != 0;
  const int32_t shards = e_.graph->shards(target ? e_.target : e_.source)[dim];
  const int32_t tile = (target ? e_.dst : e_.src)[device * rank_ + dim];
  return tile / (shards / e_.graph->shards(forced)[dim]);
}

int32_t ForcedDigits::tile(size_t at, size_t device, size_t dim) const {
  return coarse(forced_[at], from_target_[at], device, dim);
}

// Whether every device's source and target tile lie in the same of `shards` coarse ones, which divide both
// counts.
bool ForcedDigits::agree(size_t dim, int32_t shards) {
  if (shards == 1)
    return true;
  uint8_t &answer = agreements_.answer(uint64_t{dim} << 32 | static_cast<uint32_t>(shards));
  if (answer != 0)
    return answer == kYes;
  const int32_t src = e_.graph->shards(e_.source)[dim] / shards,
                dst = e_.graph->shards(e_.target)[dim] / shards;
  answer = kYes;
  for (size_t device = 0; device < devices_ && answer == kYes; ++device)
    if (e_.src[device * rank_ + dim] / src != e_.dst[device * rank_ + dim] / dst)
      answer = kNo;
  return answer == kYes;
}

// Whether tiles that lie in one another lead from every device's source tile to its target tile. With one
// prime, agreement in the coarsest tiles says it all; thirds and halves overlap without lying in one another.
bool ForcedDigits::reachable(std::span<const State> path, size_t dim) {
  const auto shards = [&](size_t at) { return e_.graph->shards(path[at])[dim]; };
  reach_.resize(static_cast<size_t>(shards(0)));
  for (int32_t tile = 0; tile < shards(0); ++tile) {
    int32_t first = tile, last = tile; // what is reached are neighbours
    for (size_t at = 1; at < path.size(); ++at) {
      const int32_t coarse = std::min(shards(at - 1), shards(at));
      const int32_t up = shards(at - 1) / coarse, down = shards(at) / coarse;
      first = first / up * down;
      last = last / up * down + down - 1;
    }
    reach_[static_cast<size_t>(tile)] = {first, last};
  }
  for (size_t device = 0; device < devices_; ++device) {
    const auto [first, last] = reach_[static_cast<size_t>(e_.src[device * rank_ + dim])];
    const int32_t tile = e_.dst[device * rank_ + dim];
    if (tile < first || tile > last)
      return false;
  }
  return true;
}

bool ForcedDigits::balanced(State forced, uint32_t from_target) {
  uint8_t &answer = balances_.answer(uint64_t{from_target} << 32 | static_cast<uint32_t>(forced));
  if (answer != 0)
    return answer == kYes;
  static thread_local std::vector<int32_t> class_of;
  class_of.assign(devices_, 0);
  size_t classes = 1;
  for (size_t dim = 0; dim < rank_; ++dim) {
    const int32_t shards = e_.graph->shards(forced)[dim];
    if (shards == 1)
      continue;
    classes *= static_cast<size_t>(shards);
    for (size_t device = 0; device < devices_; ++device)
      class_of[device] = class_of[device] * shards + coarse(forced, from_target, device, dim);
  }
  answer = equally_many(class_of, classes, count_) ? kYes : kNo;
  return answer == kYes;
}

} // namespace tw::redistribute
