// SPDX-License-Identifier: Apache-2.0
// A queue of a GPU: a stream, memory of the host through which arrays come and go, memory for products, and a
// mark that says how far the stream has come.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "device/cuda/cuda.hpp"
#include "device/queue.hpp"

namespace tw::device::cuda {

// Made in the context of the GPU whose queue records it first.
class CudaEvent final : public Event {
public:
  explicit CudaEvent(std::shared_ptr<Gpu> gpu, bool is_timed = false)
      : gpu_(std::move(gpu)), is_timed_(is_timed) {}
  // Of the program.
  static Result<std::unique_ptr<Event>> wrap(std::shared_ptr<Gpu> gpu, void *event);
  CudaEvent(const CudaEvent &) = delete;
  CudaEvent &operator=(const CudaEvent &) = delete;
  ~CudaEvent() override;
  Status make(); // once
  // Nothing is waited for in a context that is lost.
  bool is_reached() const override;
  int64_t nanoseconds_since(const Event &earlier) const override;
  tw_cuda_event *handle() const { return event_; }
  void *native() const override;

private:
  std::shared_ptr<Gpu> gpu_;
  bool is_timed_;
  tw_cuda_event *event_ = nullptr;
};

// A tile in memory of a GPU: the queue's own, or one that it reaches, but where `far` is another.
struct DeviceTile {
  void *at;
  size_t bytes;
  const Gpu *far = nullptr;
};

class CudaRecording;

class CudaQueue final : public Queue {
public:
  // `stream`: the program's, or null.
  static Result<std::unique_ptr<Queue>> make(std::shared_ptr<Gpu> gpu, void *stream);
  // For copies and events alone: without memory of its own. The stream is the program's, or null.
  static Result<std::unique_ptr<Queue>> make_stream(std::shared_ptr<Gpu> gpu, void *stream);
  CudaQueue(const CudaQueue &) = delete;
  CudaQueue &operator=(const CudaQueue &) = delete;
  ~CudaQueue() override;

  void record(Event &event) override;
  void wait(const Event &event) override;
  void copy_in(void *device, const void *host, size_t bytes) override;
  void copy_out(void *host, const void *device, size_t bytes) override;
  void copy(const kernels::StridedCopy &what, At from, At to, const std::atomic<bool> *unless) override;
  void fill(void *device, std::span<const std::byte> element, size_t times) override;
  void launch(const kernels::Kernel &kernel, std::span<const void *const> operands,
              std::span<void *const> results, Origin origin) override;
  bool has_failed() const override;
  bool may_fail_late() const override { return may_fail_late_; }
  void tell_failure(std::atomic<bool> *failed) override { told_ = failed; }
  void *native() const override { return table_.stream_of(queue_); }
  std::optional<Origin> running() const override;
  void drop() override { is_dropping_ = true; }
  std::optional<Failure> recover() override;
  void name_steps(std::span<const std::string> names) override { names_ = names; }

  // Runs `work` in order with the rest, on the host, with copies of the tiles there: of `read`, then of
  // `written`, which are copied back. Results that are written in part keep the rest.
  using Work = std::function<Status(std::span<void *const> tiles)>;
  Status on_host(std::span<const DeviceTile> read, std::span<const DeviceTile> written, Work work);
  // The same as a step of its own; an error fails the queue.
  void on_host(Origin origin, const char *name, std::span<const DeviceTile> read,
               std::span<const DeviceTile> written, Work work);
  Status copy(void *to, const void *from, size_t bytes); // within the GPU, or from one that it reaches
  // From any GPU: where this one does not reach it, the driver goes through memory of the host.
  Status copy_far(void *to, const void *from, const Gpu &gpu, size_t bytes);
  Status multiply(const tw_cuda_product *product, const void *a, const void *b, const void *added, void *c);
  Status launch(void *function, const tw_cuda_grid &grid, void **arguments);
  // Memory that whatever is issued next may write until it is over, with any content; products use it too.
  Result<std::byte *> scratch(size_t bytes);
  Status run(const tw_cuda_work *work, std::span<const void *const> operands, std::span<void *const> results,
             std::byte *workspace); // as much as it wants

  const Gpu &gpu() const { return *gpu_; }
  const std::shared_ptr<Gpu> &shared_gpu() const { return gpu_; }
  static constexpr size_t kWorkspace = size_t{32} << 20; // as cuBLASLt's manual advises

  // A function of the host in the stream.
  struct Call {
    CudaQueue *queue;
    std::function<Status()> work;
    Origin origin;
    std::atomic<bool> is_over{false};
  };

private:
  friend class CudaRecording;
  struct Block {
    std::byte *memory;
    size_t bytes;
  };
  Status copy_runs(const kernels::StridedCopy &what, At from, At to);
  Status copy_unless(const kernels::StridedCopy &what, At from, At to, const std::atomic<bool> &unless);
  Status pack_on_host(const kernels::StridedCopy &what, const void *from, void *to);

  static constexpr size_t kChunk = size_t{4} << 20;

  static constexpr uint32_t kRecorded = uint32_t{1} << 31; // marks of steps in recordings

  // What follows belongs to this step, as far as errors and profilers say.
  void begin(Origin origin, const char *name);
  void end();
  explicit CudaQueue(std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)), table_(gpu_->table()) {}
  Status check(tw_cuda_result result) const;
  void attempt(const Status &status);
  Status call(std::function<Status()> work);
  Result<std::byte *> pinned(size_t bytes);
  Status copy_to_pinned(std::byte *to, const DeviceTile &tile);
  Status fill_words(std::byte *device, std::span<const std::byte> element, size_t times);
  void fail_with(Error error, Origin origin) const;
  bool takes() const { return !is_dropping_ && !has_failed_; }

  std::shared_ptr<Gpu> gpu_;
  const tw_cuda_plugin &table_;
  tw_cuda_queue *queue_ = nullptr;
  std::byte *workspace_ = nullptr;
  std::vector<Block> larger_; // workspaces that more was asked for; the last is in use
  size_t workspace_bytes_ = kWorkspace;
  std::deque<std::unique_ptr<Call>> calls_;
  std::vector<Block> pinned_;         // the last is in use, the others may still be read by what was issued
  volatile uint32_t *mark_ = nullptr; // pinned: the number of the last step that began
  uint32_t issued_ = 0;
  std::deque<Origin> origins_;         // of the last steps issued, up to issued_
  std::vector<Origin> recorded_;       // of steps in recordings, by the number that their marks have
  CudaRecording *recording_ = nullptr; // what keeps what it is given now
  std::span<const std::string> names_; // of steps
  Origin origin_;
  bool is_dropping_ = false;
  bool is_the_programs_ = false;
  bool may_fail_late_ = false;        // a function of the host was issued
  std::atomic<bool> *told_ = nullptr; // is set with has_failed_
  mutable std::mutex mutex_;          // of the rest, which functions of the host fail too
  mutable std::atomic<bool> has_failed_{false};
  mutable std::optional<Failure> failure_;
  mutable char why_[TW_CUDA_WHY] = "";
};

} // namespace tw::device::cuda
