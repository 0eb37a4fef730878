// SPDX-License-Identifier: Apache-2.0
// Arrays as files hold them: what each is, and which box of it lies where.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph/types.hpp"
#include "sharding/sharding.hpp"
#include "store/file.hpp"
#include "store/transfer.hpp"

namespace tw::store {

// A box of an array, in one file.
struct Part {
  sharding::Box box;
  uint32_t source = 0; // of the set's sources
  uint64_t at = 0;     // byte of its first element there
  Strides strides;
  bool swapped = false; // elements in the other byte order than this machine's
};

struct Array {
  std::string name;
  graph::DType dtype = graph::DType::invalid;
  graph::Shape dims;
  // They cover the array; equal boxes are copies of each other, others do not overlap.
  std::vector<Part> parts;
  std::string problem; // why it is not read; then no more is known. "" where it is
  std::string foreign; // the type of elements that is not read, '<U5', where that is why
};

// What a format finds in files.
struct Contents {
  std::vector<Array> arrays;
  std::vector<std::shared_ptr<Bytes>> sources;
};

// The parts cover an array as they should. `where` names the set in the error, which says what is missing or
// doubled.
Status check_cover(const Array &array, const std::string &where);

// "w1: f32[3,4]".
std::string described(const Array &array);
// "[0+4, 8+8]": offset and extent of each dimension.
std::string box_text(const sharding::Box &box);

} // namespace tw::store
