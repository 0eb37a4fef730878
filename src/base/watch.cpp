// SPDX-License-Identifier: Apache-2.0
// Asks the watcher of a thread, no more often than it wants to be asked.
#include "base/watch.hpp"

#include <utility>

#include <fmt/format.h>

namespace tw {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

thread_local Watch watch;
thread_local LongCall *current = nullptr;
thread_local bool asking = false;

Clock::duration interval() { return std::chrono::duration_cast<Clock::duration>(watch.interval); }

} // namespace

Watch current_watch() { return watch; }

Watching::Watching(const Watch &now) : before_(std::exchange(watch, now)) {}
Watching::~Watching() { watch = before_; }

LongCall::LongCall() : outer_(std::exchange(current, this)) {
  if (watch.progress == nullptr)
    return;
  begin_ = Clock::now();
  next_ = begin_ + interval();
}
LongCall::~LongCall() { current = outer_; }

bool gives_up() {
  if (watch.progress == nullptr || current == nullptr || asking)
    return false;
  LongCall &call = *current;
  if (call.gives_up_)
    return true;
  const auto now = Clock::now();
  if (now < call.next_)
    return false;
  asking = true;
  call.gives_up_ = watch.progress(watch.user, Seconds(now - call.begin_).count()) != 0;
  asking = false;
  call.next_ = Clock::now() + interval();
  return call.gives_up_;
}

Status check_watch() {
  if (!gives_up())
    return {};
  return fail(Code::cancelled, "TW-729",
              fmt::format("given up after {:.2f} s, as the host asked",
                          Seconds(Clock::now() - current->begin_).count()));
}

} // namespace tw
