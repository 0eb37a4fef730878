// SPDX-License-Identifier: Apache-2.0
// The processes of a client, and those of them that run a program together.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pjrt/transport.hpp"

namespace tw::pjrt {

struct Compiled;

// Processes that run programs together. What is asked of it all of them ask in the same order: so one thread
// does, that of the queue in which they have their runs.
class Team {
public:
  // `context`: that of the client, which is there as long as anything runs.
  Team(const tw_context_t *context, std::shared_ptr<Links> links, std::vector<size_t> processes, size_t self,
       double deadline);

  // In the order in which they have the partitions of a program, each as many in a row.
  const std::vector<size_t> &processes() const { return processes_; }
  size_t rank() const { return rank_; }
  // What runs a program here, now. Made with the first run, and kept for the next of a program of its
  // identity. `compiled` is the caller's as long as he may run it.
  tw_executable_t *executable(const std::shared_ptr<const Compiled> &compiled);
  // This process does not come to a run: tells the others why. They fail too, and nobody runs with this team
  // any more.
  void fail(const Failure &failure);

private:
  struct Kept {
    std::string identity;
    std::weak_ptr<const Compiled> user;
    ExecutableHandle executable;
    int64_t bytes;
  };
  void drop_unused();

  const tw_context_t *const context_;
  const std::vector<size_t> processes_;
  const size_t rank_;
  const std::shared_ptr<Links> links_;
  CommHandle comm_;
  std::list<Kept> kept_; // those used last first
  int64_t kept_bytes_ = 0;
  size_t most_programs_;
  int64_t most_bytes_;
};

class Processes {
public:
  // Meets all others. A process waits for another for `deadline` seconds in a run.
  Processes(const Store &store, const Meeting &meeting, double deadline);

  size_t self() const { return self_; }
  size_t size() const { return devices_.size(); }
  // How many devices each process has. Numbers of devices go on from one to the next.
  const std::vector<int> &devices() const { return devices_; }
  size_t owner_of(int64_t device) const;
  // Those that run a program whose partitions are on these devices. Null: this process alone. A Failure where
  // they cannot.
  std::shared_ptr<Team> team_for(const std::vector<int64_t> &devices, const tw_context_t *context);

private:
  const size_t self_;
  const double deadline_;
  std::vector<int> devices_;
  std::vector<std::string> names_;
  std::shared_ptr<Links> links_;
  std::mutex mutex_;
  std::map<std::vector<size_t>, std::shared_ptr<Team>> teams_; // by their processes
};

} // namespace tw::pjrt
