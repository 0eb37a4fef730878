// SPDX-License-Identifier: Apache-2.0
// The part of the table that all libraries share. Which of them this build knows is decided by the headers
// that it found.
#include "device/cuda/plugin/work.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace tw::cuda {
namespace {

struct Library {
  const char *name;
  void (*add)(tw_cuda_plugin &table);
  void (*describe)(tw_cuda_library &out);
  const char *missing; // the header without which this was built
};

constexpr Library kLibraries[] = {
    {"cub", add_sorts, describe_sorts, ""},
#if TW_CUDA_WITH_CUDNN
    {"cudnn", add_convolutions, describe_convolutions, ""},
#else
    {"cudnn", nullptr, nullptr, "cudnn_graph.h"},
#endif
#if TW_CUDA_WITH_CUFFT
    {"cufft", add_transforms, describe_transforms, ""},
#else
    {"cufft", nullptr, nullptr, "cufft.h"},
#endif
#if TW_CUDA_WITH_CUSOLVER
    {"cusolver", add_factorizations, describe_factorizations, ""},
#else
    {"cusolver", nullptr, nullptr, "cusolverDn.h"},
#endif
#if TW_CUDA_WITH_CUBLAS
    {"cublas", add_solves, describe_solves, ""},
#else
    {"cublas", nullptr, nullptr, "cublas_v2.h"},
#endif
};

int32_t library(int32_t index, tw_cuda_library *out) {
  if (index < 0 || index >= static_cast<int32_t>(std::size(kLibraries)))
    return 0;
  *out = {};
  const Library &l = kLibraries[index];
  if (l.describe != nullptr)
    l.describe(*out);
  else
    describe_library(*out, l.name,
                     fail(Code::unavailable, "TW-680", fmt::format("built without {}", l.missing)), "");
  return 1;
}

void release_work(tw_cuda_work *work) {
  const Current current(work->gpu);
  delete work;
}

const char *work_name(const tw_cuda_work *work) { return work->name.c_str(); }
size_t work_bytes(const tw_cuda_work *work) { return work->workspace; }

tw_cuda_result run_work(tw_cuda_queue *queue, const tw_cuda_work *work, const void *const *operands,
                        void *const *results, void *workspace, size_t bytes, char *why) {
  const Current current(queue->gpu);
  if (current.code() != CUDA_SUCCESS)
    return explain(current.code(), "cuCtxPushCurrent", why);
  if (bytes < work->workspace)
    return refuse(
        TW_CUDA_FAILED,
        fmt::format("{} wants {} bytes of workspace and has {}", work->name, work->workspace, bytes), why);
  return work->run({queue, operands, results, workspace, bytes}, why);
}

} // namespace

void describe_library(tw_cuda_library &out, const char *name, const Status &found,
                      const std::string &version) {
  std::snprintf(out.name, sizeof out.name, "%s", name);
  std::snprintf(out.version, sizeof out.version, "%s", found ? version.c_str() : "");
  if (!found)
    refuse(TW_CUDA_MISSING, found.error().message(), out.why);
}

void add_work(tw_cuda_plugin &table) {
  for (const Library &l : kLibraries)
    if (l.add != nullptr)
      l.add(table);
  table.library = library;
  table.release_work = release_work;
  table.work_name = work_name;
  table.work_bytes = work_bytes;
  table.run_work = run_work;
}

} // namespace tw::cuda
