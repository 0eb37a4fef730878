// SPDX-License-Identifier: Apache-2.0
// Random sorts by one key, top_k and cumulative reductions: all element types, equal keys, special floats.
#pragma once

#include "conformance/kernel_case.hpp"

namespace tw::test {

KernelCase make_sort(Rng &rng);
KernelCase make_top_k(Rng &rng);
// A cumulative reduction along `along`, whose tile may be part of the other dimensions.
struct Cumulative {
  KernelCase call;
  size_t along;
};
Cumulative make_cumulative(Rng &rng);

} // namespace tw::test
