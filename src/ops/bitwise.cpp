// SPDX-License-Identifier: Apache-2.0
// Operations on the bits of elements: and, or, xor, not, the shifts, popcnt, count_leading_zeros.
#include "ops/elementwise.hpp"
#include "ops/expression.hpp"
#include "ops/linear.hpp"

namespace tw::ops::bitwise_ops {

OpFamily family() {
  static const OpDef defs[] = {
      linear::with(
          binary<kInts | kBool>("stablehlo.and", "Bitwise or logical and. Spec: and.", kCommutative | kCheap),
          linear::combines<sharding::Reduction::land>),
      unary<kInts>("stablehlo.count_leading_zeros",
                   "Number of zero bits above the highest one. Spec: count_leading_zeros."),
      unary<kInts | kBool>("stablehlo.not", "Bitwise or logical not. Spec: not.", kCheap),
      linear::with(
          binary<kInts | kBool>("stablehlo.or", "Bitwise or logical or. Spec: or.", kCommutative | kCheap),
          linear::combines<sharding::Reduction::lor>),
      unary<kInts>("stablehlo.popcnt", "Number of one bits. Spec: popcnt."),
      binary<kInts>("stablehlo.shift_left", "Shift towards the high bits; all out gives 0. Spec: shift_left.",
                    kCheap),
      binary<kInts>("stablehlo.shift_right_arithmetic",
                    "Shift towards the low bits that copies the sign. Spec: shift_right_arithmetic.", kCheap),
      binary<kInts>("stablehlo.shift_right_logical",
                    "Shift towards the low bits that brings in zeros. Spec: shift_right_logical.", kCheap),
      linear::with(binary<kInts | kBool>("stablehlo.xor", "Bitwise or logical exclusive or. Spec: xor.",
                                         kCommutative | kCheap),
                   linear::combines<sharding::Reduction::lxor>),
  };
  static const std::vector<OpDef> expressed = with_scalars(
      defs, {{"stablehlo.and", binary_scalar<ScalarOp::bit_and>},
             {"stablehlo.count_leading_zeros", unary_scalar<ScalarOp::leading_zeros>},
             {"stablehlo.not", unary_scalar<ScalarOp::bit_not>},
             {"stablehlo.or", binary_scalar<ScalarOp::bit_or>},
             {"stablehlo.popcnt", unary_scalar<ScalarOp::population_count>},
             {"stablehlo.shift_left", binary_scalar<ScalarOp::shift_left>},
             {"stablehlo.shift_right_arithmetic", binary_scalar<ScalarOp::shift_right_arithmetic>},
             {"stablehlo.shift_right_logical", binary_scalar<ScalarOp::shift_right_logical>},
             {"stablehlo.xor", binary_scalar<ScalarOp::bit_xor>}});
  return expressed;
}

} // namespace tw::ops::bitwise_ops
