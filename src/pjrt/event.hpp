// SPDX-License-Identifier: Apache-2.0
// Completions: something that is over at some time, well or with a failure, and tells whoever asked. An
// Event is the caller's handle of one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "pjrt/error.hpp"

namespace tw::pjrt {

class Completion {
public:
  // One that is over, and went well: the same for all.
  static const std::shared_ptr<Completion> &ready();

  bool is_over() const { return over_.load(std::memory_order_acquire); }
  void wait();
  // Of one that is over: what failed, or null.
  const Failure *failure() const { return failure_ ? &*failure_ : nullptr; }
  // Calls `callback` once when it is over: at once, or by the thread that ends it. No lock is held then.
  void then(std::function<void(const Failure *)> callback);
  // Ends it. Once.
  void finish(std::optional<Failure> failure = {});

private:
  std::atomic<bool> over_{false};
  std::optional<Failure> failure_; // before over_
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::function<void(const Failure *)>> callbacks_;
};

struct Event {
  std::shared_ptr<Completion> completion;
};

} // namespace tw::pjrt
