// SPDX-License-Identifier: Apache-2.0
// The SSA names of one function while it is read: of a text %12 by number, others by hash; of an artifact
// each value by its number there. What a region defined goes when it ends.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "graph/graph.hpp"
#include "graph/id_table.hpp"

namespace tw::import {

// What stands for a value: its name, and of an artifact its number among all values.
struct ValueKey {
  std::string_view name; // without %
  uint32_t record = graph::kNone;
};

class Scope {
public:
  // `max_number`: largest %N kept by number; a text of n characters cannot define more than n/4 of them.
  explicit Scope(size_t max_number) : max_number_(max_number) {}
  // Of an artifact's function, by the numbers of its values.
  static Scope of_records(std::pair<uint32_t, uint32_t> values) {
    Scope scope(0);
    scope.first_record_ = values.first;
    const size_t count = values.second - values.first;
    scope.numbered_.reserve(count);
    scope.values_.reserve(count);
    scope.undo_.reserve(count);
    return scope;
  }

  struct Entry {
    const char *at = nullptr; // of the definition; null where the name is not defined here
    uint32_t first = 0;       // into values
    uint32_t count = 0;
  };

  const Entry *find(std::string_view name) const { return find(ValueKey{name}); }
  const Entry *find(const ValueKey &key) const {
    uint32_t number = 0;
    const Entry *entry = nullptr;
    if (has_number(key, number))
      entry = number < numbered_.size() ? &numbered_[number] : nullptr;
    else if (const uint32_t id = find_named(key.name); id != graph::kNone)
      entry = &named_[id].entry;
    return entry && entry->at ? entry : nullptr;
  }
  std::span<const graph::ValueId> values(const Entry &entry) const {
    return {values_.data() + entry.first, entry.count};
  }

  // False where the name is taken.
  bool define(const ValueKey &key, std::span<const graph::ValueId> values, const char *at) {
    uint32_t id = 0;
    const bool numbered = has_number(key, id);
    if (numbered && id >= numbered_.size())
      numbered_.resize(id + 1);
    if (!numbered)
      id = add_named(key.name);
    Entry &entry = numbered ? numbered_[id] : named_[id].entry;
    if (entry.at)
      return false;
    entry = {at, static_cast<uint32_t>(values_.size()), static_cast<uint32_t>(values.size())};
    values_.insert(values_.end(), values.begin(), values.end());
    undo_.push_back(numbered ? id : id | kNamed);
    return true;
  }

  // Has a name that is defined stand for other values.
  void replace(std::string_view name, std::span<const graph::ValueId> values, const char *at) {
    uint32_t id = 0;
    Entry &entry = is_number(name, id) ? numbered_[id] : named_[find_named(name)].entry;
    entry = {at, static_cast<uint32_t>(values_.size()), static_cast<uint32_t>(values.size())};
    values_.insert(values_.end(), values.begin(), values.end());
  }

  size_t mark() const { return undo_.size(); }
  // Forgets what was defined since the mark.
  void rewind(size_t mark) {
    for (; undo_.size() > mark; undo_.pop_back()) {
      const uint32_t id = undo_.back();
      (id & kNamed ? named_[id & ~kNamed].entry : numbered_[id]).at = nullptr;
    }
  }

private:
  static constexpr uint32_t kNamed = 1u << 31;
  struct Named {
    std::string_view name;
    Entry entry;
  };

  bool has_number(const ValueKey &key, uint32_t &number) const {
    if (key.record == graph::kNone)
      return is_number(key.name, number);
    number = key.record - first_record_; // of a value outside the function: larger than all
    return true;
  }
  bool is_number(std::string_view name, uint32_t &number) const {
    if (name.empty() || name.size() > 9 || (name[0] == '0' && name.size() > 1))
      return false;
    uint32_t value = 0;
    for (char c : name) {
      if (c < '0' || c > '9')
        return false;
      value = value * 10 + static_cast<uint32_t>(c - '0');
    }
    number = value;
    return value < max_number_;
  }
  uint32_t find_named(std::string_view name) const {
    return table_.find(hash_bytes(name.data(), name.size()),
                       [&](uint32_t id) { return named_[id].name == name; });
  }
  uint32_t add_named(std::string_view name) {
    return table_.find_or_add(
        hash_bytes(name.data(), name.size()), [&](uint32_t id) { return named_[id].name == name; },
        [&] {
          named_.push_back({name, {}});
          return static_cast<uint32_t>(named_.size() - 1);
        });
  }

  size_t max_number_;
  uint32_t first_record_ = 0;
  std::vector<Entry> numbered_;
  std::vector<Named> named_;
  graph::IdTable table_;
  std::vector<graph::ValueId> values_;
  std::vector<uint32_t> undo_;
};

} // namespace tw::import
