// SPDX-License-Identifier: Apache-2.0
// The inner loops of the copy engine, for the widest instruction set the machine has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tw::kernels::cpu {

constexpr int64_t kCacheLine = 64; // bytes

// A 2-d copy with transposition: element (r, c) goes from src + r*src_stride + c*size to dst + c*dst_stride +
// r*size (strides in bytes).
struct Transpose2d {
  int64_t rows, cols;
  int64_t src_stride, dst_stride;
  int64_t size; // of an element: 1, 2, 4, 8 or 16 bytes
  bool stream;  // write past the caches: flush_stream() before another thread reads
};
void transpose(const Transpose2d &t, const std::byte *src, std::byte *dst);

// n runs of `bytes` contiguous bytes.
struct Runs {
  int64_t n, bytes;
  int64_t src_stride, dst_stride;
  bool stream;        // write past the caches: flush_stream() before another thread reads
  bool ahead = false; // fetch the runs to come, also those of the next box behind this one
};
void copy_runs(const Runs &r, const std::byte *src, std::byte *dst);

// The same whole cache lines to each of `dst`, which lie on lines, past the caches, line by line.
void copy_to_all(const std::byte *src, std::span<std::byte *const> dst, int64_t bytes);

// Copies of n runs each that take turns, so that runs which lie beside each other in the source are read
// together: run i of every stream before run i + 1 of any. Targets are contiguous whole cache lines, and
// written past the caches.
struct Stream {
  const std::byte *src;
  std::byte *dst;
  int64_t bytes, src_stride; // of a run; between runs
};
constexpr size_t kMostStreams = 16;
void copy_in_turns(int64_t n, std::span<const Stream> streams);

} // namespace tw::kernels::cpu
