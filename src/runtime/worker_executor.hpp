// SPDX-License-Identifier: Apache-2.0
// Runs the steps of all devices on a few workers. A device is a program counter, which loops and branches
// set; a worker runs one device to its next collective and takes another. What is the same on several
// devices, the last of them to come there computes for all. A loop over an axis of steps moves the counter's
// position on the mesh; one over threads gives each thread a counter of its own until all of them have come
// to its end. The last device to arrive at a collective runs it; a worker that finds no device to run helps
// those that have parts of a step to give away. Nobody blocks inside a collective, and a device that never
// arrives is found exactly: no device can run, none is running, and not all have finished. Of devices in
// several processes each runs its own; a collective that waits for messages is in flight. A worker asks
// whether they have come where it has nothing else to do, and sometimes between steps; a device may go on
// meanwhile, up to a step that awaits the collective. A run is a job of the pool, so several of different
// executors share its workers, whether somebody waits for them or not.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "runtime/executor.hpp"

namespace tw::runtime {

// What a worker has for the largest steps, those of run_alone included.
struct ScratchLimits {
  int64_t scratch = 0, shared = 0; // bytes of a part, and of what the parts of a kernel share
  size_t pointers = 1;             // operands and results of a step
};

class WorkerExecutor final : public Executor, WorkerPool::Job {
public:
  WorkerExecutor(std::vector<BoundStep> steps, const sharding::Mesh &mesh, std::shared_ptr<WorkerPool> pool,
                 const ScratchLimits &limits, bool profile, ProcessGroup processes = {});
  ~WorkerExecutor() override;

  // From now on idle threads of the pool work on the run. Allocates nothing unless it fails.
  uint64_t begin(const Task &task) override;
  void finish() override;
  // Where nobody else works on it, the caller runs one device to its next collective.
  bool try_finish() override;
  void cancel(uint64_t run) override;
  std::optional<Failure> take_failure() override;
  // On the calling thread.
  std::optional<Failure> run_alone(std::span<const BoundStep> steps, Position position,
                                   std::span<std::byte *const> arenas) override;

  unsigned workers() const override { return pool_->workers(); }
  Whereabouts whereabouts(Position position) const override {
    const Counter &counter = counters_[static_cast<size_t>(position)];
    return {counter.step, counter.waits};
  }
  // From now on every part of a step that a worker runs is noted. Not during a run.
  void trace() { traces_ = true; }
  std::span<const TraceRecord> traced(unsigned worker) const override;
  bool trace_is_full() const override;
  std::vector<int64_t> step_nanoseconds() const override;
  std::vector<int64_t> step_calls() const override;

private:
  struct Shared;
  struct Worker;
  struct Free {
    void operator()(std::byte *p) const { ::operator delete (p, std::align_val_t{64}); }
  };
  using Buffer = std::unique_ptr<std::byte, Free>;
  static Buffer touched_memory(int64_t bytes);
  // A device, or a thread of one, that runs through the steps. It is known by its position at the first step
  // of all loops.
  enum class CounterId : int64_t { none = -1 };
  struct Counter {
    uint32_t step;     // the next one
    bool waits;        // at a collective; or it is a thread that is not there
    Position position; // where it is now
  };
  Counter &counter(CounterId id) { return counters_[static_cast<size_t>(id)]; }
  CounterId counter_at(Position position) const {
    return CounterId{int64_t{mesh_.without(position, serial_axes_)}};
  }
  // Who comes together at a step: the last of a group to come runs it for all of them. Groups of positions,
  // ascending.
  struct Rendezvous {
    std::vector<std::vector<Position>> groups;
    std::vector<uint32_t> group_of; // by position
  };
  static constexpr uint32_t kAlone = UINT32_MAX;
  enum class Progress : uint8_t { failed, under_way, over };
  // A collective of a group that goes on at `stage`, when its messages have come.
  struct Flight {
    uint32_t step;
    size_t group, stage;
  };
  enum class Stage : uint8_t { before, steps, after, over };
  struct Copying {
    Copies copies;
    alignas(64) std::atomic<int64_t> next{0}, ended{0};
    bool has_work() const { return next.load(std::memory_order_relaxed) < copies.parts; }
  };

  bool has_work() const override;
  bool is_over() const override { return stage_.load() == Stage::over; }
  void work(unsigned worker) override;
  unsigned most_workers() const override { return workers(); }

  bool do_some_work(unsigned worker);
  bool do_some_work(Worker &me);
  bool copy(Copying &copying);
  Stage after_steps() const { return after_.copies.parts > 0 ? Stage::after : Stage::over; }
  Stage first_steps() const { return num_local_ > 0 ? Stage::steps : after_steps(); }
  void set_stage(Stage next);
  void wake() {
    if (!alone_)
      pool_->wake();
  }
  std::optional<CounterId> next_counter();
  void run_counter(Worker &me, CounterId id);
  void run_kernel(Worker &me, Position position, uint32_t step);
  uint32_t jump(Worker &me, Position position, uint32_t step) const;
  void record(Worker &me, CounterId id, uint32_t step, FlightRecord::Kind kind);
  bool pass_loop(Worker &me, CounterId id, uint32_t step);
  void release(std::span<const CounterId> counters);
  void find_rendezvous();
  bool reach_collective(Worker &me, CounterId id, uint32_t step);
  bool go_on(Worker &me, Flight flight, CounterId own);
  Progress run_stages(Worker &me, Flight &flight);
  bool arrive(uint32_t step, size_t group);
  void begin_collective(uint32_t step, size_t group);
  bool progress(Worker &me, bool naps);
  bool may_poll() const { return flying_.load() > 0 && !is_polling_.load(); }
  void poll(Worker &me, bool progresses);
  std::vector<int64_t> sum_over_workers(std::vector<int64_t> Worker::*of) const;
  void resolve(const BoundStep &step, Position position, const void **operands, void **results,
               size_t apart = 1) const; // pointers from each other
  void share(Worker &me);
  void run_parts(Shared &s, Worker &me);
  bool help(Worker &me);
  bool anything_open() const;
  bool is_local(Position position) const;
  // The devices go on: nothing has failed.
  bool running() const { return stage_.load(std::memory_order_relaxed) == Stage::steps; }
  bool provoke(CounterId id, uint32_t step);
  uint64_t draw();
  int64_t drawn_part(int64_t part, int64_t parts, uint32_t step) const;
  void report_absent();
  void fail_with(Error error, Position position, uint32_t step);
  void end_with(Failure failure);

  const sharding::AxisSet serial_axes_; // those of a counter's own steps
  const std::shared_ptr<WorkerPool> pool_;
  const bool profile_;
  const int spins_;
  const ProcessGroup processes_;
  std::vector<int64_t> bytes_before_; // by step, and of all
  bool traces_ = false;
  int64_t num_local_ = 0; // devices
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Rendezvous> rendezvous_;  // all different
  std::vector<uint32_t> rendezvous_of_; // by step; kAlone: every device runs it by itself
  std::vector<uint32_t>
      awaited_at_; // by step: of a collective, where devices wait for it; kNoStep: they do at once

  // This run.
  std::span<std::byte *const> arenas_;
  std::span<void *const> arguments_;
  Copying before_, after_;
  bool alone_ = false;
  std::vector<Counter> counters_; // by position; each touched by whoever runs it
  std::vector<std::vector<std::atomic<int64_t>>> threads_arrived_; // by axis, by counter of the first thread
  std::vector<std::vector<std::atomic<int64_t>>> arrived_;         // by step, by group of its rendezvous
  std::vector<std::vector<const void *>> send_;                    // by collective, by array, by member
  std::vector<std::vector<void *>> receive_;

  std::mutex mutex_; // guards the next eight, and changes of the stage
  uint64_t number_ = 0;
  uint64_t drawn_ = 0;           // state of the schedule that a test draws
  std::vector<CounterId> ready_; // those that can run, the next one last
  int64_t running_ = 0;          // counters that a worker has taken
  int64_t finished_ = 0;
  std::vector<Flight> flights_; // collectives that wait for messages
  std::optional<Failure> failure_;
  std::optional<Error> no_memory_; // kept for when there is none

  std::atomic<int64_t> flying_{0};
  std::atomic<bool> is_polling_{false}; // some worker asks for messages
  std::atomic<int64_t> num_ready_{0};
  std::atomic<Stage> stage_{Stage::over};
};

} // namespace tw::runtime
