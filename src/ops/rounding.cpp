// SPDX-License-Identifier: Apache-2.0
// Rounding floats to whole numbers, and telling finite ones.
#include "ops/elementwise.hpp"
#include "ops/expression.hpp"

namespace tw::ops::rounding_ops {
namespace {

Expression is_finite_scalar(const OpView &op) {
  ScalarBuilder b(op);
  const Scalar x = b.wide(0);
  return std::move(b).result(equal(x - x, like(x, 0)));
}

} // namespace

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
  static const std::vector<OpDef> expressed =
      with_scalars(defs, {{"stablehlo.ceil", unary_scalar<ScalarOp::ceil>},
                          {"stablehlo.floor", unary_scalar<ScalarOp::floor>},
                          {"stablehlo.is_finite", is_finite_scalar},
                          {"stablehlo.round_nearest_afz", unary_scalar<ScalarOp::round_away>},
                          {"stablehlo.round_nearest_even", unary_scalar<ScalarOp::round_even>}});
  return expressed;
}

} // namespace tw::ops::rounding_ops
