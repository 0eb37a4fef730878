// SPDX-License-Identifier: Apache-2.0
// Streams and events, and what is put into a stream: copies, fills, functions of the host, captured graphs.
#include "device/cuda/plugin/gpu.hpp"

#include <fmt/format.h>

namespace tw::cuda {
namespace {

CUdeviceptr address(const void *memory) { return reinterpret_cast<CUdeviceptr>(memory); }

tw_cuda_result make_queue(tw_cuda_gpu *gpu, void *stream, tw_cuda_queue **out, char *why) {
  auto queue = std::make_unique<tw_cuda_queue>();
  queue->gpu = gpu;
  queue->stream = static_cast<CUstream>(stream);
  queue->is_ours = stream == nullptr;
  if (queue->is_ours)
    if (const auto result = attempt(
            gpu, "cuStreamCreate", why,
            [&](const Driver &d) { return d.cuStreamCreate(&queue->stream, CU_STREAM_NON_BLOCKING); });
        result != TW_CUDA_OK)
      return result;
  *out = queue.release();
  return TW_CUDA_OK;
}

void release_queue(tw_cuda_queue *queue, int32_t orderly) {
  const Current current(queue->gpu);
  if (queue->is_ours && orderly)
    driver().cuStreamDestroy(queue->stream);
  delete queue;
}

void *stream_of(tw_cuda_queue *queue) { return queue->stream; }

tw_cuda_result poll(tw_cuda_queue *queue, char *why) {
  return attempt(queue->gpu, "cuStreamQuery", why,
                 [&](const Driver &d) { return d.cuStreamQuery(queue->stream); });
}

tw_cuda_result drain(tw_cuda_queue *queue, char *why) {
  return attempt(queue->gpu, "cuStreamSynchronize", why,
                 [&](const Driver &d) { return d.cuStreamSynchronize(queue->stream); });
}

tw_cuda_result make_event(tw_cuda_gpu *gpu, int32_t timed, tw_cuda_event **out, char *why) {
  auto event = std::make_unique<tw_cuda_event>();
  event->gpu = gpu;
  const auto result = attempt(gpu, "cuEventCreate", why, [&](const Driver &d) {
    return d.cuEventCreate(&event->event, timed ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING);
  });
  if (result == TW_CUDA_OK)
    *out = event.release();
  return result;
}

tw_cuda_result wrap_event(tw_cuda_gpu *gpu, void *event, tw_cuda_event **out, char *) {
  *out = new tw_cuda_event{gpu, static_cast<CUevent>(event), false};
  return TW_CUDA_OK;
}

void *event_of(tw_cuda_event *event) { return event->event; }

void release_event(tw_cuda_event *event) {
  const Current current(event->gpu);
  if (event->is_ours)
    driver().cuEventDestroy(event->event);
  delete event;
}

tw_cuda_result record(tw_cuda_event *event, tw_cuda_queue *queue, char *why) {
  return attempt(queue->gpu, "cuEventRecord", why,
                 [&](const Driver &d) { return d.cuEventRecord(event->event, queue->stream); });
}

tw_cuda_result wait(tw_cuda_queue *queue, tw_cuda_event *event, char *why) {
  return attempt(queue->gpu, "cuStreamWaitEvent", why, [&](const Driver &d) {
    return d.cuStreamWaitEvent(queue->stream, event->event, CU_EVENT_WAIT_DEFAULT);
  });
}

tw_cuda_result reached(tw_cuda_event *event, char *why) {
  return attempt(event->gpu, "cuEventQuery", why,
                 [&](const Driver &d) { return d.cuEventQuery(event->event); });
}

tw_cuda_result elapsed(tw_cuda_event *from, tw_cuda_event *to, double *out_seconds, char *why) {
  float milliseconds = 0;
  const auto result = attempt(from->gpu, "cuEventElapsedTime", why, [&](const Driver &d) {
    return d.cuEventElapsedTime(&milliseconds, from->event, to->event);
  });
  *out_seconds = static_cast<double>(milliseconds) * 1e-3;
  return result;
}

tw_cuda_result copy(tw_cuda_queue *queue, void *to, const void *from, size_t bytes, char *why) {
  return attempt(queue->gpu, "cuMemcpyAsync", why, [&](const Driver &d) {
    return bytes == 0 ? CUDA_SUCCESS : d.cuMemcpyAsync(address(to), address(from), bytes, queue->stream);
  });
}

tw_cuda_result copy_peer(tw_cuda_queue *queue, void *to, tw_cuda_gpu *to_gpu, const void *from,
                         tw_cuda_gpu *from_gpu, size_t bytes, char *why) {
  return attempt(queue->gpu, "cuMemcpyPeerAsync", why, [&](const Driver &d) {
    return bytes == 0 ? CUDA_SUCCESS
                      : d.cuMemcpyPeerAsync(address(to), to_gpu->context, address(from), from_gpu->context,
                                            bytes, queue->stream);
  });
}

tw_cuda_result fill(tw_cuda_queue *queue, void *to, uint32_t element, int32_t element_bytes, size_t times,
                    char *why) {
  return attempt(queue->gpu, "cuMemsetAsync", why, [&](const Driver &d) {
    if (times == 0)
      return CUDA_SUCCESS;
    switch (element_bytes) {
    case 1: return d.cuMemsetD8Async(address(to), static_cast<unsigned char>(element), times, queue->stream);
    case 2:
      return d.cuMemsetD16Async(address(to), static_cast<unsigned short>(element), times, queue->stream);
    case 4: return d.cuMemsetD32Async(address(to), element, times, queue->stream);
    default: return CUDA_ERROR_INVALID_VALUE;
    }
  });
}

tw_cuda_result mark(tw_cuda_queue *queue, uint32_t *word, uint32_t value, char *why) {
  return attempt(queue->gpu, "cuLaunchKernel", why, [&](const Driver &d) {
    void *arguments[] = {&word, &value};
    return d.cuLaunchKernel(queue->gpu->mark, 1, 1, 1, 1, 1, 1, 0, queue->stream, arguments, nullptr);
  });
}

tw_cuda_result call(tw_cuda_queue *queue, void (*function)(void *), void *user, char *why) {
  return attempt(queue->gpu, "cuLaunchHostFunc", why,
                 [&](const Driver &d) { return d.cuLaunchHostFunc(queue->stream, function, user); });
}

tw_cuda_result begin_capture(tw_cuda_queue *queue, char *why) {
  return attempt(queue->gpu, "cuStreamBeginCapture", why, [&](const Driver &d) {
    return d.cuStreamBeginCapture(queue->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  });
}

tw_cuda_result end_capture(tw_cuda_queue *queue, tw_cuda_graph **out, char *why) {
  auto made = std::make_unique<tw_cuda_graph>();
  made->gpu = queue->gpu;
  CUgraph graph = nullptr;
  auto result = attempt(queue->gpu, "cuStreamEndCapture", why,
                        [&](const Driver &d) { return d.cuStreamEndCapture(queue->stream, &graph); });
  if (result != TW_CUDA_OK)
    return result;
  result = attempt(queue->gpu, "cuGraphInstantiate", why,
                   [&](const Driver &d) { return d.cuGraphInstantiate(&made->graph, graph, 0); });
  driver().cuGraphDestroy(graph);
  if (result == TW_CUDA_OK)
    *out = made.release();
  return result;
}

void release_graph(tw_cuda_graph *graph) {
  const Current current(graph->gpu);
  driver().cuGraphExecDestroy(graph->graph);
  delete graph;
}

tw_cuda_result replay(tw_cuda_queue *queue, tw_cuda_graph *graph, char *why) {
  return attempt(queue->gpu, "cuGraphLaunch", why,
                 [&](const Driver &d) { return d.cuGraphLaunch(graph->graph, queue->stream); });
}

} // namespace

void add_queues(tw_cuda_plugin &table) {
  table.make_queue = make_queue;
  table.release_queue = release_queue;
  table.stream_of = stream_of;
  table.poll = poll;
  table.drain = drain;
  table.make_event = make_event;
  table.wrap_event = wrap_event;
  table.event_of = event_of;
  table.release_event = release_event;
  table.record = record;
  table.wait = wait;
  table.reached = reached;
  table.elapsed = elapsed;
  table.copy = copy;
  table.copy_peer = copy_peer;
  table.fill = fill;
  table.mark = mark;
  table.call = call;
  table.begin_capture = begin_capture;
  table.end_capture = end_capture;
  table.release_graph = release_graph;
  table.replay = replay;
}

} // namespace tw::cuda
