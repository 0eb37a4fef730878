// SPDX-License-Identifier: Apache-2.0
// The one stream in which the collectives of a communicator run. All processes put them there in the order of
// the program, each whole before the next begins, so no two wait for each other in turn. The first error ends
// everything in it.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <span>

#include "base/status.hpp"
#include "comm/nccl/cliques.hpp"
#include "comm/nccl/device.hpp"
#include "comm/remote/processes.hpp"

namespace tw::comm::nccl {

// What a collective puts into the stream in a run.
class Launch {
public:
  virtual ~Launch() = default;
  // Goes on with it. False: NCCL has not taken what it was given last.
  virtual Result<bool> advance() = 0;

private:
  friend class Lane;
  enum class State : uint8_t { over, waits, launched };
  State state_ = State::over;
  uint64_t before_ = 0, mark_ = 0; // in front of it, where it is looked after; behind all of it
  Clock::time_point began_{}, awaited_{};
};

class Lane {
public:
  // All processes call.
  static Result<std::unique_ptr<Lane>> make(std::shared_ptr<Library> library, std::shared_ptr<Device> device,
                                            std::shared_ptr<Processes> processes,
                                            std::chrono::nanoseconds deadline, bool in_queue);

  Device &device() { return *device_; }
  // As Cliques::find.
  Result<Clique *> find_clique(std::span<const int64_t> group);

  Status begin(Launch &launch);
  // Does not wait. The deadline counts from when somebody waits; Clock::time_point::max(): nobody does.
  Result<bool> is_over(Launch &launch, Clock::time_point awaited);
  // Of a launch in a queue (Options::in_queue): NCCL has taken all of it. It never waits, and the deadline of
  // that counts from the beginning.
  Result<bool> is_issued(Launch &launch);
  // From when somebody waits for it; Clock::time_point::max(): nobody does.
  void set_awaited(Launch &launch, Clock::time_point since);
  // Whether its messages may still be read or written: then everything here is ended, and for a moment it
  // waits for the stream.
  bool is_in_flight(Launch &launch);

  Status poll(); // what went wrong here or elsewhere
  void abort();  // what is under way ends, and nothing begins any more

private:
  Lane(std::shared_ptr<Device> device, std::shared_ptr<Processes> processes,
       std::chrono::nanoseconds deadline, bool in_queue)
      : device_(std::move(device)), processes_(std::move(processes)), deadline_(deadline),
        in_queue_(in_queue) {}
  Status dead() const;
  Status progress(); // puts into the stream what can be
  Status poll_sometimes(Clock::time_point now);
  Status look_after(Clock::time_point now); // what is in the queue is not late
  Error overdue(std::chrono::nanoseconds time, bool launched);

  std::shared_ptr<Device> device_;
  std::shared_ptr<Processes> processes_;
  const std::chrono::nanoseconds deadline_;
  const bool in_queue_;
  std::mutex mutex_; // around all calls of NCCL
  std::unique_ptr<Cliques> cliques_;
  std::deque<Launch *> waiting_; // in the order of the program
  // In the queue and not over, where nobody asks for them one by one. A launch may be there several times.
  struct Issued {
    Launch *launch;
    uint64_t before, behind;
    Clock::time_point awaited, since; // since when its turn in the queue has come
  };
  std::deque<Issued> issued_;
  std::atomic<bool> dead_{false};
  Clock::time_point polled_{};
};

} // namespace tw::comm::nccl
