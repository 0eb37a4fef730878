// SPDX-License-Identifier: Apache-2.0
// From 64-bit numbers to small values, in one array: for tables that are asked far more often than they grow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.hpp"

namespace tw {

// Nothing is ever taken out.
template <class Value> class FlatMap {
public:
  // The value of a key, and whether it is new; it stays there until another one comes.
  std::pair<Value &, bool> try_emplace(uint64_t key) {
    if ((size_ + 1) * 3 > slots_.size() * 2)
      grow();
    Slot &slot = slots_[find_slot(key)];
    const bool fresh = !slot.used;
    if (fresh) {
      slot = {key, Value{}, true};
      ++size_;
    }
    return {slot.value, fresh};
  }
  // Null where there is none.
  const Value *find(uint64_t key) const {
    if (slots_.empty())
      return nullptr;
    const Slot &slot = slots_[find_slot(key)];
    return slot.used ? &slot.value : nullptr;
  }
  size_t size() const { return size_; }

private:
  struct Slot {
    uint64_t key = 0;
    Value value{};
    bool used = false;
  };

  size_t find_slot(uint64_t key) const {
    size_t at = hash_mix(key, 0) & (slots_.size() - 1);
    while (slots_[at].used && slots_[at].key != key)
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
    std::swap(old, slots_);
    for (Slot &slot : old)
      if (slot.used)
        slots_[find_slot(slot.key)] = std::move(slot);
  }

  std::vector<Slot> slots_; // a power of two
  size_t size_ = 0;
};

} // namespace tw
