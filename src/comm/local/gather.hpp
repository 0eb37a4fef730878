// SPDX-License-Identifier: Apache-2.0
// Copies from several holders into one tile, block by block: a block is contiguous in the tile wherever it
// can be, and small enough to be put together in the first-level cache before it is written past the caches
// in one go.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "kernels/cpu/copy.hpp"
#include "redistribute/plan.hpp"

namespace tw::comm {

// Copies of equal boxes between equal strides share a plan, which stays where it is.
class CopyPlans {
public:
  explicit CopyPlans(int64_t element_size) : element_size_(element_size) {}
  CopyPlans(CopyPlans &&) = default;
  CopyPlans(const CopyPlans &) = delete;

  const kernels::cpu::CopyPlan *find(std::span<const int64_t> extent, std::span<const int64_t> src_strides,
                                     std::span<const int64_t> dst_strides);
  int64_t element_size() const { return element_size_; }

private:
  int64_t element_size_;
  std::map<std::vector<int64_t>, kernels::cpu::CopyPlan> by_shape_;
};

// A box of one tile, and the tiles that fill it, each some box of it.
class GatherJob {
public:
  struct Tile {
    size_t slot; // of its buffer in `src` or `dst`
    std::span<const int64_t> offset, extent;
  };
  // `offset` and `extent` of the part are in the whole array's coordinates, as those of tiles are. All parts
  // reach through the region in its dimensions up to and including `cut`; together they fill it.
  struct Part {
    Tile from;
    std::span<const int64_t> offset, extent;
  };
  GatherJob(std::span<const int64_t> offset, std::span<const int64_t> extent, size_t cut, const Tile &to,
            std::span<const Part> parts, CopyPlans &plans);

  // The dimension along which a region of this extent is cut into blocks: those before it are walked.
  static size_t cut_of(std::span<const int64_t> extent, int64_t element_size);

  int64_t num_blocks() const { return num_blocks_; }
  int64_t blocks_in_a_row() const { return loops_.empty() ? 1 : loops_.back().n; } // along `cut`
  bool gathers() const { return sources_.size() > 1; }
  // Whether other devices take what lies between the runs that a block reads: then all of them should at the
  // same time.
  bool scatters() const { return sources_.size() == 1 && !sources_[0].plan->is_one_run(); }
  // And can they run by run?
  bool takes_turns() const { return scatters() && whole_lines_; }
  size_t source_slot() const { return sources_[0].slot; }
  int64_t bytes(int64_t first_block, int64_t last_block) const;
  // Blocks run by these keys: where they begin in a row-major array of these strides, so that neighbours in
  // the whole array meet; or, of jobs that scatter, where they begin in the source.
  int64_t key(int64_t block, std::span<const int64_t> strides) const;

  // Blocks [first, last); flush_stream() is due after those written past the caches.
  void run(int64_t first, int64_t last, std::span<const void *const> src, std::span<void *const> dst,
           bool stream) const;
  // The same of some blocks of each of several jobs that take turns, as far as the addresses of the tiles let
  // them. All but the last of a job's blocks are whole ones along `cut`.
  struct Blocks {
    const GatherJob *job;
    int64_t first, last;
  };
  static void run_in_turns(std::span<const Blocks> blocks, std::span<const void *const> src,
                           std::span<void *const> dst);

private:
  struct Place {
    const std::byte *from;
    std::byte *to;
    const kernels::cpu::CopyPlan *plan;
  };
  Place place(int64_t block, std::span<const void *const> src,
              std::span<void *const> dst) const; // of the one source
  // Copies that fill a block of one extent.
  struct Source {
    size_t slot;
    int64_t offset, dst_offset; // bytes to the first block's part, in the source tile and in the block
    bool same_strides;          // it does nothing where source and target are one place
    const kernels::cpu::CopyPlan *plan, *last_plan; // of a whole block, of the last along `cut`
  };
  struct Loop {
    int64_t n, dst; // blocks along this dimension; bytes from one to the next in the target
  };

  size_t slot_;
  int64_t offset_;             // bytes to the region's first element in the target tile
  std::vector<Loop> loops_;    // dimensions [0, cut]
  std::vector<int64_t> steps_; // per source and loop: bytes from one block to the next in the source tile
  std::vector<Source> sources_;
  std::vector<int64_t> begin_; // of the region
  int64_t slice_ = 1;          // indices of `cut` in a block
  int64_t num_blocks_ = 1;
  int64_t block_bytes_ = 0, last_bytes_ = 0; // of whole blocks and of the last along `cut`
  bool contiguous_ = false;                  // a block is one run of the target tile
  bool whole_lines_ =
      false; // every store of a block covers whole cache lines, if the target tile begins on one
};

} // namespace tw::comm
