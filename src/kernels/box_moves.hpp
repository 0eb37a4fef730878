// SPDX-License-Identifier: Apache-2.0
// What an op that only moves elements to known places moves, as boxes from the tiles of its operands into the
// tile of its result. Each kind of device moves boxes its own way.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/kernel.hpp"

namespace tw::kernels {

// A box of elements; offsets and strides are in elements of the arrays.
struct BoxMove {
  uint32_t source; // operand
  std::vector<int64_t> extent;
  int64_t source_offset = 0, result_offset = 0;
  std::vector<int64_t> source_strides, result_strides; // one a dimension
};

// Of each: null where an operand's tile lacks an element that the result's needs. Boxes are not empty and do
// not overlap in the result.
using BoxMoves = std::optional<std::vector<BoxMove>>;
BoxMoves rearranged_boxes(const Request &request);   // OpDef::rearranges
BoxMoves concatenated_boxes(const Request &request); // concatenate
BoxMoves padded_boxes(const Request &request);       // pad: what of the operand lands in the result

} // namespace tw::kernels
