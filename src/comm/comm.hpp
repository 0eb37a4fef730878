// SPDX-License-Identifier: Apache-2.0
// How devices exchange data. A communicator prepares each collective once; a prepared one runs many times
// without allocating. Two things happen in it: boxes are copied from where they lie to where they are needed,
// and partial values are combined in rank order.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "graph/graph.hpp"
#include "graph/types.hpp"
#include "redistribute/moves.hpp"
#include "redistribute/shared_tiles.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::comm {

using sharding::DeviceIndex;
using sharding::Position;

// One array goes from one distributed type to another. Devices are those of its problem.
struct Transfer {
  const redistribute::Move &move; // outlives the preparation
  // By device, all of one process: where its target tile lies. Empty: each has its own.
  std::span<const redistribute::TileOwner> owner = {};
  // Sums begin with +0.0, so none is -0.0, as if a reduction had added each partial value to it.
  bool from_zero = false;
  // Source tiles may lie in memory of the caller, which no message may read once a run is over, however it
  // ended.
  bool borrowed = false;
};

// Arrays of one shape that several devices hold in part, as an op that reduces them together by a region
// leaves them: the region folds the parts, in ascending order of `rank`. Devices whose rank is negative have
// nothing to add.
struct RegionReduce {
  const redistribute::Move &move;           // that of the first; outlives the preparation
  std::span<const graph::TensorType> types; // global; the region's element types
  const graph::Graph &graph;
  graph::RegionId region;
  std::span<const int64_t> rank; // by device
};

// The arrays of a call: the tiles of the first by mesh position, then those of the next. Only those of a
// group's members are looked at.
using SourceTiles = std::span<const void *const>;
using TargetTiles = std::span<void *const>;

// A prepared transfer. The devices fall into *groups* between which nothing moves: a group may run as soon as
// all of its members are ready, whatever the others do. A group's work is cut into parts that write disjoint
// memory, fixed by the shapes alone, so any worker may run any part and results have the same bits. Where
// some members are in other processes, the work comes in *stages*: after one, this process sends what others
// wait for; before one, what they send must have come. Nobody waits inside: whoever finds a stage not ready
// does something else and asks again.
class Collective {
public:
  virtual ~Collective() = default;

  size_t num_groups() const { return groups_.size(); }
  // Mesh positions of this process, ascending.
  std::span<const Position> members(size_t group) const { return groups_[group]; }
  size_t group_of(Position position) const { return group_of_[static_cast<size_t>(position)]; }

  // The target tile may lie in the source tile's memory on every device.
  virtual bool may_run_in_place() const { return false; }

  // Memory for what comes and goes, given once, before the first run.
  virtual int64_t staging_bytes(size_t) const { return 0; }
  virtual Status give_staging(size_t, std::byte *) { return {}; }
  // Whether messages may still read or write that memory; then it must stay for good.
  virtual bool is_in_flight() const { return false; }

  virtual size_t stages(size_t) const { return 1; }
  // Once all members are there, before the first stage. They wait for it, unless the next says otherwise.
  virtual void begin(size_t, SourceTiles, TargetTiles) {}
  // Nobody waits for it, so that it is never late; or from now on somebody does.
  virtual void set_awaited(size_t /*group*/, bool) {}
  // How long messages take to come, once all members everywhere are there: as long it pays to ask for them
  // again and again, since it is asking that moves them.
  virtual std::chrono::nanoseconds poll_interval(size_t /*group*/) const { return {}; }
  // Of what runs in a queue of a device: all that a group sent is in that queue, so what is put there now
  // runs behind it.
  virtual Result<bool> is_issued(size_t /*group*/) { return true; }
  virtual Result<bool> ready(size_t /*group*/, size_t /*stage*/) { return true; }
  virtual int64_t parts(size_t group, size_t stage) const = 0;
  virtual void run(size_t group, size_t stage, int64_t part, SourceTiles src, TargetTiles dst) const = 0;
  virtual Status send(size_t /*group*/, size_t /*stage*/) { return {}; } // after all parts

protected:
  std::vector<std::vector<Position>> groups_;
  std::vector<size_t> group_of_;
};

// Something that all processes must have alike before data moves.
struct Fact {
  const char *name; // "program"
  std::string value;
};

// Devices [first, last) of a mesh.
struct DeviceRange {
  int64_t first, last;
  bool contains(DeviceIndex device) const { return device.index() >= first && device.index() < last; }
};

struct ArrayStep; // comm/array_steps.hpp
class Processes;  // comm/remote/processes.hpp

class Communicator {
public:
  virtual ~Communicator() = default;
  virtual const char *name() const = 0;

  // Those of this process; the others are run elsewhere.
  virtual DeviceRange devices(int64_t num_devices) const { return {0, num_devices}; }
  virtual bool is_shared() const { return false; }                         // with other processes
  virtual std::shared_ptr<Processes> processes() const { return nullptr; } // which those are
  virtual int64_t process_of(DeviceIndex /*device*/, int64_t /*num_devices*/) const { return 0; }
  std::vector<int64_t> process_by_position(const sharding::Mesh &mesh) const {
    std::vector<int64_t> process;
    for (Position p; p < mesh.num_positions(); ++p)
      process.push_back(process_of(mesh.device_of(p), mesh.num_devices()));
    return process;
  }
  // Of a program's, devices are positions; else they are dealt out in the order of their ids, whatever meshes
  // they stand in.
  std::vector<int64_t> process_by_device(const redistribute::Problem &problem) const {
    if (!problem.src().mesh.loop_axes().empty())
      return process_by_position(problem.src().mesh);
    const auto devices = static_cast<int64_t>(problem.num_devices());
    std::vector<int64_t> process;
    for (int64_t d = 0; d < devices; ++d)
      process.push_back(process_of(DeviceIndex(d), devices));
    return process;
  }
  // How many processes in front of this one are on its host. All processes call.
  virtual Result<int64_t> turn_on_host() { return 0; }
  virtual Status agree(std::span<const Fact>) { return {}; }
  // What went wrong elsewhere; cheap.
  virtual Status poll() { return {}; }
  // All processes have come as far: only then does any go on.
  virtual Status barrier() { return {}; }
  // Tells all others, who then fail too. Afterwards nothing runs on this communicator.
  virtual void abort(const Error &) {}
  // Ends what is under way on devices, and says nothing to the others: an abort has to follow.
  virtual void stop() {}

  // Arrays over the same devices that move together.
  virtual Result<std::unique_ptr<Collective>> prepare(std::span<const Transfer> transfers) = 0;
  virtual Result<std::unique_ptr<Collective>> prepare(const RegionReduce &reduce) = 0;
  // Arrays that move by themselves and not within a program: all devices of a process are there at once, as
  // one group, and tiles lie in memory of the caller, which no message reaches.
  virtual Result<std::unique_ptr<Collective>> prepare_alone(std::span<const Transfer> transfers) = 0;
  // Whatever moves between the positions of a mesh.
  virtual Result<std::unique_ptr<Collective>> prepare(const sharding::Mesh &mesh,
                                                      std::span<const ArrayStep> moves) = 0;
};

} // namespace tw::comm
