// SPDX-License-Identifier: Apache-2.0
// Float transcendental functions over arrays: Highway's polynomials for the widest instruction set of the
// machine, completed where they stop short of special values, and the C library where no vector form is
// known.
#include "kernels/ref/vector_math.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ref/vector_math.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace tw::kernels::ref::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D32 = hn::ScalableTag<float>;
using F32 = hn::Vec<D32>;
const D32 d32;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

HWY_INLINE F32 keep_nan(F32 x, F32 y) { return hn::IfThenElse(hn::Eq(x, x), y, x); }

struct Exp {
  F32 operator()(F32 x) const { // infinite from 88.8, where Highway is defined up to 104
    return keep_nan(x, hn::Exp(d32, hn::Min(x, hn::Set(d32, 100.0f))));
  }
};

struct Expm1 {
  F32 operator()(F32 x) const {
    const F32 large = hn::Exp(d32, hn::Min(x, hn::Set(d32, 100.0f)));
    const F32 y = hn::IfThenElse(hn::Gt(x, hn::Set(d32, 80.0f)), large,
                                 hn::Expm1(d32, hn::Min(x, hn::Set(d32, 80.0f))));
    return keep_nan(x, hn::IfThenElse(hn::Lt(hn::Abs(x), hn::Set(d32, 0x1p-25f)), x, y));
  }
};

struct Log {
  F32 operator()(F32 x) const {
    const F32 y = hn::IfThenElse(hn::Eq(x, hn::Set(d32, kInf)), x, hn::Log(d32, x));
    const F32 at_most_zero =
        hn::IfThenElse(hn::Eq(x, hn::Zero(d32)), hn::Set(d32, -kInf), hn::Set(d32, kNaN));
    return keep_nan(x, hn::IfThenElse(hn::Le(x, hn::Zero(d32)), at_most_zero, y));
  }
};

struct Log1p {
  F32 operator()(F32 x) const {
    const F32 pole = hn::Set(d32, -1.0f);
    const F32 y = hn::IfThenElse(hn::Eq(x, hn::Set(d32, kInf)), x, hn::Log1p(d32, x));
    const F32 at_most_pole = hn::IfThenElse(hn::Eq(x, pole), hn::Set(d32, -kInf), hn::Set(d32, kNaN));
    const F32 tiny = hn::IfThenElse(hn::Lt(hn::Abs(x), hn::Set(d32, 0x1p-25f)), x, y);
    return keep_nan(x, hn::IfThenElse(hn::Le(x, pole), at_most_pole, tiny));
  }
};

struct Logistic {
  F32 operator()(F32 x) const { // 1 / (1 + e^-x), or e^x / (1 + e^x) where that is small
    const F32 one = hn::Set(d32, 1.0f), e = Exp()(hn::Neg(hn::Abs(x)));
    return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d32)), e, one), hn::Add(one, e));
  }
};

struct Tanh {
  F32 operator()(F32 x) const { // 1 to the last bit from 9.02
    const F32 a = hn::Min(hn::Abs(x), hn::Set(d32, 9.5f));
    const F32 y = hn::CopySign(hn::Tanh(d32, a), x);
    return keep_nan(x, hn::IfThenElse(hn::Lt(a, hn::Set(d32, 0x1p-13f)), x, y));
  }
};

// Beyond this the reduction of the argument loses bits: the C library takes over.
constexpr float kPeriodic = 30000.0f;
struct Sin {
  static float beyond(float x) { return std::sin(x); }
  F32 operator()(F32 x) const { return hn::IfThenElse(hn::Eq(x, hn::Zero(d32)), x, hn::Sin(d32, x)); }
};
struct Cos {
  static float beyond(float x) { return std::cos(x); }
  F32 operator()(F32 x) const { return hn::Cos(d32, x); }
};

template <class F> HWY_INLINE void one_vector(F f, const float *x, float *y, size_t lanes) {
  const F32 v = hn::LoadU(d32, x);
  if constexpr (requires { F::beyond; }) {
    const auto usual = hn::Le(hn::Abs(v), hn::Set(d32, kPeriodic));
    if (!hn::AllTrue(d32, usual)) {
      HWY_ALIGN float in[HWY_MAX_BYTES / sizeof(float)], out[HWY_MAX_BYTES / sizeof(float)];
      hn::Store(v, d32, in);
      hn::Store(f(hn::IfThenElseZero(usual, v)), d32, out);
      for (size_t i = 0; i < lanes; ++i)
        y[i] = std::fabs(in[i]) <= kPeriodic ? out[i] : F::beyond(in[i]);
      return;
    }
  }
  hn::StoreU(f(v), d32, y);
}

// Whole vectors, then the rest in a padded one, so that every element goes through the same instructions.
template <class F> void each(const float *x, float *y, int64_t n) {
  const F f;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d32));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    one_vector(f, x + i, y + i, static_cast<size_t>(lanes));
  if (i < n) {
    HWY_ALIGN float rest[HWY_MAX_BYTES / sizeof(float)] = {};
    std::copy(x + i, x + n, rest);
    one_vector(f, rest, rest, static_cast<size_t>(lanes));
    std::copy(rest, rest + (n - i), y + i);
  }
}

// Powers of positive and negative finite numbers are e^(exponent * log|base|) in f64; the rest is the C
// library's.
const hn::ScalableTag<double> d64;
const hn::Rebind<float, decltype(d64)> d32_half;

HWY_INLINE void pow_vector(const float *base, const float *exponent, float *y) {
  const auto b = hn::PromoteTo(d64, hn::LoadU(d32_half, base)),
             e = hn::PromoteTo(d64, hn::LoadU(d32_half, exponent));
  const auto finite = hn::Set(d64, 0x1p128);
  const auto a = hn::Abs(b);
  const auto usual =
      hn::And(hn::And(hn::Gt(a, hn::Zero(d64)), hn::Lt(a, finite)), hn::Lt(hn::Abs(e), finite));
  const auto power = hn::Mul(e, hn::Log(d64, hn::IfThenElse(usual, a, hn::Set(d64, 1.0))));
  const auto limit = hn::Set(d64, 700.0);
  const auto magnitude = hn::Exp(d64, hn::Max(hn::Min(power, limit), hn::Neg(limit)));
  const auto half = hn::Mul(e, hn::Set(d64, 0.5));
  const auto is_even = hn::Eq(hn::Floor(half), half), is_whole = hn::Eq(hn::Floor(e), e);
  const auto of_negative =
      hn::IfThenElse(is_even, magnitude, hn::IfThenElse(is_whole, hn::Neg(magnitude), hn::Set(d64, kNaN)));
  const auto result =
      hn::DemoteTo(d32_half, hn::IfThenElse(hn::Lt(b, hn::Zero(d64)), of_negative, magnitude));
  if (hn::AllTrue(d64, usual)) {
    hn::StoreU(result, d32_half, y);
    return;
  }
  HWY_ALIGN float out[HWY_MAX_BYTES / sizeof(float)];
  hn::StoreU(result, d32_half, out);
  for (size_t i = 0; i < hn::Lanes(d64); ++i) {
    const bool is_usual = base[i] != 0 && std::isfinite(base[i]) && std::isfinite(exponent[i]);
    y[i] = is_usual ? out[i] : std::pow(base[i], exponent[i]);
  }
}

void pow_f32(const float *base, const float *exponent, float *y, int64_t n) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d64));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    pow_vector(base + i, exponent + i, y + i);
  if (i < n) {
    HWY_ALIGN float b[HWY_MAX_BYTES / sizeof(float)] = {}, e[HWY_MAX_BYTES / sizeof(float)] = {};
    std::copy(base + i, base + n, b);
    std::copy(exponent + i, exponent + n, e);
    pow_vector(b, e, b);
    std::copy(b, b + (n - i), y + i);
  }
}

bool vectors_fuse() { return HWY_NATIVE_FMA != 0; }

void exp_f32(const float *x, float *y, int64_t n) { each<Exp>(x, y, n); }
void expm1_f32(const float *x, float *y, int64_t n) { each<Expm1>(x, y, n); }
void log_f32(const float *x, float *y, int64_t n) { each<Log>(x, y, n); }
void log1p_f32(const float *x, float *y, int64_t n) { each<Log1p>(x, y, n); }
void logistic_f32(const float *x, float *y, int64_t n) { each<Logistic>(x, y, n); }
void tanh_f32(const float *x, float *y, int64_t n) { each<Tanh>(x, y, n); }
void sin_f32(const float *x, float *y, int64_t n) { each<Sin>(x, y, n); }
void cos_f32(const float *x, float *y, int64_t n) { each<Cos>(x, y, n); }

} // namespace
} // namespace tw::kernels::ref::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tw::kernels::ref {
namespace {
HWY_EXPORT(vectors_fuse);
HWY_EXPORT(exp_f32);
HWY_EXPORT(expm1_f32);
HWY_EXPORT(log_f32);
HWY_EXPORT(log1p_f32);
HWY_EXPORT(logistic_f32);
HWY_EXPORT(tanh_f32);
HWY_EXPORT(sin_f32);
HWY_EXPORT(cos_f32);
HWY_EXPORT(pow_f32);

template <class F> void one_by_one(const float *x, float *y, int64_t n, F f) {
  for (int64_t i = 0; i < n; ++i)
    y[i] = f(x[i]);
}
} // namespace
bool vectors_fuse() { return HWY_DYNAMIC_DISPATCH(vectors_fuse)(); }

void exp_f32(const float *x, float *y, int64_t n) { HWY_DYNAMIC_DISPATCH(exp_f32)(x, y, n); }
void expm1_f32(const float *x, float *y, int64_t n) { HWY_DYNAMIC_DISPATCH(expm1_f32)(x, y, n); }
void log_f32(const float *x, float *y, int64_t n) { HWY_DYNAMIC_DISPATCH(log_f32)(x, y, n); }
void log1p_f32(const float *x, float *y, int64_t n) { HWY_DYNAMIC_DISPATCH(log1p_f32)(x, y, n); }
void logistic_f32(const float *x, float *y, int64_t n) { HWY_DYNAMIC_DISPATCH(logistic_f32)(x, y, n); }
void tanh_f32(const float *x, float *y, int64_t n) { HWY_DYNAMIC_DISPATCH(tanh_f32)(x, y, n); }
void sin_f32(const float *x, float *y, int64_t n) { HWY_DYNAMIC_DISPATCH(sin_f32)(x, y, n); }
void cos_f32(const float *x, float *y, int64_t n) { HWY_DYNAMIC_DISPATCH(cos_f32)(x, y, n); }
void pow_f32(const float *base, const float *exponent, float *y, int64_t n) {
  HWY_DYNAMIC_DISPATCH(pow_f32)(base, exponent, y, n);
}

void tan_f32(const float *x, float *y, int64_t n) {
  one_by_one(x, y, n, [](float v) { return std::tan(v); });
}
void erf_f32(const float *x, float *y, int64_t n) {
  one_by_one(x, y, n, [](float v) { return std::erf(v); });
}
void atan2_f32(const float *y, const float *x, float *out, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = std::atan2(y[i], x[i]);
}

} // namespace tw::kernels::ref
#endif
