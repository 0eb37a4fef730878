// SPDX-License-Identifier: Apache-2.0
// A set of small numbers that is filled, visited and emptied again and again: in their order, and in the time
// of those that are in it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tw {

class IdSet {
public:
  explicit IdSet(size_t ids = 0) { resize(ids); }

  // Room for numbers below this; those in it stay.
  void resize(size_t ids) {
    words_.resize(ids / 64 + 1, 0);
    groups_.resize(words_.size() / 64 + 1, 0);
  }
  bool contains(uint32_t id) const { return (words_[id >> 6] >> (id & 63) & 1) != 0; }
  // False where it was there.
  bool add(uint32_t id) {
    uint64_t &word = words_[id >> 6];
    const uint64_t bit = uint64_t{1} << (id & 63);
    if ((word & bit) != 0)
      return false;
    word |= bit;
    groups_[id >> 12] |= uint64_t{1} << (id >> 6 & 63);
    ++size_;
    return true;
  }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Ascending; none may be added meanwhile.
  template <class Visit> void each(Visit visit) const {
    for_words([&](size_t w) {
      for (uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        visit(static_cast<uint32_t>(w * 64) + static_cast<uint32_t>(std::countr_zero(rest)));
    });
  }
  void clear() {
    if (empty())
      return;
    for_words([&](size_t w) { words_[w] = 0; });
    groups_.assign(groups_.size(), 0);
    size_ = 0;
  }

private:
  template <class Visit> void for_words(Visit visit) const {
    for (size_t g = 0; g < groups_.size(); ++g)
      for (uint64_t rest = groups_[g]; rest != 0; rest &= rest - 1)
        visit(g * 64 + static_cast<size_t>(std::countr_zero(rest)));
  }

  std::vector<uint64_t> words_;  // a bit a number
  std::vector<uint64_t> groups_; // a bit a word that is not 0
  size_t size_ = 0;
};

} // namespace tw
