// SPDX-License-Identifier: Apache-2.0
// What NCCL's communicator needs of a device: work on its memory, put into one stream, in order. A device
// kind fulfils it with a queue of its own: `stream` is the cudaStream_t of that queue, moves are what its
// mover does for the devices of one process, copies are strided copies by one kernel, and a mark is an event.
// The executor of the kind has that queue wait for the queues of the members before a collective is sent, and
// those for it afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "comm/array_steps.hpp"
#include "comm/comm.hpp"

namespace tw::comm::nccl {

// Made when a collective is prepared, put into the stream in each run. Pointers are taken at once.
class Work {
public:
  virtual ~Work() = default;
  virtual Status enqueue(SourceTiles src, TargetTiles dst) const = 0;
};

// A box that goes from a tile into dense memory; in bytes and elements.
struct BoxCopy {
  size_t src;                           // of the source tiles
  int64_t src_offset;                   // bytes to the first element
  size_t dst;                           // of the targets
  int64_t dst_offset;                   // bytes
  std::vector<int64_t> extent, strides; // of the box; of the tile, in elements
  int64_t element_size;
};

// What the groups of one process do on their tiles.
struct LocalMoves {
  std::vector<ArrayStep> moves; // by array
  std::vector<std::vector<Position>> groups;
  size_t slots; // of source tiles of an array: the tile of device d in buffer b is at b * devices + d
};

// What such moves are where a region combines. They are alike for all arrays.
struct LocalReduce {
  const RegionReduce &reduce;
  ArrayStep move;
  std::vector<std::vector<Position>> groups;
  size_t slots;
};

class Device {
public:
  virtual ~Device() = default;
  // The one thing that it is, alike in all processes that see it: host and bus ("node1 0000:3b:00.0").
  virtual std::string id() const = 0;
  // Calls of NCCL by this thread mean this device between the two.
  virtual void enter() = 0;
  virtual void leave() = 0;
  virtual void *stream() const = 0; // a cudaStream_t

  // Whether moves are right where the target tile of each device lies in its source tile. `move` is what this
  // process does, and the host's work is right then.
  virtual bool runs_in_place(const ArrayStep & /*move*/) const { return true; }
  virtual Result<std::unique_ptr<Work>> make_copies(std::vector<BoxCopy> copies) = 0;
  virtual Result<std::unique_ptr<Work>> make_moves(LocalMoves moves) = 0;
  virtual Result<std::unique_ptr<Work>> make_reduce(LocalReduce reduce) = 0;

  // The place behind what is in the stream now, and whether the stream has come there.
  virtual Result<uint64_t> mark() = 0;
  virtual Result<bool> has_reached(uint64_t mark) = 0;
};

// Calls of NCCL mean the device as long as this lives.
class Inside {
public:
  explicit Inside(Device &device) : device_(device) { device_.enter(); }
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;
  ~Inside() { device_.leave(); }

private:
  Device &device_;
};

} // namespace tw::comm::nccl
