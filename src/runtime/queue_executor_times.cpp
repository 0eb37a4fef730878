// SPDX-License-Identifier: Apache-2.0
// What steps take on devices with queues: events around what each of them does, read when the run is over.
// Such runs are issued step by step. A device's times count from an event that it reaches when the run
// begins, while the host looks at its own clock.
#include <utility>

#include "runtime/queue_executor.hpp"

namespace tw::runtime {

namespace {

constexpr size_t kMostTimed = 4096;     // between two readings, of a device
constexpr size_t kMostTracedOfAll = 1 << 20; // of all devices

} // namespace

void QueueExecutor::start_timing() {
  for (Lane &lane : lanes_) {
    lane.num_timed = 0;
    if (lane.start == nullptr)
      lane.start = kind_.make_timed_event(lane.unit);
    lane.queue->record(*lane.start);
    lane.start_ticks = ticks();
  }
}

QueueExecutor::Lane::Timed *QueueExecutor::begin_timing(Lane &lane, device::Queue &queue, Position position,
                                                        uint32_t step, bool counts) {
  if (!notes_times())
    return nullptr;
  if (lane.num_timed == kMostTimed) {
    for (Lane &other : lanes_)
      other.queue->record(*other.idle);
    if (how_.crossing != nullptr)
      how_.crossing->record(*crossing_idle_);
    for (const Lane &other : lanes_)
      if (!wait_on_host(*other.idle))
        return nullptr;
    if (how_.crossing != nullptr && !wait_on_host(*crossing_idle_))
      return nullptr;
    collect_times();
  }
  if (lane.num_timed == lane.timed.size())
    lane.timed.push_back({kind_.make_timed_event(lane.unit), kind_.make_timed_event(lane.unit), position});
  Lane::Timed &timed = lane.timed[lane.num_timed++];
  timed.position = position;
  timed.step = step;
  timed.counts = counts;
  queue.record(*timed.begin);
  return &timed;
}

void QueueExecutor::end_timing(device::Queue &queue, Lane::Timed *timed) {
  if (timed != nullptr)
    queue.record(*timed->end);
}

// All events are reached.
void QueueExecutor::collect_times() {
  const double ticks_each = 1 / scale_.nanoseconds_per_tick();
  for (Lane &lane : lanes_) {
    for (size_t i = 0; i < lane.num_timed; ++i) {
      const Lane::Timed &timed = lane.timed[i];
      const int64_t took = timed.end->nanoseconds_since(*timed.begin);
      if (how_.profile) {
        step_nanoseconds_[timed.step] += took;
        step_calls_[timed.step] += timed.counts ? 1 : 0;
      }
      if (how_.trace && traced_.size() < kMostTracedOfAll) {
        const auto at = [&](int64_t nanoseconds) {
          return lane.start_ticks + static_cast<int64_t>(static_cast<double>(nanoseconds) * ticks_each);
        };
        const int64_t begin = timed.begin->nanoseconds_since(*lane.start);
        traced_.push_back({at(begin), at(begin + took), timed.position, timed.step, false});
      } else {
        trace_is_full_ = how_.trace;
      }
    }
    lane.num_timed = 0;
  }
}

} // namespace tw::runtime
