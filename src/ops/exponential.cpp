// SPDX-License-Identifier: Apache-2.0
// Exponentials, logarithms, powers and roots of elements, and the logistic function.
#include "ops/elementwise.hpp"
#include "ops/expression.hpp"

namespace tw::ops::exponential_ops {
namespace {

// The bounds of devices are those that CUDA states of its functions, and what the expressions around add.
constexpr ScalarFunction kExponential{"stablehlo.exponential", "exp", 2, 1, "exponential(a)"};
constexpr ScalarFunction kExponentialMinusOne{"stablehlo.exponential_minus_one", "expm1", 1, 1,
                                              "exponential_less_one(a)"};
constexpr ScalarFunction kLog{"stablehlo.log", "log", 1, 1, "logarithm(a)"};
constexpr ScalarFunction kLogPlusOne{"stablehlo.log_plus_one", "log1p", 1, 1, "logarithm_of_more(a)"};
constexpr ScalarFunction kLogistic{"stablehlo.logistic", "tw_logistic", 4, 4, "logistic(a)"};
constexpr ScalarFunction kPower{"stablehlo.power", "pow", 8, 2, "power_of(a, b)"};
constexpr ScalarFunction kRsqrt{"stablehlo.rsqrt", nullptr, 4, 4, "quotient(C{T(1), T(0)}, root(a))"};
constexpr ScalarFunction kSqrt{"stablehlo.sqrt", nullptr, 4, 4, "root(a)"};

Expression sqrt_scalar(const OpView &op) {
  return graph::is_complex(op.operands[0]->dtype) ? called_scalar<kSqrt>(op)
                                                  : unary_scalar<ScalarOp::square_root>(op);
}

Expression rsqrt_scalar(const OpView &op) {
  if (graph::is_complex(op.operands[0]->dtype))
    return called_scalar<kRsqrt>(op);
  ScalarBuilder b(op);
  const Scalar x = b.wide(0);
  return std::move(b).result(like(x, 1) / one_of(ScalarOp::square_root, x));
}

Expression power_scalar(const OpView &op) {
  return graph::is_int(op.operands[0]->dtype) ? binary_scalar<ScalarOp::power>(op)
                                              : called_scalar<kPower>(op);
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {
      unary<kFloats | kComplex>("stablehlo.exponential", "e to the power of each element. Spec: exponential.",
                                0, result_accuracy()),
      unary<kFloats | kComplex>("stablehlo.exponential_minus_one",
                                "e^x - 1, exact near 0. Spec: exponential_minus_one.", 0, result_accuracy()),
      unary<kFloats | kComplex>("stablehlo.log", "Natural logarithm. Spec: log.", 0, result_accuracy()),
      unary<kFloats | kComplex>("stablehlo.log_plus_one", "log(1 + x), exact near 0. Spec: log_plus_one.", 0,
                                result_accuracy()),
      unary<kFloats | kComplex>("stablehlo.logistic", "1 / (1 + e^-x). Spec: logistic.", 0,
                                result_accuracy()),
      binary<kNumbers>("stablehlo.power",
                       "The first element to the power of the second; integers wrap. Spec: power."),
      unary<kFloats | kComplex>("stablehlo.rsqrt", "1 / sqrt(x). Spec: rsqrt.", 0, result_accuracy()),
      unary<kFloats | kComplex>("stablehlo.sqrt", "Square root. Spec: sqrt.", 0, result_accuracy()),
  };
  static const std::vector<OpDef> expressed =
      with_scalars(defs, {{"stablehlo.exponential", called_scalar<kExponential>},
                          {"stablehlo.exponential_minus_one", called_scalar<kExponentialMinusOne>},
                          {"stablehlo.log", called_scalar<kLog>},
                          {"stablehlo.log_plus_one", called_scalar<kLogPlusOne>},
                          {"stablehlo.logistic", called_scalar<kLogistic>},
                          {"stablehlo.power", power_scalar},
                          {"stablehlo.rsqrt", rsqrt_scalar},
                          {"stablehlo.sqrt", sqrt_scalar}});
  return expressed;
}

} // namespace tw::ops::exponential_ops
