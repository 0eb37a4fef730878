// SPDX-License-Identifier: Apache-2.0
// Trigonometric and hyperbolic functions of elements.
#include "kernels/ref/elementwise.hpp"
#include "kernels/ref/vector_math.hpp"

namespace tw::kernels::ref::trigonometric_reference {
namespace {

struct Sine : VectorFunction<sin_f32> {
  template <class V> static V apply(V x) { return std::sin(x); }
};
struct Cosine : VectorFunction<cos_f32> {
  template <class V> static V apply(V x) { return std::cos(x); }
};
struct Tangent : VectorFunction<tan_f32> {
  template <class V> static V apply(V x) { return std::tan(x); }
};
struct HyperbolicTangent : VectorFunction<tanh_f32> {
  template <class V> static V apply(V x) { return std::tanh(x); }
};

struct Atan2 {
  static constexpr TypeSet takes = kFloats | kComplex;
  static void apply_f32(const float *y, const float *x, float *out, int64_t n) { atan2_f32(y, x, out, n); }
  static double apply(double y, double x) { return std::atan2(y, x); }
  template <class T> static std::complex<T> apply(std::complex<T> y, std::complex<T> x) {
    // -i log((x + iy) / sqrt(x^2 + y^2))
    const std::complex<T> i(0, 1);
    return -i * std::log((x + i * y) / std::sqrt(x * x + y * y));
  }
};

} // namespace

References references() {
  static const Reference all[] = {
      binary<Atan2>("stablehlo.atan2"),
      unary<Cosine>("stablehlo.cosine"),
      unary<Sine>("stablehlo.sine"),
      unary<Tangent>("stablehlo.tan"),
      unary<HyperbolicTangent>("stablehlo.tanh"),
  };
  return all;
}

} // namespace tw::kernels::ref::trigonometric_reference
