// SPDX-License-Identifier: Apache-2.0
// Lets a search end in the midst of long work, which asks who watches its thread (base/watch.hpp).
#pragma once

#include <optional>
#include <utility>

#include "base/status.hpp"
#include "base/watch.hpp"
#include "search/driver.hpp"

namespace tw::search {

// While it lives, long work of this thread gives up soon after somebody has cancelled the search. Who watched
// before is asked as before.
class EndWhenCancelled {
public:
  // Of a search that began so many seconds ago; no control: nothing happens.
  EndWhenCancelled(const Control *control, double seconds) : control_(control), before_(seconds) {
    if (control == nullptr)
      return;
    constexpr double kBetween = 1e-3; // seconds
    watching_.emplace(Watch{ask, this, std::chrono::duration<double>(kBetween)});
    call_.emplace();
  }
  EndWhenCancelled(const EndWhenCancelled &) = delete;
  EndWhenCancelled &operator=(const EndWhenCancelled &) = delete;

private:
  static int ask(void *self, double seconds) {
    auto &of = *static_cast<EndWhenCancelled *>(self);
    if (of.outer_.progress != nullptr && seconds >= of.asked_ + of.outer_.interval.count()) {
      of.asked_ = seconds;
      (void)of.outer_.progress(of.outer_.user, of.before_ + seconds); // it cancels where it wants to
    }
    return of.control_->is_cancelled() ? 1 : 0;
  }

  const Control *const control_;
  const double before_;
  const Watch outer_ = current_watch();
  double asked_ = 0; // when the outer one was, last
  std::optional<Watching> watching_;
  std::optional<LongCall> call_;
};

// Work of a search that began so many seconds ago, which somebody may cancel. Where that ended it, it is no
// error that it came to nothing.
template <class Work> Status until_cancelled(const Control *control, double seconds, Work &&work) {
  const EndWhenCancelled scope(control, seconds);
  Status done = std::forward<Work>(work)();
  return done || is_cancelled(control) ? Status() : std::move(done);
}

} // namespace tw::search
