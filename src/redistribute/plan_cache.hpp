// SPDX-License-Identifier: Apache-2.0
// Plans by what was asked for. A few hundred of them, the least recently asked for go first; may be used from
// many threads.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace tw::redistribute {

template <class Value> class PlanCache {
public:
  explicit PlanCache(size_t capacity) : capacity_(capacity) {}

  std::shared_ptr<const Value> find(const std::string &key) {
    const std::scoped_lock lock(mutex_);
    const auto at = index_.find(key);
    if (at == index_.end())
      return nullptr;
    entries_.splice(entries_.begin(), entries_, at->second);
    return at->second->second;
  }

  void keep(const std::string &key, std::shared_ptr<const Value> value) {
    const std::scoped_lock lock(mutex_);
    if (index_.contains(key))
      return; // another thread was first
    entries_.emplace_front(key, std::move(value));
    index_.emplace(key, entries_.begin());
    if (entries_.size() > capacity_) {
      index_.erase(entries_.back().first);
      entries_.pop_back();
    }
  }

private:
  using Entry = std::pair<std::string, std::shared_ptr<const Value>>;
  size_t capacity_;
  std::mutex mutex_;
  std::list<Entry> entries_;
  std::unordered_map<std::string, typename std::list<Entry>::iterator> index_;
};

} // namespace tw::redistribute
