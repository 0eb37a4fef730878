// SPDX-License-Identifier: Apache-2.0
// The cube root of elements.
#include "kernels/ref/elementwise.hpp"

namespace tw::kernels::ref::cbrt_reference {
namespace {

struct CubeRoot {
  static constexpr TypeSet takes = kFloats | kComplex;
  template <class V> static V apply(V x) { return std::cbrt(x); }
  // The principal root: a third of the angle.
  template <class T> static std::complex<T> apply(std::complex<T> x) {
    return std::polar(std::cbrt(std::abs(x)), std::arg(x) / 3);
  }
};

} // namespace

References references() {
  static const Reference all[] = {
      unary<CubeRoot>("stablehlo.cbrt"),
  };
  return all;
}

} // namespace tw::kernels::ref::cbrt_reference
