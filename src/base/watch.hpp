// SPDX-License-Identifier: Apache-2.0
// Giving up: who watches the calls of this thread, and whether the call under way is to end.
#pragma once

#include <chrono>

#include "base/status.hpp"

namespace tw {

struct Watch {
  int (*progress)(void *user, double seconds) = nullptr; // null: nobody watches
  void *user = nullptr;
  std::chrono::duration<double> interval{};
};

// Watches calls of this thread, instead of who did before, for as long as this lives.
class Watching {
public:
  explicit Watching(const Watch &watch);
  ~Watching();
  Watching(const Watching &) = delete;
  Watching &operator=(const Watching &) = delete;

private:
  Watch before_;
};

// Who watches the calls of this thread now.
Watch current_watch();

// One call that may take long. Calls inside it, made by a callback, are calls of their own, which nobody is
// asked about while the outer one asks.
class LongCall {
public:
  LongCall();
  ~LongCall();
  LongCall(const LongCall &) = delete;
  LongCall &operator=(const LongCall &) = delete;

private:
  friend bool gives_up();
  friend Status check_watch();
  LongCall *outer_;
  std::chrono::steady_clock::time_point begin_, next_;
  bool gives_up_ = false;
};

// What long work asks in its loops, every few microseconds or less often. From the moment it is true the work
// may end as it likes: the call answers TW_CANCELLED and undoes it.
bool gives_up();

// The same as an error.
Status check_watch();

} // namespace tw
