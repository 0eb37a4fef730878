// SPDX-License-Identifier: Apache-2.0
// Makes an elementwise op from its scalar function: unary<F>(name, doc, traits) and binary<F>(name, doc,
// traits) give the whole OpDef.
//
// F is a struct with
//   static constexpr TypeSet takes;                      the element types of its operands
//   template <class V> static V apply(V x [, V y]);      the scalar function on values (see ops/element.hpp),
//   or template <class E> static auto apply_as(...)         the same given Element<T>, where the bit width
//   matters; and if it likes static void apply_f32(const float *x [, ...], float *y, int64_t n);   for f32
//   and, through f32, narrower floats template <class E> using Result = Element<...>;      where the result's
//   type is not the operands'
#pragma once

#include <algorithm>
#include <string>

#include "ops/element.hpp"
#include "ops/op_def.hpp"
#include "ops/wide.hpp"

// Blocks may run in place, never shifted: tells the compiler that no iteration depends on another.
#if defined(__GNUC__) && !defined(__clang__)
#define TW_INDEPENDENT_LOOP _Pragma("GCC ivdep")
#else
#define TW_INDEPENDENT_LOOP
#endif

namespace tw::ops {

// Shape and type rule of ops whose operands all have the first one's type, which must be in `takes`.
Result<graph::TensorType> infer_same_operands(const OpView &op, TypeSet takes);
// Operands of the result's rank share its factors; operands of rank 0 beside it have none.
Rule elementwise_rule(const OpView &op);
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

template <class F> Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  TW_ASSIGN(graph::TensorType type, infer_same_operands(op, F::takes));
  type.dtype = visit_dtype(type.dtype, []<class E>(E) {
    if constexpr (F::takes.has(E::dtype))
      return ResultOf<F, E>::Type::dtype;
    else
      return DType::invalid;
  });
  return std::vector<graph::TensorType>{std::move(type)};
}

template <class F, int Arity> Status reference(const KernelArgs &args) {
  return run_block(args, block<F, Arity>(args.op));
}

template <class F, int Arity>
OpDef make(const char *name, const char *doc, uint32_t flags, std::vector<AttrSpec> attrs) {
  OpDef def{name, doc, Arity, Arity, 1, std::move(attrs), kElementwise | flags};
  def.infer = infer<F>;
  def.rule = elementwise_rule;
  def.reference = reference<F, Arity>;
  def.block = block<F, Arity>;
  return def;
}

} // namespace elementwise

template <class F>
OpDef unary(const char *name, const char *doc, uint32_t flags = 0, std::vector<AttrSpec> attrs = {}) {
  return elementwise::make<F, 1>(name, doc, flags, std::move(attrs));
}

template <class F>
OpDef binary(const char *name, const char *doc, uint32_t flags = 0, std::vector<AttrSpec> attrs = {}) {
  return elementwise::make<F, 2>(name, doc, flags, std::move(attrs));
}

// Base of functions on floats and complex numbers whose f32 form is in ops/vector_math.hpp; `apply` then
// serves f64 and complex.
template <void (*f32)(const float *, float *, int64_t)> struct VectorFunction {
  static constexpr TypeSet takes = kFloats | kComplex;
  static void apply_f32(const float *x, float *y, int64_t n) { f32(x, y, n); }
};

// The attribute that StableHLO gives transcendental ops; read and kept, our functions are within its default.
std::vector<AttrSpec> result_accuracy();

} // namespace tw::ops
