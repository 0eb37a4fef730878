// SPDX-License-Identifier: Apache-2.0
// The cube root of elements.
#include "ops/elementwise.hpp"

namespace tw::ops::cbrt_ops {
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

OpFamily family() {
  static const OpDef defs[] = {
      unary<CubeRoot>("stablehlo.cbrt", "Cube root, real for negative numbers. Spec: cbrt.")};
  return defs;
}

} // namespace tw::ops::cbrt_ops
