// SPDX-License-Identifier: Apache-2.0
// Kernels of generated source, ready to be put into a queue: launches one after the other, their memory, and
// tables of numbers that lie on the GPU.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/cuda/compiler.hpp"
#include "device/cuda/kernel.hpp"

namespace tw::device::cuda {

// Where a source finds an operand or puts a result.
struct Place {
  enum class Where : uint8_t {
    operand, // number `at` of the kernel's operands
    result,
    scratch, // so many bytes behind the beginning of the kernel's scratch, a multiple of 16
    table,   // so many numbers behind the beginning of its table
  };
  Where where;
  int64_t at;
};

// A source and what its operands, results and numbers are. Its kernels are called kEntry, or begin so.
struct Part {
  kernels::generated::Source source;
  std::vector<Place> operands, results;
  std::vector<int64_t> numbers = {}; // in place of those of its launches, where there are any
  bool only_apart = false;           // left out where the kernel's operand 0 lies at result 0
};

struct KernelPlan {
  std::string name;                // what reports and profilers call it
  std::vector<Part> parts;         // run one after the other
  std::vector<Part> anywhere = {}; // in their place where an operand or a result begins at no multiple of 16
  std::vector<int64_t> table = {};
  int64_t scratch_bytes = 0; // what Place::scratch reaches; that of the sources comes behind it
  bool split_invariant = true;
};

class CompiledKernel final : public GpuKernel {
public:
  // Nothing is compiled yet: Compiler::compile does so for all kernels that are there, or the first launch.
  // An error says why the host has to do it: no NVRTC, or a text that it refused before.
  static Result<std::unique_ptr<CompiledKernel>> make(KernelPlan plan);
  ~CompiledKernel() override;

  const char *name() const override { return name_.c_str(); }
  bool split_invariant() const override { return split_invariant_; }
  const CompiledKernel *compiled() const override { return this; }
  Status enqueue(CudaQueue &queue, std::span<const void *const> operands,
                 std::span<void *const> results) const override;

  // The same with memory of the caller's for scratch, as much as scratch_on_gpu says.
  Status enqueue(CudaQueue &queue, std::span<const void *const> operands, std::span<void *const> results,
                 std::byte *scratch) const;
  int64_t scratch_on_gpu() const { return scratch_bytes_; }

  // Loads it on a GPU, with its table, so that no launch does; compiles what nobody has compiled.
  Status load(const std::shared_ptr<Gpu> &gpu) const;
  // Why it never runs: a text was refused when it was compiled.
  std::optional<std::string> refusal() const;

private:
  struct Bound {
    std::shared_ptr<Text> text;
    std::vector<kernels::generated::Launch> launches;
    std::vector<Place> operands, results;
    std::vector<int64_t> numbers;
    bool only_apart;
  };
  struct Loaded {
    std::shared_ptr<Gpu> gpu;
    std::vector<void *> functions; // by launch, of all bounds
    std::byte *table = nullptr;
  };
  CompiledKernel() = default;
  Result<const Loaded *> loaded(const std::shared_ptr<Gpu> &gpu) const;
  Status enqueue_part(CudaQueue &queue, const Bound &part, const Loaded &loaded, size_t first_function,
                      std::span<const void *const> operands, std::span<void *const> results,
                      std::byte *scratch) const;

  std::string name_;
  bool split_invariant_ = true;
  std::vector<Bound> bounds_; // parts, then those for places anywhere
  size_t num_parts_ = 0;
  std::vector<int64_t> table_;
  int64_t own_scratch_ = 0, scratch_bytes_ = 0;
  mutable std::mutex mutex_; // of the next
  mutable std::vector<std::unique_ptr<const Loaded>> loaded_;
  mutable std::atomic<const Loaded *> last_{nullptr};
};

// The same for all that were bound: compiles their texts together. False where one was refused; an error
// where a GPU cannot take what was compiled.
Result<bool> compile(std::span<const std::unique_ptr<kernels::Kernel>> kernels,
                     std::span<const std::shared_ptr<Gpu>> gpus);

} // namespace tw::device::cuda
