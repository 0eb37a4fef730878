// SPDX-License-Identifier: Apache-2.0
// Functions of CHLO, the client dialect beside StableHLO: error functions, inverse and hyperbolic functions,
// square.
#include "ops/elementwise.hpp"
#include "ops/expression.hpp"

namespace tw::ops::special_ops {
namespace {

// The bounds are those that CUDA states of its functions.
constexpr ScalarFunction kAcos{"chlo.acos", "acos", 2, 2};
constexpr ScalarFunction kAcosh{"chlo.acosh", "acosh", 4, 3};
constexpr ScalarFunction kAsin{"chlo.asin", "asin", 2, 2};
constexpr ScalarFunction kAsinh{"chlo.asinh", "asinh", 3, 3};
constexpr ScalarFunction kAtan{"chlo.atan", "atan", 2, 2};
constexpr ScalarFunction kAtanh{"chlo.atanh", "atanh", 3, 2};
constexpr ScalarFunction kCosh{"chlo.cosh", "cosh", 2, 2,
                               "C{cosh(a.re) * cos(a.im), sinh(a.re) * sin(a.im)}"};
constexpr ScalarFunction kErf{"chlo.erf", "erf", 2, 2};
constexpr ScalarFunction kErfInv{"chlo.erf_inv", "erfinv", 4, 6};
constexpr ScalarFunction kErfc{"chlo.erfc", "erfc", 4, 5};
constexpr ScalarFunction kSinh{"chlo.sinh", "sinh", 3, 2,
                               "C{sinh(a.re) * cos(a.im), cosh(a.re) * sin(a.im)}"};

Expression square_scalar(const OpView &op) {
  ScalarBuilder b(op);
  const Scalar x = b.wide(0);
  return std::move(b).result(x * x);
}

} // namespace

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
  static const std::vector<OpDef> expressed = with_scalars(defs, {{"chlo.acos", called_scalar<kAcos>},
                                                                  {"chlo.acosh", called_scalar<kAcosh>},
                                                                  {"chlo.asin", called_scalar<kAsin>},
                                                                  {"chlo.asinh", called_scalar<kAsinh>},
                                                                  {"chlo.atan", called_scalar<kAtan>},
                                                                  {"chlo.atanh", called_scalar<kAtanh>},
                                                                  {"chlo.cosh", called_scalar<kCosh>},
                                                                  {"chlo.erf", called_scalar<kErf>},
                                                                  {"chlo.erf_inv", called_scalar<kErfInv>},
                                                                  {"chlo.erfc", called_scalar<kErfc>},
                                                                  {"chlo.sinh", called_scalar<kSinh>},
                                                                  {"chlo.square", square_scalar}});
  return expressed;
}

} // namespace tw::ops::special_ops
