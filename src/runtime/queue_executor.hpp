// SPDX-License-Identifier: Apache-2.0
// Runs the steps of devices that are not the host: one thread goes through the steps in order and puts what
// each device does into that device's queue. Nobody computes here, so nobody has to be scheduled: loops and
// `while` are loops of the issuing thread, threads of a device run one after the other, and what a jump
// decides by is copied to the host and waited for.
//
// Why queues in order and the events of collectives and shared steps are all that keeps memory right, though
// the memory plan gives a place to another value in the very next step:
// - A place in a device's own part of its arena is written by that device's queue alone, and read by others
//   only in collectives (the mover of another taker) and in steps that one device runs for several. Before
//   the next command of the owner's queue, that queue waits for each of those readers. So whatever the plan
//   puts there later is written behind all reads of what lay there.
// - A reader of another device's tile waits for an event that the owner recorded at this step, behind all
//   that made the tile.
// - A shared place lies in its leader's arena. Every step that writes there is run by the leader, after an
//   event of each device that shares it, recorded behind all that device's reads; and each of them waits for
//   the leader's event before it goes on.
// - Where a collective is awaited later, the waits for its readers are issued at the `await`: the plan keeps
//   what it reads and makes until there.
// - Arrays of the program are read behind what the run is told to wait for, and written when all devices have
//   met behind their last steps.
// - Host memory that copies read or write is the executor's, or the executable's, until the run is over.
// - A collective between processes moves on the host: each member's queue copies its tiles there, the issuing
//   thread begins when all of those copies are over, and what has come goes back by the queue of the device
//   in whose arena it lies. Others that share that place wait for it. So no queue reads or writes what
//   another one has, and the memory of a collective on the host is written again only behind copies of the
//   same queue.
// - Where the kind has a way of its own between processes, a collective is in the queue of that way, behind
//   an event of each member and in the order of the steps. All members wait for an event behind all of it,
//   as they do for the takers of a mover: in that step, or at its `await`.
// - In front of what is replayed and behind it all queues wait for each other, so the order is that of the
//   steps, whichever of them are replayed.
// So the order of any two commands that touch one byte, one of them writing, follows from the order in which
// the steps stand, whatever the queues do meanwhile; tests draw when commands run, and compare bits.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "device/kind.hpp"
#include "runtime/executor.hpp"

namespace tw::runtime {

class QueueExecutor final : public Executor {
public:
  struct How {
    uint64_t delays = 0;                  // draws when commands run, where the kind is there for tests
    std::chrono::nanoseconds deadline{0}; // of a run; 0: none
    ProcessGroup processes = {};          // the others, where there are any
    // Not null: the queue in which their communicator's collectives run (device/crossing.hpp).
    std::shared_ptr<device::Queue> crossing = nullptr;
    bool profile = false, trace = false; // by events around what each step does
  };
  // `positions`: those of the devices at the first step and in the first thread. `units`: by device. Nothing
  // is allocated on a device before open(), without which nothing runs.
  static std::unique_ptr<QueueExecutor> create(const device::QueueKind &kind, std::vector<BoundStep> steps,
                                               const sharding::Mesh &mesh,
                                               std::span<const Position> positions,
                                               std::span<const int32_t> units, const How &how);
  ~QueueExecutor() override;
  Status open();

  uint64_t begin(const Task &task) override;
  void finish() override;
  bool try_finish() override;
  void wait_issued() override;
  void cancel(uint64_t run) override;
  std::optional<Failure> take_failure() override;
  std::optional<Failure> run_alone(std::span<const BoundStep> steps, Position position,
                                   std::span<std::byte *const> arenas) override;
  bool is_stuck() const override { return stuck_ && !is_idle(); }
  unsigned workers() const override { return 1; }
  Whereabouts whereabouts(Position) const override { return {step_, false}; }

  // How long the last run took to issue its steps, from the first to the last.
  std::chrono::nanoseconds issuing() const { return issuing_; }
  size_t num_recordings() const;

  std::span<const TraceRecord> traced(unsigned) const override { return traced_; }
  bool trace_is_full() const override { return trace_is_full_; }
  std::vector<int64_t> step_nanoseconds() const override { return step_nanoseconds_; }
  std::vector<int64_t> step_calls() const override { return step_calls_; }
  // "3 stablehlo.add at model.py:12", by step, for profilers; before open().
  void name_steps(std::vector<std::string> names) { names_ = std::move(names); }

  // The queue of a device, for what an executable brings there before its first run; not during one.
  device::Queue &queue(Position position) { return *lane_of(position).queue; }
  // Where a collective between processes has tiles on the host. What a step needs of each region; and where
  // `begins` is not empty, that is handed out there, before the first run. Each device has a region, so that
  // it is its own queue alone that copies there, one step after the other; the last is for what is staged.
  // The steps of a loop, and the threads of a device, have one place for all of them: they come one after the
  // other.
  std::vector<int64_t> lay_out_landings(uint32_t step, std::span<std::byte *const> begins);
  // All queues have run what was put into them.
  std::optional<Failure> settle();

private:
  using Clock = std::chrono::steady_clock;

  // What a device has.
  struct Lane {
    Position position;
    int32_t unit;
    std::unique_ptr<device::Queue> queue;
    std::unique_ptr<device::Event> here;    // it has come to a step at which others wait for it
    std::unique_ptr<device::Event> arrived; // what it takes there has arrived, or is made for others
    std::unique_ptr<device::Event> out;     // its tiles of collectives between processes are on the host
    std::unique_ptr<device::Event> idle;
    std::array<std::unique_ptr<device::Event>, 2> passed; // some steps ago
    // Where times are noted: what is timed in this run, and where that counts from.
    struct Timed {
      std::unique_ptr<device::Event> begin, end;
      Position position;
      uint32_t step = 0;
      bool counts = false; // else it is more of a step that is counted
    };
    std::unique_ptr<device::Event> start = nullptr;
    int64_t start_ticks = 0;
    std::vector<Timed> timed = {};
    size_t num_timed = 0;
  };
  // Steps that follow each other whatever devices compute, from a step and offset where something began.
  struct Stretch {
    enum class State : uint8_t { unknown, known, plain, recorded };
    State state = State::unknown;
    uint32_t steps = 0, next = 0; // how many, and where it goes on
    int64_t offset = 0;           // there
    std::unique_ptr<device::Recording> recording = nullptr;
  };
  QueueExecutor(const device::QueueKind &kind, std::vector<BoundStep> steps, const sharding::Mesh &mesh,
                const How &how);

  Lane &lane_of(Position position) { return lanes_[lane_number(position)]; }
  uint32_t lane_number(Position position) const {
    return lane_numbers_[static_cast<size_t>(mesh_.without(position, mesh_.loop_axes()))];
  }
  void find_groups();
  void find_members();

  void work();
  void run_steps();
  void bring_in();
  void meet();
  void bring_out();
  bool begin_output();
  bool carry_out();
  void bring_out_behind();
  void tell_issued();
  void drain();
  bool notes_times() const { return how_.profile || how_.trace; }
  void start_timing();
  Lane::Timed *begin_timing(Lane &lane, device::Queue &queue, Position position, uint32_t step,
                            bool counts = true);
  void end_timing(device::Queue &queue, Lane::Timed *timed);
  void collect_times();
  bool advance();
  bool issue_one();
  bool run_stretch();
  bool record(Stretch &stretch);
  bool issue_stretch(Stretch &stretch);
  uint32_t issue(uint32_t step);
  void issue_kernels(uint32_t step);
  void issue_together(uint32_t step, std::span<const Position> group);
  void launch(Lane &lane, Position position, uint32_t step);
  void issue_collective(uint32_t step);
  void wait_for_readers(uint32_t step, size_t round);
  // Between processes (queue_executor_messages.cpp).
  struct Exchange {
    uint32_t step;
    size_t group, stage = 0;
    bool has_begun = false, is_awaited = false;
  };
  void begin_exchange(uint32_t step);
  Result<bool> advance(Exchange &exchange);
  void bring_back(uint32_t step, size_t group);
  void advance_all();
  void finish_exchanges(uint32_t step);
  Status poll_others();
  // The same in the way of the kind (queue_executor_crossing.cpp).
  void open_crossing();
  void cross(uint32_t step);
  Status cross(uint32_t step, std::span<const size_t> groups);
  void wait_for_crossing(uint32_t step);
  bool has_failed() const; // some queue
  uint32_t pass_loop(uint32_t step);
  uint32_t jump(uint32_t step);
  void hold_back(uint64_t steps);
  bool provoke(uint32_t step);
  void resolve(const BoundStep &step, Position position, const void **operands, void **results,
               size_t apart = 1) const;
  std::byte *memory_at(const Location &place) const; // null where an array of the program is empty
  Position here(const Lane &lane) const { return Position(lane.position + offset_); }
  // A member of a step's collective at the steps and threads where the loops are now.
  int32_t member(uint32_t step, Position position) const {
    return member_of_[step][static_cast<size_t>(position)];
  }

  bool goes_on();
  bool wait_on_host(const device::Event &event);
  void fail_with(Error error, Position position, uint32_t step);
  void collect_failures();
  bool is_idle() const;

  std::vector<std::string> names_; // outlive the queues
  const device::QueueKind &kind_;
  const How how_;
  std::atomic<bool> late_failure_{false};            // of a command, on whatever queue
  std::vector<std::pair<Position, int32_t>> placed_; // devices of this process, and their units
  std::vector<Lane> lanes_;
  std::vector<uint32_t> lane_numbers_;                     // by position
  std::vector<std::vector<std::vector<Position>>> groups_; // by step: who runs it together
  std::vector<std::vector<int32_t>> member_of_; // by step that is a collective, by position; -1: none
  std::vector<bool> is_awaited_;                // by step: a collective that an `await` ends
  std::vector<const void *> operands_;
  std::vector<void *> results_;
  struct Landings {
    std::vector<const void *> src;
    std::vector<void *> dst;
  };
  std::vector<Landings> landings_; // by step; empty where nothing goes to other processes
  std::vector<std::unique_ptr<device::Event>> crossed_; // by step: behind what crosses there
  std::unique_ptr<device::Event> crossing_idle_;
  std::map<std::pair<uint32_t, int64_t>, Stretch> stretches_; // by step and offset
  std::vector<device::Queue *> queues_;                       // of all lanes
  uint64_t recorded_steps_ = 0;                               // of all devices
  std::vector<int64_t> step_nanoseconds_, step_calls_;        // by step, where they are noted
  std::vector<TraceRecord> traced_;
  bool trace_is_full_ = false;

  // This run; the issuing thread's.
  Task task_;
  std::span<std::byte *const> arenas_;
  uint32_t step_ = 0;
  int64_t offset_ = 0; // from a device's first position to the step and thread where the loops are
  uint64_t issued_ = 0, held_ = 0; // steps since it was held back, and how often it was
  std::chrono::nanoseconds issuing_{0};
  Clock::time_point ends_at_;
  bool stuck_ = false;
  std::array<std::byte, 16> selector_;
  std::vector<Exchange> exchanges_; // under way
  Clock::time_point polled_;        // the other processes

  std::mutex mutex_; // guards the next six
  std::condition_variable changed_;
  std::optional<Failure> failure_;
  uint64_t number_ = 0;
  bool over_ = true, brings_out_ = false, ends_ = false, is_issued_ = false;
  std::atomic<bool> stops_{false};
  std::thread thread_; // issues
};

} // namespace tw::runtime
