// SPDX-License-Identifier: Apache-2.0
// Doubles of what is used of cuSOLVER and of cuBLAS over the double of the driver: Cholesky and triangular
// solves of matrices that lie by columns, in place. Cholesky reads one triangle, leaves the other as it is,
// and stops where a matrix is not positive definite.
#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include <cublas_v2.h>
#include <cusolverDn.h>

#include "cuda/driver_double.hpp"

namespace {

struct Handle {
  CUstream stream = nullptr;
  void *workspace = nullptr;
};

void later(CUstream stream, std::function<void()> work) {
  using Later = std::function<void()>;
  tw_double_enqueue(
      stream, [](void *user) { (*static_cast<Later *>(user))(); },
      [](void *user) { delete static_cast<Later *>(user); }, new Later(std::move(work)));
}

template <class T> struct Of { using Value = T; };
template <> struct Of<cuComplex> { using Value = std::complex<float>; };
template <> struct Of<cuDoubleComplex> { using Value = std::complex<double>; };

template <class V> V conjugate(V v) {
  if constexpr (std::is_floating_point_v<V>)
    return v;
  else
    return std::conj(v);
}

// Element (i, j) of the lower factor is that of `upper` transposed and conjugated.
template <class V> int factor(cublasFillMode_t triangle, int n, V *a, int lead) {
  const auto at = [&](int i, int j) -> V & {
    return triangle == CUBLAS_FILL_MODE_LOWER ? a[i + j * lead] : a[j + i * lead];
  };
  const auto value = [&](int i, int j) {
    return triangle == CUBLAS_FILL_MODE_LOWER ? at(i, j) : conjugate(at(i, j));
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      V sum = value(i, j);
      for (int k = 0; k < j; ++k)
        sum -= value(i, k) * conjugate(value(j, k));
      if (j == i && !(std::real(sum) > 0))
        return i + 1;
      const V result = j == i ? V(std::sqrt(std::real(sum))) : sum / value(j, j);
      at(i, j) = triangle == CUBLAS_FILL_MODE_LOWER ? result : conjugate(result);
    }
  return 0;
}

struct Way {
  cublasSideMode_t side;
  cublasFillMode_t triangle;
  cublasOperation_t op;
  cublasDiagType_t diagonal;
  int m, n, lead_a, lead_b;
};

// op(a) x = b for each column of b, or x op(a) = b for each row: op(a)' x' = b'.
template <class V> void solve(const Way &w, const V *a, V *b) {
  const bool left = w.side == CUBLAS_SIDE_LEFT, turned = w.op != CUBLAS_OP_N;
  const int order = left ? w.m : w.n, lines = left ? w.n : w.m;
  const auto element = [&](int i, int j) { // of the matrix that stands left of a column
    if (!left)
      std::swap(i, j);
    const V v = turned ? a[j + i * w.lead_a] : a[i + j * w.lead_a];
    return w.op == CUBLAS_OP_C ? conjugate(v) : v;
  };
  const bool lower = ((w.triangle == CUBLAS_FILL_MODE_LOWER) != turned) == left;
  for (int line = 0; line < lines; ++line)
    for (int step = 0; step < order; ++step) {
      const int i = lower ? step : order - 1 - step;
      const auto at = [&](int k) -> V & { return left ? b[k + line * w.lead_b] : b[line + k * w.lead_b]; };
      for (int done = 0; done < step; ++done) {
        const int k = lower ? done : order - 1 - done;
        at(i) -= element(i, k) * at(k);
      }
      if (w.diagonal == CUBLAS_DIAG_NON_UNIT)
        at(i) /= element(i, i);
    }
}

template <class T> auto *values(T *memory) {
  return static_cast<typename Of<std::remove_const_t<T>>::Value *>(tw_double_alias(memory));
}

Handle &of(void *handle) { return *static_cast<Handle *>(handle); }

template <class T>
cusolverStatus_t potrf(cusolverDnHandle_t h, cublasFillMode_t triangle, int n, T *a, int lead, T *work,
                       int work_size, int *info) {
  if (n < 1 || lead < n || work == nullptr || work_size < n)
    return CUSOLVER_STATUS_INVALID_VALUE;
  later(of(h).stream,
        [=] { *static_cast<int *>(tw_double_alias(info)) = factor(triangle, n, values(a), lead); });
  return CUSOLVER_STATUS_SUCCESS;
}
template <class T>
cusolverStatus_t potrf_batched(cusolverDnHandle_t h, cublasFillMode_t triangle, int n, T **a, int lead,
                               int *info, int count) {
  if (n < 1 || lead < n || count < 1)
    return CUSOLVER_STATUS_INVALID_VALUE;
  later(of(h).stream, [=] {
    auto *const *arrays = static_cast<T *const *>(tw_double_alias(a));
    for (int i = 0; i < count; ++i)
      static_cast<int *>(tw_double_alias(info))[i] = factor(triangle, n, values(arrays[i]), lead);
  });
  return CUSOLVER_STATUS_SUCCESS;
}

bool is_sane(const Handle &h, const Way &w) {
  return h.workspace != nullptr && w.m >= 1 && w.n >= 1 && w.lead_b >= w.m &&
         w.lead_a >= (w.side == CUBLAS_SIDE_LEFT ? w.m : w.n);
}

template <class T> cublasStatus_t trsm(cublasHandle_t h, const Way &w, const T *a, T *b) {
  if (!is_sane(of(h), w))
    return CUBLAS_STATUS_INVALID_VALUE;
  later(of(h).stream, [=] { solve(w, values(a), values(b)); });
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t trsm_batched(cublasHandle_t h, const Way &w, const T *const *a, T *const *b, int count) {
  if (!is_sane(of(h), w) || count < 1)
    return CUBLAS_STATUS_INVALID_VALUE;
  later(of(h).stream, [=] {
    const auto *as = static_cast<const T *const *>(tw_double_alias(a));
    const auto *bs = static_cast<T *const *>(tw_double_alias(b));
    for (int i = 0; i < count; ++i)
      solve(w, values(as[i]), values(bs[i]));
  });
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace

cusolverStatus_t cusolverGetVersion(int *version) {
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *h) {
  *h = reinterpret_cast<cusolverDnHandle_t>(new Handle);
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t h) {
  delete reinterpret_cast<Handle *>(h);
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t h, cudaStream_t stream) {
  of(h).stream = reinterpret_cast<CUstream>(stream);
  return CUSOLVER_STATUS_SUCCESS;
}

cublasStatus_t cublasCreate(cublasHandle_t *h) {
  *h = reinterpret_cast<cublasHandle_t>(new Handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t h) {
  delete reinterpret_cast<Handle *>(h);
  return CUBLAS_STATUS_SUCCESS;
}
const char *cublasGetStatusString(cublasStatus_t) { return "CUBLAS_STATUS_INVALID_VALUE"; }
cublasStatus_t cublasGetVersion(cublasHandle_t, int *version) {
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t h, cudaStream_t stream) {
  of(h) = {reinterpret_cast<CUstream>(stream), nullptr};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t h, void *workspace, size_t) {
  of(h).workspace = workspace;
  return CUBLAS_STATUS_SUCCESS;
}

#define TW_DOUBLE(letter, T)                                                                                 \
  cusolverStatus_t cusolverDn##letter##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, T *,    \
                                                        int, int *out) {                                     \
    *out = n + 3;                                                                                            \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##letter##potrf(cusolverDnHandle_t h, cublasFillMode_t f, int n, T *a,          \
                                             int lead, T *work, int size, int *info) {                       \
    return potrf(h, f, n, a, lead, work, size, info);                                                        \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##letter##potrfBatched(cusolverDnHandle_t h, cublasFillMode_t f, int n, T **a,  \
                                                    int lead, int *info, int count) {                        \
    return potrf_batched(h, f, n, a, lead, info, count);                                                     \
  }                                                                                                          \
  cublasStatus_t cublas##letter##trsm_v2(cublasHandle_t h, cublasSideMode_t s, cublasFillMode_t f,           \
                                         cublasOperation_t op, cublasDiagType_t d, int m, int n, const T *,  \
                                         const T *a, int la, T *b, int lb) {                                 \
    return trsm(h, {s, f, op, d, m, n, la, lb}, a, b);                                                       \
  }                                                                                                          \
  cublasStatus_t cublas##letter##trsmBatched(                                                                \
      cublasHandle_t h, cublasSideMode_t s, cublasFillMode_t f, cublasOperation_t op, cublasDiagType_t d,    \
      int m, int n, const T *, const T *const a[], int la, T *const b[], int lb, int count) {                \
    return trsm_batched(h, {s, f, op, d, m, n, la, lb}, a, b, count);                                        \
  }
TW_DOUBLE(S, float)
TW_DOUBLE(D, double)
TW_DOUBLE(C, cuComplex)
TW_DOUBLE(Z, cuDoubleComplex)
