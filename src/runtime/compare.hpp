// SPDX-License-Identifier: Apache-2.0
// Whether two arrays agree: bit for bit where that is promised, within a stated bound elsewhere, and whether
// agreeing says much.
#pragma once

#include "runtime/tensor.hpp"

namespace tw::runtime {

struct Comparison {
  double max_abs = 0; // largest |a-b|
  double max_rel =
      0; // max|a-b| / max(max|b|, tiny): relative to the array, since element-wise error is no fair measure
  bool bit_equal = true;
  bool pass = true;
  bool mistrusted = false; // over 30 % of b is NaN, Inf or one constant
  int64_t nonfinite = 0;   // in b
};

// The bound on max_rel that a float type may differ by where a contraction or reduction was split; 0 for
// everything else.
double tolerance(graph::DType dtype);

// b is the expectation; types are equal. Integers and booleans always compare exactly. NaN equals NaN.
Comparison compare(const TensorView &a, const TensorView &b, bool exact); // dense views

} // namespace tw::runtime
