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
constexpr size_t kMostRank = 64;

} // namespace

Result<ops::BlockFn> combiner(sharding::Reduction kind, graph::DType dtype) {
  if (const ops::BlockFn block = ops::combine_block(kind, dtype))
    return block;
  return fail(Code::unimplemented, "TW-610",
              fmt::format("partial values of type {} cannot be combined by {}", graph::name(dtype),
                          sharding::name(kind)));
}

CombineJob::CombineJob(const sharding::Box &region, std::span<const Holder> sources,
                       std::span<const Holder> takers, size_t element_size, ops::BlockFn combine)
    : element_size_(element_size), combine_(combine) {
  // The innermost dimensions that everybody holds whole form the run.
  size_t dim = region.rank();
  bool unbroken = true;
  while (dim > 0 && unbroken) {
    --dim;
    run_ *= region.extent[dim];
    const auto is_whole = [&](const Holder &h) { return h.tile.extent[dim] == region.extent[dim]; };
    unbroken = std::all_of(sources.begin(), sources.end(), is_whole) &&
               std::all_of(takers.begin(), takers.end(), is_whole);
  }
  extent_.assign(region.extent.begin(), region.extent.begin() + static_cast<std::ptrdiff_t>(dim));
  for (const int64_t n : extent_)
    rows_ *= n;
  for (const Holder &h : sources)
    sources_.push_back(place(region, h));
  for (const Holder &h : takers)
    takers_.push_back(place(region, h));
}

CombineJob::Place CombineJob::place(const sharding::Box &region, const Holder &holder) const {
  Place at{holder.slot, 0, std::vector<int64_t>(extent_.size())};
  auto stride = static_cast<int64_t>(element_size_);
  for (size_t dim = region.rank(); dim-- > 0;) {
    at.offset += (region.offset[dim] - holder.tile.offset[dim]) * stride;
    if (dim < extent_.size())
      at.strides[dim] = stride;
    stride *= holder.tile.extent[dim];
  }
  return at;
}

void CombineJob::run(int64_t begin, int64_t end, std::span<const void *const> src,
                     std::span<void *const> dst) const {
  alignas(64) std::array<std::byte, kBlockBytes> even, odd;
  std::array<int64_t, kMostRank> index{};
  const auto size = static_cast<int64_t>(element_size_);
  int64_t row = begin / run_, column = begin % run_;
  for (int64_t rest = row, dim = static_cast<int64_t>(extent_.size()); dim-- > 0;) {
    index[static_cast<size_t>(dim)] = rest % extent_[static_cast<size_t>(dim)];
    rest /= extent_[static_cast<size_t>(dim)];
  }
  const auto position = [&](const Place &at) {
    int64_t offset = at.offset + column * size;
    for (size_t dim = 0; dim < extent_.size(); ++dim)
      offset += index[dim] * at.strides[dim];
    return offset;
  };
  const auto source = [&](const Place &at) {
    return static_cast<const std::byte *>(src[at.slot]) + position(at);
  };
  const int64_t most = static_cast<int64_t>(kBlockBytes) / size;
  for (int64_t at = begin; at < end;) {
    const int64_t n = std::min({end - at, run_ - column, most});
    // A taker may lie in a source's memory: it is written when all sources have been read.
    const std::byte *sum = source(sources_[0]);
    for (size_t s = 1; s < sources_.size(); ++s) {
      std::byte *next = (s % 2 != 0 ? even : odd).data();
      const void *const in[2] = {sum, source(sources_[s])};
      combine_(in, next, n);
      sum = next;
    }
    for (const Place &taker : takers_) {
      std::byte *to = static_cast<std::byte *>(dst[taker.slot]) + position(taker);
      if (to != sum)
        std::memcpy(to, sum, static_cast<size_t>(n * size));
    }
    at += n;
    column += n;
    if (column == run_) {
      column = 0;
      ++row;
      for (size_t dim = extent_.size(); dim-- > 0;) {
        if (++index[dim] < extent_[dim])
          break;
        index[dim] = 0;
      }
    }
  }
}

} // namespace tw::comm
