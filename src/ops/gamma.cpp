// SPDX-License-Identifier: Apache-2.0
// Functions of CHLO around the gamma function, Bessel's I1, neighbours of a float and questions about
// infinities.
#include <limits>

#include "ops/elementwise.hpp"
#include "ops/expression.hpp"

namespace tw::ops::gamma_ops {
namespace {

constexpr TypeSet kNeighbours = {DType::f64, DType::f32, DType::f16, DType::bf16};

// Devices have no function of their own for most of these; those run on the host.
constexpr ScalarFunction kBesselI1e{"chlo.bessel_i1e"}, kDigamma{"chlo.digamma"},
    kLgamma{"chlo.lgamma", "lgamma", 8, 8}, kPolygamma{"chlo.polygamma"}, kZeta{"chlo.zeta"};

Expression conj_scalar(const OpView &op) {
  ScalarBuilder b(op);
  const Scalar x = b.operand(0);
  return std::move(b).result(x.is_complex() ? complex(real(x), -imag(x)) : x);
}

enum class Infinite : uint8_t { either, positive, negative };
template <Infinite which> Expression infinite_scalar(const OpView &op) {
  ScalarBuilder b(op);
  const Scalar x = b.wide(0), infinity = like(x, std::numeric_limits<double>::infinity());
  return std::move(b).result(which == Infinite::either     ? equal(one_of(ScalarOp::absolute, x), infinity)
                             : which == Infinite::positive ? equal(x, infinity)
                                                           : equal(x, -infinity));
}

// One step of the code, away from zero where that is the direction; from a zero to the least number.
Expression next_after_scalar(const OpView &op) {
  ScalarBuilder b(op);
  const Scalar narrow = b.operand(0), x = b.wide(0), y = b.wide(1), zero = like(x, 0);
  const size_t size = graph::byte_size(narrow.dtype());
  const DType bits = size == 2 ? DType::u16 : size == 4 ? DType::u32 : DType::u64;
  const Scalar code = recast(narrow, bits), one = like(code, 1),
               sign =
                   b.make(ScalarOp::shift_left, bits, {one, like(code, static_cast<double>(8 * size - 1))});
  const Scalar away = equal(less(x, y), less(zero, x));
  const Scalar next =
      select(equal(x, zero), select(less(zero, y), one, sign | one), select(away, code + one, code - one));
  const Scalar number = convert(recast(next, narrow.dtype()), x.dtype());
  const Scalar ordered = equal(x, x) & equal(y, y);
  return std::move(b).result(
      select(ordered, select(equal(x, y), y, number), like(x, std::numeric_limits<double>::quiet_NaN())));
}

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
  static const std::vector<OpDef> expressed =
      with_scalars(defs, {{"chlo.bessel_i1e", called_scalar<kBesselI1e>},
                          {"chlo.conj", conj_scalar},
                          {"chlo.digamma", called_scalar<kDigamma>},
                          {"chlo.is_inf", infinite_scalar<Infinite::either>},
                          {"chlo.is_neg_inf", infinite_scalar<Infinite::negative>},
                          {"chlo.is_pos_inf", infinite_scalar<Infinite::positive>},
                          {"chlo.lgamma", called_scalar<kLgamma>},
                          {"chlo.next_after", next_after_scalar},
                          {"chlo.polygamma", called_scalar<kPolygamma>},
                          {"chlo.zeta", called_scalar<kZeta>}});
  return expressed;
}

} // namespace tw::ops::gamma_ops
