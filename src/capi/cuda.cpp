// SPDX-License-Identifier: Apache-2.0
// tw_cuda.h: what GPUs are, and what the program shares with the library.
#include <tilewright/tw_cuda.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "device/cuda/gpus.hpp"

using namespace tw;
using namespace tw::capi;

tw_status_t tw_cuda_describe(int32_t gpu, tw_gpu_facts_t *out_facts) {
  return guard([&]() -> Status {
    TW_TRY(require(out_facts, "out_facts"));
    TW_TRY(check_struct_size(out_facts->struct_size, "out_facts"));
    TW_ASSIGN(const auto found, device::cuda::find_gpu(gpu));
    TW_ASSIGN(const auto state, device::cuda::describe(*found));
    const tw_cuda_facts &facts = *state.facts;
    const tw_gpu_facts_t out{out_facts->struct_size, facts.name,       facts.major * 10 + facts.minor,
                             facts.processors,       facts.bytes,      state.free_bytes,
                             facts.bytes_per_second, state.used_bytes, state.limit_bytes};
    std::memcpy(out_facts, &out, std::min(out_facts->struct_size, sizeof out));
    return {};
  });
}

tw_status_t tw_cuda_limit_memory(int32_t gpu, int64_t bytes) {
  return guard([&]() -> Status {
    if (bytes < 0)
      return fail(Code::invalid_argument, "TW-722", fmt::format("a limit of {} bytes", bytes));
    TW_ASSIGN(const auto found, device::cuda::find_gpu(gpu));
    found->memory().set_limit(bytes);
    return {};
  });
}

tw_status_t tw_cuda_set_allocator(int32_t gpu, const tw_cuda_allocator_t *allocator) {
  return guard([&]() -> Status {
    TW_TRY(check_options(allocator, "allocator"));
    std::shared_ptr<const device::cuda::GpuAllocator> given;
    if (allocator != nullptr) {
      if (!has_field(allocator, &tw_cuda_allocator_t::user) || allocator->alloc == nullptr ||
          allocator->free == nullptr)
        return fail(Code::invalid_argument, "TW-722", "an allocator needs both of its functions");
      given = std::make_shared<device::cuda::GpuAllocator>(
          device::cuda::GpuAllocator{allocator->alloc, allocator->free, allocator->user});
    }
    TW_ASSIGN(const auto found, device::cuda::find_gpu(gpu));
    found->memory().set_allocator(std::move(given));
    return {};
  });
}

tw_status_t tw_cuda_wrap_stream(int32_t gpu, void *cu_stream, tw_stream_t **out_stream) {
  return guard([&]() -> Status {
    TW_TRY(require(cu_stream, "cu_stream"));
    TW_TRY(require(out_stream, "out_stream"));
    TW_ASSIGN(const device::Where where, device::find_where("cuda", gpu));
    TW_ASSIGN(auto queue, where.kind->make_stream(where.unit, cu_stream));
    *out_stream = new tw_stream(where, std::move(queue), false);
    return {};
  });
}

tw_status_t tw_cuda_wrap_event(int32_t gpu, void *cu_event, tw_event_t **out_event) {
  return guard([&]() -> Status {
    TW_TRY(require(cu_event, "cu_event"));
    TW_TRY(require(out_event, "out_event"));
    TW_ASSIGN(const device::Where where, device::find_where("cuda", gpu));
    TW_ASSIGN(auto event, where.kind->wrap_event(where.unit, cu_event));
    *out_event = new tw_event(where, std::move(event));
    return {};
  });
}
