// SPDX-License-Identifier: Apache-2.0
// The one implementation of float transcendental functions over arrays. Everything that computes one of these
// on f32 (or on a narrower float, through f32) calls it here, so that every path gives the same bits; an
// element's bits do not depend on its position or on n. x and y may be equal but not overlap otherwise.
#pragma once

#include <cstdint>

namespace tw::kernels::ref {

// Largest errors over all of f32, in units in the last place; special values are those of the C library.
void exp_f32(const float *x, float *y, int64_t n);                           // 1.0
void expm1_f32(const float *x, float *y, int64_t n);                         // 3.5
void log_f32(const float *x, float *y, int64_t n);                           // 0.9
void log1p_f32(const float *x, float *y, int64_t n);                         // 2.5
void logistic_f32(const float *x, float *y, int64_t n);                      // 2.3
void tanh_f32(const float *x, float *y, int64_t n);                          // 2.8
void sin_f32(const float *x, float *y, int64_t n);                           // 2.4
void cos_f32(const float *x, float *y, int64_t n);                           // 2.4
void pow_f32(const float *base, const float *exponent, float *y, int64_t n); // 0.6
// The C library's:
void tan_f32(const float *x, float *y, int64_t n);
void erf_f32(const float *x, float *y, int64_t n);
void atan2_f32(const float *y, const float *x, float *out, int64_t n);

// Whether a product and a sum in these are one, rounded once, on this machine.
bool vectors_fuse();

} // namespace tw::kernels::ref
