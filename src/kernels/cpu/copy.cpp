// SPDX-License-Identifier: Apache-2.0
// Outer loops of the copy engine: the innermost one or two dimensions are handed to a tight loop.
#include "kernels/cpu/copy.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <unistd.h>

#include "base/status.hpp"
#include "kernels/cpu/copy_tiles.hpp"

namespace tw::kernels::cpu {

namespace {

constexpr int64_t kLine = 64; // bytes of a cache line
// Of a last-level cache no more than this is ours: larger ones serve many cores, also such as a virtual
// machine does not see. (Measured where 2 cores see 480 MiB: copies through the caches are the slower ones
// from 32 MiB on.)
constexpr int64_t kMostCache = 64 << 20;

// Elements at most this large are moved as one register.
bool is_register_size(int64_t bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

struct Wide {
  uint64_t lo, hi;
};

template <class T>
void strided(const std::byte *src, std::byte *dst, int64_t n, int64_t src_stride, int64_t dst_stride) {
  for (int64_t i = 0; i < n; ++i) {
    T value;
    std::memcpy(&value, src + i * src_stride, sizeof(T));
    std::memcpy(dst + i * dst_stride, &value, sizeof(T));
  }
}

template <class T> void fill(const std::byte *src, std::byte *dst, int64_t n) {
  T value;
  std::memcpy(&value, src, sizeof(T));
  for (int64_t i = 0; i < n; ++i)
    std::memcpy(dst + i * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}

// Calls f<T>(args...) with a T of `size` bytes.
#define TW_BY_SIZE(size, f, ...)                                                                             \
  switch (size) {                                                                                            \
  case 1: return f<uint8_t>(__VA_ARGS__);                                                                    \
  case 2: return f<uint16_t>(__VA_ARGS__);                                                                   \
  case 4: return f<uint32_t>(__VA_ARGS__);                                                                   \
  case 8: return f<uint64_t>(__VA_ARGS__);                                                                   \
  default: return f<Wide>(__VA_ARGS__);                                                                      \
  }

void strided_of(int64_t size, const std::byte *src, std::byte *dst, int64_t n, int64_t src_stride,
                int64_t dst_stride) {
  TW_BY_SIZE(size, strided, src, dst, n, src_stride, dst_stride)
}

void fill_of(int64_t size, const std::byte *src, std::byte *dst, int64_t n) {
  TW_BY_SIZE(size, fill, src, dst, n)
}

#undef TW_BY_SIZE

} // namespace

int64_t last_level_cache() {
  int64_t kilobytes = 0;
  if (std::FILE *file = std::fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "re")) {
    if (std::fscanf(file, "%" SCNd64 "K", &kilobytes) != 1)
      kilobytes = 0;
    std::fclose(file);
  }
  if (kilobytes > 0)
    return kilobytes << 10;
#ifdef _SC_LEVEL3_CACHE_SIZE
  return sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
  return 0;
#endif
}

int64_t streaming_threshold() {
  static const int64_t threshold = [] {
    const int64_t cache = std::min(last_level_cache(), kMostCache);
    return cache > 0 ? cache / 2 : int64_t{8} << 20;
  }();
  return threshold;
}

CopyPlan::CopyPlan(StridedCopy copy, Stream stream) : StridedCopy(std::move(copy)) {
  if (bytes_ == 0)
    return;
  if (stream == Stream::always || (stream == Stream::by_size && bytes_ >= streaming_threshold()))
    caches_ = Caches::passed;
  choose_inner();
}

void CopyPlan::choose_inner() {
  const bool is_one = dims_.size() == 1 && dims_[0].n == 1;
  if (is_one || !is_register_size(run_)) {
    inner_ = Inner::runs;
    num_loops_ = dims_.size() - 1;
    return;
  }
  Dim &last = dims_.back();
  if (last.dst == run_ && last.src == 0) {
    inner_ = Inner::fill;
    num_loops_ = dims_.size() - 1;
    return;
  }
  if (last.dst == run_) {
    const auto row =
        std::find_if(dims_.begin(), dims_.end() - 1, [&](const Dim &d) { return d.src == run_; });
    if (row != dims_.end() - 1) {
      std::rotate(row, row + 1, dims_.end() - 1); // the source's contiguous dimension, then the destination's
      inner_ = Inner::transpose;
      num_loops_ = dims_.size() - 2;
      return;
    }
  }
  inner_ = Inner::strided;
  num_loops_ = dims_.size() - 1;
}

// `a`, of which n indices are done, is the first dimension of the inner kernel.
void CopyPlan::inner(const Dim &a, int64_t n, const std::byte *src, std::byte *dst, Caches caches) const {
  switch (inner_) {
  case Inner::runs:
    return copy_runs({n, run_, a.src, a.dst, caches == Caches::passed, caches != Caches::used}, src, dst);
  case Inner::fill: return fill_of(run_, src, dst, n);
  case Inner::strided: return strided_of(run_, src, dst, n, a.src, a.dst);
  case Inner::transpose: {
    const Dim &b = dims_[num_loops_ + 1];
    return transpose({b.n, n, b.src, a.dst, run_, caches == Caches::passed}, src, dst);
  }
  case Inner::none: return;
  }
}

void CopyPlan::loop(const Dim *dim, const std::byte *src, std::byte *dst, Caches caches) const {
  if (dim == dims_.data() + num_loops_)
    return inner(*dim, dim->n, src, dst, caches);
  for (int64_t i = 0; i < dim->n; ++i)
    loop(dim + 1, src + i * dim->src, dst + i * dim->dst, caches);
}

void CopyPlan::run(const void *src, void *dst, Caches caches) const {
  if (inner_ != Inner::none)
    loop(dims_.data(), static_cast<const std::byte *>(src), static_cast<std::byte *>(dst), caches);
}

void CopyPlan::run(const void *src, void *dst) const {
  run(src, dst, caches_);
  if (caches_ == Caches::passed)
    flush_stream();
}

bool CopyPlan::writes_whole_lines() const {
  return inner_ == Inner::runs && run_ % kLine == 0 &&
         std::ranges::all_of(dims_, [](const Dim &d) { return d.dst % kLine == 0; });
}

bool CopyPlan::is_one_run() const { return inner_ == Inner::runs && num_loops_ == 0 && dims_[0].n == 1; }

CopyPlan::Gathered CopyPlan::gathered() const {
  if (inner_ != Inner::runs || num_loops_ != 0 || (dims_[0].n > 1 && dims_[0].dst != run_))
    return {};
  return {dims_[0].n, run_, dims_[0].src};
}

// Work is cut along the outermost dimension; one whole run is cut into pieces of whole cache lines.
int64_t CopyPlan::max_parts() const {
  if (inner_ == Inner::none)
    return 1;
  if (dims_[0].n > 1)
    return dims_[0].n;
  return inner_ == Inner::runs ? std::max<int64_t>(1, run_ / 4096) : 1;
}

void CopyPlan::run_part(const void *src, void *dst, int64_t part, int64_t parts) const {
  TW_ASSERT(part >= 0 && part < parts && parts <= max_parts());
  if (inner_ == Inner::none)
    return;
  const auto *s = static_cast<const std::byte *>(src);
  auto *d = static_cast<std::byte *>(dst);
  const Dim &first = dims_[0];
  if (first.n == 1) {
    const auto cut = [&](int64_t p) { return p == parts ? run_ : run_ / parts * p / kLine * kLine; };
    const int64_t begin = cut(part);
    copy_runs({1, cut(part + 1) - begin, 0, 0, caches_ == Caches::passed}, s + begin, d + begin);
  } else {
    const auto cut = [&](int64_t p) {
      const int64_t at = first.n / parts * p + first.n % parts * p / parts;
      return inner_ == Inner::transpose && num_loops_ == 0 && first.n / parts >= 64 && p < parts
                 ? at / 16 * 16
                 : at;
    };
    const int64_t begin = cut(part), n = cut(part + 1) - begin;
    s += begin * first.src;
    d += begin * first.dst;
    if (num_loops_ == 0)
      inner(first, n, s, d, caches_);
    else
      for (int64_t i = 0; i < n; ++i)
        loop(dims_.data() + 1, s + i * first.src, d + i * first.dst, caches_);
  }
  if (caches_ == Caches::passed)
    flush_stream();
}

} // namespace tw::kernels::cpu
