// SPDX-License-Identifier: Apache-2.0
// Executables: a compiled program (Executable), and one on devices (LoadedExecutable). The caller destroys
// each by itself, in any order.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "pjrt/compiled.hpp"

namespace tw::pjrt {

struct Executable {
  std::shared_ptr<const Compiled> compiled;
  std::string options; // as they were given
};

// What a caller keeps for its runs; nothing is kept for it here.
struct ExecuteContext {};

struct LoadedExecutable {
  std::shared_ptr<Client> client;
  std::shared_ptr<const Compiled> compiled;
  std::string options;
  std::vector<int64_t> assignment; // the device of each partition
  std::vector<Device *> devices;   // by partition, those of this process
  std::vector<abi::LogicalId> logical_ids;
  bool is_portable = false;
  std::vector<Memory *> result_memories; // by device, by result
  std::atomic<bool> is_deleted{false};
};

} // namespace tw::pjrt
