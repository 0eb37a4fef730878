// SPDX-License-Identifier: Apache-2.0
// Gives equal values one dense 32-bit id, so that large programs store ids and compare them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "base/hash.hpp"
#include "base/status.hpp"

namespace tw {

// Ids count from 0 in order of first appearance; references to values stay valid.
template <class T, class Hash = std::hash<T>, class Equal = std::equal_to<>> class Interner {
public:
  // `Key` may be any type that Hash and Equal take and from which a T can be made.
  template <class Key> uint32_t intern(Key &&key) {
    if ((values_.size() + 1) * 4 > slots_.size() * 3)
      grow();
    const uint64_t hash = spread(key);
    size_t slot = find_slot(key, hash);
    if (slots_[slot] == kEmpty) {
      TW_ASSERT(values_.size() < kEmpty);
      slots_[slot] = static_cast<uint32_t>(values_.size());
      values_.emplace_back(std::forward<Key>(key));
      hashes_.push_back(static_cast<uint32_t>(hash >> 32));
    }
    return slots_[slot];
  }

  // The id of a value that was interned, or `absent`.
  template <class Key> uint32_t find(const Key &key) const {
    return slots_.empty() ? absent : slots_[find_slot(key, spread(key))];
  }

  const T &operator[](uint32_t id) const { return values_[id]; }
  size_t size() const { return values_.size(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

  static constexpr uint32_t absent = UINT32_MAX;

private:
  static constexpr uint32_t kEmpty = absent;

  // std::hash of integers is the identity: mix it. The slot comes from the high half, which is kept for
  // growing.
  template <class Key> static uint64_t spread(const Key &key) { return hash_mix(Hash{}(key), 1); }

  size_t first_slot(uint32_t high) const { return high & (slots_.size() - 1); }

  template <class Key> size_t find_slot(const Key &key, uint64_t hash) const {
    const auto high = static_cast<uint32_t>(hash >> 32);
    size_t slot = first_slot(high);
    while (slots_[slot] != kEmpty && !(hashes_[slots_[slot]] == high && Equal{}(values_[slots_[slot]], key)))
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  void grow() {
    slots_.assign(slots_.empty() ? 16 : slots_.size() * 2, kEmpty);
    for (uint32_t id = 0; id < values_.size(); ++id) {
      size_t slot = first_slot(hashes_[id]);
      while (slots_[slot] != kEmpty)
        slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = id;
    }
  }

  std::deque<T> values_;
  std::vector<uint32_t> hashes_; // high half of each value's hash
  std::vector<uint32_t> slots_;  // power of two
};

} // namespace tw
