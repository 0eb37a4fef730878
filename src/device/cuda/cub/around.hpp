// SPDX-License-Identifier: Apache-2.0
// Short loops over elements that libraries need around their work, once for host and device. `Backend` as in
// steps.hpp.
#pragma once

#include "device/cuda/cub/ordered.hpp"

namespace tw::cub {

template <class Real> struct Scale {
  Real *reals;
  double factor;
  TW_BOTH void operator()(int64_t i) const {
    reals[i] = static_cast<Real>(static_cast<double>(reals[i]) * factor);
  }
};

struct Point {
  const char *first;
  int64_t step;
  void **out;
  TW_BOTH void operator()(int64_t i) const { out[i] = const_cast<char *>(first) + i * step; }
};

// Parts: 1 of a real number, 2 of a complex one.
template <class Real> struct JudgeFactor {
  int64_t n;
  int32_t parts;
  const Real *factors;
  int32_t *info;
  TW_BOTH void operator()(int64_t matrix) const {
    const Real *const at = factors + matrix * n * n * parts;
    for (int64_t i = 0; i < n; ++i)
      if (!(at[i * (n + 1) * parts] > Real(0))) // NaN too
        info[matrix] = 1;
  }
};

template <class Real> struct FinishFactor {
  int64_t n;
  int32_t parts, lower;
  Real nan;
  const int32_t *info;
  Real *factors;
  TW_BOTH void operator()(int64_t i) const {
    const int64_t row = i / n % n, column = i % n;
    const bool failed = info[i / (n * n)] != 0;
    if (failed || (lower ? column > row : column < row)) {
      factors[i * parts] = failed ? nan : Real(0);
      if (parts == 2)
        factors[i * 2 + 1] = Real(0);
    }
  }
};

template <class Backend>
int32_t run_scale(Backend &backend, void *reals, int32_t bytes, int64_t n, double factor) {
  return bytes == 8 ? backend.each(n, Scale<double>{static_cast<double *>(reals), factor})
                    : backend.each(n, Scale<float>{static_cast<float *>(reals), factor});
}

template <class Real, class Backend>
int32_t finish_factors(Backend &backend, const tw_cuda_cholesky_form &form, void *factors, int32_t *info) {
  const bool is_complex = form.type == TW_CUDA_C64 || form.type == TW_CUDA_C128;
  const int32_t parts = is_complex ? 2 : 1;
  auto *const reals = static_cast<Real *>(factors);
  const uint64_t code = sizeof(Real) == 8 ? 0x7ff8000000000000 : 0x7fc00000;
  Real nan = 0;
  store_bits(&nan, sizeof(Real), 0, code);
  const int32_t error = backend.each(form.count, JudgeFactor<Real>{form.n, parts, reals, info});
  return error != 0 ? error
                    : backend.each(form.count * form.n * form.n,
                                   FinishFactor<Real>{form.n, parts, form.lower, nan, info, reals});
}

template <class Backend>
int32_t run_finish(Backend &backend, const tw_cuda_cholesky_form &form, void *factors, int32_t *info) {
  return form.type == TW_CUDA_F64 || form.type == TW_CUDA_C128
             ? finish_factors<double>(backend, form, factors, info)
             : finish_factors<float>(backend, form, factors, info);
}

} // namespace tw::cub
