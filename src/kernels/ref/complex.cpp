// SPDX-License-Identifier: Apache-2.0
// Complex numbers made of two floats and taken apart again.
#include "kernels/ref/elementwise.hpp"

namespace tw::kernels::ref::complex_reference {
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

References references() {
  static const Reference all[] = {
      binary<Complex>("stablehlo.complex"),
      unary<Imag>("stablehlo.imag"),
      unary<Real>("stablehlo.real"),
  };
  return all;
}

} // namespace tw::kernels::ref::complex_reference
