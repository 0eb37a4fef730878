// SPDX-License-Identifier: Apache-2.0
// The cube root of elements.
#include "ops/elementwise.hpp"

namespace tw::ops::cbrt_ops {

OpFamily family() {
  static const OpDef defs[] = {
      unary<kFloats | kComplex>("stablehlo.cbrt", "Cube root, real for negative numbers. Spec: cbrt.")};
  return defs;
}

} // namespace tw::ops::cbrt_ops
