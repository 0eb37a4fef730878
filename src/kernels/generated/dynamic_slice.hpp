// SPDX-License-Identifier: Apache-2.0
// Source of slices whose starts are read, and of updates of such.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/types.hpp"
#include "kernels/generated/source.hpp"

namespace tw::kernels::generated {

// The part of `extent` that begins at scalars, one operand a dimension, which are moved so that it fits.
struct DynamicSlice {
  graph::DType dtype, index;
  std::vector<int64_t> whole, part; // extents
  // Where devices hold parts of the whole, or of the part: the largest start, and how far the device's
  // piece of the whole lies behind its piece of the part. Of elements that lie elsewhere the slice is
  // zeros, and the update nothing. Empty: all is here.
  std::vector<int64_t> most{}, begin{};
};
Source dynamic_slice_source(const DynamicSlice &request, const std::string &entry); // operands: whole, starts
// Writes the part into the whole, which is the result. Operands: part, starts.
Source dynamic_update_source(const DynamicSlice &request, const std::string &entry);

// Element `at` of an array of integers as an integer of 64 bits, in C++, with a declaration that it needs.
// Unsigned indices beyond those of 64 bits with sign are beyond every array.
std::string index_text(graph::DType index, const std::string &pointer, const std::string &at);
const char *index_functions();

} // namespace tw::kernels::generated
