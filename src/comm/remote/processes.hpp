// SPDX-License-Identifier: Apache-2.0
// The processes that run a program together: what they agree on, where they meet, and what becomes of them
// when one fails. The first failure that a process makes or hears of is its last: from then on every call
// says so at once.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "comm/comm.hpp"
#include "comm/remote/roll_call.hpp"
#include "comm/remote/transport.hpp"

namespace tw::comm {

using Clock = std::chrono::steady_clock;

class Processes;

// A batch that is under way for no longer than the deadline.
class Exchange {
public:
  Status start();
  // Asks, and does not wait. The deadline counts from when somebody waits; Clock::time_point::max(): nobody
  // does.
  Result<bool> done(Clock::time_point awaited = {});
  bool in_flight();
  explicit operator bool() const { return batch_ != nullptr; }

private:
  friend class Processes;
  Processes *processes_ = nullptr;
  std::unique_ptr<Batch> batch_;
  Clock::time_point started_{};
  bool under_way_ = false;
};

class Processes {
public:
  Processes(std::unique_ptr<Transport> transport, std::chrono::nanoseconds deadline);
  ~Processes();
  Processes(const Processes &) = delete;

  int64_t rank() const { return rank_; }
  int64_t size() const { return size_; }
  // How long one waits for another.
  std::chrono::nanoseconds deadline() const { return deadline_; }

  Result<int32_t> take_tags(size_t count);
  Result<Exchange> prepare(std::span<const Message> messages);

  Status poll();                             // what went wrong here or elsewhere, if anything did
  void abort(const Error &error);            // tells all others, unless they told us
  Status agree(std::span<const Fact> facts); // in the same order everywhere
  // Of each value the largest that a process has, on all of them.
  Status agree_on_largest(std::span<double> values);
  // What `root` has, on all of them. The others wait for as long as it takes root to come here, unless one
  // fails.
  Status share(int64_t root, std::span<std::byte> bytes);
  // Asks all others, and answers with those that do not say in a moment that they are there.
  Result<std::vector<int64_t>> silent();

private:
  friend class Exchange;
  friend class Rendezvous;
  Status exchange_records(std::vector<std::byte> &all);
  Status dead() const;
  Status poll_locked();
  Status poll_sometimes(Clock::time_point now);
  // `awaited` as in Exchange::done.
  Status wait_for(Exchange &exchange, Clock::time_point awaited = {});
  Status start_locked(Exchange &exchange);

  std::vector<int64_t> silent_locked();
  // What to say of a wait that is over its time.
  Error waited_for(int64_t peer, std::chrono::nanoseconds time);

  const std::unique_ptr<Transport> transport_;
  RollCall roll_call_;
  const int64_t rank_, size_;
  const std::chrono::nanoseconds deadline_;
  std::mutex mutex_; // around every call of the transport
  std::atomic<bool> dead_{false};
  std::optional<RemoteError> remote_error_; // set before dead_
  Clock::time_point polled_{};
  int64_t next_tag_ = 0;
};

// A place where all processes wait for each other, as often as they like.
class Rendezvous {
public:
  Rendezvous() = default;
  Rendezvous(const Rendezvous &) = delete;
  ~Rendezvous();
  Status prepare(Processes &processes);
  Status barrier();

private:
  Processes *processes_ = nullptr;
  std::unique_ptr<std::byte[]> words_; // nothing is said
  std::vector<Exchange> rounds_;
};

} // namespace tw::comm
