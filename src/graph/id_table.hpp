// SPDX-License-Identifier: Apache-2.0
// Finds the id of a value that lies in an array elsewhere: an open-addressing table of 32-bit ids. The graph
// keeps the values, the builder keeps only this beside them.
#pragma once

#include <cstdint>
#include <vector>

namespace tw::graph {

class IdTable {
public:
  static constexpr uint32_t kAbsent = UINT32_MAX;

  // The id whose value has this hash and is `equal`, or kAbsent.
  template <class Equal> uint32_t find(uint64_t hash, Equal &&equal) const {
    const auto key = static_cast<uint32_t>(hash >> 32);
    if (!slots_.empty())
      for (size_t slot = first_slot(key); slots_[slot] != kEmpty; slot = next_slot(slot))
        if (const Entry &entry = entries_[slots_[slot]]; entry.key == key && equal(entry.id))
          return entry.id;
    return kAbsent;
  }

  // The same, or the id that `make` returns for a new value.
  template <class Equal, class Make> uint32_t find_or_add(uint64_t hash, Equal &&equal, Make &&make) {
    if (const uint32_t id = find(hash, equal); id != kAbsent)
      return id;
    const uint32_t id = make();
    if ((entries_.size() + 1) * 4 > slots_.size() * 3)
      grow();
    const auto key = static_cast<uint32_t>(hash >> 32);
    insert(key, static_cast<uint32_t>(entries_.size()));
    entries_.push_back({key, id});
    return id;
  }

private:
  static constexpr uint32_t kEmpty = UINT32_MAX;
  struct Entry {
    uint32_t key; // high half of the hash
    uint32_t id;
  };

  size_t first_slot(uint32_t key) const { return key & (slots_.size() - 1); }
  size_t next_slot(size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  void insert(uint32_t key, uint32_t entry) {
    size_t slot = first_slot(key);
    while (slots_[slot] != kEmpty)
      slot = next_slot(slot);
    slots_[slot] = entry;
  }

  void grow() {
    slots_.assign(slots_.empty() ? 16 : slots_.size() * 2, kEmpty);
    for (uint32_t i = 0; i < entries_.size(); ++i)
      insert(entries_[i].key, i);
  }

  std::vector<Entry> entries_;
  std::vector<uint32_t> slots_; // power of two
};

} // namespace tw::graph
