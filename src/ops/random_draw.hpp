// SPDX-License-Identifier: Apache-2.0
// What stablehlo.rng makes of random bits, as a scalar expression.
#pragma once

#include "ops/expression.hpp"

namespace tw::ops {

// Operands: the first and the second parameter of the distribution, of `dtype`, and two words of 64 random
// bits.
Expression drawn_number(graph::DType dtype, bool normal);

} // namespace tw::ops
