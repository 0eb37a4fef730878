// SPDX-License-Identifier: Apache-2.0
// Finds the id of a value that lies in an array elsewhere: an open-addressing table of 32-bit ids. The graph
// keeps the values, the builder keeps only this beside them.
#pragma once

#include <cstdint>
#include <vector>

namespace tw::graph {

class IdTable {
public:
  // The id whose value is equal to the one with this hash, or the one that `make` appends.
  template <class Equal, class Make> uint32_t find_or_add(uint64_t hash, Equal &&equal, Make &&make) {
    if ((hashes_.size() + 1) * 4 > slots_.size() * 3)
      grow();
    const auto key = static_cast<uint32_t>(hash >> 32);
    size_t slot = key & (slots_.size() - 1);
    for (; slots_[slot] != kEmpty; slot = (slot + 1) & (slots_.size() - 1))
      if (const Entry &entry = hashes_[slots_[slot]]; entry.key == key && equal(entry.id))
        return entry.id;
    const uint32_t id = make();
    slots_[slot] = static_cast<uint32_t>(hashes_.size());
    hashes_.push_back({key, id});
    return id;
  }

private:
  static constexpr uint32_t kEmpty = UINT32_MAX;
  struct Entry {
    uint32_t key; // high half of the hash
    uint32_t id;
  };

  void grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, kEmpty);
    for (uint32_t i = 0; i < hashes_.size(); ++i) {
      size_t slot = hashes_[i].key & (slots_.size() - 1);
      while (slots_[slot] != kEmpty)
        slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = i;
    }
  }

  std::vector<Entry> hashes_;
  std::vector<uint32_t> slots_; // power of two
};

} // namespace tw::graph
