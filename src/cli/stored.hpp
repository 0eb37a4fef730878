// SPDX-License-Identifier: Apache-2.0
// Arrays of files as a program takes them: the same values, each exactly, or a Failure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/handles.hpp"

namespace tw::cli {

// A set of arrays that --inputs or --fill names. What is none is a Failure that says what it is.
Store open_inputs(const std::string &path);

// A part of an argument. Where its first `grid_rank` dimensions count devices, an array without them is what
// every device gets.
struct ArgumentPart {
  tw_dtype_t dtype = TW_DTYPE_INVALID;
  std::vector<int64_t> dims; // of the argument
  std::vector<int64_t> offset, extent;
  size_t grid_rank = 0;
};
// The elements of that part in an array of a set, or a Failure naming the first that has no such value.
// Shapes must agree. The rest of the file is not read. `what` names the array in messages: "inputs.npz: w1".
std::string part_of_stored(const tw_store_t *store, size_t array, const std::string &what,
                           const ArgumentPart &part);

// "f32[3,4]".
std::string type_text(tw_dtype_t dtype, const std::vector<int64_t> &dims);

} // namespace tw::cli
