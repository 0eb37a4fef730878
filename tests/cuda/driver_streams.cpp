// SPDX-License-Identifier: Apache-2.0
// The double of the CUDA driver: streams, events, what runs in them, and kernels.
#include "cuda/driver_state.hpp"

#include <cstring>

namespace tw::driver_double {

void pause(std::mt19937_64 &random) {
  if (state().seed.load() == 0)
    return;
  switch (random() % 4) {
  case 0: std::this_thread::sleep_for(std::chrono::microseconds(random() % 300)); break;
  case 1: std::this_thread::yield(); break;
  default: break;
  }
}

CUstream_st *known(CUstream_st *stream) {
  const auto number = reinterpret_cast<uintptr_t>(stream);
  if (number > 2 || t_contexts.empty())
    return stream;
  static std::mutex mutex;
  static auto &made = *new std::map<std::pair<CUctx_st *, uintptr_t>, CUstream_st *>;
  const std::lock_guard lock(mutex);
  CUstream_st *&found = made[{t_contexts.back(), std::max<uintptr_t>(number, 1)}];
  if (found == nullptr) {
    found = new CUstream_st; // until the program ends, as the driver's are
    found->context = t_contexts.back();
    found->random.seed(state().seed);
    found->thread = std::thread(run_stream, found);
    found->thread.detach();
  }
  return found;
}

void run_stream(CUstream_st *stream) {
  std::unique_lock lock(stream->mutex);
  while (true) {
    stream->changed.wait(lock, [&] { return stream->is_over || !stream->commands.empty(); });
    if (stream->commands.empty())
      return;
    const Command command = std::move(stream->commands.front());
    stream->commands.pop_front();
    stream->is_busy = true;
    lock.unlock();
    pause(stream->random);
    command();
    lock.lock();
    stream->is_busy = false;
    stream->changed.notify_all();
  }
}

void put(CUstream_st *stream, Command command) {
  const std::lock_guard lock(stream->mutex);
  stream->commands.push_back(std::move(command));
  stream->changed.notify_all();
}

CUresult enqueue(CUstream_st *stream, Command command) {
  Command work = [context = stream->context, command = std::move(command)] {
    if (!fails_now(context))
      command();
  };
  if (stream->captured.capture != nullptr)
    return capture_command(stream, std::move(work));
  put(stream, std::move(work));
  return CUDA_SUCCESS;
}

namespace {

template <class Element> CUresult set(CUdeviceptr to, Element value, size_t times, CUstream stream) {
  stream = known(stream);
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  if (to % sizeof(Element) != 0 || !is_valid(to, times * sizeof(Element), stream->context))
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(stream, [=] {
    auto *at = static_cast<Element *>(tw_double_alias(reinterpret_cast<void *>(to)));
    for (size_t i = 0; i < times; ++i)
      at[i] = value;
  });
}

} // namespace

} // namespace tw::driver_double

using namespace tw::driver_double;

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  stream = known(stream);
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  if (!is_valid(to, bytes, stream->context) || !is_valid(from, bytes, stream->context))
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(stream, [=] {
    std::memmove(tw_double_alias(reinterpret_cast<void *>(to)),
                 tw_double_alias(reinterpret_cast<void *>(from)), bytes);
  });
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           size_t bytes, CUstream stream) {
  stream = known(stream);
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  if (!is_valid(to, bytes, to_context) || !is_valid(from, bytes, from_context))
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(stream, [=] {
    std::memmove(tw_double_alias(reinterpret_cast<void *>(to)),
                 tw_double_alias(reinterpret_cast<void *>(from)), bytes);
  });
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t times, CUstream stream) {
  stream = known(stream);
  return set(to, value, times, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t times, CUstream stream) {
  stream = known(stream);
  return set(to, value, times, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t times, CUstream stream) {
  stream = known(stream);
  return set(to, value, times, stream);
}

// Streams and events.

CUresult cuStreamCreate(CUstream *stream, unsigned) {
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  auto *made = new CUstream_st;
  made->context = t_contexts.back();
  made->random.seed(state().seed + static_cast<uint64_t>(++state().alive));
  made->thread = std::thread(run_stream, made);
  *stream = made;
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy(CUstream stream) {
  {
    const std::lock_guard lock(stream->mutex);
    stream->is_over = true;
    stream->changed.notify_all();
  }
  stream->thread.join();
  delete stream;
  --state().alive;
  return CUDA_SUCCESS;
}
CUresult cuStreamQuery(CUstream stream) {
  stream = known(stream);
  if (const CUresult code = begin_unsafe(); code != CUDA_SUCCESS)
    return code;
  const std::lock_guard lock(stream->mutex);
  if (stream->captured.capture != nullptr)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  return stream->commands.empty() && !stream->is_busy ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}
CUresult cuStreamSynchronize(CUstream stream) {
  stream = known(stream);
  if (const CUresult code = begin_unsafe(); code != CUDA_SUCCESS)
    return code;
  std::unique_lock lock(stream->mutex);
  if (stream->captured.capture != nullptr)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  stream->changed.wait(lock, [&] { return stream->commands.empty() && !stream->is_busy; });
  return static_cast<CUresult>(stream->context->lost.load());
}
CUresult cuEventCreate(CUevent *event, unsigned flags) {
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  *event = new CUevent_st;
  (*event)->context = t_contexts.back();
  (*event)->is_timed = flags == CU_EVENT_DEFAULT;
  ++state().alive;
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy(CUevent event) {
  delete event;
  --state().alive;
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  stream = known(stream);
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  if (stream->captured.capture != nullptr)
    return capture_record(stream, event);
  const std::lock_guard lock(event->progress->mutex);
  event->captured = {};
  put(stream, [progress = event->progress, place = ++event->progress->recorded] {
    const std::lock_guard reached(progress->mutex);
    progress->reached = std::max(progress->reached, place);
    progress->time = Clock::now();
    progress->changed.notify_all();
  });
  return CUDA_SUCCESS;
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  stream = known(stream);
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  if (stream->captured.capture != nullptr || event->captured.capture != nullptr)
    return capture_wait(stream, event);
  std::unique_lock lock(event->progress->mutex);
  const uint64_t place = event->progress->recorded;
  lock.unlock();
  put(stream, [progress = event->progress, place] {
    std::unique_lock waiting(progress->mutex);
    progress->changed.wait(waiting, [&] { return progress->reached >= place; });
  });
  return CUDA_SUCCESS;
}
CUresult cuEventQuery(CUevent event) {
  if (const CUresult code = begin_unsafe(); code != CUDA_SUCCESS)
    return code;
  const std::lock_guard lock(event->progress->mutex);
  if (event->captured.capture != nullptr)
    return CUDA_ERROR_CAPTURED_EVENT;
  return event->progress->reached == event->progress->recorded ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}
CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
  if (!from->is_timed || !to->is_timed)
    return CUDA_ERROR_INVALID_HANDLE;
  *milliseconds = std::chrono::duration<float, std::milli>(to->progress->time - from->progress->time).count();
  return CUDA_SUCCESS;
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *user) {
  stream = known(stream);
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  return enqueue(stream, [=] {
    t_in_callback = true;
    function(user);
    t_in_callback = false;
  });
}
