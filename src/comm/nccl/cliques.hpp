// SPDX-License-Identifier: Apache-2.0
// The communicators of NCCL of one process: that of all processes, and one for each set of groups in which
// processes exchange. They are made when an executable is, by all processes in one order. NCCL's rank is the
// process's place in its group.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "comm/nccl/device.hpp"
#include "comm/nccl/library.hpp"
#include "comm/remote/processes.hpp"

namespace tw::comm::nccl {

// Processes that exchange among each other, this one among them.
struct Clique {
  std::unique_ptr<Link> link;
  std::vector<int32_t> processes; // ascending
  int32_t rank_of(int64_t process) const;
};

// TW-653 where two processes are on one device, by what Device::id() says: NCCL itself refuses only some of
// them, and some ways hang. All processes call, and all of them are told the same.
Status refuse_shared_devices(const std::string &id, Processes &processes);

// One thread at a time calls.
class Cliques {
public:
  // All processes call. It refuses what differs between them, and two processes on one device.
  static Result<std::unique_ptr<Cliques>> make(std::shared_ptr<Library> library, Device &device,
                                               Processes &processes, std::chrono::nanoseconds deadline);
  ~Cliques();

  // That of this process where `group` says, by process, who belongs together; null: it is alone. All
  // processes call with the same.
  Result<Clique *> find(std::span<const int64_t> group);
  Status poll(); // errors that came up since
  void abort();

private:
  Cliques(std::shared_ptr<Library> library, Device &device, Processes &processes,
          std::chrono::nanoseconds deadline)
      : library_(std::move(library)), device_(device), processes_(processes), deadline_(deadline) {}
  Status wait_until_ready(Link &link, const char *what);
  Status finish(Link &link);

  std::shared_ptr<Library> library_;
  Device &device_;
  Processes &processes_;
  const std::chrono::nanoseconds deadline_;
  Clique all_;
  std::map<std::vector<int64_t>, Clique> of_groups_;
};

} // namespace tw::comm::nccl
