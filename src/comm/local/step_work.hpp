// SPDX-License-Identifier: Apache-2.0
// One exchange step made ready to run in process: copies straight from the holder's buffer to the taker's and
// combinations in rank order, cut into parts of about equal size that write disjoint memory.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "comm/local/combine.hpp"
#include "comm/local/gather.hpp"
#include "redistribute/combined_pieces.hpp"

namespace tw::comm {

// Devices that give to or take from each other, directly or by way of others.
struct Groups {
  std::vector<std::vector<sharding::Position>> members; // ascending
  std::vector<size_t> of;                               // by position
};

// Bytes that all devices receive.
int64_t bytes_written(const redistribute::Step &step, size_t rank, int64_t element_size);

class StepWork {
public:
  // `bytes_together`: what is written by this and by all that runs with it; more than the caches hold goes
  // past them. `combine` is needed where a piece has several sources.
  StepWork(const redistribute::Step &step, std::span<const redistribute::Placement> buffers,
           int64_t element_size, Combine combine, int64_t bytes_together, const Groups &groups);

  int64_t parts(size_t group) const { return static_cast<int64_t>(starts_[group].size()) - 1; }
  // `src`: the tile of device d in buffer b at [b * devices + d], as far as the step reads them; `dst`: the
  // tile of each device in the step's target.
  void run(size_t group, int64_t part, std::span<const void *const> src, std::span<void *const> dst) const;

private:
  // Blocks [first, last) of a gather, or elements of a combination.
  struct Item {
    int64_t
        key; // items run in the order of their places in the whole array, so that neighbours are read together
    uint32_t job;
    bool combine;
    int64_t first, last;
  };

  int64_t bytes(const Item &item) const;
  std::vector<size_t> cut(const std::vector<Item> &items) const;

  int64_t size_;
  bool stream_;
  CopyPlans plans_;
  std::vector<GatherJob> gathers_;
  std::vector<CombineJob> combines_;
  std::vector<std::vector<Item>> items_;    // by group
  std::vector<std::vector<size_t>> starts_; // by group: first item of each part, and the end
};

// The work of several arrays that move together. The parts of a group are those of the first array, then
// those of the next.
class StepWorks {
public:
  // An array has so many slots of sources, and of targets one a device.
  StepWorks(size_t slots, size_t devices) : slots_(slots), devices_(devices) {}
  void add(StepWork work) { works_.push_back(std::move(work)); }

  int64_t parts(size_t group) const;
  // `src`, `dst`: by array as StepWork takes them.
  void run(size_t group, int64_t part, std::span<const void *const> src, std::span<void *const> dst) const;

private:
  std::vector<StepWork> works_; // by array
  size_t slots_, devices_;
};

} // namespace tw::comm
