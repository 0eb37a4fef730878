// SPDX-License-Identifier: Apache-2.0
// Keeps commands of several queues, in the order in which they were given.
#include "device/detached/recording.hpp"

#include <algorithm>
#include <utility>

namespace tw::device::detached {

DetachedRecording::DetachedRecording(std::span<Queue *const> queues) {
  for (Queue *const queue : queues) {
    queues_.push_back(static_cast<DetachedQueue *>(queue));
    came_.push_back(std::make_unique<EventState>());
  }
}

DetachedRecording::~DetachedRecording() {
  if (is_open_)
    static_cast<void>(end());
}

Status DetachedRecording::begin() {
  is_open_ = true;
  for (DetachedQueue *const queue : queues_)
    queue->keep_in(this);
  return {};
}

Status DetachedRecording::end() {
  is_open_ = false;
  for (DetachedQueue *const queue : queues_)
    queue->keep_in(nullptr);
  if (has_foreign_)
    return fail(Code::internal, "TW-674", "a recording waits for a queue that is not in it");
  return {};
}

void DetachedRecording::keep(DetachedQueue &queue, DetachedQueue::Run run, std::optional<Origin> origin) {
  kept_.push_back({&queue, std::move(run), origin});
}

void DetachedRecording::keep_record(DetachedQueue &queue, std::shared_ptr<EventState> event) {
  kept_.push_back({.queue = &queue, .records = std::move(event)});
}

// All that its queues did before is over when it runs.
void DetachedRecording::keep_wait(DetachedQueue &queue, const Event &event,
                                  std::shared_ptr<EventState> state) {
  if (event.recording == number())
    kept_.push_back({.queue = &queue, .waits_for = std::move(state)});
  else if (event.queue != nullptr && std::ranges::find(queues_, event.queue) == queues_.end())
    has_foreign_ = true;
}

void DetachedRecording::meet() {
  for (size_t i = 0; i < queues_.size(); ++i) {
    queues_[i]->put_record(*came_[i]);
    queues_[0]->put_wait(*came_[i]);
  }
  queues_[0]->put_record(all_came_);
  for (DetachedQueue *const queue : queues_)
    queue->put_wait(all_came_);
}

void DetachedRecording::replay() {
  meet();
  for (const Kept &kept : kept_)
    if (kept.records != nullptr)
      kept.queue->put_record(*kept.records);
    else if (kept.waits_for != nullptr)
      kept.queue->put_wait(*kept.waits_for);
    else
      kept.queue->put(kept.run, kept.origin, false);
  meet();
}

} // namespace tw::device::detached
