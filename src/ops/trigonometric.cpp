// SPDX-License-Identifier: Apache-2.0
// Trigonometric and hyperbolic functions of elements.
#include "ops/elementwise.hpp"

namespace tw::ops::trigonometric_ops {

OpFamily family() {
  static const OpDef defs[] = {
      binary<kFloats | kComplex>("stablehlo.atan2",
                                 "Angle of the point (second operand, first operand). Spec: atan2."),
      unary<kFloats | kComplex>("stablehlo.cosine", "Cosine of an angle in radians. Spec: cosine.", 0,
                                result_accuracy()),
      unary<kFloats | kComplex>("stablehlo.sine", "Sine of an angle in radians. Spec: sine.", 0,
                                result_accuracy()),
      unary<kFloats | kComplex>("stablehlo.tan", "Tangent of an angle in radians. Spec: tan.", 0,
                                result_accuracy()),
      unary<kFloats | kComplex>("stablehlo.tanh", "Hyperbolic tangent. Spec: tanh.", 0, result_accuracy()),
  };
  return defs;
}

} // namespace tw::ops::trigonometric_ops
