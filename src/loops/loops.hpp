// SPDX-License-Identifier: Apache-2.0
// The loop language of PartIR (the PartIR slides): a plan as a program whose ops stand in the loops of their
// nests.
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
// - A loop is `tile D`, a reduction (`sum`, `max`, .., `pick`, `region`) or `any` (its turns agree); with
//   several results, `loop (tile 0, sum)`. It runs over a mesh axis, named behind it, or over one that its
//   range makes by itself. Ranges: sharding/range.hpp.
// - A type in a loop says what is cut: tensor<16{%r}x256xf32> is the part of 16 rows that %r stands for.
//   Attributes speak of whole arrays. What an op reads through a window it is given whole, and takes the tile
//   and halo that it needs.
// - A loop around nothing but a slice is the dumb tile of the PartIR slides: of an argument, or of what an op
//   makes.
// - An argument is tiled as all who read it read it, a result as it is made or, where it overwrites an
//   argument, as that one; where that is not so, `partir.nest = [tile 0 "batch"]` says it, of the variables
//   of a while, if or case too. Which loop of an op's rule is meant follows from what is cut; where it does
//   not, `partir.factors` says it, loop by loop. `partir.layout` is a result's layout that somebody asked
//   for.
// - Attributes of the function say of values, by their names, what no loop does: `"partir.group 0":"%x, %3"`,
//   values of one layout; `"partir.passage 0 forward":"%3"`, which way layouts pass;
//   `"partir.rule_of 0":"%3 ([i,j])->([j,i])"`, a rule stated of one op;
//   `"partir.apart 0 batch":"%3"`, who is made whole behind the loop over an axis, which the reader
//   finds himself where nothing says it.
#pragma once

#include <string>
#include <vector>

#include "partition/plan.hpp"
#include "sharding/range.hpp"

namespace tw::annotation {
struct LoopProgram;
}

namespace tw::loops {

struct Printed {
  std::string text;
  std::vector<graph::OpId>
      ops; // in the order in which a reader meets their ends, arguments and results left out
};

Printed print(const partition::Plan &plan, sharding::Style style);

// Gives a fresh plan the loops of the text that its graph was read from. Errors name the rule that is broken
// and where: an axis nested in itself, a range of another size than its axis or of another extent than the
// dimension, a slice that is no loop of the op, ...
Status apply(partition::Plan &plan, const annotation::LoopProgram &program);

} // namespace tw::loops
