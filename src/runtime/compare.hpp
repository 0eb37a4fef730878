// SPDX-License-Identifier: Apache-2.0
// Whether two arrays agree: bit for bit where that is promised, within a stated bound elsewhere, and whether
// agreeing says much.
#pragma once

#include <span>

#include "runtime/tensor.hpp"

namespace tw::runtime {

// The rule that had the last word on an array.
enum class JudgedBy : uint8_t { bits, tolerance, in_double };

struct Comparison {
  double max_abs = 0; // largest |a-b|
  double max_rel =
      0; // max|a-b| / max(max|b|, tiny): relative to the array, since element-wise error is no fair measure
  bool bit_equal = true;
  bool pass = true;
  bool mistrusted = false; // over 30 % of b is NaN, Inf or one constant, or b equals an argument
  int64_t nonfinite = 0;   // in b
  JudgedBy judged_by = JudgedBy::bits;
  double bound = 0; // on max_rel; 0 where bits decide
  // Largest distance of a and of b from the evaluation in double precision, infinite where one of two is NaN
  // or infinite; -1: there was none.
  double from_double = -1, expected_from_double = -1;
  int32_t equal_argument = -1; // the first argument that b equals within its tolerance; -1: none
};

// The bound on max_rel that a float type may differ by where a contraction or reduction was split; 0 for
// everything else.
double tolerance(graph::DType dtype);

// b is the expectation; types are equal and views dense. Bits decide where `bound` is 0, and for integers and
// booleans, but any NaN equals any other: sign and payload of what arithmetic makes are no part of its value.
Comparison compare(const TensorView &a, const TensorView &b, double bound);

// The first of some arrays, of one type with b and dense, that agrees with b within the bound, which is no
// accident; -1: none does. Bits decide where the bound is 0, and for integers and booleans.
int32_t find_equal(std::span<const TensorView> arrays, const TensorView &b, double bound);

} // namespace tw::runtime
