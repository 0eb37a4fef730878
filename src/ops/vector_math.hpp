// SPDX-License-Identifier: Apache-2.0
// The one implementation of float transcendental functions over arrays. Everything that computes one of these
// on f32 (or on a narrower float, through f32) calls it here, so that every path gives the same bits; an
// element's bits do not depend on its position or on n. x and y may be equal but not overlap otherwise.
#pragma once

#include <cstdint>

namespace tw::ops {

void exp_f32(const float *x, float *y, int64_t n);
void expm1_f32(const float *x, float *y, int64_t n);
void log_f32(const float *x, float *y, int64_t n);
void log1p_f32(const float *x, float *y, int64_t n);
void logistic_f32(const float *x, float *y, int64_t n);
void tanh_f32(const float *x, float *y, int64_t n);
void sin_f32(const float *x, float *y, int64_t n);
void cos_f32(const float *x, float *y, int64_t n);
void tan_f32(const float *x, float *y, int64_t n);
void erf_f32(const float *x, float *y, int64_t n);
void pow_f32(const float *base, const float *exponent, float *y, int64_t n);
void atan2_f32(const float *y, const float *x, float *out, int64_t n);

} // namespace tw::ops
