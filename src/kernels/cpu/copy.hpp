// SPDX-License-Identifier: Apache-2.0
// The copy engine: runs strided copies (strided_copy.hpp) on the processor. A plan is made once from shapes
// and run many times; it is immutable and allocates nothing when it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/strided_copy.hpp"

namespace tw::kernels::cpu {

// What a copy does with the caches: nothing; it fetches ahead what it will read, because that lies in memory;
// or, besides, it writes past them, where what is written will not be read soon.
enum class Caches : uint8_t { used, filled, passed };

class CopyPlan : public StridedCopy {
public:
  CopyPlan() = default; // copies nothing

  // `stream`: write past the caches, right where the whole transfer (of all devices together) is larger than
  // they are; by default decided by this plan's bytes.
  enum class Stream : uint8_t { by_size, never, always };
  explicit CopyPlan(StridedCopy copy, Stream stream = Stream::by_size);
  CopyPlan(std::span<const int64_t> extent, std::span<const int64_t> src_strides,
           std::span<const int64_t> dst_strides, int64_t element_size, Stream stream = Stream::by_size)
      : CopyPlan(StridedCopy(extent, src_strides, dst_strides, element_size), stream) {}

  // `src` and `dst` point at the box's first element (index 0 in every dimension).
  void run(const void *src, void *dst) const;
  // The same, whatever the plan's own choice is, and without flush_stream(), which is due after one or more
  // that passed the caches, before another thread reads.
  void run(const void *src, void *dst, Caches caches) const;

  // Every store of run(.., passed) covers whole cache lines if `dst` lies on one.
  bool writes_whole_lines() const;
  // Source and destination are contiguous.
  bool is_one_run() const;
  // Some runs, all of one length, the destination contiguous: how many, their bytes, the source's stride.
  // Else 0 runs.
  struct Gathered {
    int64_t n = 0, bytes = 0, src_stride = 0;
  };
  Gathered gathered() const;

  // The same work in pieces that write disjoint memory, in any order, by any threads: part `part` of `parts`.
  // parts must not exceed max_parts(), which depends on the shape only.
  int64_t max_parts() const;
  void run_part(const void *src, void *dst, int64_t part, int64_t parts) const;

private:
  // What runs the innermost one or two dimensions.
  enum class Inner : uint8_t { none, runs, fill, transpose, strided };

  void loop(const Dim *dim, const std::byte *src, std::byte *dst, Caches caches) const;
  void inner(const Dim &a, int64_t n, const std::byte *src, std::byte *dst, Caches caches) const;
  void choose_inner();

  size_t num_loops_ = 0; // of dims_; then those of the inner kernel
  Inner inner_ = Inner::none;
  Caches caches_ = Caches::used;
};

// Bytes of the last-level cache, 0: unknown. Where the kernel does not say it, the C library does, which on
// some processors counts the caches of all cores together.
int64_t last_level_cache();

// Bytes above which a transfer should not go through the caches: half of what is ours of the last-level
// cache.
int64_t streaming_threshold();

// Orders writes past the caches before whatever this thread writes next.
void flush_stream();

} // namespace tw::kernels::cpu
