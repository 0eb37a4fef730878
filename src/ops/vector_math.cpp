// SPDX-License-Identifier: Apache-2.0
// Float transcendental functions over arrays, by the C library.
#include "ops/vector_math.hpp"

#include <cmath>

namespace tw::ops {
namespace {

template <class F> void each(const float *x, float *y, int64_t n, F f) {
  for (int64_t i = 0; i < n; ++i)
    y[i] = f(x[i]);
}

} // namespace

void exp_f32(const float *x, float *y, int64_t n) {
  each(x, y, n, [](float v) { return std::exp(v); });
}
void expm1_f32(const float *x, float *y, int64_t n) {
  each(x, y, n, [](float v) { return std::expm1(v); });
}
void log_f32(const float *x, float *y, int64_t n) {
  each(x, y, n, [](float v) { return std::log(v); });
}
void log1p_f32(const float *x, float *y, int64_t n) {
  each(x, y, n, [](float v) { return std::log1p(v); });
}
void logistic_f32(const float *x, float *y, int64_t n) {
  each(x, y, n, [](float v) { return 1.0f / (1.0f + std::exp(-v)); });
}
void tanh_f32(const float *x, float *y, int64_t n) {
  each(x, y, n, [](float v) { return std::tanh(v); });
}
void sin_f32(const float *x, float *y, int64_t n) {
  each(x, y, n, [](float v) { return std::sin(v); });
}
void cos_f32(const float *x, float *y, int64_t n) {
  each(x, y, n, [](float v) { return std::cos(v); });
}
void tan_f32(const float *x, float *y, int64_t n) {
  each(x, y, n, [](float v) { return std::tan(v); });
}
void erf_f32(const float *x, float *y, int64_t n) {
  each(x, y, n, [](float v) { return std::erf(v); });
}
void pow_f32(const float *base, const float *exponent, float *y, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    y[i] = std::pow(base[i], exponent[i]);
}
void atan2_f32(const float *y, const float *x, float *out, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = std::atan2(y[i], x[i]);
}

} // namespace tw::ops
