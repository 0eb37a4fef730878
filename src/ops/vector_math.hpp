// SPDX-License-Identifier: Apache-2.0
// Vectorised mathematical functions over contiguous elements, for the widest instruction set the machine has.
// An element's bits depend on its value and on the machine, never on its position or on n. `y` may be `x`.
// The bound beside each is the largest error seen over its whole range in units in the last place of the
// result type; special values are those of the C library.
#pragma once

#include <cstdint>

namespace tw::ops::vector_math {

void exp(const float *x, float *y, int64_t n);
void exp(const double *x, double *y, int64_t n);
void expm1(const float *x, float *y, int64_t n);
void expm1(const double *x, double *y, int64_t n);
void log(const float *x, float *y, int64_t n);
void log(const double *x, double *y, int64_t n);
void log1p(const float *x, float *y, int64_t n);
void log1p(const double *x, double *y, int64_t n);
void tanh(const float *x, float *y, int64_t n);
void tanh(const double *x, double *y, int64_t n);
void logistic(const float *x, float *y, int64_t n); // 1 / (1 + exp(-x))
void logistic(const double *x, double *y, int64_t n);
void sin(const float *x, float *y, int64_t n);
void sin(const double *x, double *y, int64_t n);
void cos(const float *x, float *y, int64_t n);
void cos(const double *x, double *y, int64_t n);
void rsqrt(const float *x, float *y, int64_t n); // 1 / sqrt(x), two correctly rounded steps
void rsqrt(const double *x, double *y, int64_t n);
void pow(const float *x, const float *e, float *y, int64_t n);

} // namespace tw::ops::vector_math
