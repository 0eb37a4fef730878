// SPDX-License-Identifier: Apache-2.0
// Arithmetic on elements: add, subtract, multiply, divide, remainder, maximum, minimum, negate, abs, sign.
#include "ops/elementwise.hpp"
#include "ops/expression.hpp"
#include "ops/linear.hpp"

namespace tw::ops::arithmetic_ops {
namespace {

// Quotients of integers are cut, which no sum survives; complex ones by zero are not what their parts add up
// to.
bool divide_is_linear(const OpView &op, uint64_t partial, sharding::Reduction kind) {
  return graph::is_float(op.operands[0]->dtype) && linear::sums<0b01>(op, partial, kind);
}

// Sums of partial factors' products are no products of sums; products of products are.
bool multiply_is_linear(const OpView &op, uint64_t partial, sharding::Reduction kind) {
  return linear::product(op, partial, kind) || linear::combines<sharding::Reduction::prod>(op, partial, kind);
}

// A complex quotient and a magnitude are functions: how they are computed decides what overflows on the way.
constexpr ScalarFunction kDivide{"stablehlo.divide", nullptr, 4, 4, "quotient(a, b)"};
constexpr ScalarFunction kAbs{"stablehlo.abs", nullptr, 3, 2, "hypot(a.re, a.im)"};

Expression divide_scalar(const OpView &op) {
  return graph::is_complex(op.operands[0]->dtype) ? called_scalar<kDivide>(op)
                                                  : binary_scalar<ScalarOp::divide>(op);
}

Expression abs_scalar(const OpView &op) {
  return graph::is_complex(op.operands[0]->dtype) ? called_scalar<kAbs>(op)
                                                  : unary_scalar<ScalarOp::absolute>(op);
}

template <Scalar (*choose)(Scalar, Scalar)> Expression chosen_scalar(const OpView &op) {
  ScalarBuilder b(op);
  const Scalar x = b.wide(0), y = b.wide(1);
  return std::move(b).result(choose(x, y));
}

// Floats keep their zeros and NaN. A complex number divided by its magnitude, where that is not 0.
Expression sign_scalar(const OpView &op) {
  ScalarBuilder b(op);
  const Scalar x = b.wide(0);
  if (x.is_complex()) {
    const Scalar magnitude = b.call(kAbs, part_type(x.dtype()), {x});
    return std::move(b).result(select(equal(magnitude, like(magnitude, 0)), like(x, 0),
                                      complex(real(x) / magnitude, imag(x) / magnitude)));
  }
  const Scalar zero = like(x, 0);
  return std::move(b).result(select(less(zero, x), like(x, 1), select(less(x, zero), like(x, -1), x)));
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {
      unary<kFloats | kSignedInts | kComplex, part_of_complex>(
          "stablehlo.abs", "Absolute value, of a complex number its magnitude. Spec: abs.", kCheap),
      linear::with(binary<kAll>("stablehlo.add", "Sum of two arrays; booleans by or. Spec: add.",
                                kCommutative | kCheap),
                   linear::sums<0b11>),
      linear::with(binary<kNumbers>("stablehlo.divide",
                                    "Quotient of two arrays; of integers cut towards zero. Spec: divide."),
                   divide_is_linear),
      linear::with(binary<kAll>("stablehlo.maximum", "The larger element; NaN wins. Spec: maximum.",
                                kCommutative | kCheap | kChooses),
                   linear::combines<sharding::Reduction::max>),
      linear::with(binary<kAll>("stablehlo.minimum", "The smaller element; NaN wins. Spec: minimum.",
                                kCommutative | kCheap | kChooses),
                   linear::combines<sharding::Reduction::min>),
      linear::with(binary<kAll>("stablehlo.multiply",
                                "Product of two arrays; booleans by and. Spec: multiply.",
                                kCommutative | kCheap),
                   multiply_is_linear),
      linear::with(unary<kNumbers>("stablehlo.negate", "Negation; integers wrap. Spec: negate.", kCheap),
                   linear::sums<0b1>),
      binary<kFloats | kInts>("stablehlo.remainder",
                              "Remainder of a division, with the dividend's sign. Spec: remainder."),
      unary<kFloats | kSignedInts | kComplex>(
          "stablehlo.sign", "-1, 0 or 1 by sign; of a complex number its direction. Spec: sign.", kCheap),
      linear::with(
          binary<kNumbers>("stablehlo.subtract", "Difference of two arrays. Spec: subtract.", kCheap),
          linear::sums<0b11>),
  };
  static const std::vector<OpDef> expressed =
      with_scalars(defs, {{"stablehlo.abs", abs_scalar},
                          {"stablehlo.add", binary_scalar<ScalarOp::add>},
                          {"stablehlo.divide", divide_scalar},
                          {"stablehlo.maximum", chosen_scalar<maximum>},
                          {"stablehlo.minimum", chosen_scalar<minimum>},
                          {"stablehlo.multiply", binary_scalar<ScalarOp::multiply>},
                          {"stablehlo.negate", unary_scalar<ScalarOp::negate>},
                          {"stablehlo.remainder", binary_scalar<ScalarOp::remainder>},
                          {"stablehlo.sign", sign_scalar},
                          {"stablehlo.subtract", binary_scalar<ScalarOp::subtract>}});
  return expressed;
}

} // namespace tw::ops::arithmetic_ops
