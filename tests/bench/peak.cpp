// SPDX-License-Identifier: Apache-2.0
// A loop of independent multiply-adds in the widest registers there are. The chains begin at different values: equal ones are one to a compiler.
#include "bench/peak.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tw::bench {
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

} // namespace

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double fma_peak_gflops(WorkerPool &pool) {
  float (*run)(int64_t) = run_plain;
  double width = 1;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    run = run_avx512, width = 16;
  else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    run = run_avx2, width = 8;
#endif
  double best = 0;
  volatile float sink = 0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double begin = now();
    pool.parallel_for(pool.workers(), [&](int64_t, unsigned) { sink = run(kRounds); });
    const double flops = 2.0 * width * kChains * static_cast<double>(kRounds) * pool.workers();
    best = std::max(best, flops / (now() - begin) * 1e-9);
  }
  return best;
}

} // namespace tw::bench
