// SPDX-License-Identifier: Apache-2.0
// Arrays in blocks that fit a budget: each a run of the array's elements in row-major order, so that every
// tile of it gets its own elements in order, too.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "store/set.hpp"
#include "store/target.hpp"

namespace tw::store {

// The blocks of an array, of at most so many elements, in order.
class Blocks {
public:
  Blocks(graph::Shape dims, int64_t most_elements);
  bool next(sharding::Box &box); // false: there are no more

private:
  const graph::Shape dims_;
  size_t split_ = 0; // blocks are whole behind this dimension and have one index before it
  int64_t step_ = 1; // along it
  std::vector<int64_t> at_;
  bool over_ = false;
};

// Where elements come from.
class Elements {
public:
  virtual ~Elements() = default;
  virtual Status read(size_t array, const sharding::Box &box, void *memory,
                      std::span<const int64_t> strides) const = 0;
};

class ElementsOfSet final : public Elements {
public:
  // For each array of a layout, which array of the set it is.
  ElementsOfSet(const Set &set, std::span<const size_t> arrays) : set_(set), arrays_(arrays) {}
  Status read(size_t array, const sharding::Box &box, void *memory,
              std::span<const int64_t> strides) const override {
    return set_.read(arrays_[array], box, memory, strides);
  }

private:
  const Set &set_;
  std::span<const size_t> arrays_;
};

// Blocks of the arrays of a layout, as elements of the types that are written: another type is rounded once.
class BlockReader {
public:
  BlockReader(const Layout &layout, std::vector<graph::DType> types, const Elements &elements, size_t budget);

  Blocks blocks(size_t array) const;
  // The block, dense; until the next call.
  Result<const std::byte *> read(size_t array, const sharding::Box &box);

private:
  const Layout &layout_;
  const std::vector<graph::DType> types_; // of the elements
  const Elements &elements_;
  const size_t budget_;
  std::unique_ptr<std::byte[]> buffer_, converted_;
  size_t buffer_size_ = 0, converted_size_ = 0;
};

} // namespace tw::store
