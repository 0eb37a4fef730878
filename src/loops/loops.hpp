// SPDX-License-Identifier: Apache-2.0
// The loop language of PartIR (seeds 001 and 002): a plan as a program whose ops stand in the loops of their nests.
//
//   func @mlp(%x: tensor<16x256xf32>, %w: tensor<256x256xf32>) attributes {batch:2} {
//     %0 = partir.tile 0 "batch" (%r : !partir.range<2>) {
//       %1 = partir.slice 0 %x[%r]
//       %2 = matmul(%1, %w)
//       partir.yield %2
//     }
//     return %0
//   }
//
// A type in a loop says what is cut: tensor<16{%r}x256xf32> is the part of 16 rows that %r stands for. An argument is tiled as all who read
// it read it, a result as it is made; where that is not so, and where an op's loops do not follow from what they cut, attributes say it
// (partir.nest, partir.factors).
#pragma once

#include <string>
#include <vector>

#include "partition/plan.hpp"
#include "sharding/range.hpp"

namespace tw::import {
struct LoopProgram;
}

namespace tw::loops {

struct Printed {
  std::string text;
  std::vector<graph::OpId>
      ops; // in the order in which a reader meets their ends, arguments and results left out
};

// "product" where sharding says prod: how a loop names a reduction.
std::string_view reduction_word(sharding::Reduction kind);

Printed print(const partition::Plan &plan, sharding::Style style);

// Gives a fresh plan the loops of the text that its graph was read from. Errors name the rule that is broken and where: an axis nested in
// itself, a range of another size than its axis or of another extent than the dimension, a slice that is no loop of the op, ...
Status apply(partition::Plan &plan, const import::LoopProgram &program);

} // namespace tw::loops
