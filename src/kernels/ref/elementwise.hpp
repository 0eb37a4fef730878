// SPDX-License-Identifier: Apache-2.0
// Makes the reference of an elementwise op from its scalar function: unary<F>(name) and binary<F>(name).
//
// F is a struct with
//   static constexpr TypeSet takes;                      the element types of its operands, as its OpDef says
//   template <class V> static V apply(V x [, V y]);      the scalar function on values (see ops/element.hpp),
//   or template <class E> static auto apply_as(...)      the same given Element<T>, where the width matters;
// and if it likes
//   static void apply_f32(const float *x [, ...], float *y, int64_t n);   for f32 and, through f32, narrower
//                                                                         floats
//   template <class E> using Result = Element<...>;      where the result's type is not the operands'.
#pragma once

#include <algorithm>

#include "kernels/ref/references.hpp"
#include "kernels/ref/wide.hpp"
#include "ops/element.hpp"

// Blocks may run in place, never shifted: tells the compiler that no iteration depends on another.
#if defined(__GNUC__) && !defined(__clang__)
#define TW_INDEPENDENT_LOOP _Pragma("GCC ivdep")
#else
#define TW_INDEPENDENT_LOOP
#endif

namespace tw::kernels::ref {

// Runs a block function over whole local pieces; operands of rank 0 are repeated.
Status run_block(const KernelArgs &args, BlockFn block);

namespace elementwise {

constexpr int64_t kChunk = 256; // elements converted at a time for functions that exist in f32 only

template <class F, class E> struct ResultOf { using Type = E; };
template <class F, class E>
requires requires { typename F::template Result<E>; }
struct ResultOf<F, E> {
  using Type = typename F::template Result<E>;
};

template <class F, class E, class... V> auto call(V... values) {
  if constexpr (requires { F::template apply_as<E>(values...); })
    return F::template apply_as<E>(values...);
  else
    return F::apply(values...);
}

template <class F, class E>
concept HasF32 = std::is_same_v<typename E::Value, float> && requires {
  &F::apply_f32;
};

template <class F, class E> void unary_block(const void *const *in, void *out, int64_t n) {
  using R = typename ResultOf<F, E>::Type;
  const auto *x = static_cast<const typename E::Storage *>(in[0]);
  auto *y = static_cast<typename R::Storage *>(out);
  if constexpr (HasF32<F, E> && E::dtype == DType::f32) {
    F::apply_f32(x, y, n);
  } else if constexpr (HasF32<F, E>) {
    float values[kChunk];
    for (int64_t from = 0; from < n; from += kChunk) {
      const int64_t m = std::min(kChunk, n - from);
      for (int64_t i = 0; i < m; ++i)
        values[i] = E::load(x[from + i]);
      F::apply_f32(values, values, m);
      for (int64_t i = 0; i < m; ++i)
        y[from + i] = E::store(values[i]);
    }
  } else {
    TW_INDEPENDENT_LOOP
    for (int64_t i = 0; i < n; ++i)
      y[i] = R::store(static_cast<typename R::Value>(call<F, E>(E::load(x[i]))));
  }
}

template <class F, class E> void binary_block(const void *const *in, void *out, int64_t n) {
  using R = typename ResultOf<F, E>::Type;
  const auto *a = static_cast<const typename E::Storage *>(in[0]);
  const auto *b = static_cast<const typename E::Storage *>(in[1]);
  auto *y = static_cast<typename R::Storage *>(out);
  if constexpr (HasF32<F, E> && E::dtype == DType::f32) {
    F::apply_f32(a, b, y, n);
  } else if constexpr (HasF32<F, E>) {
    float p[kChunk], q[kChunk];
    for (int64_t from = 0; from < n; from += kChunk) {
      const int64_t m = std::min(kChunk, n - from);
      for (int64_t i = 0; i < m; ++i) {
        p[i] = E::load(a[from + i]);
        q[i] = E::load(b[from + i]);
      }
      F::apply_f32(p, q, p, m);
      for (int64_t i = 0; i < m; ++i)
        y[from + i] = E::store(p[i]);
    }
  } else {
    TW_INDEPENDENT_LOOP
    for (int64_t i = 0; i < n; ++i)
      y[i] = R::store(static_cast<typename R::Value>(call<F, E>(E::load(a[i]), E::load(b[i]))));
  }
}

template <class F, class E, int Arity> constexpr BlockFn body() {
  if constexpr (Arity == 1)
    return unary_block<F, E>;
  else
    return binary_block<F, E>;
}

// Types whose loops are worth compiling twice.
inline constexpr TypeSet kWide = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::s32, DType::i1};

template <class F, int Arity> BlockFn block_for(DType dtype) {
  return visit_dtype(dtype, []<class E>(E) -> BlockFn {
    if constexpr (!F::takes.has(E::dtype))
      return nullptr;
    else if constexpr (kWide.has(E::dtype))
      return wide<body<F, E, Arity>()>();
    else
      return body<F, E, Arity>();
  });
}

template <class F, int Arity> BlockFn block(const OpView &op) {
  return block_for<F, Arity>(op.operands[0]->dtype);
}

} // namespace elementwise

template <class F> Reference unary(const char *op) { return {op, nullptr, elementwise::block<F, 1>}; }
template <class F> Reference binary(const char *op) { return {op, nullptr, elementwise::block<F, 2>}; }

// Base of functions on floats and complex numbers whose f32 form is in kernels/ref/vector_math.hpp; `apply`
// then serves f64 and complex.
template <void (*f32)(const float *, float *, int64_t)> struct VectorFunction {
  static constexpr TypeSet takes = kFloats | kComplex;
  static void apply_f32(const float *x, float *y, int64_t n) { f32(x, y, n); }
};

} // namespace tw::kernels::ref
