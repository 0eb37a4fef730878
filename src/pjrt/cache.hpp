// SPDX-License-Identifier: Apache-2.0
// Programs that were compiled, by what was given: who compiles the same again gets the same. It keeps those
// used last, and knows those that somebody else keeps.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tw::pjrt {

struct Compiled;
class Client;
class Team;

class ProgramCache {
public:
  // `team`: who runs it; null: this process alone.
  std::shared_ptr<const Compiled> get(Client &client, std::string_view code, int64_t num_partitions,
                                      const std::string &policy, const std::shared_ptr<Team> &team);
  void clear();

private:
  std::shared_ptr<const Compiled> find(uint64_t key, std::string_view code, int64_t num_partitions,
                                       const std::string &policy, const Team *team);
  void keep(uint64_t key, std::shared_ptr<const Compiled> compiled);

  std::mutex mutex_;
  std::unordered_multimap<uint64_t, std::weak_ptr<const Compiled>> known_;
  size_t look_through_at_ = 512; // entries of `known_`: then those that are gone are taken out
  std::list<std::shared_ptr<const Compiled>> kept_; // those used last first
  int64_t kept_bytes_ = 0;
};

} // namespace tw::pjrt
