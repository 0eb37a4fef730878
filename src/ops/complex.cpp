// SPDX-License-Identifier: Apache-2.0
// Complex numbers made of two floats and taken apart again.
#include "ops/elementwise.hpp"
#include "ops/linear.hpp"

namespace tw::ops::complex_ops {
namespace {

struct Complex {
  static constexpr TypeSet takes = {DType::f32, DType::f64};
  template <class E> using Result = Element<E::dtype == DType::f32 ? DType::c64 : DType::c128>;
  template <class V> static std::complex<V> apply(V real, V imag) { return {real, imag}; }
};

template <class E>
using PartOf = Element<E::dtype == DType::c64    ? DType::f32
                       : E::dtype == DType::c128 ? DType::f64
                                                 : E::dtype>;

struct Real {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class E> using Result = PartOf<E>;
  template <class V> static auto apply(V x) {
    if constexpr (is_complex_value<V>)
      return x.real();
    else
      return x;
  }
};

struct Imag {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class E> using Result = PartOf<E>;
  template <class V> static auto apply(V x) {
    if constexpr (is_complex_value<V>)
      return x.imag();
    else
      return V(0);
  }
};

} // namespace

OpFamily family() {
  static const OpDef defs[] = {
      linear::with(binary<Complex>("stablehlo.complex",
                                   "Complex numbers from real and imaginary parts. Spec: complex."),
                   linear::sums<0b11>),
      linear::with(unary<Imag>("stablehlo.imag", "Imaginary part. Spec: imag."), linear::sums<0b1>),
      linear::with(unary<Real>("stablehlo.real", "Real part. Spec: real."), linear::sums<0b1>),
  };
  return defs;
}

} // namespace tw::ops::complex_ops
