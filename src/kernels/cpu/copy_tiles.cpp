// SPDX-License-Identifier: Apache-2.0
// Register tiles for transposing 4-byte elements and non-temporal runs, compiled once for each instruction
// set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/copy_tiles.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "kernels/cpu/copy_tiles.hpp"

HWY_BEFORE_NAMESPACE();
namespace tw::kernels::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<uint8_t> kBytes;
constexpr int64_t kLine = 64; // bytes of a cache line
// Elements of a tile: one of 4-byte elements and its transpose fit the first-level cache. Of what is streamed
// as many rows as a processor sees coming.
constexpr int64_t kTile = 64, kStreamedRows = 32;

// Writes past the caches; ends of the run that do not fill an aligned vector are written as usual.
HWY_INLINE void stream_run(const std::byte *src, std::byte *dst, int64_t bytes) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(kBytes));
  const int64_t head = std::min<int64_t>(bytes, -reinterpret_cast<intptr_t>(dst) & (lanes - 1));
  std::memcpy(dst, src, static_cast<size_t>(head));
  int64_t i = head;
  for (; i + lanes <= bytes; i += lanes)
    hn::Stream(hn::LoadU(kBytes, reinterpret_cast<const uint8_t *>(src + i)), kBytes,
               reinterpret_cast<uint8_t *>(dst + i));
  std::memcpy(dst + i, src + i, static_cast<size_t>(bytes - i));
}

// Whole lines only, two at a time: both are on their way before the first is written.
HWY_INLINE void stream_lines(const uint8_t *HWY_RESTRICT src, uint8_t *HWY_RESTRICT dst, int64_t bytes) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(kBytes));
  int64_t i = 0;
  for (; i + 2 * kLine <= bytes; i += 2 * kLine) {
    if (lanes == kLine) {
      const auto a = hn::LoadU(kBytes, src + i), b = hn::LoadU(kBytes, src + i + kLine);
      hn::Stream(a, kBytes, dst + i);
      hn::Stream(b, kBytes, dst + i + kLine);
    } else {
      for (int64_t j = i; j < i + 2 * kLine; j += lanes)
        hn::Stream(hn::LoadU(kBytes, src + j), kBytes, dst + j);
    }
  }
  for (; i < bytes; i += lanes)
    hn::Stream(hn::LoadU(kBytes, src + i), kBytes, dst + i);
}

// Fetches what lies some kilobytes of runs ahead.
class Ahead {
public:
  explicit Ahead(const Runs &r)
      : bytes_(r.bytes), distance_(std::max<int64_t>(kDistance / r.bytes, 1) * r.src_stride) {}
  HWY_INLINE void fetch(const std::byte *src) const {
    for (int64_t i = 0; i < bytes_; i += 64)
      hwy::Prefetch(src + distance_ + i);
  }

private:
  static constexpr int64_t kDistance = 2048;
  int64_t bytes_, distance_;
};

template <class Copy>
HWY_INLINE void each_run(const Runs &r, const std::byte *src, std::byte *dst, Copy copy) {
  const int64_t n = r.n, src_stride = r.src_stride, dst_stride = r.dst_stride;
  if (r.ahead && r.bytes <= 2048) { // longer ones the processor itself sees coming
    const Ahead ahead(r);
    for (int64_t i = 0; i < n; ++i, src += src_stride, dst += dst_stride) {
      ahead.fetch(src);
      copy(src, dst);
    }
    return;
  }
  for (int64_t i = 0; i < n; ++i, src += src_stride, dst += dst_stride)
    copy(src, dst);
}

// From W to 2 W bytes: the first W and the last.
template <size_t W> HWY_INLINE void copy_ends(const Runs &r, const std::byte *src, std::byte *dst) {
  const auto last = static_cast<size_t>(r.bytes) - W;
  each_run(r, src, dst, [last](const std::byte *from, std::byte *to) {
    std::byte a[W], b[W];
    std::memcpy(a, from, W);
    std::memcpy(b, from + last, W);
    std::memcpy(to, a, W);
    std::memcpy(to + last, b, W);
  });
}

void copy_runs(const Runs &r, const std::byte *src, std::byte *dst) {
  const int64_t bytes = r.bytes;
  if (r.stream && ((reinterpret_cast<intptr_t>(dst) | bytes | (r.n > 1 ? r.dst_stride : 0)) & 63) == 0)
    return each_run(r, src, dst, [bytes](const std::byte *from, std::byte *to) {
      stream_lines(reinterpret_cast<const uint8_t *>(from), reinterpret_cast<uint8_t *>(to), bytes);
    });
  if (r.stream && bytes >= 128)
    return each_run(r, src, dst,
                    [bytes](const std::byte *from, std::byte *to) { stream_run(from, to, bytes); });
  const auto lanes = static_cast<int64_t>(hn::Lanes(kBytes));
  if (bytes >= lanes &&
      bytes <= 8 * lanes) // short runs: no call per run; the last vector overlaps the one before
    return each_run(r, src, dst, [bytes, lanes](const std::byte *from, std::byte *to) {
      const auto *s = reinterpret_cast<const uint8_t *>(from);
      auto *d = reinterpret_cast<uint8_t *>(to);
      for (int64_t b = 0; b + lanes <= bytes; b += lanes)
        hn::StoreU(hn::LoadU(kBytes, s + b), kBytes, d + b);
      hn::StoreU(hn::LoadU(kBytes, s + bytes - lanes), kBytes, d + bytes - lanes);
    });
  if (bytes >= 4 && bytes <= 64)
    return bytes > 32   ? copy_ends<32>(r, src, dst)
           : bytes > 16 ? copy_ends<16>(r, src, dst)
           : bytes > 8  ? copy_ends<8>(r, src, dst)
                        : copy_ends<4>(r, src, dst);
  each_run(r, src, dst, [bytes](const std::byte *from, std::byte *to) {
    std::memcpy(to, from, static_cast<size_t>(bytes));
  });
}

void copy_in_turns(int64_t n, std::span<const Stream> streams) {
  for (int64_t i = 0; i < n; ++i)
    for (const Stream &s : streams)
      stream_lines(reinterpret_cast<const uint8_t *>(s.src + i * s.src_stride),
                   reinterpret_cast<uint8_t *>(s.dst + i * s.bytes), s.bytes);
}

void copy_to_all(const std::byte *src, std::span<std::byte *const> dst, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += kLine)
    for (std::byte *to : dst)
      stream_lines(reinterpret_cast<const uint8_t *>(src + i), reinterpret_cast<uint8_t *>(to + i), kLine);
}

// One tile element by element, any element type.
template <class T>
HWY_INLINE void plain_tile(const std::byte *src, int64_t src_stride, std::byte *dst, int64_t dst_stride,
                           int64_t rows, int64_t cols) {
  for (int64_t c = 0; c < cols; ++c)
    for (int64_t r = 0; r < rows; ++r)
      std::memcpy(dst + c * dst_stride + r * static_cast<int64_t>(sizeof(T)),
                  src + r * src_stride + c * static_cast<int64_t>(sizeof(T)), sizeof(T));
}

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
// 16 x 16 elements: 4 x 4 within 128-bit blocks, then the blocks among themselves.
constexpr int64_t kRegisterRows = 16, kRegisterCols = 16;
HWY_INLINE void register_tile(const std::byte *src, int64_t src_stride, std::byte *dst, int64_t dst_stride) {
  __m512i t[4][4]; // [group of four rows][column mod 4], block b of it = column 4b + ...
  for (int g = 0; g < 4; ++g) {
    __m512i v[4];
    for (int i = 0; i < 4; ++i)
      v[i] = _mm512_loadu_si512(src + (4 * g + i) * src_stride);
    const __m512i a = _mm512_unpacklo_epi32(v[0], v[1]), b = _mm512_unpackhi_epi32(v[0], v[1]);
    const __m512i c = _mm512_unpacklo_epi32(v[2], v[3]), d = _mm512_unpackhi_epi32(v[2], v[3]);
    t[g][0] = _mm512_unpacklo_epi64(a, c);
    t[g][1] = _mm512_unpackhi_epi64(a, c);
    t[g][2] = _mm512_unpacklo_epi64(b, d);
    t[g][3] = _mm512_unpackhi_epi64(b, d);
  }
  for (int j = 0; j < 4; ++j) {
    const __m512i a = _mm512_shuffle_i32x4(t[0][j], t[1][j], 0x44),
                  b = _mm512_shuffle_i32x4(t[0][j], t[1][j], 0xee);
    const __m512i c = _mm512_shuffle_i32x4(t[2][j], t[3][j], 0x44),
                  d = _mm512_shuffle_i32x4(t[2][j], t[3][j], 0xee);
    _mm512_storeu_si512(dst + j * dst_stride, _mm512_shuffle_i32x4(a, c, 0x88));
    _mm512_storeu_si512(dst + (4 + j) * dst_stride, _mm512_shuffle_i32x4(a, c, 0xdd));
    _mm512_storeu_si512(dst + (8 + j) * dst_stride, _mm512_shuffle_i32x4(b, d, 0x88));
    _mm512_storeu_si512(dst + (12 + j) * dst_stride, _mm512_shuffle_i32x4(b, d, 0xdd));
  }
}
#elif HWY_TARGET == HWY_SCALAR
constexpr int64_t kRegisterRows = 1, kRegisterCols = 1;
HWY_INLINE void register_tile(const std::byte *src, int64_t, std::byte *dst, int64_t) {
  std::memcpy(dst, src, 4);
}
#else
// 4 x 4 elements in four 128-bit registers.
constexpr int64_t kRegisterRows = 4, kRegisterCols = 4;
HWY_INLINE void register_tile(const std::byte *src, int64_t src_stride, std::byte *dst, int64_t dst_stride) {
  const hn::FixedTag<uint32_t, 4> d32;
  const hn::FixedTag<uint64_t, 2> d64;
  const auto load = [&](int i) {
    return hn::LoadU(d32, reinterpret_cast<const uint32_t *>(src + i * src_stride));
  };
  const auto store = [&](int i, auto v) {
    hn::StoreU(hn::BitCast(d32, v), d32, reinterpret_cast<uint32_t *>(dst + i * dst_stride));
  };
  const auto v0 = load(0), v1 = load(1), v2 = load(2), v3 = load(3);
  const auto a = hn::BitCast(d64, hn::InterleaveLower(d32, v0, v1)),
             b = hn::BitCast(d64, hn::InterleaveUpper(d32, v0, v1));
  const auto c = hn::BitCast(d64, hn::InterleaveLower(d32, v2, v3)),
             d = hn::BitCast(d64, hn::InterleaveUpper(d32, v2, v3));
  store(0, hn::InterleaveLower(d64, a, c));
  store(1, hn::InterleaveUpper(d64, a, c));
  store(2, hn::InterleaveLower(d64, b, d));
  store(3, hn::InterleaveUpper(d64, b, d));
}
#endif

HWY_INLINE void tile_of_4(const std::byte *src, int64_t src_stride, std::byte *dst, int64_t dst_stride,
                          int64_t rows, int64_t cols) {
  const int64_t full_rows = rows / kRegisterRows * kRegisterRows,
                full_cols = cols / kRegisterCols * kRegisterCols;
  for (int64_t c = 0; c < full_cols; c += kRegisterCols)
    for (int64_t r = 0; r < full_rows; r += kRegisterRows)
      register_tile(src + r * src_stride + c * 4, src_stride, dst + c * dst_stride + r * 4, dst_stride);
  if (full_rows < rows)
    plain_tile<uint32_t>(src + full_rows * src_stride, src_stride, dst + full_rows * 4, dst_stride,
                         rows - full_rows, cols);
  if (full_cols < cols)
    plain_tile<uint32_t>(src + full_cols * 4, src_stride, dst + full_cols * dst_stride, dst_stride, full_rows,
                         cols - full_cols);
}

struct Pair {
  uint64_t lo, hi;
};

void tile_of(int64_t size, const std::byte *src, int64_t src_stride, std::byte *dst, int64_t dst_stride,
             int64_t rows, int64_t cols) {
  switch (size) {
  case 1: return plain_tile<uint8_t>(src, src_stride, dst, dst_stride, rows, cols);
  case 2: return plain_tile<uint16_t>(src, src_stride, dst, dst_stride, rows, cols);
  case 4: return tile_of_4(src, src_stride, dst, dst_stride, rows, cols);
  case 8: return plain_tile<uint64_t>(src, src_stride, dst, dst_stride, rows, cols);
  default: return plain_tile<Pair>(src, src_stride, dst, dst_stride, rows, cols);
  }
}

void transpose(const Transpose2d &t, const std::byte *src, std::byte *dst) {
  alignas(64) std::byte buffer[kTile * kTile * 4];
  const int64_t rows_each = t.stream ? kStreamedRows : kTile,
                cols_each = std::min<int64_t>(kTile, kTile * 4 / t.size);
  const auto tile = [&](int64_t r, int64_t c) {
    const int64_t rows = std::min(rows_each, t.rows - r), cols = std::min(cols_each, t.cols - c);
    const std::byte *from = src + r * t.src_stride + c * t.size;
    std::byte *to = dst + c * t.dst_stride + r * t.size;
    if (!t.stream)
      return tile_of(t.size, from, t.src_stride, to, t.dst_stride, rows, cols);
    tile_of(t.size, from, t.src_stride, buffer, rows_each * t.size, rows, cols);
    for (int64_t i = 0; i < cols; ++i)
      stream_run(buffer + i * rows_each * t.size, to + i * t.dst_stride, rows * t.size);
  };
  if (t.stream) // along the source, from memory
    for (int64_t r = 0; r < t.rows; r += rows_each)
      for (int64_t c = 0; c < t.cols; c += cols_each)
        tile(r, c);
  else // along what is written
    for (int64_t c = 0; c < t.cols; c += cols_each)
      for (int64_t r = 0; r < t.rows; r += rows_each)
        tile(r, c);
}

} // namespace tw::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tw::kernels::cpu {

void flush_stream() { hwy::FlushStream(); }

HWY_EXPORT(transpose);
HWY_EXPORT(copy_runs);
HWY_EXPORT(copy_to_all);
HWY_EXPORT(copy_in_turns);

void transpose(const Transpose2d &t, const std::byte *src, std::byte *dst) {
  HWY_DYNAMIC_DISPATCH(transpose)(t, src, dst);
}
void copy_runs(const Runs &r, const std::byte *src, std::byte *dst) {
  HWY_DYNAMIC_DISPATCH(copy_runs)(r, src, dst);
}
void copy_to_all(const std::byte *src, std::span<std::byte *const> dst, int64_t bytes) {
  HWY_DYNAMIC_DISPATCH(copy_to_all)(src, dst, bytes);
}
void copy_in_turns(int64_t n, std::span<const Stream> streams) {
  HWY_DYNAMIC_DISPATCH(copy_in_turns)(n, streams);
}

} // namespace tw::kernels::cpu
#endif
