// SPDX-License-Identifier: Apache-2.0
// Plain loops over element types and combiners; Highway compiles this file once for each instruction set, the
// compiler vectorises.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/reduce_loops.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include <hwy/highway.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "kernels/cpu/reduce_loops.hpp"
#include "kernels/ref/elementwise.hpp"
#include "kernels/ref/scalar.hpp"
#include "ops/element.hpp"

HWY_BEFORE_NAMESPACE();
namespace tw::kernels::cpu::HWY_NAMESPACE {
namespace {

using graph::DType;
using sharding::Reduction;

// Calls join(rows, how many: a constant) for all rows but the first, in order: some at once, which spares
// accumulators, or one by one where each begins where the last one ended, since memory is read fastest in the
// order of its addresses.
template <class S, class Join>
void walk_rows(const S *base, const int64_t *offsets, int64_t rows, int64_t columns, const Join &join) {
  constexpr int64_t kAtOnce = 8;
  constexpr int64_t kShortest = 128; // bytes: below, accumulators are stored and loaded again too soon
  const S *some[kAtOnce];
  int64_t r = 1;
  const bool dense = offsets[rows - 1] - offsets[0] == (rows - 1) * columns;
  if (!dense || columns * static_cast<int64_t>(sizeof(S)) < kShortest)
    for (; r + kAtOnce <= rows; r += kAtOnce) {
      for (int64_t k = 0; k < kAtOnce; ++k)
        some[k] = base + offsets[r + k];
      join(some, std::integral_constant<size_t, kAtOnce>());
    }
  for (; r < rows; ++r) {
    some[0] = base + offsets[r];
    join(some, std::integral_constant<size_t, 1>());
  }
}

// What needs no combiner is made once an element type, and what needs no element type once an accumulator's.
template <class E> void start(const void *init, void *acc, int64_t n) {
  const auto *element = static_cast<const typename E::Storage *>(init);
  std::fill_n(static_cast<typename E::Value *>(acc), n, E::load(*element));
}

template <class E> void finish(const void *acc, void *out, int64_t n) {
  const auto *HWY_RESTRICT a = static_cast<const typename E::Value *>(acc);
  auto *HWY_RESTRICT y = static_cast<typename E::Storage *>(out);
  for (int64_t i = 0; i < n; ++i)
    y[i] = E::store(a[i]);
}

template <class A, class Op> void combine(void *total, const void *acc, int64_t n) {
  A *HWY_RESTRICT t = static_cast<A *>(total);
  const A *HWY_RESTRICT a = static_cast<const A *>(acc);
  for (int64_t i = 0; i < n; ++i)
    t[i] = Op::apply(t[i], a[i]);
}

template <class E, class Op> struct Loops {
  using S = typename E::Storage;
  using A = typename E::Value; // of accumulators: f32 for narrow floats
  static constexpr int64_t kLanes = 32;

  // acc[c] = acc[c] + row0[c] + row1[c] + ...
  template <size_t... R>
  static void join_rows(const S *const *rows, int64_t columns, A *HWY_RESTRICT acc,
                        std::index_sequence<R...>) {
    const S *HWY_RESTRICT const x[] = {rows[R]...};
    TW_INDEPENDENT_LOOP
    for (int64_t c = 0; c < columns; ++c) {
      A a = acc[c];
      ((a = Op::apply(a, E::load(x[R][c]))), ...);
      acc[c] = a;
    }
  }

  static void fold_rows(const void *base, const int64_t *offsets, int64_t rows, int64_t columns,
                        void *accumulators) {
    A *HWY_RESTRICT acc = static_cast<A *>(accumulators);
    const S *x = static_cast<const S *>(base);
    for (int64_t c = 0; c < columns; ++c)
      acc[c] = E::load(x[offsets[0] + c]);
    walk_rows(x, offsets, rows, columns, [&](const S *const *some, auto how_many) {
      join_rows(some, columns, acc, std::make_index_sequence<how_many()>());
    });
  }

  static void fold_run(const void *data, int64_t n, void *acc) {
    const S *x = static_cast<const S *>(data);
    if (n < kLanes) {
      A one = E::load(x[0]);
      for (int64_t j = 1; j < n; ++j)
        one = Op::apply(one, E::load(x[j]));
      *static_cast<A *>(acc) = one;
      return;
    }
    A lane[kLanes];
    for (int64_t j = 0; j < kLanes; ++j)
      lane[j] = E::load(x[j]);
    int64_t i = kLanes;
    for (; i + kLanes <= n; i += kLanes)
      for (int64_t j = 0; j < kLanes; ++j)
        lane[j] = Op::apply(lane[j], E::load(x[i + j]));
    for (int64_t j = 0; i + j < n; ++j)
      lane[j] = Op::apply(lane[j], E::load(x[i + j]));
    for (int64_t w = kLanes / 2; w > 0; w /= 2)
      for (int64_t j = 0; j < w; ++j)
        lane[j] = Op::apply(lane[j], lane[j + w]);
    *static_cast<A *>(acc) = lane[0];
  }

  static ReduceLoops table() {
    return {static_cast<int64_t>(sizeof(A)), start<E>, fold_rows, fold_run, combine<A, Op>, finish<E>};
  }
};

#if HWY_TARGET != HWY_SCALAR
// fold_run of f32 in whole vectors, with masks for the rest: the same lanes in the same order as the plain
// loop.
namespace hn = hwy::HWY_NAMESPACE;
const hn::CappedTag<float, 16> kFloat;
using F32 = hn::Vec<decltype(kFloat)>;

// `kAssociative`: to the bit.
struct VectorAdd {
  static constexpr bool kAssociative = false;
  F32 operator()(F32 a, F32 b) const { return hn::Add(a, b); }
};
// As the scalar functions: which of two equal numbers, or of NaN and a number, the instruction takes makes no
// difference.
inline F32 or_nan(F32 a, F32 b, F32 number) {
  return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::IsNaN(b)),
                        hn::Set(kFloat, std::numeric_limits<float>::quiet_NaN()), number);
}
struct VectorMaximum {
  static constexpr bool kAssociative = true;
  F32 operator()(F32 a, F32 b) const { return or_nan(a, b, hn::And(hn::Max(a, b), hn::Max(b, a))); }
};
struct VectorMinimum {
  static constexpr bool kAssociative = true;
  F32 operator()(F32 a, F32 b) const { return or_nan(a, b, hn::Or(hn::Min(a, b), hn::Min(b, a))); }
};

template <class Op, class VectorOp> void fold_f32_run(const void *data, int64_t n, void *acc) {
  using Plain = Loops<ops::Element<DType::f32>, Op>;
  constexpr int64_t kWidth = static_cast<int64_t>(hn::MaxLanes(kFloat)), kVectors = Plain::kLanes / kWidth;
  if (n < Plain::kLanes)
    return Plain::fold_run(data, n, acc);
  const VectorOp op;
  const auto *x = static_cast<const float *>(data);
  F32 lane[kVectors];
  for (int64_t v = 0; v < kVectors; ++v)
    lane[v] = hn::LoadU(kFloat, x + v * kWidth);
  int64_t i = Plain::kLanes;
  if (VectorOp::kAssociative) // half as long a chain
    for (; i + 2 * Plain::kLanes <= n; i += 2 * Plain::kLanes)
      for (int64_t v = 0; v < kVectors; ++v)
        lane[v] = op(lane[v], op(hn::LoadU(kFloat, x + i + v * kWidth),
                                 hn::LoadU(kFloat, x + i + Plain::kLanes + v * kWidth)));
  for (; i + Plain::kLanes <= n; i += Plain::kLanes)
    for (int64_t v = 0; v < kVectors; ++v)
      lane[v] = op(lane[v], hn::LoadU(kFloat, x + i + v * kWidth));
  for (int64_t v = 0; v < kVectors && i < n; ++v, i += kWidth) {
    const auto mask = hn::FirstN(kFloat, static_cast<size_t>(std::min(kWidth, n - i)));
    lane[v] = hn::IfThenElse(mask, op(lane[v], hn::MaskedLoad(mask, kFloat, x + i)), lane[v]);
  }
  for (int64_t w = kVectors / 2; w > 0; w /= 2)
    for (int64_t v = 0; v < w; ++v)
      lane[v] = op(lane[v], lane[v + w]);
  alignas(64) float last[2 * kWidth] = {};
  hn::Store(lane[0], kFloat, last);
  for (int64_t w = kWidth / 2; w > 0; w /= 2) // of which the first w count
    hn::Store(op(hn::Load(kFloat, last), hn::LoadU(kFloat, last + w)), kFloat, last);
  *static_cast<float *>(acc) = last[0];
}

// fold_rows of f32 for combiners that the compiler makes no vectors of.
template <class Op, class VectorOp, size_t... R>
void join_f32_rows(const float *const *rows, int64_t columns, float *HWY_RESTRICT acc,
                   std::index_sequence<R...>) {
  constexpr auto kWidth = static_cast<int64_t>(hn::MaxLanes(kFloat));
  const VectorOp op;
  const float *const x[] = {rows[R]...};
  int64_t c = 0;
  for (; c + kWidth <= columns; c += kWidth) {
    F32 v = hn::LoadU(kFloat, acc + c);
    ((v = op(v, hn::LoadU(kFloat, x[R] + c))), ...);
    hn::StoreU(v, kFloat, acc + c);
  }
  for (; c < columns; ++c)
    ((acc[c] = Op::apply(acc[c], x[R][c])), ...);
}

template <class Op, class VectorOp>
void fold_f32_rows(const void *base, const int64_t *offsets, int64_t rows, int64_t columns,
                   void *accumulators) {
  auto *acc = static_cast<float *>(accumulators);
  const auto *x = static_cast<const float *>(base);
  std::copy_n(x + offsets[0], columns, acc);
  walk_rows(x, offsets, rows, columns, [&](const float *const *some, auto how_many) {
    join_f32_rows<Op, VectorOp>(some, columns, acc, std::make_index_sequence<how_many()>());
  });
}

void use_vectors(Reduction kind, ReduceLoops &loops) {
  namespace scalar = ref::scalar;
  if (kind == Reduction::sum) {
    loops.fold_run = fold_f32_run<scalar::Add, VectorAdd>;
  } else if (kind == Reduction::max) {
    loops.fold_run = fold_f32_run<scalar::Maximum, VectorMaximum>;
    loops.fold_rows = fold_f32_rows<scalar::Maximum, VectorMaximum>;
  } else if (kind == Reduction::min) {
    loops.fold_run = fold_f32_run<scalar::Minimum, VectorMinimum>;
    loops.fold_rows = fold_f32_rows<scalar::Minimum, VectorMinimum>;
  }
}
#else
void use_vectors(Reduction, ReduceLoops &) {}
#endif

template <class E> ReduceLoops of_kind(Reduction kind) {
  namespace scalar = ref::scalar;
  constexpr bool has_bits = ops::kInts.has(E::dtype) || ops::kBool.has(E::dtype);
  if constexpr (E::dtype == DType::i1) { // its sums, products, maxima and minima are these
    switch (kind) {
    case Reduction::land: return Loops<E, scalar::And>::table();
    case Reduction::lor: return Loops<E, scalar::Or>::table();
    case Reduction::lxor: return Loops<E, scalar::Xor>::table();
    default: return {};
    }
  }
  switch (kind) {
  case Reduction::sum: return Loops<E, scalar::Add>::table();
  case Reduction::prod: return Loops<E, scalar::Multiply>::table();
  case Reduction::max: return Loops<E, scalar::Maximum>::table();
  case Reduction::min: return Loops<E, scalar::Minimum>::table();
  case Reduction::land:
    if constexpr (has_bits)
      return Loops<E, scalar::And>::table();
    break;
  case Reduction::lor:
    if constexpr (has_bits)
      return Loops<E, scalar::Or>::table();
    break;
  case Reduction::lxor:
    if constexpr (has_bits)
      return Loops<E, scalar::Xor>::table();
    break;
  case Reduction::raw:
  case Reduction::pick:
  case Reduction::region: break;
  }
  return {};
}

ReduceLoops loops_for(DType dtype, Reduction kind) {
  switch (dtype) {
  case DType::f64: return of_kind<ops::Element<DType::f64>>(kind);
  case DType::f32: {
    ReduceLoops loops = of_kind<ops::Element<DType::f32>>(kind);
    use_vectors(kind, loops);
    return loops;
  }
  case DType::f16: return of_kind<ops::Element<DType::f16>>(kind);
  case DType::bf16: return of_kind<ops::Element<DType::bf16>>(kind);
  case DType::i1: return of_kind<ops::Element<DType::i1>>(kind);
  case DType::s32: return of_kind<ops::Element<DType::s32>>(kind);
  case DType::s64: return of_kind<ops::Element<DType::s64>>(kind);
  default: return {};
  }
}

} // namespace
} // namespace tw::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tw::kernels::cpu {
namespace {
HWY_EXPORT(loops_for);
}
ReduceLoops reduce_loops(graph::DType dtype, sharding::Reduction kind) {
  return HWY_DYNAMIC_DISPATCH(loops_for)(dtype, kind);
}
} // namespace tw::kernels::cpu
#endif
