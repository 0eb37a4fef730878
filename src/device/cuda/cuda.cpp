// SPDX-License-Identifier: Apache-2.0
// Opens the plug-in, and turns what its table answers into errors of the library.
#include "device/cuda/cuda.hpp"

#include <cstring>
#include <map>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "base/dynlib.hpp"

namespace tw::device::cuda {
namespace {

constexpr const char *kPlugin = "libtilewright_cuda.so";

// The table alone, before the driver is opened.
Result<const tw_cuda_plugin *> find_table() {
  static std::mutex mutex;
  static auto &open = *new std::optional<DynLib>;
  const std::lock_guard lock(mutex);
  if (!open) {
    TW_ASSIGN(DynLib library, DynLib::open_beside(kPlugin, "TW_PLUGINS"));
    open.emplace(std::move(library));
  }
  TW_ASSIGN(auto *get, open->get<const tw_cuda_plugin *(void)>(TW_CUDA_PLUGIN_SYMBOL));
  const tw_cuda_plugin *table = get();
  if (table->version != TW_CUDA_PLUGIN_VERSION)
    return fail(Code::unavailable, "TW-680",
                fmt::format("{} is of version {}, and this library wants version {}", open->name(),
                            table->version, TW_CUDA_PLUGIN_VERSION));
  return table;
}

// 13010 is 13.1: CUDA's way to number what it releases.
std::string version_text(int32_t number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

} // namespace

Result<const tw_cuda_plugin *> find_plugin() {
  auto table = find_table();
  if (!table)
    return fail(
        Error(Code::unavailable, "TW-680", "there is no plug-in for CUDA").note(table.error().message()));
  char why[TW_CUDA_WHY] = "";
  if (const tw_cuda_result result = (*table)->start(why); result != TW_CUDA_OK)
    return fail(problem(result, why, -1));
  return *table;
}

Error problem(tw_cuda_result result, const char *why, int32_t gpu) {
  const std::string where = gpu < 0 ? "CUDA" : fmt::format("GPU {}", gpu);
  const std::string text = fmt::format("{}: {}", where, why);
  switch (result) {
  case TW_CUDA_NO_MEMORY: return {Code::resource_exhausted, "TW-623", text};
  case TW_CUDA_LOST: return {Code::device_lost, "TW-682", text};
  case TW_CUDA_MISSING: return {Code::unavailable, "TW-680", text};
  default: return {Code::internal, "TW-681", text};
  }
}

Result<std::shared_ptr<Gpu>> Gpu::open(int32_t index) {
  TW_ASSIGN(const tw_cuda_plugin *table, find_plugin());
  TW_ASSIGN(const int32_t gpus, num_gpus());
  char why[TW_CUDA_WHY] = "";
  if (index < 0 || index >= gpus)
    return fail(Code::not_found, "TW-683",
                fmt::format("there is no GPU {}: this machine has {}", index,
                            gpus == 0   ? "none"
                            : gpus == 1 ? "GPU 0"
                                        : fmt::format("GPUs 0 to {}", gpus - 1)));
  tw_cuda_gpu *handle = nullptr;
  if (const auto result = table->open(index, &handle, why); result != TW_CUDA_OK)
    return fail(cuda::problem(result, why, index));
  tw_cuda_facts facts = {};
  if (const auto result = table->facts(index, &facts, why); result != TW_CUDA_OK) {
    table->close(handle);
    return fail(cuda::problem(result, why, index));
  }
  return std::shared_ptr<Gpu>(
      new Gpu(*table, handle, index, fmt::format("sm_{}{}", facts.major, facts.minor)));
}

Gpu::~Gpu() {
  memory_.close(*this);
  table_.close(handle_);
}

Result<int32_t> num_gpus() {
  TW_ASSIGN(const tw_cuda_plugin *table, find_plugin());
  char why[TW_CUDA_WHY] = "";
  int32_t gpus = 0;
  if (const auto result = table->count(&gpus, why); result != TW_CUDA_OK)
    return fail(problem(result, why, -1));
  return gpus;
}

Result<GpuState> describe(const Gpu &gpu) {
  static std::mutex mutex;
  static auto &known = *new std::map<int32_t, tw_cuda_facts>; // whose names are asked for and kept
  char why[TW_CUDA_WHY] = "";
  GpuState state;
  tw_cuda_facts facts = {};
  if (const auto result = gpu.table().facts(gpu.index(), &facts, why); result != TW_CUDA_OK)
    return fail(gpu.problem(result, why));
  int64_t all = 0;
  if (const auto result = gpu.table().memory(gpu.handle(), &state.free_bytes, &all, why);
      result != TW_CUDA_OK)
    return fail(gpu.problem(result, why));
  state.used_bytes = gpu.memory().used();
  state.limit_bytes = gpu.memory().limit();
  const std::lock_guard lock(mutex);
  state.facts = &known.emplace(gpu.index(), facts).first->second;
  return state;
}

Status Gpu::upload(void *to, const void *from, size_t bytes) const {
  char why[TW_CUDA_WHY] = "";
  void *pinned = nullptr;
  tw_cuda_queue *queue = nullptr;
  tw_cuda_result result = table_.allocate_pinned(handle_, bytes, &pinned, why);
  if (result == TW_CUDA_OK)
    result = table_.make_queue(handle_, nullptr, &queue, why);
  if (result == TW_CUDA_OK) {
    std::memcpy(pinned, from, bytes);
    result = table_.copy(queue, to, pinned, bytes, why);
  }
  if (result == TW_CUDA_OK)
    result = table_.drain(queue, why);
  if (queue != nullptr)
    table_.release_queue(queue, 1);
  if (pinned != nullptr)
    table_.free_pinned(handle_, pinned);
  return result == TW_CUDA_OK ? Status() : fail(problem(result, why));
}

Gpu::Claim::Claim(const Gpu &gpu, size_t bytes) : gpu_(gpu), bytes_(bytes) {
  const std::lock_guard lock(gpu_.mutex_);
  gpu_.claims_.insert(bytes_);
}

Gpu::Claim::~Claim() {
  const std::lock_guard lock(gpu_.mutex_);
  gpu_.claims_.erase(gpu_.claims_.find(bytes_));
}

size_t Gpu::most_claimed() const {
  const std::lock_guard lock(mutex_);
  return claims_.empty() ? 0 : *claims_.rbegin();
}

std::vector<tw_cuda_facts> all_facts() {
  std::vector<tw_cuda_facts> all;
  const auto table = find_plugin();
  char why[TW_CUDA_WHY] = "";
  int32_t gpus = 0;
  if (!table || (*table)->count(&gpus, why) != TW_CUDA_OK)
    return all;
  for (int32_t i = 0; i < gpus; ++i)
    if (tw_cuda_facts facts = {}; (*table)->facts(i, &facts, why) == TW_CUDA_OK)
      all.push_back(facts);
  return all;
}

std::vector<std::pair<std::string, std::string>> build_info() {
  const auto table = find_table();
  if (!table)
    return {{"plug-in", table.error().message()}};
  tw_cuda_versions found = {};
  (*table)->versions(&found);
  std::vector<std::pair<std::string, std::string>> info = {
      {"plug-in", "found"},
      {"headers", version_text(found.toolkit)},
      {"driver", found.driver != 0 ? version_text(found.driver) : found.driver_why},
      {"cublaslt", found.products != 0 ? fmt::format("{}.{}.{}", found.products / 10000,
                                                     found.products / 100 % 100, found.products % 100)
                                       : found.products_why}};
  tw_cuda_library other = {};
  for (int32_t i = 0; (*table)->library(i, &other) != 0; ++i)
    info.emplace_back(other.name, other.version[0] != '\0' ? other.version : other.why);
  const std::vector<tw_cuda_facts> gpus = all_facts();
  for (size_t i = 0; i < gpus.size(); ++i)
    info.emplace_back(fmt::format("gpu {}", i),
                      fmt::format("{}, sm_{}{}", gpus[i].name, gpus[i].major, gpus[i].minor));
  return info;
}

} // namespace tw::device::cuda
