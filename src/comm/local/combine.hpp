// SPDX-License-Identifier: Apache-2.0
// Partial values combined in rank order, block by block: every block is read from each holder once and written to every
// taker.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "graph/types.hpp"
#include "ops/op_def.hpp"
#include "sharding/sharding.hpp"

namespace tw::comm {

// out[i] = a[i] (op) b[i]: the op's own block function, so a reduction over devices and one inside a device agree.
Result<ops::BlockFn> combiner(sharding::Reduction kind, graph::DType dtype);

// One region of an array held in part by several devices and wanted by some.
class CombineJob {
public:
  struct Holder {
    size_t slot;        // of its buffer in `src` or `dst`
    sharding::Box tile; // what the buffer holds
  };
  CombineJob(const sharding::Box &region, std::span<const Holder> sources, std::span<const Holder> takers,
             size_t element_size, ops::BlockFn combine);

  int64_t elements() const { return rows_ * run_; }
  // Elements [begin, end) of the region, row-major.
  void run(int64_t begin, int64_t end, std::span<const void *const> src, std::span<void *const> dst) const;

private:
  struct Place {
    size_t slot;
    int64_t offset;               // bytes to the region's first element
    std::vector<int64_t> strides; // bytes per row dimension
  };
  Place place(const sharding::Box &region, const Holder &holder) const;

  size_t element_size_;
  ops::BlockFn combine_;
  int64_t run_ = 1; // elements that are contiguous at every source and taker
  int64_t rows_ = 1;
  std::vector<int64_t> extent_; // of the row dimensions
  std::vector<Place> sources_, takers_;
};

} // namespace tw::comm
