// SPDX-License-Identifier: Apache-2.0
// Recordings of GPUs' queues are CUDA graphs: the streams are captured together. The first one is where the
// capture begins and ends; the others are forked from it and joined to it again.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "device/cuda/queue.hpp"

namespace tw::device::cuda {

class CudaRecording final : public Recording {
public:
  explicit CudaRecording(std::span<Queue *const> queues);
  CudaRecording(const CudaRecording &) = delete;
  CudaRecording &operator=(const CudaRecording &) = delete;
  ~CudaRecording() override;
  Status begin() override;
  Status end() override;
  void replay() override;

  // For its queues, between begin() and end(). What went wrong there is the recording's, not theirs.
  void spoil(const Status &status);
  // Whether that is in the recording. What its queues did before is over when it runs; nothing else may be
  // waited for in it.
  bool waits_for(const Event &event);
  std::deque<std::unique_ptr<CudaQueue::Call>> &calls() { return calls_; }

private:
  CudaQueue &origin() const { return *queues_[0]; }
  std::span<CudaQueue *const> forked() const { return std::span(queues_).subspan(1); }
  Status record(CudaQueue &queue, CudaEvent &event);
  Status wait(CudaQueue &queue, const CudaEvent &event);

  std::vector<CudaQueue *> queues_;
  // By queue: for the borders in the graph, and for those between it and what runs around it. What was
  // recorded while streams are captured must not be waited for elsewhere.
  std::vector<std::unique_ptr<CudaEvent>> inner_, outer_;
  std::deque<std::unique_ptr<CudaQueue::Call>> calls_; // of the graph
  tw_cuda_graph *graph_ = nullptr;
  std::optional<Error> error_;
  bool is_open_ = false;
};

} // namespace tw::device::cuda
