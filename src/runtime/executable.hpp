// SPDX-License-Identifier: Apache-2.0
// A program ready to run on the devices of this process: kernels bound, arenas laid out and allocated,
// collectives prepared. Running it takes whole arrays, gives whole arrays, and allocates nothing. Of several
// processes each reads what its devices need of the arguments, and writes what they hold of the results.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/allocator.hpp"
#include "base/status.hpp"
#include "base/worker_pool.hpp"
#include "comm/comm.hpp"
#include "device/kind.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/custom_calls.hpp"
#include "runtime/collect.hpp"
#include "runtime/executor.hpp"
#include "runtime/layout.hpp"
#include "runtime/memory.hpp"
#include "runtime/tensor.hpp"
#include "spmd/program.hpp"

namespace tw::runtime {

class Binder;
class QueueExecutor;
struct Planned; // runtime/planned.hpp
struct Schedule;
struct ScratchLimits;

struct Options {
  unsigned workers = 0;                       // the caller is one; 0: one a core. Results do not depend on it
  std::shared_ptr<WorkerPool> pool = nullptr; // shared with others; `workers` is ignored
  std::shared_ptr<comm::Communicator> communicator = nullptr; // null: in-process
  // How devices that are not the host send each other what goes between processes: as their kind does it
  // where it has a way, else through memory of the host; always that; or as their kind does it, or not at
  // all.
  enum class Exchange : uint8_t { automatic, host, direct } exchange = Exchange::automatic;
  bool fast_sums = false;     // in the kind's way sums of floats may add in any order
  bool whole_outputs = false; // the first process gets all of them, not only what its devices hold
  bool tiles = false;         // runs take and give tiles instead of whole arrays
  bool donate = false;        // runs may write over what the program marks as donated
  kernels::Factory first_kernel = nullptr;                            // asked before the built-in kernels
  std::shared_ptr<const kernels::CustomCalls> custom_calls = nullptr; // of the host
  int64_t max_bytes = 0; // refuse programs whose arenas need more, in all; 0: no limit
  bool profile = false, trace = false;
  std::vector<std::string> without = {};             // passes over steps that are left out, of step_passes()
  const device::Kind *device = &device::host_kind(); // what the devices of the mesh are
  // Of that kind: which ones alone, in this order; empty: those that the kind chooses.
  std::vector<int32_t> units = {};
  // Devices that are not the host read dense arrays of the program where they lie on them, and what is given
  // away there is written over; else all arrays are copied.
  bool in_place = false;
  bool tf32 = false, same_bits = false; // see kernels::Request
  uint64_t delays =
      0; // not 0: draws when devices run their commands and who shares memory, if it is there for tests
  std::chrono::nanoseconds deadline{0}; // of a run on devices that are not the host; 0: none
  Allocator allocator = {};             // of the arenas
};

// Processor time spent in one step since the executable was made, summed over devices and workers.
struct StepProfile {
  std::string kind;   // "stablehlo.dot_general", "fused", "all_reduce"
  std::string kernel; // what ran it on device 0
  std::string shape;  // global types of the operands, then of the result
  std::string location;
  size_t ops = 1;
  int64_t nanoseconds = 0;
  int64_t calls = 0;           // by a device, or by a group of a collective
  double flops = 0, bytes = 0; // computed; read and written, since the executable was made
};

// What an executable has done since it was made.
struct Counters {
  int64_t runs = 0, failed_runs = 0;
};

// How a run stands to what the program puts into queues itself.
struct RunOrder {
  std::vector<std::shared_ptr<device::Event>> after = {}; // the run waits for them
  // The run waits for what is in this queue, of a unit of the devices' kind, and the queue for the run. It
  // lives until the run is over.
  device::Queue *stream = nullptr;
  int32_t unit = 0;
};

// Steps of a run that the host takes for devices that are not the host, on copies of their tiles.
struct OnHost {
  std::string kind; // "stablehlo.sort", "fused", "chain", "all_reduce"
  int64_t steps = 0;
  int64_t bytes = 0; // copied by one run, bodies of loops once
  std::string reason;
};

class Executable {
public:
  static Result<std::shared_ptr<Executable>> create(std::shared_ptr<const spmd::Program> program,
                                                    Options options = {});
  ~Executable();
  // Decides as `create` does what the steps are and where everything lies, and makes nothing.
  static Result<Planned> plan(std::shared_ptr<const spmd::Program> program, Options options = {});

  // Whole (global) arrays in the order of the program's arguments and results. Inputs are only read, but
  // those that are donated. Outputs are dense; they are written when everything has succeeded, and on an
  // error keep their bytes. One run at a time: concurrent callers of `run` wait. After an error the
  // executable can run again. With Options::donate: input i for which `donated_to(i)` is a result is consumed
  // by every run that begins, whatever becomes of it. It overlaps no other array, but that result's output
  // may be the same one: then the result is made there, and nothing is copied. With Options::tiles: of
  // argument or result i what the k-th of this process's n devices holds, dense, as the (i * n + k)th.
  // Arrays may lie on units of the devices, with any strides. What lies there is read behind `order`, and
  // outputs there are written by queues: a run has succeeded when they are.
  Status run(std::span<const TensorView> inputs, std::span<const TensorView> outputs, RunOrder order = {});

  // The same without waiting: begins a run, on which idle threads of the pool work, and answers its
  // number. It goes on until `wait` has told how it ended, to one caller; arrays live until then.
  // With a stream it answers when all is issued: outputs on devices are there for what comes behind in that
  // stream, those on the host when the run is over.
  Result<uint64_t> start(std::span<const TensorView> inputs, std::span<const TensorView> outputs,
                         RunOrder order = {});
  // Whether a run may join a queue there.
  Status check_stream(const device::Where &stream) const;
  // Of a run with a stream: reached when it is over.
  const std::shared_ptr<device::Event> &done() const { return done_; }
  bool test();   // whether `wait` has nothing to wait for, but for other processes
  Status wait(); // works on the run until it is over
  // It ends with Code::cancelled, unless it is over or writes outputs. From any thread.
  void cancel(uint64_t run) { executor_->cancel(run); }

  const spmd::Program &program() const { return *program_; }
  unsigned workers() const { return executor_->workers(); }
  const device::Kind &device() const { return *device_; }
  // Of its kind: what a device of this process is on.
  int32_t unit(Position position) const {
    return units_[static_cast<size_t>(program_->mesh().device_of(position).index())];
  }
  size_t num_steps() const { return executor_->steps().size(); }
  // What a device's arena takes; and what the device uses: of its arena, of those where it has tiles together
  // with others, and the tiles of arguments that are read in the caller's arrays.
  int64_t arena_bytes(sharding::DeviceIndex device) const;
  int64_t arena_bytes() const; // of all devices of this process
  int64_t peak_bytes(sharding::DeviceIndex device) const;
  std::vector<StepProfile> profile() const;
  const Executor &executor() const { return *executor_; }
  std::span<const Position> local_positions() const {
    return local_positions_;
  }                                                 // positions of the devices that this process runs
  std::string device_name(Position position) const; // "device 5 (data=1,model=1)"
  std::string step_name(uint32_t step) const;       // "all_reduce at model.py:12"
  bool in_progress() const { return in_progress_; }
  Counters counters() const { return {runs_, failed_runs_}; }
  std::vector<OnHost> on_host() const; // one for each kind and reason
  // What goes between processes: "messages"; of devices that are not the host "NCCL 2.28.9", or "memory of
  // the host: " and why. Empty: nothing does.
  const std::string &exchange() const { return exchange_; }
  bool takes_tiles() const { return tiles_; }
  // The result that takes the place of an argument, or kNone.
  uint32_t donated_to(size_t argument) const { return donated_[argument]; }
  std::span<const sharding::Box> argument_tiles() const { return argument_tiles_; } // as runs take them
  std::span<const sharding::Box> result_tiles() const { return result_tiles_; }
  // By tile: the first that lies in the same memory of the devices. Runs read an argument from its owner's
  // tile alone, and make a result once for all whose outputs are one array.
  std::span<const uint32_t> argument_owners() const { return argument_owners_; }
  std::span<const uint32_t> result_owners() const { return result_owners_; }

  void set_hooks(Hooks hooks) { executor_->set_hooks(std::move(hooks)); } // for tests

private:
  // A tile on its way between a caller's array and a device.
  struct ArrayCopy {
    uint32_t array;       // argument or result number
    int64_t array_offset; // bytes
    Location place;
    kernels::cpu::CopyPlan plan; // of a dense array
    int64_t parts;
    Position position; // of the device whose memory it is
    sharding::Box box; // in the array
  };
  // A tile of an argument that a device, and those that share it, read where the caller's array lies, if they
  // may.
  struct InPlace {
    uint32_t array;
    int64_t offset; // bytes from where the array begins, if it is dense
    kernels::cpu::CopyPlan plan;
    Position position;
    sharding::Box box;
    std::vector<size_t> bases; // where those devices look for it
    device::Memory own, host;  // where it goes otherwise, and on its way: made when it first does
  };
  using Parts = std::vector<std::pair<uint32_t, uint32_t>>; // transfer, part

  Executable() = default;
  // What prepare does, one after the other, and what they hand on (preparation.hpp).
  struct Preparation;
  Status prepare(Options options);
  Status find_devices(const Options &options);
  Status schedule(Preparation &p);
  Status place(Preparation &p);
  Status bind(Preparation &p);
  Binder make_binder(const Preparation &p) const;
  Status bind_steps(Preparation &p, std::vector<BoundStep> &steps, ScratchLimits &limits);
  Status allocate(const Preparation &p);
  Status load(const Preparation &p);

  Status agree(const Schedule &plan) const;
  template <class Prepare>
  auto prepare_collective(const Preparation &p, const Step &step, std::span<const Position> position,
                          Prepare &&prepare);
  Location locate(const Preparation &p, spmd::ValueRef v, Position position) const;
  Location in_caller(Location at, Position position) const;
  Result<BoundStep> bind_step(const Preparation &p, const Step &step, Binder &binder);
  bool goes_to_others(const Preparation &p, const Step &step, std::span<const Position> position);
  std::vector<int64_t> tile_bytes(const Preparation &p, const Step &step, Position d) const;
  void adapt_kernels(const Preparation &p, const Step &step, const Binder &binder, BoundStep &bound);
  std::string name_on_host(const Step &step) const;
  static void count(std::vector<OnHost> &all, OnHost more); // one with its kind and reason grows
  void find_places(const Preparation &p, const Step &step, BoundStep &bound) const;
  bool is_local(Position position) const { return devices_.contains(program_->mesh().device_of(position)); }
  void find_staging(const Schedule &plan);
  Status give_staging();
  Status allocate_messages(const Preparation &p);
  Status allocate_together(std::span<const size_t> starts, size_t total, const Allocator &allocator);
  Status allocate_each(const Allocator &allocator);
  Status check_room(const device::QueueKind &queues) const;
  Error too_large(size_t bytes, size_t limit, const Memory &memory) const;
  void prepare_workers();
  void lose_memory();
  Status check_device(const Options &options) const;
  Status place_devices(const Options &options);
  Status find_way(const Options &options);
  Status make_executor(const Options &options, std::vector<BoundStep> steps, const ScratchLimits &limits);
  void load_constants(const Preparation &p);
  Status plan_landings(const Allocator &allocator);
  bool is_small(const Layouts &layouts) const;
  void find_tiles(const Layouts &layouts);
  void find_owners(const Preparation &p);
  size_t local_index(Position position) const; // its device's number among those of this process
  void plan_arguments(const Layouts &layouts, const Memory &memory, const Sharing &sharing);
  void plan_in_place(uint32_t argument, const sharding::Box &box, Position position, Position leader,
                     const graph::TensorType &type);
  void plan_results(const Layouts &layouts, const Memory &memory);
  const void *landed(uint32_t result, const Location &place) const;
  static void add(std::vector<ArrayCopy> &transfers, Parts &parts, ArrayCopy transfer);
  Status check(std::span<const TensorView> inputs, std::span<const TensorView> outputs) const;
  Status check_where(const TensorView &given, const std::string &name) const;
  std::string array_name(bool is_result, size_t i) const; // of an input or output of a run
  Status check_donated(std::span<const TensorView> inputs, std::span<const TensorView> outputs) const;
  Result<uint64_t> start(std::span<const TensorView> inputs, std::span<const TensorView> outputs, bool alone,
                         RunOrder order);
  Result<uint64_t> begin(std::span<const TensorView> inputs, std::span<const TensorView> outputs, bool alone,
                         RunOrder order);
  // Of a run of devices with queues (executable_arrays.cpp).
  Status arrange(std::span<const TensorView> inputs, std::span<const TensorView> outputs);
  Status bring(InPlace &tile, const TensorView &given);
  void arrange_results(std::span<const TensorView> outputs);
  std::pair<const kernels::cpu::CopyPlan *, int64_t> plan_for(const ArrayCopy &tile, const TensorView &array,
                                                              bool into);
  Result<Order> join(RunOrder order);
  void copy_in(int64_t part);
  void copy_out(int64_t part);
  Status end();
  Status share_success();
  void explain(Failure &failure) const;
  void explain(Error &error, Position position, const std::vector<uint32_t> &instrs) const;
  std::vector<std::string> describe_waits() const;
  std::string step_kind(const std::vector<uint32_t> &instrs) const;
  double step_flops(uint32_t step, const Layouts &layouts) const;
  std::string step_shape(const std::vector<uint32_t> &instrs) const;
  int64_t message_bytes(const BoundStep &step) const;

  std::shared_ptr<const spmd::Program> program_;
  std::shared_ptr<const kernels::CustomCalls> custom_calls_; // outlive their kernels
  std::shared_ptr<comm::Communicator> communicator_;         // outlives its collectives
  std::shared_ptr<comm::Communicator> by_messages_;          // the same processes, for what lies on the host
  std::shared_ptr<device::Queue> crossing_; // not null: where the communicator's collectives run
  std::string exchange_;
  comm::DeviceRange devices_{}; // of this process
  const device::Kind *device_ = nullptr;
  std::vector<int32_t> units_; // by device of the mesh; those of this process alone count
  std::shared_ptr<WorkerPool> pool_;
  std::unique_ptr<Executor> executor_;
  QueueExecutor *queues_ = nullptr; // the same, where devices are not the host
  std::vector<std::unique_ptr<kernels::Kernel>> kernels_;
  std::vector<std::vector<uint32_t>> step_instrs_; // by step: the instructions it runs
  std::vector<OnHost> on_host_;                    // kernels

  std::vector<device::Memory> memory_;            // of all devices together, or of each
  std::vector<std::byte *> arenas_;               // by position of the mesh
  std::vector<std::vector<std::byte>> constants_; // that queues copy to arenas
  // Of the devices of this process: their positions at the first step, in the first thread.
  std::vector<Position> local_positions_;
  // Memory for messages of a group of a collective, behind the arena of its first position in this process.
  struct Staging {
    uint32_t step;
    size_t group;
    Position position;
    int64_t offset = 0;
  };
  std::vector<Staging> staging_;
  std::vector<int64_t> staging_bytes_; // by position
  std::vector<int64_t> arena_bytes_, used_bytes_, argument_bytes_;
  std::vector<uint32_t> donated_; // by argument

  bool tiles_ = false;
  bool is_small_ = false;
  std::vector<sharding::Box> argument_tiles_, result_tiles_; // of runs that take tiles
  std::vector<uint32_t> argument_owners_, result_owners_;    // the same
  std::vector<ArrayCopy> scatter_, gather_;
  Parts scatter_parts_, gather_parts_;
  // Where tiles land on the host that go to, or come from, devices whose memory is not the host's.
  device::Memory landing_, messages_;
  std::vector<Landing> landings_in_, landings_out_; // by transfer
  std::vector<InPlace> in_place_;
  // Of the run in progress of devices with queues.
  std::vector<void *> bases_; // of each argument, then of each device
  std::vector<Landing> to_devices_, to_host_;
  std::vector<Carry> carry_in_, carry_out_;
  std::deque<kernels::cpu::CopyPlan> plans_; // of arrays that are not dense
  std::vector<bool> is_on_device_in_, is_on_device_out_;
  std::vector<std::shared_ptr<device::Event>> after_;
  std::shared_ptr<device::Event> done_;
  std::unique_ptr<Collector> collector_; // null: everybody has his own
  std::vector<void *> inputs_;           // of the run in progress; only what is donated is written
  std::vector<void *> outputs_;
  std::vector<uint32_t> output_order_; // by address
  std::vector<bool> is_owners_out_;    // see is_owners_tile
  std::vector<Tensor> dense_;          // copies of inputs with gaps: the only thing that a run may allocate
  std::mutex callers_;                 // of `run`
  std::atomic<bool> in_progress_{false};
  std::atomic<int64_t> runs_{0}, failed_runs_{0};
  bool finished_ = true; // the run in progress: nobody works on it
};

} // namespace tw::runtime
