// SPDX-License-Identifier: Apache-2.0
// Layouts of arrays that a file states: a pattern of names and a sharding a line.
#pragma once

#include <string>
#include <vector>

#include "cli/handles.hpp"

namespace tw::cli {

struct StoredArray {
  std::string name;
  tw_dtype_t dtype = TW_DTYPE_INVALID; // of what is not read, which has no layout
  std::vector<int64_t> dims;
};

// One for each array, NULL where no line fits it; the last line that does counts. '#' begins a comment. A
// line that fits nothing is a Failure with its position, and so is a sharding that is wrong for an array.
std::vector<Sharding> stated_shardings(const std::string &text, const std::string &file,
                                       const tw_mesh_t *mesh, const std::vector<StoredArray> &arrays);

} // namespace tw::cli
