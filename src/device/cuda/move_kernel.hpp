// SPDX-License-Identifier: Apache-2.0
// What one device receives in one round of a collective, as work of its GPU: boxes are copied and partial
// values combined by kernels, or by plain copies where a move is one run. Tiles of a GPU that this one does
// not reach come to staging first, the bytes alone that are wanted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "comm/array_steps.hpp"
#include "device/cuda/compiled.hpp"
#include "device/cuda/gpus.hpp"
#include "device/cuda/kernel.hpp"
#include "kernels/generated/region_fold.hpp"

namespace tw::device::cuda {

// An array of a round, and what is needed to combine it.
struct MovedArray {
  const comm::ArrayStep *move;
  int64_t element_size;
  size_t slots; // of its source tiles, as comm::ByTaker counts them
  graph::DType dtype = graph::DType::invalid;
  sharding::Reduction reduction = sharding::Reduction::raw;
};

// How several arrays combine by a region: the parts in ascending order of `rank`, without the negative ones.
struct MovedRegion {
  kernels::generated::ScalarRegion region;
  std::span<const int64_t> rank;
  std::string why_none = {}; // not empty: there is no source for the region
};
// With the host's bits: who receives over memory of the host has them, and all members have the same.
MovedRegion moved_region(const comm::RegionReduce &reduce);

class MoveKernel final : public GpuKernel {
public:
  // `gpus`: by position. An error says why the host has to do it. Null: the taker receives nothing.
  static Result<std::unique_ptr<MoveKernel>> make(std::span<const MovedArray> arrays,
                                                  const std::optional<MovedRegion> &region, size_t taker,
                                                  std::span<const std::shared_ptr<Gpu>> gpus);

  const char *name() const override { return "move"; }
  // Pointers of a call, from all tiles of the round.
  std::vector<const void *> operands(std::span<const void *const> src) const;
  std::vector<void *> results(std::span<void *const> dst) const;
  int64_t staging_bytes() const { return staging_bytes_; }
  void give_staging(std::byte *staging) { staging_ = staging; }
  // Why it never runs: a text of it was refused when it was compiled.
  std::optional<std::string> refusal() const {
    return kernel_ != nullptr ? kernel_->refusal() : std::nullopt;
  }

  Status enqueue(CudaQueue &queue, std::span<const void *const> operands,
                 std::span<void *const> results) const override;

private:
  friend class MoveBuilder;
  struct Read {
    size_t slot;
    int64_t offset, bytes; // from the tile's beginning; as far as it is read
    const Gpu *far = nullptr;
    int64_t staging = 0;
  };
  struct Write {
    size_t slot;
    int64_t offset;
  };
  struct Plain {
    size_t operand, result;
    int64_t bytes;
  };
  MoveKernel() = default;

  std::vector<Read> reads_;
  std::vector<Write> writes_;
  std::vector<Plain> plain_;
  std::unique_ptr<CompiledKernel> kernel_; // null: plain copies are all there is
  std::vector<bool> fetches_;              // by read: it comes to staging, for the kernel
  int64_t staging_bytes_ = 0;
  std::byte *staging_ = nullptr;
};

} // namespace tw::device::cuda
