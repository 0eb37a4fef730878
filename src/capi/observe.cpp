// SPDX-License-Identifier: Apache-2.0
// tw_observe.h: records of executables, and the machine's limits.
#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "device/cuda/gpus.hpp"
#include "report/flight.hpp"
#include "runtime/limits.hpp"

using namespace tw;
using namespace tw::capi;

namespace {

// A document about an executable at rest. `option`: what it must have been made with; 0: nothing.
template <class Report>
tw_status_t document(const tw_executable_t *executable, int32_t option, const char *option_name,
                     tw_blob_t **out_json, Report &&report) {
  return guard([&]() -> Status {
    TW_TRY(require(executable, "executable"));
    TW_TRY(require(out_json, "out_json"));
    if ((executable->observe & option) != option)
      return fail(Code::failed_precondition, "TW-723",
                  fmt::format("this executable was made without {}", option_name));
    if (executable->executable->in_progress())
      return fail(Code::failed_precondition, "TW-723", "this executable is running: wait for it");
    return give(report(*executable->executable), out_json);
  });
}

} // namespace

tw_status_t tw_executable_flight(const tw_executable_t *executable, tw_blob_t **out_json) {
  return document(executable, 0, "", out_json, report::flight_json);
}

tw_status_t tw_executable_trace(const tw_executable_t *executable, tw_blob_t **out_json) {
  return document(executable, TW_OBSERVE_TRACE, "TW_OBSERVE_TRACE", out_json, report::trace_json);
}

tw_status_t tw_executable_profile(const tw_executable_t *executable, tw_blob_t **out_json) {
  return document(executable, TW_OBSERVE_PROFILE, "TW_OBSERVE_PROFILE", out_json, report::profile_json);
}

tw_status_t tw_executable_on_host(const tw_executable_t *executable, tw_blob_t **out_json) {
  return document(executable, 0, "", out_json, report::on_host_json);
}

tw_status_t tw_executable_counters(const tw_executable_t *executable, tw_counters_t *out_counters) {
  return guard([&]() -> Status {
    TW_TRY(require(executable, "executable"));
    TW_TRY(require(out_counters, "out_counters"));
    TW_TRY(check_struct_size(out_counters->struct_size, "out_counters"));
    if (executable->executable->in_progress())
      return fail(Code::failed_precondition, "TW-723", "this executable is running: wait for it");
    const runtime::Executor &executor = executable->executable->executor();
    const auto [runs, failed_runs] = executable->executable->counters();
    tw_counters_t out{};
    out.struct_size = out_counters->struct_size;
    out.runs = runs;
    out.failed_runs = failed_runs;
    const auto times = executor.step_nanoseconds(); // empty: not profiled
    for (size_t i = 0; i < executor.steps().size(); ++i) {
      const bool collective =
          executor.steps()[i].collective != nullptr || executor.steps()[i].mover != nullptr;
      ++out.steps;
      out.collectives += collective ? 1 : 0;
      out.bytes += executor.steps()[i].bytes;
      if (!times.empty())
        (collective ? out.collective_ns : out.kernel_ns) += times[i];
    }
    std::memcpy(out_counters, &out, std::min(out_counters->struct_size, sizeof out));
    return {};
  });
}

tw_status_t tw_machine_limits(const tw_context_t *context, tw_blob_t **out_json) {
  return guard([&]() -> Status {
    TW_TRY(require(out_json, "out_json"));
    WorkerPool one(1);
    const auto all = context ? context->pool() : std::make_shared<WorkerPool>();
    nlohmann::ordered_json json;
    json["cores"] = std::thread::hardware_concurrency();
    json["workers"] = all->workers();
    for (const auto &[name, pool] : {std::pair{"one", &one}, {"all", all.get()}}) {
      json["fma_gflops"][name] = runtime::fma_peak_gflops(*pool);
      TW_ASSIGN(const auto memory, runtime::bandwidth(*pool));
      json["copy_gbps"][name] = memory.copy;
      json["read_gbps"][name] = memory.read;
    }
    json["cache_bytes"] = runtime::cache_bytes();
    json["gpus"] = nlohmann::ordered_json::array();
    for (const tw_cuda_facts &gpu : device::cuda::all_facts()) {
      const auto found = device::cuda::find_gpu(static_cast<int32_t>(json["gpus"].size()));
      const auto state =
          found ? device::cuda::describe(**found) : Result<device::cuda::GpuState>(device::cuda::GpuState());
      json["gpus"].push_back({{"name", gpu.name},
                              {"architecture", gpu.major * 10 + gpu.minor},
                              {"processors", gpu.processors},
                              {"bytes", gpu.bytes},
                              {"free_bytes", state ? state->free_bytes : 0},
                              {"limit_bytes", state ? state->limit_bytes : 0},
                              {"gbps", static_cast<double>(gpu.bytes_per_second) * 1e-9}});
    }
    return give(json_text(json), out_json);
  });
}
