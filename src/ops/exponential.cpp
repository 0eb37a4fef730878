// SPDX-License-Identifier: Apache-2.0
// Exponentials, logarithms, powers and roots of elements, and the logistic function.
#include "ops/elementwise.hpp"

namespace tw::ops::exponential_ops {

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
  return defs;
}

} // namespace tw::ops::exponential_ops
