// SPDX-License-Identifier: Apache-2.0
// What one device takes in one round of a collective, in whatever queue it is put: by kernels, or where there
// are none by the host, on copies of the tiles.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/cuda/move_kernel.hpp"
#include "device/cuda/queue.hpp"

namespace tw::device::cuda {

class TakerMove {
public:
  TakerMove() = default; // it takes nothing
  // `gpus`: by position; null: of another process.
  TakerMove(std::span<const MovedArray> arrays, const std::optional<MovedRegion> &region, size_t taker,
            std::span<const std::shared_ptr<Gpu>> gpus);

  bool is_empty() const { return written_.empty(); }
  std::optional<std::string> why_on_host() const; // nullopt: a kernel does it, or nothing is taken
  int64_t bytes() const;                          // of all tiles that it reads or writes
  int64_t staging_bytes() const { return kernel_ != nullptr ? kernel_->staging_bytes() : 0; }
  void give_staging(std::byte *staging) {
    if (kernel_ != nullptr)
      kernel_->give_staging(staging);
  }

  // `src`, `dst`: all tiles of the round, as MovedArray counts them. `by_host` does the same on the host,
  // with those tiles alone that the taker reads and writes; it lives until the queue is through.
  using ByHost = std::function<void(std::span<const void *const> src, std::span<void *const> dst)>;
  void enqueue(CudaQueue &queue, std::span<const void *const> src, std::span<void *const> dst, Origin origin,
               const ByHost &by_host) const;

private:
  // A tile of a call, by its place among all.
  struct Slot {
    size_t index, bytes;
    std::shared_ptr<Gpu> gpu; // where it lies
  };
  void add_tiles(size_t array, const MovedArray &moved, size_t taker,
                 std::span<const std::shared_ptr<Gpu>> gpus);

  std::unique_ptr<MoveKernel> kernel_; // null: the host does it
  std::string why_none_;               // there is no kernel
  std::vector<Slot> read_, written_;   // whole tiles
};

} // namespace tw::device::cuda
