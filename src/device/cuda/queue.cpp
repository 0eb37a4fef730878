// SPDX-License-Identifier: Apache-2.0
// Puts commands into a stream. Copies between the GPU and memory of the program go through pinned memory, by
// functions of the host in the stream: so issuing waits for nothing, and a copy takes its bytes when it runs.
#include "device/cuda/queue.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "device/cuda/gpus.hpp"
#include "device/cuda/kernel.hpp"
#include "device/cuda/recording.hpp"
#include "kernels/cpu/copy.hpp"

namespace tw::device::cuda {
namespace {

constexpr size_t kMostOrigins = 4096;

} // namespace

CudaEvent::~CudaEvent() {
  if (event_ != nullptr)
    gpu_->table().release_event(event_);
}

Result<std::unique_ptr<Event>> CudaEvent::wrap(std::shared_ptr<Gpu> gpu, void *event) {
  auto made = std::make_unique<CudaEvent>(std::move(gpu));
  char why[TW_CUDA_WHY] = "";
  const Gpu &own = *made->gpu_;
  if (const auto result = own.table().wrap_event(own.handle(), event, &made->event_, why);
      result != TW_CUDA_OK)
    return fail(own.problem(result, why));
  return made;
}

void *CudaEvent::native() const { return event_ != nullptr ? gpu_->table().event_of(event_) : nullptr; }

Status CudaEvent::make() {
  char why[TW_CUDA_WHY] = "";
  if (event_ != nullptr)
    return {};
  if (const auto result = gpu_->table().make_event(gpu_->handle(), is_timed_ ? 1 : 0, &event_, why);
      result != TW_CUDA_OK)
    return fail(gpu_->problem(result, why));
  return {};
}

bool CudaEvent::is_reached() const {
  char why[TW_CUDA_WHY] = "";
  return event_ == nullptr || gpu_->table().reached(event_, why) != TW_CUDA_NOT_READY;
}

int64_t CudaEvent::nanoseconds_since(const Event &earlier) const {
  char why[TW_CUDA_WHY] = "";
  double seconds = 0;
  tw_cuda_event *const from = static_cast<const CudaEvent &>(earlier).event_;
  if (event_ == nullptr || from == nullptr ||
      gpu_->table().elapsed(from, event_, &seconds, why) != TW_CUDA_OK)
    return 0;
  return static_cast<int64_t>(seconds * 1e9);
}

Result<std::unique_ptr<Queue>> CudaQueue::make(std::shared_ptr<Gpu> gpu, void *stream) {
  std::unique_ptr<CudaQueue> queue(new CudaQueue(std::move(gpu)));
  TW_TRY(queue->check(queue->table_.make_queue(queue->gpu_->handle(), stream, &queue->queue_, queue->why_)));
  queue->workspace_bytes_ = std::max(kWorkspace, queue->gpu_->most_claimed());
  TW_ASSIGN(queue->workspace_, queue->gpu_->allocate(queue->workspace_bytes_));
  void *mark = nullptr;
  TW_TRY(queue->check(
      queue->table_.allocate_pinned(queue->gpu_->handle(), sizeof(uint32_t), &mark, queue->why_)));
  queue->mark_ = static_cast<volatile uint32_t *>(mark);
  *queue->mark_ = 0;
  return queue;
}

Result<std::unique_ptr<Queue>> CudaQueue::make_stream(std::shared_ptr<Gpu> gpu, void *stream) {
  std::unique_ptr<CudaQueue> queue(new CudaQueue(std::move(gpu)));
  queue->is_the_programs_ = stream != nullptr;
  TW_TRY(queue->check(queue->table_.make_queue(queue->gpu_->handle(), stream, &queue->queue_, queue->why_)));
  return queue;
}

// What was issued may use all of it, so it comes first. A context that is lost runs nothing any more.
CudaQueue::~CudaQueue() {
  if (queue_ != nullptr) {
    if (!is_the_programs_ || !calls_.empty()) // else nothing of what is in it is ours
      table_.drain(queue_, why_);
    table_.release_queue(queue_, 1);
  }
  if (workspace_ != nullptr)
    gpu_->free(workspace_);
  for (const Block &block : larger_)
    gpu_->free(block.memory);
  for (const Block &p : pinned_)
    table_.free_pinned(gpu_->handle(), p.memory);
  if (mark_ != nullptr)
    table_.free_pinned(gpu_->handle(), const_cast<uint32_t *>(mark_));
}

Status CudaQueue::check(tw_cuda_result result) const {
  if (result != TW_CUDA_OK)
    return fail(gpu_->problem(result, why_));
  return {};
}

void CudaQueue::fail_with(Error error, Origin origin) const {
  const std::lock_guard lock(mutex_);
  if (!failure_)
    failure_ = Failure{std::move(error), origin};
  has_failed_ = true;
  if (told_ != nullptr)
    *told_ = true;
}

void CudaQueue::attempt(const Status &status) {
  if (status)
    return;
  if (recording_ != nullptr)
    return recording_->spoil(status);
  const ErrorInfo &info = status.error().info();
  // A context is lost by what ran, not by what is issued now.
  const Origin origin = info.code == Code::device_lost ? running().value_or(Origin()) : origin_;
  fail_with(Error(info.code, info.id, info.message), origin);
}

void CudaQueue::record(Event &event) {
  auto &own = static_cast<CudaEvent &>(event);
  event.queue = this;
  event.recording = recording_ != nullptr ? recording_->number() : 0;
  attempt(own.make());
  if (own.handle() != nullptr)
    attempt(check(table_.record(own.handle(), queue_, why_)));
}

void CudaQueue::wait(const Event &event) {
  const auto &own = static_cast<const CudaEvent &>(event);
  if (recording_ != nullptr ? !recording_->waits_for(event) : event.recording != 0)
    return;                    // the recording begins, or began, when that is over
  if (own.handle() != nullptr) // else never recorded: nothing to wait for
    attempt(check(table_.wait(queue_, own.handle(), why_)));
}

Status CudaQueue::call(std::function<Status()> work) {
  while (!calls_.empty() && calls_.front()->is_over)
    calls_.pop_front();
  auto &calls = recording_ != nullptr ? recording_->calls() : calls_;
  auto &made = *calls.emplace_back(new Call{this, std::move(work), origin_});
  const auto run = [](void *user) {
    Call &c = *static_cast<Call *>(user);
    try {
      if (!c.queue->has_failed_)
        if (Status status = c.work(); !status)
          c.queue->fail_with(std::move(status.error()), c.origin);
    } catch (const std::bad_alloc &) {
      c.queue->fail_with(Error(Code::resource_exhausted, "TW-701", "out of memory"), c.origin);
    }
    c.is_over = true;
  };
  return check(table_.call(queue_, run, &made, why_));
}

// One block in use: what is issued uses it in order.
Result<std::byte *> CudaQueue::pinned(size_t bytes) {
  if (!pinned_.empty() && pinned_.back().bytes >= bytes)
    return pinned_.back().memory;
  void *memory = nullptr;
  const size_t size = std::max(bytes, kChunk);
  TW_TRY(check(table_.allocate_pinned(gpu_->handle(), size, &memory, why_)));
  pinned_.push_back({static_cast<std::byte *>(memory), size});
  return pinned_.back().memory;
}

void CudaQueue::copy_in(void *device, const void *host, size_t bytes) {
  for (size_t at = 0; at < bytes && takes(); at += kChunk) {
    const size_t n = std::min(kChunk, bytes - at);
    const auto staging = pinned(kChunk);
    if (!staging)
      return attempt(
          tl::unexpected<Error>(Error(Code::resource_exhausted, "TW-623", staging.error().message())));
    std::byte *const between = *staging;
    const auto *from = static_cast<const std::byte *>(host) + at;
    attempt(call([=]() -> Status {
      std::memcpy(between, from, n);
      return {};
    }));
    attempt(copy(static_cast<std::byte *>(device) + at, between, n));
  }
}

void CudaQueue::copy_out(void *host, const void *device, size_t bytes) {
  for (size_t at = 0; at < bytes && takes(); at += kChunk) {
    const size_t n = std::min(kChunk, bytes - at);
    const auto staging = pinned(kChunk);
    if (!staging)
      return attempt(
          tl::unexpected<Error>(Error(Code::resource_exhausted, "TW-623", staging.error().message())));
    const std::byte *const between = *staging;
    auto *to = static_cast<std::byte *>(host) + at;
    attempt(copy(*staging, static_cast<const std::byte *>(device) + at, n));
    attempt(call([=]() -> Status {
      std::memcpy(to, between, n);
      return {};
    }));
  }
}

void CudaQueue::copy(const kernels::StridedCopy &what, At from, At to, const std::atomic<bool> *unless) {
  if (what.bytes() == 0 || !takes())
    return;
  attempt(unless != nullptr ? copy_unless(what, from, to, *unless) : copy_runs(what, from, to));
}

// Run by run; where there are many that lie together in the end, the host puts them there at once.
Status CudaQueue::copy_runs(const kernels::StridedCopy &what, At from, At to) {
  constexpr int64_t kMostRuns = 1024;
  const bool own = from.unit == to.unit && from.unit == gpu_->index();
  if (own && what.num_runs() > kMostRuns && what.fills_one_run())
    return pack_on_host(what, from.memory, to.memory);
  TW_ASSIGN(const auto source, find_gpu(from.unit));
  TW_ASSIGN(const auto target, find_gpu(to.unit));
  Status status;
  what.each_run([&](int64_t src, int64_t dst, int64_t bytes) {
    if (!status)
      return;
    const auto n = static_cast<size_t>(bytes);
    status = own ? copy(to.memory + dst, from.memory + src, n)
                 : check(table_.copy_peer(queue_, to.memory + dst, target->handle(), from.memory + src,
                                          source->handle(), n, why_));
  });
  return status;
}

Status CudaQueue::pack_on_host(const kernels::StridedCopy &what, const void *from, void *to) {
  const auto reach = what.source();
  const DeviceTile read{static_cast<std::byte *>(const_cast<void *>(from)) + reach.offset,
                        static_cast<size_t>(reach.bytes)};
  const DeviceTile written{to, static_cast<size_t>(what.bytes())};
  const bool may_fail = may_fail_late_;
  TW_TRY(on_host(
      {&read, 1}, {&written, 1},
      [plan = kernels::cpu::CopyPlan(what), at = reach.offset](std::span<void *const> tiles) -> Status {
        plan.run(static_cast<std::byte *>(tiles[0]) - at, tiles[1]);
        return {};
      }));
  may_fail_late_ = may_fail; // this does not
  return {};
}

// The target's runs come to the host with what they hold, and go back with that, or with what is new.
Status CudaQueue::copy_unless(const kernels::StridedCopy &what, At from, At to,
                              const std::atomic<bool> &unless) {
  const auto reach = what.source();
  const DeviceTile read{from.memory + reach.offset, static_cast<size_t>(reach.bytes)};
  std::vector<DeviceTile> written;
  std::vector<int64_t> sources;
  what.each_run([&](int64_t src, int64_t dst, int64_t bytes) {
    written.push_back({to.memory + dst, static_cast<size_t>(bytes)});
    sources.push_back(src - reach.offset);
  });
  return on_host({&read, 1}, written,
                 [&unless, sources, bytes = written[0].bytes](std::span<void *const> tiles) -> Status {
                   for (size_t i = 0; i < sources.size() && !unless; ++i)
                     std::memcpy(tiles[i + 1], static_cast<std::byte *>(tiles[0]) + sources[i], bytes);
                   return {};
                 });
}

void CudaQueue::fill(void *device, std::span<const std::byte> element, size_t times) {
  if (times == 0 || element.empty() || !takes())
    return;
  // As short as it repeats: zeros of any type are words of 4 bytes.
  size_t size = element.size();
  const auto repeats = [&](size_t n) {
    return size % n == 0 && std::equal(element.begin() + static_cast<std::ptrdiff_t>(n),
                                       element.begin() + static_cast<std::ptrdiff_t>(size), element.begin());
  };
  while (size > 1 && size % 2 == 0 && repeats(size / 2))
    size /= 2;
  const size_t count = times * (element.size() / size);
  attempt(fill_words(static_cast<std::byte *>(device), element.first(size), count));
}

// Elements of 1, 2 and 4 bytes at once; of others the first, and then twice as many again and again.
Status CudaQueue::fill_words(std::byte *device, std::span<const std::byte> element, size_t times) {
  const auto set = [&](std::byte *to, std::span<const std::byte> word, size_t n) {
    uint32_t value = 0;
    std::memcpy(&value, word.data(), word.size());
    return check(table_.fill(queue_, to, value, static_cast<int32_t>(word.size()), n, why_));
  };
  const size_t size = element.size();
  if (size == 1 || size == 2 || size == 4)
    return set(device, element, times);
  const size_t unit = size % 4 == 0 ? 4 : 1;
  for (size_t at = 0; at < size; at += unit)
    TW_TRY(set(device + at, element.subspan(at, unit), 1));
  for (size_t done = 1; done < times; done *= 2)
    TW_TRY(copy(device + done * size, device, std::min(done, times - done) * size));
  return {};
}

Status CudaQueue::copy(void *to, const void *from, size_t bytes) {
  return check(table_.copy(queue_, to, from, bytes, why_));
}

Status CudaQueue::copy_far(void *to, const void *from, const Gpu &gpu, size_t bytes) {
  return check(table_.copy_peer(queue_, to, gpu_->handle(), from, gpu.handle(), bytes, why_));
}

// A far tile comes by way of the workspace, which what is issued uses in order.
Status CudaQueue::copy_to_pinned(std::byte *to, const DeviceTile &tile) {
  if (tile.far == nullptr)
    return copy(to, tile.at, tile.bytes);
  const auto *from = static_cast<const std::byte *>(tile.at);
  for (size_t at = 0; at < tile.bytes; at += kWorkspace) {
    const size_t n = std::min(kWorkspace, tile.bytes - at);
    TW_TRY(copy_far(workspace_, from + at, *tile.far, n));
    TW_TRY(copy(to + at, workspace_, n));
  }
  return {};
}

Status CudaQueue::multiply(const tw_cuda_product *product, const void *a, const void *b, const void *added,
                           void *c) {
  return check(table_.multiply(queue_, product, a, b, added, c, workspace_, kWorkspace, why_));
}

Status CudaQueue::launch(void *function, const tw_cuda_grid &grid, void **arguments) {
  return check(table_.launch(queue_, function, &grid, arguments, why_));
}

Result<std::byte *> CudaQueue::scratch(size_t bytes) {
  if (bytes <= workspace_bytes_)
    return workspace_;
  if (!larger_.empty() && larger_.back().bytes >= bytes)
    return larger_.back().memory;
  TW_ASSIGN(std::byte *const memory, gpu_->allocate(bytes));
  larger_.push_back({memory, bytes});
  return memory;
}

Status CudaQueue::run(const tw_cuda_work *work, std::span<const void *const> operands,
                      std::span<void *const> results, std::byte *workspace) {
  return check(table_.run_work(queue_, work, operands.data(), results.data(), workspace,
                               table_.work_bytes(work), why_));
}

Status CudaQueue::on_host(std::span<const DeviceTile> read, std::span<const DeviceTile> written, Work work) {
  may_fail_late_ = true;
  std::vector<DeviceTile> tiles(read.begin(), read.end());
  tiles.insert(tiles.end(), written.begin(), written.end());
  size_t bytes = 0;
  std::vector<size_t> offsets;
  for (const DeviceTile &tile : tiles) {
    offsets.push_back(bytes);
    bytes += static_cast<size_t>(kernels::aligned(static_cast<int64_t>(tile.bytes)));
  }
  TW_ASSIGN(std::byte *const host, pinned(bytes));
  std::vector<void *> copies;
  for (size_t i = 0; i < tiles.size(); ++i) {
    copies.push_back(tiles[i].at != nullptr ? host + offsets[i] : nullptr);
    if (tiles[i].at != nullptr)
      TW_TRY(copy_to_pinned(host + offsets[i], tiles[i]));
  }
  TW_TRY(call([copies, own = std::move(work)] { return own(copies); }));
  for (size_t i = read.size(); i < tiles.size(); ++i)
    if (tiles[i].at != nullptr)
      TW_TRY(copy(tiles[i].at, host + offsets[i], tiles[i].bytes));
  return {};
}

void CudaQueue::on_host(Origin origin, const char *name, std::span<const DeviceTile> read,
                        std::span<const DeviceTile> written, Work work) {
  if (!takes())
    return;
  begin(origin, name);
  attempt(on_host(read, written, std::move(work)));
  end();
}

void CudaQueue::begin(Origin origin, const char *name) {
  table_.push_range(origin.step < names_.size() ? names_[origin.step].c_str() : name);
  origin_ = origin;
  const std::lock_guard lock(mutex_);
  uint32_t mark;
  if (recording_ != nullptr) {
    mark = kRecorded | static_cast<uint32_t>(recorded_.size());
    recorded_.push_back(origin);
  } else {
    issued_ = issued_ % (kRecorded - 1) + 1;
    mark = issued_;
    origins_.push_back(origin);
    if (origins_.size() > kMostOrigins)
      origins_.pop_front();
  }
  // A word of the host's memory that the stream writes: it can be read even when the context is lost.
  if (!has_failed_ && mark_ != nullptr)
    table_.mark(queue_, const_cast<uint32_t *>(mark_), mark, why_);
}

void CudaQueue::end() { table_.pop_range(); }

void CudaQueue::launch(const kernels::Kernel &kernel, std::span<const void *const> operands,
                       std::span<void *const> results, Origin origin) {
  if (!takes())
    return;
  begin(origin, kernel.name());
  attempt(static_cast<const GpuKernel &>(kernel).enqueue(*this, operands, results)); // see Kind::adapt
  end();
}

bool CudaQueue::has_failed() const {
  char why[TW_CUDA_WHY] = "";
  if (!has_failed_ && recording_ == nullptr)
    if (const auto result = table_.poll(queue_, why); result != TW_CUDA_OK && result != TW_CUDA_NOT_READY)
      fail_with(gpu_->problem(result, why), running().value_or(Origin()));
  return has_failed_;
}

std::optional<Origin> CudaQueue::running() const {
  char why[TW_CUDA_WHY] = "";
  if (mark_ == nullptr || table_.poll(queue_, why) == TW_CUDA_OK)
    return std::nullopt;
  const std::lock_guard lock(mutex_);
  const uint32_t mark = *mark_;
  if ((mark & kRecorded) != 0)
    return recorded_[mark - kRecorded];
  const uint32_t behind = issued_ - mark;
  if (mark == 0 || behind >= origins_.size())
    return std::nullopt;
  return origins_[origins_.size() - 1 - behind];
}

std::optional<Failure> CudaQueue::recover() {
  const bool has_lost = has_failed(); // also a context that was lost without anybody asking
  const std::lock_guard lock(mutex_);
  if (!has_lost &&
      mark_ != nullptr) // nothing runs: if the context is lost later, it was by none of these steps
    *mark_ = 0;
  is_dropping_ = may_fail_late_ = false;
  has_failed_ = false;
  return std::exchange(failure_, std::nullopt);
}

} // namespace tw::device::cuda
