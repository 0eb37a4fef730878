// SPDX-License-Identifier: Apache-2.0
// Which part of every value each device holds, interned: two values with the same layout have equal tiles on
// every device, whatever their shardings are called.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "spmd/program.hpp"

namespace tw::runtime {

using sharding::Position;
using LayoutId = uint32_t;

class Layouts {
public:
  explicit Layouts(const spmd::Program &program);

  int64_t num_positions() const { return num_positions_; }
  size_t size() const { return boxes_.size(); }
  LayoutId of(spmd::ValueRef v) const { return of_value_[v]; }
  const sharding::Box &box(LayoutId layout, Position position) const {
    return boxes_[layout][static_cast<size_t>(position)];
  }
  int64_t elements(LayoutId layout, Position position) const {
    return elements_[layout][static_cast<size_t>(position)];
  }
  // Of the device that holds most.
  int64_t most_elements(LayoutId layout) const;
  // Of the tile of a value: at a position, and of the device that holds most.
  int64_t bytes(spmd::ValueRef v, Position position) const {
    return elements(of(v), position) * element_size_[v];
  }
  int64_t most_bytes(spmd::ValueRef v) const { return most_elements(of(v)) * element_size_[v]; }

  // A view: on every device `inner` lies within `outer` as one unbroken run of `outer`'s dense storage.
  // Answers with the first element of that run per device, or nothing where some device would need a copy.
  bool contiguous_within(LayoutId inner, LayoutId outer, std::vector<int64_t> &offset) const;

private:
  LayoutId intern(std::vector<sharding::Box> boxes);

  int64_t num_positions_;
  std::vector<LayoutId> of_value_;
  std::vector<uint8_t> element_size_; // by value
  std::vector<std::vector<sharding::Box>> boxes_;
  std::vector<std::vector<int64_t>> elements_;
  std::unordered_multimap<uint64_t, LayoutId> by_hash_;
};

} // namespace tw::runtime
