// SPDX-License-Identifier: Apache-2.0
// The cube root of elements.
#include "ops/elementwise.hpp"
#include "ops/expression.hpp"

namespace tw::ops::cbrt_ops {
namespace {

constexpr ScalarFunction kCubeRoot{"stablehlo.cbrt", "cbrt", 1, 1, "cube_root(a)"};

} // namespace

OpFamily family() {
  static const OpDef defs[] = {
      unary<kFloats | kComplex>("stablehlo.cbrt", "Cube root, real for negative numbers. Spec: cbrt.")};
  static const std::vector<OpDef> expressed =
      with_scalars(defs, {{"stablehlo.cbrt", called_scalar<kCubeRoot>}});
  return expressed;
}

} // namespace tw::ops::cbrt_ops
