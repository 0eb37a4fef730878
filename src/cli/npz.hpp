// SPDX-License-Identifier: Apache-2.0
// NumPy's archive, .npz: a zip of .npy files, one an array.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/npy.hpp"

namespace tw::cli {

using NpzEntries =
    std::vector<std::pair<std::string, NpyArray>>; // key (without .npy) and array, in the file's order

NpzEntries read_npz(const std::string &path);
void write_npz(const std::string &path, const NpzEntries &entries);

} // namespace tw::cli
