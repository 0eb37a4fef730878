// SPDX-License-Identifier: Apache-2.0
// Arrays of memory that are written to files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/status.hpp"
#include "graph/types.hpp"

namespace tw::store {

struct InMemory {
  std::string name;
  graph::TensorType type;
  const void *data = nullptr; // dense, row-major
};

// Whole arrays, as elements of types that the format has for theirs. An existing file is replaced at once.
Status write_arrays(const std::string &path, std::string_view format, std::span<const InMemory> arrays);

// A box of the array of an .npy file, which is made where it is not there; others may write other boxes at
// the same time.
Status write_part_of_npy(const std::string &path, std::span<const int64_t> dims,
                         std::span<const int64_t> offset, const InMemory &part);

} // namespace tw::store
