// SPDX-License-Identifier: Apache-2.0
// The double of the CUDA driver: streams that are captured, and graphs. What the driver's manual forbids
// while streams are captured is an error and makes the capture void. A graph runs in an order that is drawn,
// within what its nodes wait for: a missing dependency is a wrong number under some seed.
#include "cuda/driver_state.hpp"

namespace tw::driver_double {
namespace {

// Captures that this thread began and has not ended.
thread_local std::vector<std::shared_ptr<Capture>> t_captures;

CUresult spoil(Capture &capture, CUresult code) {
  capture.is_invalid = true;
  return code;
}

void join(std::vector<size_t> &behind, const std::vector<size_t> &more) {
  for (const size_t node : more)
    if (std::find(behind.begin(), behind.end(), node) == behind.end())
      behind.push_back(node);
}

// Whether all that a capture has is over behind these nodes.
bool covers(const CUgraph_st &graph, const std::vector<size_t> &behind) {
  std::vector<bool> seen(graph.nodes.size(), false);
  std::vector<size_t> open = behind;
  size_t count = 0;
  while (!open.empty()) {
    const size_t node = open.back();
    open.pop_back();
    if (seen[node])
      continue;
    seen[node] = true;
    ++count;
    open.insert(open.end(), graph.nodes[node].after.begin(), graph.nodes[node].after.end());
  }
  return count == graph.nodes.size();
}

void run_graph(const CUgraph_st &graph, std::mt19937_64 &random) {
  std::vector<size_t> waits(graph.nodes.size()), ready;
  std::vector<std::vector<size_t>> then(graph.nodes.size());
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    waits[n] = graph.nodes[n].after.size();
    for (const size_t before : graph.nodes[n].after)
      then[before].push_back(n);
    if (waits[n] == 0)
      ready.push_back(n);
  }
  while (!ready.empty()) {
    const size_t at = state().seed.load() == 0 ? 0 : random() % ready.size();
    const size_t node = ready[at];
    ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(at));
    pause(random);
    graph.nodes[node].command();
    for (const size_t next : then[node])
      if (--waits[next] == 0)
        ready.push_back(next);
  }
}

} // namespace

CUresult begin_unsafe() {
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  CUresult code = CUDA_SUCCESS;
  for (const auto &capture : t_captures)
    if (!capture->is_relaxed)
      code = spoil(*capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  return code;
}

CUresult capture_command(CUstream_st *stream, Command command) {
  Capture &capture = *stream->captured.capture;
  if (capture.is_invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  auto &nodes = capture.graph->nodes;
  nodes.push_back({std::move(command), stream->captured.behind});
  stream->captured.behind = {nodes.size() - 1};
  return CUDA_SUCCESS;
}

CUresult capture_record(CUstream_st *stream, CUevent_st *event) {
  if (stream->captured.capture->is_invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  event->captured = stream->captured;
  return CUDA_SUCCESS;
}

// A stream that waits for a captured event is captured from then on.
CUresult capture_wait(CUstream_st *stream, CUevent_st *event) {
  const auto &own = stream->captured.capture, &other = event->captured.capture;
  if (other == nullptr)
    return spoil(*own, CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
  if (own != nullptr && own != other) {
    spoil(*own, CUDA_ERROR_STREAM_CAPTURE_MERGE);
    return spoil(*other, CUDA_ERROR_STREAM_CAPTURE_MERGE);
  }
  if (other->origin == nullptr) // it is over
    return CUDA_ERROR_CAPTURED_EVENT;
  if (other->is_invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (own == nullptr) {
    stream->captured.capture = other;
    other->streams.push_back(stream);
  }
  join(stream->captured.behind, event->captured.behind);
  return CUDA_SUCCESS;
}

} // namespace tw::driver_double

using namespace tw::driver_double;

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  if (stream->captured.capture != nullptr)
    return CUDA_ERROR_ILLEGAL_STATE;
  auto capture = std::make_shared<Capture>();
  capture->origin = stream;
  capture->thread = std::this_thread::get_id();
  capture->is_relaxed = mode == CU_STREAM_CAPTURE_MODE_RELAXED;
  capture->streams.push_back(stream);
  t_captures.push_back(capture);
  stream->captured = {std::move(capture), {}};
  return CUDA_SUCCESS;
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  *graph = nullptr;
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  const std::shared_ptr<Capture> capture = stream->captured.capture;
  if (capture == nullptr)
    return CUDA_ERROR_ILLEGAL_STATE;
  if (capture->origin != stream)
    return spoil(*capture, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  if (!capture->is_relaxed && capture->thread != std::this_thread::get_id())
    return spoil(*capture, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  const bool is_joined = covers(*capture->graph, stream->captured.behind);
  for (CUstream_st *each : capture->streams)
    each->captured = {};
  std::erase(t_captures, capture);
  capture->origin = nullptr;
  if (capture->is_invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (!is_joined)
    return CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  *graph = capture->graph.release();
  ++state().alive;
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiate(CUgraphExec *made, CUgraph graph, unsigned long long) {
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  *made = new CUgraphExec_st{std::make_shared<CUgraph_st>(*graph)};
  ++state().alive;
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream) {
  if (const CUresult code = begin(); code != CUDA_SUCCESS)
    return code;
  if (stream->captured.capture != nullptr) // the driver can; nothing of ours asks for it
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  ++state().graph_launches;
  put(stream, [nodes = graph->graph, stream] { run_graph(*nodes, stream->random); });
  return CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec graph) {
  delete graph;
  --state().alive;
  return CUDA_SUCCESS;
}
CUresult cuGraphDestroy(CUgraph graph) {
  delete graph;
  --state().alive;
  return CUDA_SUCCESS;
}
