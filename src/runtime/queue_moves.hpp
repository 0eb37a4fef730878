// SPDX-License-Identifier: Apache-2.0
// Moves of a redistributor on devices that are not the host: the one step of an executor, which finds tiles
// where the caller has them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/allocator.hpp"
#include "comm/comm.hpp"
#include "device/kind.hpp"
#include "runtime/queue_executor.hpp"

namespace tw::runtime {

class QueueMoves {
public:
  struct How {
    const device::QueueKind &kind;
    std::shared_ptr<comm::Communicator> communicator;
    std::span<const int32_t> units;               // by device; of other processes' not looked at
    std::shared_ptr<device::Queue> crossing = {}; // as QueueExecutor has it
    std::chrono::nanoseconds deadline{0};         // of a run; 0: none
    uint64_t delays = 0; // draws when commands run, where the kind is there for tests
    Allocator allocator = {};
  };
  static Result<std::unique_ptr<QueueMoves>> prepare(std::span<const comm::Transfer> transfers,
                                                     const How &how);
  ~QueueMoves();

  int64_t staging_bytes() const { return staging_bytes_; } // allocated, wherever it lies
  // Tiles as Redistributor takes them, on the units of their devices.
  Status run(comm::SourceTiles src, comm::TargetTiles dst);
  // After a run: zeros to memory of a device, and until they are there.
  void clear(redistribute::Device device, std::byte *at, size_t bytes);
  Status settle();

private:
  explicit QueueMoves(const How &how) : kind_(how.kind), communicator_(how.communicator) {}
  Result<BoundStep> make_step(std::span<const comm::Transfer> transfers, const How &how) const;
  Result<std::byte *> allocate(const device::Kind &kind, int32_t unit, int64_t bytes, const How &how);
  Status give_staging(const How &how);

  const device::QueueKind &kind_;
  std::shared_ptr<comm::Communicator> communicator_;
  std::vector<device::Memory> staging_;
  int64_t staging_bytes_ = 0;
  std::vector<void *> tiles_; // of a run: sources, then targets
  std::unique_ptr<QueueExecutor> executor_;
};

} // namespace tw::runtime
