// SPDX-License-Identifier: Apache-2.0
// Source that moves boxes from several arrays into one: exchanges between devices, slices, transpositions,
// concatenations. What is moved stands in a table in the device's memory, so one text serves all of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/box_moves.hpp"
#include "kernels/generated/source.hpp"

namespace tw::kernels::generated {

struct BoxSource {
  Source source;
  std::vector<int64_t> table; // operand `sources`, in the device's memory
};

// Boxes do not overlap in the result, which is result 0. Arrays begin at multiples of `alignment` bytes, at
// most 16, else of an element.
BoxSource box_source(const std::vector<BoxMove> &moves, uint32_t sources, int64_t element_size,
                     const std::string &entry, int64_t alignment = 16);

} // namespace tw::kernels::generated
