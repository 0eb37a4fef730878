// SPDX-License-Identifier: Apache-2.0
// Functions of CHLO around the gamma function, Bessel's I1, neighbours of a float and questions about
// infinities.
#include "ops/elementwise.hpp"

namespace tw::ops::gamma_ops {
namespace {

constexpr TypeSet kNeighbours = {DType::f64, DType::f32, DType::f16, DType::bf16};

} // namespace

OpFamily family() {
  static const OpDef defs[] = {
      unary<kFloats>("chlo.bessel_i1e", "Bessel's I1 times e^-|x|. CHLO: bessel_i1e."),
      unary<kFloats | kComplex>("chlo.conj", "Complex conjugate. CHLO: conj."),
      unary<kFloats>("chlo.digamma", "Derivative of lgamma. CHLO: digamma."),
      unary<kFloats, truth>("chlo.is_inf", "Whether an element is infinite. CHLO: is_inf."),
      unary<kFloats, truth>("chlo.is_neg_inf", "Whether an element is minus infinity. CHLO: is_neg_inf."),
      unary<kFloats, truth>("chlo.is_pos_inf", "Whether an element is plus infinity. CHLO: is_pos_inf."),
      unary<kFloats>("chlo.lgamma", "Logarithm of the gamma function's magnitude. CHLO: lgamma."),
      binary<kNeighbours>("chlo.next_after",
                          "The float next to the first element towards the second. CHLO: next_after.",
                          kOwnTypes),
      binary<kFloats>("chlo.polygamma",
                      "Derivative of digamma as often as the first element says. CHLO: polygamma."),
      binary<kFloats>("chlo.zeta", "Hurwitz's zeta function of s and q. CHLO: zeta."),
  };
  return defs;
}

} // namespace tw::ops::gamma_ops
