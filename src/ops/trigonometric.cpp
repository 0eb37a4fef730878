// SPDX-License-Identifier: Apache-2.0
// Trigonometric and hyperbolic functions of elements.
#include "ops/elementwise.hpp"
#include "ops/expression.hpp"

namespace tw::ops::trigonometric_ops {
namespace {

// The bounds are those that CUDA states of its functions.
constexpr ScalarFunction kAtan2{"stablehlo.atan2", "atan2", 3, 2};
constexpr ScalarFunction kCosine{"stablehlo.cosine", "cos", 2, 2,
                                 "C{cos(a.re) * cosh(a.im), -(sin(a.re) * sinh(a.im))}"};
constexpr ScalarFunction kSine{"stablehlo.sine", "sin", 2, 2,
                               "C{sin(a.re) * cosh(a.im), cos(a.re) * sinh(a.im)}"};
constexpr ScalarFunction kTan{"stablehlo.tan", "tan", 4, 2, "tangent(a)"};
constexpr ScalarFunction kTanh{"stablehlo.tanh", "tanh", 2, 2, "hyperbolic_tangent(a)"};

} // namespace

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
  static const std::vector<OpDef> expressed =
      with_scalars(defs, {{"stablehlo.atan2", called_scalar<kAtan2>},
                          {"stablehlo.cosine", called_scalar<kCosine>},
                          {"stablehlo.sine", called_scalar<kSine>},
                          {"stablehlo.tan", called_scalar<kTan>},
                          {"stablehlo.tanh", called_scalar<kTanh>}});
  return expressed;
}

} // namespace tw::ops::trigonometric_ops
