// SPDX-License-Identifier: Apache-2.0
// What a device does that is not the host: commands in a queue, one after the other, later than they are
// issued. Queues of several devices are kept in order by events alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/status.hpp"
#include "comm/comm.hpp"
#include "kernels/kernel.hpp"
#include "kernels/strided_copy.hpp"
#include "sharding/position.hpp"

namespace tw::device {

class Queue;

// A point in a queue. One event stands for the last place where it was recorded.
class Event {
public:
  virtual ~Event() = default;
  // Whether everything in front of that place is over; true before the first record.
  virtual bool is_reached() const = 0;
  virtual void *native() const { return nullptr; } // what the kind's libraries call it; null: no record yet
  // Of two events that were made to be timed, of queues of one device, and are reached: what lies between.
  virtual int64_t nanoseconds_since(const Event & /*earlier*/) const { return 0; }

  // That place: the queue, and the number of the recording in which it is; 0: in none.
  const Queue *queue = nullptr;
  uint64_t recording = 0;
};

// For which step of which device a command is there.
struct Origin {
  sharding::Position position = sharding::kNoPosition;
  uint32_t step = 0;
};

struct Failure {
  Error error;
  Origin origin;
};

// An address, and the unit of the kind whose memory it is.
struct At {
  std::byte *memory = nullptr;
  int32_t unit = 0;
};

// Commands are issued by one thread at a time. Issuing never waits for a device. After the first command that
// fails a queue drops what follows, but for events: whoever waits for those goes on.
class Queue {
public:
  virtual ~Queue() = default;

  virtual void record(Event &event) = 0;
  // What is issued from now on runs after the place that the event stands for now.
  virtual void wait(const Event &event) = 0;
  // Host memory stays as it is until the copy has run. A copy takes its bytes when it runs.
  virtual void copy_in(void *device, const void *host, size_t bytes) = 0;
  virtual void copy_out(void *host, const void *device, size_t bytes) = 0;
  // What lies at `from` goes where the copy says behind `to`, within the memory of devices of this kind. The
  // copy is copied. `unless`, which is null or lives until it has run: if that is true then, bytes stay what
  // they are.
  virtual void copy(const kernels::StridedCopy &what, At from, At to, const std::atomic<bool> *unless) = 0;
  // `element`, again and again; it is taken at once.
  virtual void fill(void *device, std::span<const std::byte> element, size_t times) = 0;
  // A kernel of its kind's list, or of the runtime. Pointers are taken at once; the kernel stays.
  virtual void launch(const kernels::Kernel &kernel, std::span<const void *const> operands,
                      std::span<void *const> results, Origin origin) = 0;

  virtual bool has_failed() const = 0;
  // Whether something was issued since recover() that may fail when it runs, though the device works.
  virtual bool may_fail_late() const = 0;
  // Set by what fails when it runs, as long as the queue lives: other queues see it.
  virtual void tell_failure(std::atomic<bool> *failed) = 0;
  virtual void *native() const { return nullptr; } // what the kind's libraries call it
  // Which kernel or move has begun and is not over.
  virtual std::optional<Origin> running() const = 0;
  // What has not begun is not done any more, but for events.
  virtual void drop() = 0;
  // Once nothing is left in it: what failed, if something did. The queue works again.
  virtual std::optional<Failure> recover() = 0;
  // What profilers are told of steps, by number: it stays as long as the queue.
  virtual void name_steps(std::span<const std::string> /*names*/) {}
  // For tests: when commands run is drawn from now on. A GPU's queue draws nothing.
  virtual void draw_delays(uint64_t /*seed*/) {}
};

// What was put into some queues once, to be put there again by one call. Between begin() and end() the queues
// keep what they are given and run nothing; pointers, kernels and events are those of that time. Replayed,
// all of it runs behind what the queues hold by then, and what they are given afterwards runs behind all of
// it. So an event that was recorded on the other side of that border is no command, and nobody asks whether
// an event inside is reached. Nothing of a recording runs when it ends, and its queues outlive it.
class Recording {
public:
  Recording();
  virtual ~Recording() = default;
  virtual Status begin() = 0;
  virtual Status end() = 0; // an error: what was put there cannot be recorded, and is gone
  virtual void replay() = 0;
  uint64_t number() const { return number_; } // no two have the same

private:
  const uint64_t number_;
};

// A prepared collective between the devices of a process, by taker: what a device receives is moved by its
// own queue, in rounds. Members are numbered as the collective does.
class Mover {
public:
  virtual ~Mover() = default;
  virtual size_t num_rounds() const = 0;
  // Whom a taker waits for before a round: those whose tiles it reads, and those for whom it takes.
  virtual std::span<const sharding::Position> sources(size_t round, sharding::Position taker) const = 0;
  // The target tile may lie in the source tile's memory on every device.
  virtual bool may_run_in_place() const = 0;
  // Memory of the taker for what lies between rounds, given once.
  virtual int64_t staging_bytes(sharding::Position taker) const = 0;
  virtual void give_staging(sharding::Position taker, std::byte *staging) = 0;
  // Whether all that it does is commands of queues, which are the same in every run.
  virtual bool may_be_recorded() const { return true; }
  // Puts into the taker's queue what it receives in a round. Pointers are taken at once.
  virtual void move(Queue &queue, size_t round, sharding::Position taker, comm::SourceTiles src,
                    comm::TargetTiles dst, Origin origin) const = 0;
  // What goes through memory of the host, as devices have no kernel for it: rounds of takers, the bytes that
  // one move of all of them copies, and why.
  struct OnHost {
    size_t rounds = 0;
    int64_t bytes = 0;
    std::string reason = {};
  };
  virtual OnHost on_host() const { return {}; }
};

} // namespace tw::device
