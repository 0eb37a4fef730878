// SPDX-License-Identifier: Apache-2.0
// Runs redistribution plans on tiles in memory: prepared once, run many times, nothing allocated in a run.
// Several arrays go through their steps together.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/allocator.hpp"
#include "base/status.hpp"
#include "base/worker_pool.hpp"
#include "comm/local/step_work.hpp"
#include "redistribute/plan.hpp"
#include "redistribute/shared_tiles.hpp"

namespace tw::runtime {

// The caller's tiles of one array, dense and row-major, by device of the plan's problem. Where a device holds
// no element the pointer is not looked at.
struct Tiles {
  std::span<const void *const> src;
  std::span<void *const> dst;
};

struct PlanRunOptions {
  // The caller gives the source tiles away: a device's target tile may begin where its source tile does.
  bool donate = false;
  // Nobody writes to tiles once they are made: target tiles that are equal are one, and a source tile is its
  // own target where it can be. See `owner`. Not together with `donate`.
  bool share = false;
  int64_t max_bytes = 0; // refuse plans that need more scratch, in all; 0: no limit
  Allocator allocator = {};
};

class PlanRunner {
public:
  static Result<std::unique_ptr<PlanRunner>>
  prepare(std::vector<std::shared_ptr<const redistribute::Plan>> plans, PlanRunOptions options = {});
  ~PlanRunner();

  // What the intermediate tiles take, on all devices together. Where targets may lie on sources, this
  // includes the copies of source tiles that would be overwritten before they are read.
  int64_t scratch_bytes() const { return scratch_bytes_; }

  // Where the target tile of a device lies. Without `share`: its own one.
  redistribute::TileOwner owner(size_t array, redistribute::Device device) const;

  // One entry for each plan; of target tiles, those that are their device's own. Target tiles lie apart from
  // each other and from every source tile, except as `donate` allows. Sums are formed in the order of the
  // plan's sources, whatever the workers do. One run at a time.
  Status run(std::span<const Tiles> arrays, WorkerPool &pool);

private:
  struct Array;
  // What may run at once, one parallel loop: parts of several arrays' steps.
  struct Unit {
    uint32_t work;
    uint32_t array, target;
    int64_t part;
  };
  struct Round {
    std::vector<comm::StepWork> works;
    std::vector<Unit> units;
    std::vector<size_t> starts; // first unit of each part of the loop, and the end
  };
  using Schedule = std::vector<Round>;

  PlanRunner();
  Status allocate(const PlanRunOptions &options);
  Result<Schedule> make_schedule(bool aliased) const;
  static void add_units(Round &round, uint32_t array, uint32_t target);
  Status take(std::span<const Tiles> arrays, bool &aliased);
  Status check_apart();

  struct Range {
    uintptr_t begin, end;
    uint32_t array;
    redistribute::Device device;
    bool target;
  };

  std::vector<std::shared_ptr<const redistribute::Plan>> plans_;
  std::vector<Array> arrays_;
  Schedule schedule_;         // targets apart from sources
  Schedule aliased_schedule_; // targets on sources; empty where schedule_ will do
  std::vector<Range> ranges_;
  bool donate_ = false;

  struct Free {
    Allocator allocator;
    size_t bytes;
    void operator()(std::byte *memory) const;
  };
  std::unique_ptr<std::byte[], Free> scratch_;
  int64_t scratch_bytes_ = 0;
};

} // namespace tw::runtime
