// SPDX-License-Identifier: Apache-2.0
// Arithmetic on elements: add, subtract, multiply, divide, remainder, maximum, minimum, negate, abs, sign.
#include "ops/elementwise.hpp"
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
  return defs;
}

} // namespace tw::ops::arithmetic_ops
