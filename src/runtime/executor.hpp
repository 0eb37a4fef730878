// SPDX-License-Identifier: Apache-2.0
// Runs the steps of all devices, again and again. Workers run them on memory of the host
// (worker_executor.hpp); the devices of every other kind run what one thread puts into their queues
// (queue_executor.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/status.hpp"
#include "base/ticks.hpp"
#include "comm/comm.hpp"
#include "device/queue.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/kernel.hpp"
#include "runtime/flight.hpp"
#include "runtime/hooks.hpp"
#include "runtime/memory.hpp"
#include "sharding/mesh.hpp"

namespace tw::runtime {

// A loop over an axis begins or ends.
struct LoopEdge {
  bool begins = false, threads = false;
  int64_t stride = 0, size = 0; // of the axis; 0: this is no such step
  sharding::AxisId axis = 0;
};

constexpr uint32_t kNoStep = UINT32_MAX;

// A step as the executor sees it; tables are indexed by position of the mesh.
struct BoundStep {
  std::vector<const kernels::Kernel *> kernels; // null: nothing to do on this device
  std::unique_ptr<comm::Collective> collective; // set: a collective that workers run
  std::unique_ptr<device::Mover> mover;         // set: a collective that queues run
  std::vector<Position> members;                // of either, ascending: it counts them from 0
  std::vector<Position> leaders; // devices with one leader run their kernels together; empty: each alone
  uint32_t awaits = kNoStep;     // until that collective, which began before, is over
  bool may_be_recorded = false;  // with its neighbours, by queues
  LoopEdge loop;                 // the end has one target, the first step inside
  std::vector<uint32_t>
      targets; // not empty: a jump, to the step that its operand chooses (ops::chosen_branch), if it has one
  size_t selector_bytes = 0; // of that operand
  uint32_t collective_index = 0;
  size_t num_operands = 0, num_results = 0;
  int64_t bytes = 0;            // read and written, on all devices of this process
  std::vector<Location> places; // device-major: operands, then results
  // Of a collective between processes that lands on the host, on devices with queues: the bytes of each tile.
  std::vector<int64_t> tile_bytes;
};

// Copies between the caller's arrays and the devices, or the host memory where tiles of those land, in parts
// that any worker may take.
struct Copies {
  int64_t parts = 0;
  void (*copy)(void *object, int64_t part) = nullptr;
  void *object = nullptr;
};

// What went wrong first, and where; no position: in another process, or nowhere.
struct Failure {
  Error error;
  Position position;
  uint32_t step;
};

// The other processes: which devices are run here, and whom to tell of a failure in the moment in which it
// happens.
struct ProcessGroup {
  comm::Communicator *communicator = nullptr;
  comm::DeviceRange devices{};
  std::function<void(Failure &)> on_failure;
};

// A tile on its way between a device and host memory.
struct Landing {
  Position position;
  std::byte *device, *host;
  size_t bytes;
};

// A tile on its way between memory of devices: from an array of the program to a device, or back.
struct Carry {
  Position position; // of the device whose queue does it
  const kernels::cpu::CopyPlan *plan;
  device::At from, to;
};

// How a run stands to what the program puts into queues of its own, which are of the devices' kind.
struct Order {
  std::span<const std::shared_ptr<device::Event>> after = {}; // what its queues wait for first
  // Not null: this queue waits for the run. The host waits only until all steps are issued.
  device::Queue *stream = nullptr;
  device::Event *done = nullptr; // of the first device's unit; where there is a stream: recorded at the end
};

// What one run works on. The spans live until it is over.
struct Task {
  std::span<std::byte *const> arenas; // by position
  // The caller's arrays, by base; only those are written that are donated. On queues of each argument, then
  // of each device, where its tile is found; it lies as far behind that as in the array. Null: it is empty.
  std::span<void *const> arguments;
  Copies before = {},
         after = {};  // what must be where the first step runs, and what only a success brings out
  bool alone = false; // nobody but the caller of finish() takes part
  // Where the devices' memory is not the host's: what goes there behind `before`, and comes back in front of
  // `after`.
  std::span<const Landing> to_devices = {}, to_host = {};
  // Tiles of arrays that lie on devices.
  std::span<const Carry> carry_in = {}, carry_out = {};
  Order order = {};
};

class Executor {
public:
  using Failure = runtime::Failure;

  virtual ~Executor() = default;

  // A run of all devices from the first step to the last begins. One run at a time, up to the moment when one
  // of the next two says that it is over. Answers the run's number.
  virtual uint64_t begin(const Task &task) = 0;
  virtual void finish() = 0;     // waits, or works on it, until it is over and nobody touches its arrays
  virtual bool try_finish() = 0; // whether that is so
  // With a stream: waits until that waits for the run, or the run has failed.
  virtual void wait_issued() {}
  // Ends a run on every device at its next step, unless it is over or brings out what it made.
  virtual void cancel(uint64_t run) = 0;
  virtual std::optional<Failure> take_failure() = 0; // of the run that is over
  std::optional<Failure> run(const Task &task) {
    begin(task);
    finish();
    return take_failure();
  }
  // Runs one device through steps that hold no collective and read no argument, from beginning to end.
  virtual std::optional<Failure> run_alone(std::span<const BoundStep> steps, Position position,
                                           std::span<std::byte *const> arenas) = 0;
  // A run ended before its devices did, and they may still use their memory.
  virtual bool is_stuck() const { return false; }

  virtual unsigned workers() const = 0;
  std::span<const BoundStep> steps() const { return steps_; }
  void set_hooks(Hooks hooks) { hooks_ = std::move(hooks); } // for tests; not during a run

  // Where the device at a position is after a run that failed.
  struct Whereabouts {
    uint32_t step; // the number of steps: it has finished
    bool waits;    // for others, at that step
  };
  virtual Whereabouts whereabouts(Position position) const = 0;
  // What devices did last; by counter. Not during a run.
  const FlightRecorder &flight() const { return flight_; }
  const TickScale &scale() const { return scale_; }

  // Every part of a step that a worker ran, where that is noted.
  struct TraceRecord {
    int64_t begin, end; // ticks
    int64_t place;      // a position; of a collective its group
    uint32_t step;
    bool collective;
  };
  virtual std::span<const TraceRecord> traced(unsigned /*worker*/) const { return {}; }
  virtual bool trace_is_full() const { return false; } // some are missing
  // Nanoseconds that workers computed in each step since the executor was made; empty unless profiling.
  virtual std::vector<int64_t> step_nanoseconds() const { return {}; }
  // How often a device, or a group, ran each step; the same.
  virtual std::vector<int64_t> step_calls() const { return {}; }

protected:
  Executor(std::vector<BoundStep> steps, const sharding::Mesh &mesh)
      : steps_(std::move(steps)), mesh_(mesh), flight_(static_cast<size_t>(mesh.num_positions())) {}

  const std::vector<BoundStep> steps_;
  const sharding::Mesh mesh_;
  const TickScale scale_;
  FlightRecorder flight_;
  Hooks hooks_;
};

} // namespace tw::runtime
