// SPDX-License-Identifier: Apache-2.0
// A launch has one argument: an array of words of 64 bits, addresses and numbers.
#include "device/cuda/compiled.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace tw::device::cuda {
namespace {

using kernels::generated::Launch;
using kernels::generated::Word;

constexpr size_t kMostWords = 500; // arguments of a kernel take 4 KB at most
constexpr uintptr_t kAlignment = 16;

uint64_t address(const void *memory) { return reinterpret_cast<uintptr_t>(memory); }

bool is_aligned(std::span<const void *const> operands, std::span<void *const> results) {
  uintptr_t all = 0;
  for (const void *p : operands)
    all |= address(p);
  for (const void *p : results)
    all |= address(p);
  return all % kAlignment == 0;
}

} // namespace

Result<std::unique_ptr<CompiledKernel>> CompiledKernel::make(KernelPlan plan) {
  std::unique_ptr<CompiledKernel> made(new CompiledKernel);
  made->name_ = std::move(plan.name);
  made->split_invariant_ = plan.split_invariant;
  made->num_parts_ = plan.parts.size();
  made->table_ = std::move(plan.table);
  made->own_scratch_ = kernels::aligned(plan.scratch_bytes);
  for (auto *parts : {&plan.parts, &plan.anywhere})
    for (Part &part : *parts) {
      made->scratch_bytes_ =
          std::max(made->scratch_bytes_, made->own_scratch_ + kernels::aligned(part.source.scratch_bytes));
      for (const Launch &launch : part.source.launches)
        if (launch.words.size() > kMostWords)
          return fail(
              Code::unimplemented, "TW-260",
              fmt::format("it takes {} arguments, and a kernel {} at most", launch.words.size(), kMostWords));
      TW_ASSIGN(auto text, Compiler::get().text(part.source));
      made->bounds_.push_back({std::move(text), std::move(part.source.launches), std::move(part.operands),
                               std::move(part.results), std::move(part.numbers), part.only_apart});
    }
  return made;
}

CompiledKernel::~CompiledKernel() {
  for (const auto &loaded : loaded_)
    if (loaded->table != nullptr)
      loaded->gpu->free(loaded->table);
}

std::optional<std::string> CompiledKernel::refusal() const {
  for (const Bound &bound : bounds_)
    if (auto why = Compiler::get().refusal(*bound.text))
      return why;
  return std::nullopt;
}

Status CompiledKernel::load(const std::shared_ptr<Gpu> &gpu) const {
  TW_ASSIGN([[maybe_unused]] const Loaded *const found, loaded(gpu));
  return {};
}

Result<const CompiledKernel::Loaded *> CompiledKernel::loaded(const std::shared_ptr<Gpu> &gpu) const {
  if (const Loaded *last = last_.load(std::memory_order_acquire); last != nullptr && last->gpu == gpu)
    return last;
  const std::lock_guard lock(mutex_);
  for (const auto &known : loaded_)
    if (known->gpu == gpu) {
      last_.store(known.get(), std::memory_order_release);
      return known.get();
    }
  auto made = std::make_unique<Loaded>();
  made->gpu = gpu;
  for (const Bound &bound : bounds_)
    for (const Launch &launch : bound.launches) {
      TW_ASSIGN(void *const function, Compiler::get().function(bound.text, gpu, launch.entry));
      made->functions.push_back(function);
    }
  if (!table_.empty()) {
    const size_t bytes = table_.size() * sizeof(int64_t);
    TW_ASSIGN(made->table, gpu->allocate(bytes));
    if (Status status = gpu->upload(made->table, table_.data(), bytes); !status) {
      gpu->free(made->table);
      return fail(std::move(status.error()));
    }
  }
  loaded_.push_back(std::move(made));
  last_.store(loaded_.back().get(), std::memory_order_release);
  return loaded_.back().get();
}

Status CompiledKernel::enqueue(CudaQueue &queue, std::span<const void *const> operands,
                               std::span<void *const> results) const {
  std::byte *scratch = nullptr;
  if (scratch_bytes_ > 0) {
    TW_ASSIGN(scratch, queue.scratch(static_cast<size_t>(scratch_bytes_)));
  }
  return enqueue(queue, operands, results, scratch);
}

Status CompiledKernel::enqueue(CudaQueue &queue, std::span<const void *const> operands,
                               std::span<void *const> results, std::byte *scratch) const {
  TW_ASSIGN(const Loaded *const here, loaded(queue.shared_gpu()));
  const bool anywhere = num_parts_ < bounds_.size() && !is_aligned(operands, results);
  const size_t begin = anywhere ? num_parts_ : 0, end = anywhere ? bounds_.size() : num_parts_;
  size_t function = 0;
  for (size_t i = 0; i < end; function += bounds_[i++].launches.size())
    if (i >= begin && !(bounds_[i].only_apart && operands[0] == results[0]))
      TW_TRY(enqueue_part(queue, bounds_[i], *here, function, operands, results, scratch));
  return {};
}

Status CompiledKernel::enqueue_part(CudaQueue &queue, const Bound &part, const Loaded &loaded,
                                    size_t first_function, std::span<const void *const> operands,
                                    std::span<void *const> results, std::byte *scratch) const {
  const auto find = [&](const Place &place) {
    switch (place.where) {
    case Place::Where::operand: return address(operands[static_cast<size_t>(place.at)]);
    case Place::Where::result: return address(results[static_cast<size_t>(place.at)]);
    case Place::Where::scratch: return address(scratch + place.at);
    case Place::Where::table: break;
    }
    return address(loaded.table + place.at * static_cast<int64_t>(sizeof(int64_t)));
  };
  std::array<uint64_t, kMostWords> words; // not cleared: the launch takes what it has written
  for (const Launch &launch : part.launches) {
    void *const function = loaded.functions[first_function++];
    if (launch.blocks == 0)
      continue;
    size_t n = 0;
    for (const Word &word : launch.words)
      switch (word.kind) {
      case Word::Kind::operand: words[n++] = find(part.operands[word.index]); break;
      case Word::Kind::result: words[n++] = find(part.results[word.index]); break;
      case Word::Kind::scratch: words[n++] = address(scratch + own_scratch_); break;
      case Word::Kind::number:
        words[n++] = static_cast<uint64_t>(word.index < part.numbers.size() ? part.numbers[word.index]
                                                                            : launch.numbers[word.index]);
      }
    const tw_cuda_grid grid{
        {static_cast<uint32_t>(launch.blocks), 1, 1}, {static_cast<uint32_t>(launch.threads), 1, 1}, 0};
    void *arguments[] = {words.data()};
    TW_TRY(queue.launch(function, grid, arguments));
  }
  return {};
}

Result<bool> compile(std::span<const std::unique_ptr<kernels::Kernel>> kernels,
                     std::span<const std::shared_ptr<Gpu>> gpus) {
  Compiler::get().compile(gpus);
  bool all_run = true;
  for (const auto &kernel : kernels) {
    const auto *gpu_kernel = dynamic_cast<const GpuKernel *>(kernel.get());
    if (const auto *compiled = gpu_kernel != nullptr ? gpu_kernel->compiled() : nullptr) {
      all_run = all_run && !compiled->refusal();
      for (const auto &gpu : gpus)
        if (all_run)
          TW_TRY(compiled->load(gpu));
    }
  }
  return all_run;
}

} // namespace tw::device::cuda
