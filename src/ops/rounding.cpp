// SPDX-License-Identifier: Apache-2.0
// Rounding floats to whole numbers, and telling finite ones.
#include "ops/elementwise.hpp"

namespace tw::ops::rounding_ops {

OpFamily family() {
  static const OpDef defs[] = {
      unary<kFloats>("stablehlo.ceil", "The least whole number not below. Spec: ceil."),
      unary<kFloats>("stablehlo.floor", "The greatest whole number not above. Spec: floor."),
      unary<kFloats, truth>("stablehlo.is_finite", "Whether neither infinite nor NaN. Spec: is_finite."),
      unary<kFloats>("stablehlo.round_nearest_afz",
                     "Nearest whole number, ties away from zero. Spec: round_nearest_afz."),
      unary<kFloats>("stablehlo.round_nearest_even",
                     "Nearest whole number, ties to the even one. Spec: round_nearest_even."),
  };
  return defs;
}

} // namespace tw::ops::rounding_ops
