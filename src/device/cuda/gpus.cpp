// SPDX-License-Identifier: Apache-2.0
// Opens GPUs once, and deals devices out to them.
#include "device/cuda/gpus.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#include "device/gpu_list.hpp"

namespace tw::device::cuda {
namespace {

Result<std::vector<int32_t>> listed_gpus() {
  const char *text = std::getenv("TW_CUDA_GPUS");
  return text == nullptr || *text == '\0' ? std::vector<int32_t>() : parse_gpus("TW_CUDA_GPUS", text);
}

// No more than so many.
Result<std::vector<int32_t>> default_gpus(int64_t most) {
  TW_ASSIGN(const auto first, find_gpu(0));
  const std::vector<tw_cuda_facts> facts = all_facts();
  std::vector<int32_t> found{0};
  for (int32_t i = 1; i < std::ssize(facts) && std::ssize(found) < most; ++i) {
    if (std::string_view(facts[static_cast<size_t>(i)].name) != facts[0].name)
      continue;
    TW_ASSIGN(const auto gpu, find_gpu(i));
    bool all = true;
    for (const int32_t other : found) {
      TW_ASSIGN(const auto known, find_gpu(other));
      all = all && reaches(*gpu, *known) && reaches(*known, *gpu);
    }
    if (all)
      found.push_back(i);
  }
  return found;
}

} // namespace

Result<std::shared_ptr<Gpu>> find_gpu(int32_t index) {
  static std::mutex mutex;
  static auto &open = *new std::map<int32_t, std::shared_ptr<Gpu>>;
  const std::lock_guard lock(mutex);
  if (const auto found = open.find(index); found != open.end())
    return found->second;
  TW_ASSIGN(auto gpu, Gpu::open(index));
  return open.emplace(index, std::move(gpu)).first->second;
}

bool reaches(const Gpu &gpu, const Gpu &other) {
  static std::mutex mutex;
  static auto &known = *new std::map<std::pair<int32_t, int32_t>, bool>;
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = known.try_emplace({gpu.index(), other.index()}, false);
  if (is_new)
    at->second = gpu.table().reach(gpu.handle(), other.handle()) == 1;
  return at->second;
}

Result<std::vector<int32_t>> place(int64_t devices, const Wish &wish) {
  std::vector<int32_t> gpus(wish.units.begin(), wish.units.end());
  if (gpus.empty()) {
    TW_ASSIGN(gpus, listed_gpus());
  }
  if (gpus.empty()) {
    TW_ASSIGN(gpus, default_gpus(wish.turn ? *wish.turn + 1 : devices));
  }
  if (wish.turn)
    gpus = {gpus[static_cast<size_t>(*wish.turn) % gpus.size()]};
  std::vector<int32_t> placed;
  for (int64_t d = 0; d < devices; ++d)
    placed.push_back(gpus[unit_of(d, devices, gpus.size())]);
  for (const int32_t gpu : placed)
    TW_TRY(find_gpu(gpu));
  return placed;
}

} // namespace tw::device::cuda
