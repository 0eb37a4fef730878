// SPDX-License-Identifier: Apache-2.0
// A table of terms, open-addressed, into which a value and the types around it lead.
#include "cost/value_terms.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/hash.hpp"

namespace tw::cost {

uint64_t ValueTerms::hash_of(graph::ValueId v, std::span<const uint32_t> key) {
  uint64_t hash = v;
  size_t i = 0;
  for (; i + 1 < key.size(); i += 2)
    hash = hash_mix(hash, uint64_t{key[i]} << 32 | key[i + 1]);
  return hash_mix(hash, i < key.size() ? key[i] : kUnknown);
}

// The slot of a value and key, or the free one where they would be.
size_t ValueTerms::slot_of(graph::ValueId v, std::span<const uint32_t> key, uint64_t hash) const {
  const auto tag = static_cast<uint32_t>(hash >> 32);
  const auto is_it = [&](const Slot &slot) {
    return slot.tag == tag && words_[slot.at + 1] == v &&
           std::equal(key.begin(), key.end(), words_.begin() + slot.at + 2);
  };
  size_t at = tag & (slots_.size() - 1);
  while (slots_[at].at != kUnknown && !is_it(slots_[at]))
    at = (at + 1) & (slots_.size() - 1);
  return at;
}

ValueTerms::Id ValueTerms::find(graph::ValueId v, std::span<const uint32_t> key) const {
  if (slots_.empty())
    return kUnknown;
  const Slot &slot = slots_[slot_of(v, key, hash_of(v, key))];
  return slot.at == kUnknown ? kUnknown : words_[slot.at];
}

ValueTerms::Id ValueTerms::add(graph::ValueId v, std::span<const uint32_t> key, Picoseconds moving,
                               int64_t received, std::span<const Held> held) {
  Id id = kNothing;
  if (moving != 0 || received != 0 || !held.empty()) {
    id = static_cast<Id>(terms_.size());
    terms_.push_back(
        {moving, received, static_cast<uint32_t>(held_.size()), static_cast<uint32_t>(held.size())});
    held_.insert(held_.end(), held.begin(), held.end());
  }
  if (key.empty())
    return id;
  if ((num_known_ + 1) * 2 > slots_.size())
    grow();
  const uint64_t hash = hash_of(v, key);
  Slot &slot = slots_[slot_of(v, key, hash)];
  if (slot.at == kUnknown) {
    slot = {static_cast<uint32_t>(hash >> 32), static_cast<uint32_t>(words_.size())};
    words_.push_back(id);
    words_.push_back(v);
    words_.insert(words_.end(), key.begin(), key.end());
    ++num_known_;
  }
  return id;
}

void ValueTerms::grow() {
  std::vector<Slot> old(std::max<size_t>(64, slots_.size() * 2));
  std::swap(old, slots_);
  for (const Slot &known : old)
    if (known.at != kUnknown) {
      size_t at = known.tag & (slots_.size() - 1);
      while (slots_[at].at != kUnknown)
        at = (at + 1) & (slots_.size() - 1);
      slots_[at] = known;
    }
}

void ValueTerms::forget_others(std::span<Id *const> kept) {
  const ValueTerms old = std::move(*this);
  *this = {};
  most_words_ = old.most_words_;
  std::unordered_map<Id, Id> now;
  for (Id *const id : kept) {
    const auto [known, fresh] = now.try_emplace(*id, kNothing);
    if (fresh)
      known->second = add(0, {}, old[*id].moving, old[*id].received, old.held(*id));
    *id = known->second;
  }
}

} // namespace tw::cost
