// SPDX-License-Identifier: Apache-2.0
// Functions of CHLO, the client dialect beside StableHLO: error functions, inverse and hyperbolic functions,
// square.
#include "ops/elementwise.hpp"

namespace tw::ops::special_ops {

OpFamily family() {
  static const OpDef defs[] = {
      unary<kFloats | kComplex>("chlo.acos", "Inverse cosine. CHLO: acos."),
      unary<kFloats | kComplex>("chlo.acosh", "Inverse hyperbolic cosine. CHLO: acosh."),
      unary<kFloats | kComplex>("chlo.asin", "Inverse sine. CHLO: asin."),
      unary<kFloats | kComplex>("chlo.asinh", "Inverse hyperbolic sine. CHLO: asinh."),
      unary<kFloats | kComplex>("chlo.atan", "Inverse tangent. CHLO: atan."),
      unary<kFloats | kComplex>("chlo.atanh", "Inverse hyperbolic tangent. CHLO: atanh."),
      unary<kFloats | kComplex>("chlo.cosh", "Hyperbolic cosine. CHLO: cosh."),
      unary<kFloats>("chlo.erf", "Error function. CHLO: erf."),
      unary<kFloats>("chlo.erf_inv", "Inverse of the error function. CHLO: erf_inv."),
      unary<kFloats>("chlo.erfc", "1 - erf(x), exact where erf is near 1. CHLO: erfc."),
      unary<kFloats | kComplex>("chlo.sinh", "Hyperbolic sine. CHLO: sinh."),
      unary<kNumbers>("chlo.square", "Product of each element with itself. CHLO: square."),
  };
  return defs;
}

} // namespace tw::ops::special_ops
