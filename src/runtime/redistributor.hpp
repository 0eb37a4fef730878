// SPDX-License-Identifier: Apache-2.0
// Runs redistribution plans on tiles of the caller: prepared once, run many times, nothing allocated in a
// run. Several arrays go through their steps together, in one process or between several.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/allocator.hpp"
#include "base/status.hpp"
#include "base/worker_pool.hpp"
#include "comm/comm.hpp"
#include "redistribute/moves.hpp"
#include "redistribute/shared_tiles.hpp"
#include "runtime/queue_moves.hpp"

namespace tw::runtime {

struct RedistributorOptions {
  // The caller gives the source tiles away: a device's target tile may begin where its source tile does.
  bool donate = false;
  // Nobody writes to tiles once they are made: target tiles that are equal are one, and a source tile is its
  // own target where it can be. See `owner`. Not together with `donate`.
  bool share = false;
  int64_t memory_limit = 0; // refuse what needs more scratch in this process; 0: no limit
  Allocator allocator = {};
  // Null: all devices are in this process. Otherwise all processes prepare and run the same, in one order.
  std::shared_ptr<comm::Communicator> communicator = nullptr;
  // Where tiles are. On devices that are not the host: as Wish has them, and how long a run may take; 0: any
  // time.
  const device::Kind *device = &device::host_kind();
  std::vector<int32_t> units = {};
  uint64_t delays = 0;
  std::chrono::nanoseconds deadline{0};
};

class Redistributor {
public:
  using Options = RedistributorOptions;
  // Of plans over equally many devices, which are dealt out in the order of their numbers.
  static Result<std::unique_ptr<Redistributor>>
  prepare(std::vector<std::shared_ptr<const redistribute::Plan>> plans, Options options = {});
  ~Redistributor();

  size_t num_plans() const { return arrays_.size(); }
  size_t num_devices() const { return num_devices_; }
  comm::DeviceRange devices() const { return devices_; } // those of this process
  int32_t unit(redistribute::Device device) const {
    return units_.empty() ? 0 : units_[static_cast<size_t>(device)];
  }
  // Memory of this process for intermediate tiles, and for messages. Where targets may lie on sources, this
  // includes the copies of source tiles that would be overwritten before they are read.
  int64_t scratch_bytes() const { return scratch_bytes_; }
  // Where the target tile of a device lies. Without `share`: its own one.
  redistribute::TileOwner owner(size_t array, redistribute::Device device) const;

  // The tiles of the first plan by device, then those of the next, dense and row-major. Where a device is
  // another process's, or holds no element, or has no target tile of its own, the pointer is not looked at.
  // Target tiles lie apart from each other and from every source tile, except as `donate` allows. Sums are
  // formed in the order of the plan's sources, whoever runs them. One run at a time.
  Status run(comm::SourceTiles src, comm::TargetTiles dst, WorkerPool &pool);

private:
  struct Array {
    std::shared_ptr<const redistribute::Plan> plan;
    std::vector<redistribute::TileOwner> owners; // where tiles are shared
    int64_t tile_bytes(const redistribute::Placement &tiles, redistribute::Device d) const {
      return tiles.elements(d) * plan->problem->item_size();
    }
  };
  struct Range {
    uintptr_t begin, end;
    uint32_t array;
    redistribute::Device device;
    bool target;
  };

  Redistributor() = default;
  using Plans = std::span<const std::shared_ptr<const redistribute::Plan>>;
  Status bind();
  Status bind_queues(Plans plans);
  Status agree() const;
  Status check_limit() const;
  template <class Prepare> auto prepare_moves(Plans plans, Prepare &&prepare) const;
  Status allocate();
  Status take(comm::SourceTiles src, comm::TargetTiles dst, bool &aliased);
  Status check_apart();
  Status move(comm::SourceTiles src, comm::TargetTiles dst, bool aliased, WorkerPool &pool);
  template <class Clear> void clear_borders(comm::TargetTiles dst, Clear &&clear) const;

  Options options_;
  std::vector<Array> arrays_;
  size_t num_devices_ = 0;
  comm::DeviceRange devices_{0, 0};
  // Of targets apart from sources; of targets on sources, null where the other does. Between processes there
  // is one, since all of them run the same.
  std::unique_ptr<comm::Collective> apart_, aliased_;
  std::unique_ptr<QueueMoves> queues_; // in place of both, on devices that are not the host
  std::vector<int32_t> units_;
  std::vector<Range> ranges_;

  struct Free {
    Allocator allocator;
    size_t bytes;
    void operator()(std::byte *memory) const;
  };
  std::unique_ptr<std::byte[], Free> scratch_;
  int64_t scratch_bytes_ = 0;
};

} // namespace tw::runtime
