// SPDX-License-Identifier: Apache-2.0
// A program in double precision: what says how far rounding took a run from the numbers that the program
// means.
#pragma once

#include <memory>
#include <span>

#include "base/status.hpp"
#include "graph/graph.hpp"

namespace tw::ops {

// f64 for every float type, c128 for every complex one, all others as they are.
graph::DType in_double(graph::DType dtype);

// The same program on arguments of the types above, which gives some of its results, in the order of
// `results`. Nothing rounds to other types: conversions between floats and reduce_precision keep their
// operand. Ops whose meaning depends on the type (bits of a float, random numbers, calls of foreign code)
// work on the program's own types, with conversions before and behind them. Expectations are left out. An
// error: foreign code with side effects, which must not run twice.
Result<std::shared_ptr<const graph::Graph>> in_double(const graph::Graph &graph,
                                                      std::span<const size_t> results);

} // namespace tw::ops
