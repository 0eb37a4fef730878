// SPDX-License-Identifier: Apache-2.0
// Looks a program up, or compiles it without a lock: two threads that want the same at once both do.
#include "pjrt/cache.hpp"

#include <algorithm>

#include "pjrt/compiled.hpp"
#include "pjrt/fingerprint.hpp"

namespace tw::pjrt {

namespace {

constexpr size_t kMostPrograms = 256;
constexpr int64_t kMostBytes = int64_t{256} << 20; // of arenas

// What runs the programs of a team is the team's to keep.
int64_t bytes_of(const Compiled &compiled) { return tw_executable_arena_bytes(compiled.executable.get()); }

} // namespace

std::shared_ptr<const Compiled> ProgramCache::find(uint64_t key, std::string_view code,
                                                   int64_t num_partitions, const std::string &policy,
                                                   const Team *team) {
  const auto [begin, end] = known_.equal_range(key);
  for (auto at = begin; at != end;) {
    auto compiled = at->second.lock();
    if (compiled == nullptr) {
      at = known_.erase(at);
      continue;
    }
    if (compiled->num_partitions == num_partitions && compiled->policy == policy &&
        compiled->team.get() == team && compiled->code == code)
      return compiled;
    ++at;
  }
  return nullptr;
}

void ProgramCache::keep(uint64_t key, std::shared_ptr<const Compiled> compiled) {
  if (const auto found = std::ranges::find(kept_, compiled); found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
    return;
  }
  if (find(key, compiled->code, compiled->num_partitions, compiled->policy, compiled->team.get()) ==
      nullptr) {
    if (known_.size() >= look_through_at_) {
      std::erase_if(known_, [](const auto &entry) { return entry.second.expired(); });
      look_through_at_ = 2 * known_.size() + kMostPrograms;
    }
    known_.emplace(key, compiled);
  }
  if (bytes_of(*compiled) > kMostBytes || compiled->team != nullptr)
    return;
  kept_bytes_ += bytes_of(*compiled);
  kept_.push_front(std::move(compiled));
}

std::shared_ptr<const Compiled> ProgramCache::get(Client &client, std::string_view code,
                                                  int64_t num_partitions, const std::string &policy,
                                                  const std::shared_ptr<Team> &team) {
  const uint64_t key = hash_of(code, static_cast<uint64_t>(num_partitions));
  std::shared_ptr<const Compiled> compiled;
  {
    const std::scoped_lock lock(mutex_);
    compiled = find(key, code, num_partitions, policy, team.get());
  }
  if (compiled == nullptr)
    compiled = compile(client, code, num_partitions, policy, team);
  std::list<std::shared_ptr<const Compiled>> dropped; // end without the lock
  const std::scoped_lock lock(mutex_);
  keep(key, compiled);
  while (kept_.size() > kMostPrograms || kept_bytes_ > kMostBytes) {
    kept_bytes_ -= bytes_of(*kept_.back());
    dropped.splice(dropped.end(), kept_, std::prev(kept_.end()));
  }
  return compiled;
}

void ProgramCache::clear() {
  std::list<std::shared_ptr<const Compiled>> dropped;
  const std::scoped_lock lock(mutex_);
  dropped.swap(kept_);
  kept_bytes_ = 0;
}

} // namespace tw::pjrt
