// SPDX-License-Identifier: Apache-2.0
// Captures streams, and launches what was captured.
#include "device/cuda/recording.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tw::device::cuda {

CudaRecording::CudaRecording(std::span<Queue *const> queues) {
  for (Queue *const queue : queues) {
    queues_.push_back(static_cast<CudaQueue *>(queue));
    for (auto *events : {&inner_, &outer_})
      events->push_back(std::make_unique<CudaEvent>(queues_.back()->gpu_));
  }
}

CudaRecording::~CudaRecording() {
  if (is_open_)
    static_cast<void>(end());
  if (graph_ != nullptr)
    origin().table_.release_graph(graph_);
}

Status CudaRecording::record(CudaQueue &queue, CudaEvent &event) {
  return queue.check(queue.table_.record(event.handle(), queue.queue_, queue.why_));
}
Status CudaRecording::wait(CudaQueue &queue, const CudaEvent &event) {
  return queue.check(queue.table_.wait(queue.queue_, event.handle(), queue.why_));
}

Status CudaRecording::begin() {
  for (const auto *events : {&inner_, &outer_})
    for (const auto &event : *events)
      TW_TRY(event->make());
  for (const CudaQueue *queue : queues_)
    if (!queue->takes())
      return fail(Code::internal, "TW-681", "a queue that has failed records nothing");
  TW_TRY(origin().check(origin().table_.begin_capture(origin().queue_, origin().why_)));
  is_open_ = true;
  for (CudaQueue *const queue : queues_)
    queue->recording_ = this;
  Status forks = record(origin(), *inner_[0]);
  for (CudaQueue *const queue : forked())
    forks = forks ? wait(*queue, *inner_[0]) : std::move(forks);
  spoil(forks);
  return {};
}

// Also what was spoiled must be ended, or its streams stay as they are.
Status CudaRecording::end() {
  is_open_ = false;
  Status joins;
  for (size_t i = 1; i < queues_.size(); ++i) {
    joins = joins ? record(*queues_[i], *inner_[i]) : std::move(joins);
    joins = joins ? wait(origin(), *inner_[i]) : std::move(joins);
  }
  spoil(joins);
  spoil(origin().check(origin().table_.end_capture(origin().queue_, &graph_, origin().why_)));
  for (CudaQueue *const queue : queues_)
    queue->recording_ = nullptr;
  if (error_)
    return fail(std::move(*std::exchange(error_, std::nullopt)));
  return {};
}

void CudaRecording::spoil(const Status &status) {
  if (status || error_)
    return;
  const ErrorInfo &info = status.error().info();
  error_ = Error(info.code, info.id, info.message);
}

bool CudaRecording::waits_for(const Event &event) {
  if (event.recording == number())
    return true;
  const bool is_ours = std::ranges::any_of(queues_, [&](const Queue *q) { return q == event.queue; });
  if (event.queue != nullptr && !is_ours && !error_)
    error_ = Error(Code::internal, "TW-681", "a recording waits for a queue that is not in it");
  return false;
}

void CudaRecording::replay() {
  for (const CudaQueue *queue : queues_)
    if (!queue->takes())
      return;
  for (size_t i = 1; i < queues_.size(); ++i) {
    queues_[i]->attempt(record(*queues_[i], *outer_[i]));
    origin().attempt(wait(origin(), *outer_[i]));
  }
  if (!calls_.empty())
    for (CudaQueue *const queue : queues_)
      queue->may_fail_late_ = true;
  origin().attempt(origin().check(origin().table_.replay(origin().queue_, graph_, origin().why_)));
  if (queues_.size() == 1)
    return;
  origin().attempt(record(origin(), *outer_[0]));
  for (CudaQueue *const queue : forked())
    queue->attempt(wait(*queue, *outer_[0]));
}

} // namespace tw::device::cuda
