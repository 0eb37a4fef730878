// SPDX-License-Identifier: Apache-2.0
// Partial values combined in rank order, block by block: every block is read from each holder once and
// written to every taker.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "graph/types.hpp"
#include "kernels/ref/combiner.hpp"
#include "sharding/sharding.hpp"

namespace tw::comm {

// How partial values combine: the op's own block functions, so a reduction over devices and one inside a
// device agree.
struct Combine {
  kernels::ref::Combiner by;
  sharding::Reduction kind = sharding::Reduction::raw; // what that is, for devices
  graph::DType dtype = graph::DType::invalid;
  bool from_zero = false; // see Transfer
  explicit operator bool() const { return static_cast<bool>(by); }
};
Result<Combine> combiner(sharding::Reduction kind, graph::DType dtype);

// A box of an array that lies in the tiles of several holders.
class Overlap {
public:
  struct Holder {
    size_t slot;        // of its buffer in `src` or `dst`
    sharding::Box tile; // what the buffer holds
  };
  struct Place {
    size_t slot;
    int64_t offset;               // to the box's first element
    std::vector<int64_t> strides; // per row dimension
  };
  Overlap(const sharding::Box &box, std::span<const Holder> sources, std::span<const Holder> takers);

  int64_t elements() const { return rows_ * run_; }
  std::span<const Place> sources() const { return sources_; }
  std::span<const Place> takers() const { return takers_; }
  // Elements [begin, end) of the box, row-major, in blocks of at most `most` that are contiguous everywhere:
  // visit(count, at), where at(place) is the block's first element there.
  template <class Visit> void each_block(int64_t begin, int64_t end, int64_t most, Visit visit) const;

private:
  static constexpr size_t kMostRank = 64;
  Place place(const sharding::Box &box, const Holder &holder) const;

  int64_t run_ = 1; // elements that are contiguous at every source and taker
  int64_t rows_ = 1;
  std::vector<int64_t> extent_; // of the row dimensions
  std::vector<Place> sources_, takers_;
};

template <class Visit> void Overlap::each_block(int64_t begin, int64_t end, int64_t most, Visit visit) const {
  std::array<int64_t, kMostRank> index{};
  int64_t row = begin / run_, column = begin % run_;
  for (size_t dim = extent_.size(); dim-- > 0; row /= extent_[dim])
    index[dim] = row % extent_[dim];
  const auto position = [&](const Place &at) {
    int64_t offset = at.offset + column;
    for (size_t dim = 0; dim < extent_.size(); ++dim)
      offset += index[dim] * at.strides[dim];
    return offset;
  };
  for (int64_t at = begin, n = 0; at < end; at += n) {
    n = std::min({end - at, run_ - column, most});
    visit(n, position);
    column += n;
    if (column != run_)
      continue;
    column = 0;
    for (size_t dim = extent_.size(); dim-- > 0;) {
      if (++index[dim] < extent_[dim])
        break;
      index[dim] = 0;
    }
  }
}

// One box of an array held in part by several devices and wanted by some.
class CombineJob {
public:
  using Holder = Overlap::Holder;
  CombineJob(const sharding::Box &box, std::span<const Holder> sources, std::span<const Holder> takers,
             size_t element_size, Combine combine)
      : overlap_(box, sources, takers), element_size_(element_size), combine_(combine) {}

  int64_t elements() const { return overlap_.elements(); }
  // Elements [begin, end) of the box, row-major. With `stream` they are written past the caches:
  // flush_stream() is due before another thread reads.
  void run(int64_t begin, int64_t end, std::span<const void *const> src, std::span<void *const> dst,
           bool stream = false) const;

private:
  Overlap overlap_;
  size_t element_size_;
  Combine combine_;
};

} // namespace tw::comm
