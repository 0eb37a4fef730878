// SPDX-License-Identifier: Apache-2.0
// Lays out blocks; runs them straight into the target, or by way of a small buffer where lines would be
// written in parts.
#include "comm/local/gather.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "kernels/cpu/copy_tiles.hpp"
#include "ops/strided.hpp"

namespace tw::comm {

using kernels::cpu::Caches;
using kernels::cpu::CopyPlan;
using kernels::cpu::kCacheLine;

namespace {

constexpr int64_t kBlockBytes = 8 << 10; // with what it is read from, a part of a first-level cache
// From several tiles: processors look ahead along all of them only where turns are short.
constexpr int64_t kGatheredBytes = 2 << 10;
constexpr size_t kMostRank = 64;
constexpr int kSlotShift = 44; // tiles are smaller than 2^44 bytes

int64_t distance(std::span<const int64_t> from, std::span<const int64_t> to,
                 std::span<const int64_t> strides) {
  int64_t sum = 0;
  for (size_t d = 0; d < strides.size(); ++d)
    sum += (to[d] - from[d]) * strides[d];
  return sum;
}

} // namespace

const CopyPlan *CopyPlans::find(std::span<const int64_t> extent, std::span<const int64_t> src_strides,
                                std::span<const int64_t> dst_strides) {
  std::vector<int64_t> key(extent.begin(), extent.end());
  for (size_t d = 0; d < extent.size(); ++d) // strides along one index do not matter
    for (const int64_t stride : {src_strides[d], dst_strides[d]})
      key.push_back(extent[d] == 1 ? 0 : stride);
  const auto [at, is_new] = by_shape_.try_emplace(std::move(key));
  if (is_new)
    at->second = CopyPlan(extent, src_strides, dst_strides, element_size_, CopyPlan::Stream::never);
  return &at->second;
}

size_t GatherJob::cut_of(std::span<const int64_t> extent, int64_t element_size) {
  size_t cut = extent.size();
  for (int64_t inside = element_size; cut > 0 && inside * extent[cut - 1] <= kBlockBytes; --cut)
    inside *= extent[cut - 1];
  return cut == 0 ? 0 : cut - 1;
}

GatherJob::GatherJob(std::span<const int64_t> offset, std::span<const int64_t> extent, size_t cut,
                     const Tile &to, std::span<const Part> parts, CopyPlans &plans)
    : slot_(to.slot), begin_(offset.begin(), offset.end()) {
  const size_t rank = extent.size();
  const int64_t size = plans.element_size();
  const auto dst_strides = ops::dense_strides(to.extent);
  offset_ = distance(to.offset, offset, dst_strides) * size;

  std::vector<int64_t> block(extent.begin(), extent.end()), last;
  if (rank > 0) {
    const int64_t inside = ops::product(extent.subspan(cut + 1)) * size;
    slice_ = std::clamp<int64_t>((parts.size() == 1 ? kBlockBytes : kGatheredBytes) / inside, 1, extent[cut]);
    if (parts.size() == 1 && slice_ < extent[cut]) // as many as its neighbours, which may be a little wider
      slice_ = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(slice_)));
    for (size_t d = 0; d < cut; ++d) {
      loops_.push_back({extent[d], dst_strides[d] * size});
      block[d] = 1;
    }
    loops_.push_back({(extent[cut] + slice_ - 1) / slice_, dst_strides[cut] * slice_ * size});
    block[cut] = slice_;
  }
  last = block;
  if (rank > 0)
    last[cut] = extent[cut] - (loops_[cut].n - 1) * slice_;
  for (const Loop &loop : loops_)
    num_blocks_ *= loop.n;
  block_bytes_ = ops::product(block) * size;
  last_bytes_ = ops::product(last) * size;
  contiguous_ = block_bytes_ <= kBlockBytes;
  for (size_t d = rank == 0 ? 0 : cut + 1; d < rank; ++d)
    contiguous_ &= extent[d] == to.extent[d];

  whole_lines_ = offset_ % kCacheLine == 0;
  for (const Loop &loop : loops_)
    whole_lines_ &= loop.n == 1 || loop.dst % kCacheLine == 0;
  for (const Part &part : parts) {
    const auto src_strides = ops::dense_strides(part.from.extent);
    std::vector<int64_t> begin(part.offset.begin(), part.offset.end()),
        copied(part.extent.begin(), part.extent.end());
    for (size_t d = 0; d < loops_.size(); ++d) {
      begin[d] = offset[d];
      copied[d] = block[d];
    }
    Source source{part.from.slot,
                  distance(part.from.offset, begin, src_strides) * size,
                  distance(offset, begin, dst_strides) * size,
                  true,
                  plans.find(copied, src_strides, dst_strides),
                  nullptr};
    for (size_t d = 0; d < loops_.size(); ++d)
      copied[d] = last[d];
    source.last_plan = plans.find(copied, src_strides, dst_strides);
    for (size_t d = 0; d < rank; ++d)
      source.same_strides &= part.extent[d] == 1 || src_strides[d] == dst_strides[d];
    for (size_t d = 0; d < loops_.size(); ++d)
      steps_.push_back(src_strides[d] * (d == cut ? slice_ : 1) * size);
    whole_lines_ &= source.dst_offset % kCacheLine == 0 && source.plan->writes_whole_lines() &&
                    source.last_plan->writes_whole_lines();
    sources_.push_back(source);
  }
}

int64_t GatherJob::bytes(int64_t first_block, int64_t last_block) const {
  const int64_t row = loops_.empty() ? 1 : loops_.back().n; // blocks of which the last may be smaller
  const int64_t lasts = last_block / row - first_block / row;
  return (last_block - first_block - lasts) * block_bytes_ + lasts * last_bytes_;
}

int64_t GatherJob::key(int64_t block, std::span<const int64_t> strides) const {
  int64_t at = 0;
  if (scatters()) {
    at = (static_cast<int64_t>(sources_[0].slot) << kSlotShift) + sources_[0].offset;
    for (size_t d = loops_.size(); d-- > 0; block /= loops_[d].n)
      at += block % loops_[d].n * steps_[d];
    return at;
  }
  for (size_t d = begin_.size(); d-- > 0;) {
    int64_t index = begin_[d];
    if (d < loops_.size()) {
      index += block % loops_[d].n * (d + 1 == loops_.size() ? slice_ : 1);
      block /= loops_[d].n;
    }
    at += index * strides[d];
  }
  return at;
}

void GatherJob::run(int64_t first, int64_t last, std::span<const void *const> src, std::span<void *const> dst,
                    bool stream) const {
  auto *const tile = static_cast<std::byte *>(dst[slot_]);
  // A block that is written in one go, or in whole lines, needs no buffer.
  const bool lines = whole_lines_ && reinterpret_cast<uintptr_t>(tile) % kCacheLine == 0;
  const bool whole =
      sources_.size() == 1 && sources_[0].plan->is_one_run() && sources_[0].last_plan->is_one_run();
  const bool gathers = stream && contiguous_ && !lines && !whole;
  const Caches caches = gathers ? Caches::filled : stream ? Caches::passed : Caches::used;
  alignas(kCacheLine) std::array<std::byte, kBlockBytes + kCacheLine> buffer;

  std::array<int64_t, kMostRank> index{};
  const size_t loops = loops_.size();
  int64_t rest = first;
  for (size_t d = loops; d-- > 0; rest /= loops_[d].n)
    index[d] = rest % loops_[d].n;
  for (int64_t block = first; block < last; ++block) {
    int64_t at = offset_;
    for (size_t d = 0; d < loops; ++d)
      at += index[d] * loops_[d].dst;
    const bool is_last = loops > 0 && index[loops - 1] + 1 == loops_[loops - 1].n;
    std::byte *const to = tile + at;
    std::byte *const into = gathers ? buffer.data() + reinterpret_cast<uintptr_t>(to) % kCacheLine : to;
    if (gathers) { // the lines that are not all this block's: stores would wait for them
      __builtin_prefetch(to, 1);
      __builtin_prefetch(to + (is_last ? last_bytes_ : block_bytes_) - 1, 1);
    }
    bool moved = false;
    for (size_t s = 0; s < sources_.size(); ++s) {
      const Source &source = sources_[s];
      const auto *from = static_cast<const std::byte *>(src[source.slot]) + source.offset;
      for (size_t d = 0; d < loops; ++d)
        from += index[d] * steps_[s * loops + d];
      const bool stays =
          source.same_strides && from == to + source.dst_offset; // in place: it is there already
      moved |= !stays;
      if (!stays || gathers)
        (is_last ? source.last_plan : source.plan)->run(from, into + source.dst_offset, caches);
    }
    if (gathers && moved)
      kernels::cpu::copy_runs({1, is_last ? last_bytes_ : block_bytes_, 0, 0, true}, into, to);
    for (size_t d = loops; d-- > 0;) {
      if (++index[d] < loops_[d].n)
        break;
      index[d] = 0;
    }
  }
}

GatherJob::Place GatherJob::place(int64_t block, std::span<const void *const> src,
                                  std::span<void *const> dst) const {
  const Source &source = sources_[0];
  Place at{static_cast<const std::byte *>(src[source.slot]) + source.offset,
           static_cast<std::byte *>(dst[slot_]) + offset_ + source.dst_offset, source.plan};
  for (size_t d = loops_.size(); d-- > 0; block /= loops_[d].n) {
    const int64_t index = block % loops_[d].n;
    at.from += index * steps_[d];
    at.to += index * loops_[d].dst;
    if (d + 1 == loops_.size() && index + 1 == loops_[d].n)
      at.plan = source.last_plan;
  }
  return at;
}

void GatherJob::run_in_turns(std::span<const Blocks> blocks, std::span<const void *const> src,
                             std::span<void *const> dst) {
  std::array<kernels::cpu::Stream, kernels::cpu::kMostStreams> streams{};
  for (size_t first = 0; first < blocks.size();) {
    int64_t runs = 0;
    size_t count = 0;
    for (; count < streams.size() && first + count < blocks.size(); ++count) {
      const Blocks &b = blocks[first + count];
      const Place begin = b.job->place(b.first, src, dst), end = b.job->place(b.last - 1, src, dst);
      const auto each = begin.plan->gathered(), last = end.plan->gathered();
      const int64_t more = b.last - 1 - b.first;
      // Blocks with a run for every index of `cut` are one longer block.
      const bool joins = more == 0 || (each.n == b.job->slice_ && each.bytes == last.bytes);
      const bool stays = b.job->sources_[0].same_strides && begin.from == begin.to;
      const int64_t n = more * each.n + last.n;
      const bool lines =
          b.job->whole_lines_ && reinterpret_cast<uintptr_t>(dst[b.job->slot_]) % kCacheLine == 0;
      if (!lines || !joins || stays || (count > 0 && n != runs))
        break;
      runs = n;
      streams[count] = {begin.from, begin.to, last.bytes,
                        more == 0 ? last.src_stride : b.job->steps_.back() / b.job->slice_};
    }
    if (count > 1) {
      kernels::cpu::copy_in_turns(runs, std::span(streams).first(count));
      first += count;
    } else {
      blocks[first].job->run(blocks[first].first, blocks[first].last, src, dst, true);
      ++first;
    }
  }
}

} // namespace tw::comm
