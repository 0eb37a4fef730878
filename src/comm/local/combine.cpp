// SPDX-License-Identifier: Apache-2.0
// Rank-ordered combining. A block stays in the first-level cache while the holders are folded into it one
// after another.
#include "comm/local/combine.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "kernels/cpu/copy_tiles.hpp"

namespace tw::comm {
namespace {

constexpr size_t kSummedBytes = 8192;
constexpr size_t kStreamedBytes = 512; // so short that the processor goes on to read memory while it writes
constexpr size_t kMostAtOnce = 8;
constexpr size_t kMostTakers = 16; // written line by line

} // namespace

Result<Combine> combiner(sharding::Reduction kind, graph::DType dtype) {
  if (const kernels::ref::Combiner by = kernels::ref::combiner(kind, dtype))
    return Combine{by, kind, dtype};
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

void CombineJob::run(int64_t begin, int64_t end, std::span<const void *const> src, std::span<void *const> dst,
                     bool stream) const {
  alignas(64) std::array<std::byte, kSummedBytes> block;
  const auto size = static_cast<int64_t>(element_size_);
  const auto sources = overlap_.sources();
  const auto takers = overlap_.takers();
  const size_t block_bytes = stream ? kStreamedBytes : kSummedBytes;
  overlap_.each_block(begin, end, static_cast<int64_t>(block_bytes) / size, [&](int64_t n, auto position) {
    const auto taken_by = [&](const Overlap::Place &at) {
      return static_cast<std::byte *>(dst[at.slot]) + position(at) * size;
    };
    std::array<const void *, kMostAtOnce> in;
    const auto read = [&](size_t i, const Overlap::Place &at) {
      in[i] = static_cast<const std::byte *>(src[at.slot]) + position(at) * size;
    };
    read(0, sources[0]);
    const auto combine = [&](kernels::BlockFn by, bool last) {
      // A taker may lie in a source's memory: it is written when all sources have been read.
      void *const out = last && !stream ? taken_by(takers[0]) : block.data();
      by(in.data(), out, n);
      in[0] = out;
    };
    for (size_t next = 1, some = 0; next < sources.size(); next += some) {
      const size_t left = sources.size() - next;
      const kernels::ref::Combiner &c = combine_.by;
      const kernels::BlockFn by = left >= 7 && c.eight != nullptr  ? c.eight
                                  : left >= 3 && c.four != nullptr ? c.four
                                                                   : c.two;
      some = by == c.two ? 1 : by == c.four ? 3 : 7;
      for (size_t i = 0; i < some; ++i)
        read(i + 1, sources[next + i]);
      combine(by, some == left && !combine_.from_zero);
    }
    if (combine_
            .from_zero) { // whether zero is added first or last, only a sum of nothing but -0.0 becomes another
      combine(combine_.by.add_zero, true);
    }
    const auto *sum = static_cast<const std::byte *>(in[0]);
    if (stream && takers.size() > 1 && takers.size() <= kMostTakers) {
      std::array<std::byte *, kMostTakers> to;
      uintptr_t bits = static_cast<uintptr_t>(n * size);
      for (size_t t = 0; t < takers.size(); ++t) {
        to[t] = taken_by(takers[t]);
        bits |= reinterpret_cast<uintptr_t>(to[t]);
      }
      if (bits % kernels::cpu::kCacheLine == 0)
        return kernels::cpu::copy_to_all(sum, std::span(to).first(takers.size()), n * size);
    }
    for (const Overlap::Place &taker : takers)
      if (std::byte *const to = taken_by(taker); to != sum)
        kernels::cpu::copy_runs({1, n * size, 0, 0, stream}, sum, to);
  });
}

} // namespace tw::comm
