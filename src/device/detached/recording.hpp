// SPDX-License-Identifier: Apache-2.0
// Recordings of detached queues: a list of commands, which are put into the queues again. As strict as graphs
// of CUDA: what would not be captured there is not kept here.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "device/detached/queue.hpp"

namespace tw::device::detached {

class DetachedRecording final : public Recording {
public:
  explicit DetachedRecording(std::span<Queue *const> queues);
  ~DetachedRecording() override;
  Status begin() override;
  Status end() override;
  void replay() override;

  // What its queues are given between begin() and end().
  void keep(DetachedQueue &queue, DetachedQueue::Run run, std::optional<Origin> origin);
  void keep_record(DetachedQueue &queue, std::shared_ptr<EventState> event);
  void keep_wait(DetachedQueue &queue, const Event &event, std::shared_ptr<EventState> state);

private:
  struct Kept {
    DetachedQueue *queue;
    DetachedQueue::Run run = {};
    std::optional<Origin> origin = {};
    std::shared_ptr<EventState> records = {}, waits_for = {};
  };
  void meet(); // what the queues hold runs before what they are given from now on

  std::vector<DetachedQueue *> queues_;
  std::vector<Kept> kept_;
  std::vector<std::unique_ptr<EventState>> came_; // by queue
  EventState all_came_;
  bool is_open_ = false, has_foreign_ = false;
};

} // namespace tw::device::detached
