// SPDX-License-Identifier: Apache-2.0
// A loop of independent multiply-adds in the widest registers there are, and arrays larger than the caches.
// The chains begin at different values: equal ones are one to a compiler.
#include "runtime/limits.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>

#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/cpu/copy.hpp"
#include "kernels/cpu/copy_tiles.hpp"

namespace tw::runtime {
namespace {

constexpr int64_t kRounds = 20'000'000;
constexpr int kChains = 12; // more than latency times units

#if defined(__x86_64__)
[[gnu::target("avx512f")]] float run_avx512(int64_t rounds) {
  __m512 sum[kChains];
  for (int i = 0; i < kChains; ++i)
    sum[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 x = _mm512_set1_ps(0.9999f), y = _mm512_set1_ps(0.0001f);
  for (int64_t r = 0; r < rounds; ++r)
    for (__m512 &s : sum)
      s = _mm512_fmadd_ps(s, x, y);
  __m512 total = sum[0];
  for (int i = 1; i < kChains; ++i)
    total = _mm512_add_ps(total, sum[i]);
  return total[0];
}

[[gnu::target("avx2,fma")]] float run_avx2(int64_t rounds) {
  __m256 sum[kChains];
  for (int i = 0; i < kChains; ++i)
    sum[i] = _mm256_set1_ps(static_cast<float>(i));
  const __m256 x = _mm256_set1_ps(0.9999f), y = _mm256_set1_ps(0.0001f);
  for (int64_t r = 0; r < rounds; ++r)
    for (__m256 &s : sum)
      s = _mm256_fmadd_ps(s, x, y);
  __m256 total = sum[0];
  for (int i = 1; i < kChains; ++i)
    total = _mm256_add_ps(total, sum[i]);
  return total[0];
}
#endif

float run_plain(int64_t rounds) {
  float sum[kChains];
  std::iota(sum, sum + kChains, 0.0f);
  for (int64_t r = 0; r < rounds; ++r)
    for (float &s : sum)
      s = s * 0.9999f + 0.0001f;
  return std::accumulate(sum, sum + kChains, 0.0f);
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The shortest of a few runs on all workers, after one that warms up.
template <class Body> double best_seconds(WorkerPool &pool, int repeats, Body &&body) {
  double best = 1e30;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    const double begin = seconds_now();
    pool.parallel_for(pool.workers(), [&](int64_t part, unsigned) { body(part); });
    if (repeat >= 0)
      best = std::min(best, seconds_now() - begin);
  }
  return best;
}

uint64_t sum_of(const uint64_t *words, size_t count) {
  uint64_t sum[8] = {};
  for (size_t i = 0; i + 8 <= count; i += 8)
    for (size_t k = 0; k < 8; ++k)
      sum[k] += words[i + k];
  return std::accumulate(sum, sum + 8, uint64_t{0});
}

} // namespace

double fma_peak_gflops(WorkerPool &pool) {
  float (*run)(int64_t) = run_plain;
  double width = 1;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    run = run_avx512, width = 16;
  else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    run = run_avx2, width = 8;
#endif
  std::atomic<float> sink = 0;
  const double seconds = best_seconds(pool, 3, [&](int64_t) { sink = run(kRounds); });
  return 2.0 * width * kChains * static_cast<double>(kRounds) * pool.workers() / seconds * 1e-9;
}

Result<Bandwidth> bandwidth(WorkerPool &pool) {
  const std::array<int64_t, 3> levels = cache_bytes();
  const int64_t caches = std::accumulate(levels.begin(), levels.end(), int64_t{0});
  const auto words =
      static_cast<size_t>(std::clamp<int64_t>(4 * caches, 64 << 20, 256 << 20)) / sizeof(uint64_t);
  const std::unique_ptr<uint64_t[]> from(new (std::nothrow) uint64_t[words]),
      to(new (std::nothrow) uint64_t[words]);
  if (from == nullptr || to == nullptr)
    return fail(Code::resource_exhausted, "TW-701", "no memory to measure its bandwidth with");
  const size_t each = words / pool.workers();
  pool.parallel_for(pool.workers(), [&](int64_t part, unsigned) {
    std::fill_n(from.get() + static_cast<size_t>(part) * each, each, uint64_t{1});
  });
  const auto copied = [&](auto &&by) {
    return best_seconds(pool, 5, [&](int64_t part) {
      const size_t at = static_cast<size_t>(part) * each;
      by(to.get() + at, from.get() + at, each * sizeof(uint64_t));
    });
  };
  const double copy =
      std::min(copied([](void *to, const void *from, size_t bytes) { std::memcpy(to, from, bytes); }),
               copied([](void *to, const void *from, size_t bytes) {
                 kernels::cpu::copy_runs({1, static_cast<int64_t>(bytes), 0, 0, true},
                                         static_cast<const std::byte *>(from), static_cast<std::byte *>(to));
                 kernels::cpu::flush_stream();
               }));
  std::atomic<uint64_t> sink = 0;
  const double read = best_seconds(
      pool, 5, [&](int64_t part) { sink = sum_of(from.get() + static_cast<size_t>(part) * each, each); });
  const auto bytes = static_cast<double>(each * pool.workers() * sizeof(uint64_t));
  return Bandwidth{2 * bytes / copy * 1e-9, bytes / read * 1e-9};
}

std::array<int64_t, 3> cache_bytes() {
  return {std::max(0L, sysconf(_SC_LEVEL1_DCACHE_SIZE)), std::max(0L, sysconf(_SC_LEVEL2_CACHE_SIZE)),
          std::max(int64_t{0}, kernels::cpu::last_level_cache())};
}

} // namespace tw::runtime
