// SPDX-License-Identifier: Apache-2.0
// Rank-ordered combining. A block stays in the first-level cache while the holders are folded into it one after another.
#include "comm/local/combine.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "ops/reduction.hpp"

namespace tw::comm {
namespace {

constexpr size_t kBlockBytes = 8192;

} // namespace

Result<ops::BlockFn> combiner(sharding::Reduction kind, graph::DType dtype) {
  if (const ops::BlockFn block = ops::combine_block(kind, dtype))
    return block;
  return fail(Code::unimplemented, "TW-610",
              fmt::format("partial values of type {} cannot be combined by {}", graph::name(dtype),
                          sharding::name(kind)));
}

Overlap::Overlap(const sharding::Box &box, std::span<const Holder> sources, std::span<const Holder> takers) {
  // The innermost dimensions that everybody holds whole form the run.
  size_t dim = box.rank();
  bool unbroken = true;
  while (dim > 0 && unbroken) {
    --dim;
    run_ *= box.extent[dim];
    const auto is_whole = [&](const Holder &h) { return h.tile.extent[dim] == box.extent[dim]; };
    unbroken = std::all_of(sources.begin(), sources.end(), is_whole) &&
               std::all_of(takers.begin(), takers.end(), is_whole);
  }
  extent_.assign(box.extent.begin(), box.extent.begin() + static_cast<std::ptrdiff_t>(dim));
  for (const int64_t n : extent_)
    rows_ *= n;
  for (const Holder &h : sources)
    sources_.push_back(place(box, h));
  for (const Holder &h : takers)
    takers_.push_back(place(box, h));
}

Overlap::Place Overlap::place(const sharding::Box &box, const Holder &holder) const {
  Place at{holder.slot, 0, std::vector<int64_t>(extent_.size())};
  int64_t stride = 1;
  for (size_t dim = box.rank(); dim-- > 0;) {
    at.offset += (box.offset[dim] - holder.tile.offset[dim]) * stride;
    if (dim < extent_.size())
      at.strides[dim] = stride;
    stride *= holder.tile.extent[dim];
  }
  return at;
}

void CombineJob::run(int64_t begin, int64_t end, std::span<const void *const> src,
                     std::span<void *const> dst) const {
  alignas(64) std::array<std::byte, kBlockBytes> even, odd;
  const auto size = static_cast<int64_t>(element_size_);
  overlap_.each_block(begin, end, static_cast<int64_t>(kBlockBytes) / size, [&](int64_t n, auto position) {
    const auto source = [&](const Overlap::Place &at) {
      return static_cast<const std::byte *>(src[at.slot]) + position(at) * size;
    };
    // A taker may lie in a source's memory: it is written when all sources have been read.
    const auto sources = overlap_.sources();
    const std::byte *sum = source(sources[0]);
    for (size_t s = 1; s < sources.size(); ++s) {
      std::byte *next = (s % 2 != 0 ? even : odd).data();
      const void *const in[2] = {sum, source(sources[s])};
      combine_(in, next, n);
      sum = next;
    }
    for (const Overlap::Place &taker : overlap_.takers()) {
      std::byte *to = static_cast<std::byte *>(dst[taker.slot]) + position(taker) * size;
      if (to != sum)
        std::memcpy(to, sum, static_cast<size_t>(n * size));
    }
  });
}

} // namespace tw::comm
