// SPDX-License-Identifier: Apache-2.0
// How precise a program computes: what rounding errors of its results are measured by.
#pragma once

#include <vector>

#include "graph/graph.hpp"

namespace tw::ops {

// Bits of the fraction of a float type, or of a complex type's parts; 64 for all others, which do not round.
int fraction_bits(graph::DType dtype);

// For each result the type with the fewest such bits among all values on the ways from an argument to it,
// regions included; `invalid` where floats are on none of them.
std::vector<graph::DType> least_precise(const graph::Graph &graph);

} // namespace tw::ops
