// SPDX-License-Identifier: Apache-2.0
// What a value adds to a price in all its layouts, one record for each way it was met: plans come by the
// thousand, and around one value there are few.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cost/terms.hpp"

namespace tw::cost {

struct Held {
  Place first, last;
  int64_t bytes;
  bool operator==(const Held &) const = default;
};

class ValueTerms {
public:
  using Id = uint32_t;
  static constexpr Id kNothing = 0; // adds nothing
  static constexpr Id kUnknown = ~Id{0};
  struct Terms {
    Picoseconds moving = 0;
    int64_t received = 0;
    uint32_t first_held = 0, num_held = 0;
  };

  const Terms &operator[](Id id) const { return terms_[id]; }
  std::span<const Held> held(Id id) const {
    return std::span(held_).subspan(terms_[id].first_held, terms_[id].num_held);
  }

  // What a value added when its layouts followed from such a key, or kUnknown.
  Id find(graph::ValueId v, std::span<const uint32_t> key) const;
  // With an empty key: not to be found again.
  Id add(graph::ValueId v, std::span<const uint32_t> key, Picoseconds moving, int64_t received,
         std::span<const Held> held);

  // Whether it has grown so far that it should forget.
  bool is_full() const { return words_.size() + held_.size() * 4 + terms_.size() * 8 > most_words_; }
  // All but these, which get other numbers.
  void forget_others(std::span<Id *const> kept);
  void set_most_words(size_t most) { most_words_ = most; } // of 4 bytes

private:
  struct Slot {
    uint32_t tag;           // of the hash
    uint32_t at = kUnknown; // in words_; kUnknown: it is free
  };
  static uint64_t hash_of(graph::ValueId v, std::span<const uint32_t> key);
  size_t slot_of(graph::ValueId v, std::span<const uint32_t> key, uint64_t hash) const;
  void grow();

  std::vector<Terms> terms_{{}};
  std::vector<Held> held_;
  // What is known: the id, the value, its key, which is as long whenever it is asked for.
  std::vector<uint32_t> words_;
  std::vector<Slot> slots_; // a power of two
  size_t num_known_ = 0;
  size_t most_words_ = size_t{1} << 26;
};

} // namespace tw::cost
