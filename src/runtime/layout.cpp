// SPDX-License-Identifier: Apache-2.0
// Boxes are made once per (sharding, shape) and device, then compared by content.
#include "runtime/layout.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/hash.hpp"
#include "sharding/box_run.hpp"

namespace tw::runtime {

Layouts::Layouts(const spmd::Program &program) : num_positions_(program.mesh().num_positions()) {
  std::map<std::pair<spmd::ShardingId, graph::Shape>, LayoutId> known;
  const auto values = program.values();
  of_value_.reserve(values.size());
  for (spmd::ValueRef v = 0; v < values.size(); ++v) {
    const auto [at, fresh] = known.try_emplace({values[v].sharding, program.type(v).dims}, 0);
    if (fresh) {
      std::vector<sharding::Box> boxes;
      boxes.reserve(static_cast<size_t>(num_positions_));
      for (Position d; d < num_positions_; ++d)
        boxes.push_back(program.box(v, d));
      at->second = intern(std::move(boxes));
    }
    of_value_.push_back(at->second);
    element_size_.push_back(static_cast<uint8_t>(byte_size(program.type(v).dtype)));
  }
}

LayoutId Layouts::intern(std::vector<sharding::Box> boxes) {
  Hasher hasher;
  for (const sharding::Box &box : boxes)
    hasher.add(std::span(box.offset)).add(std::span(box.extent));
  const auto [first, last] = by_hash_.equal_range(hasher.value());
  for (auto it = first; it != last; ++it)
    if (boxes_[it->second] == boxes)
      return it->second;
  const auto id = static_cast<LayoutId>(boxes_.size());
  std::vector<int64_t> elements;
  elements.reserve(boxes.size());
  for (const sharding::Box &box : boxes)
    elements.push_back(box.elements());
  boxes_.push_back(std::move(boxes));
  elements_.push_back(std::move(elements));
  by_hash_.emplace(hasher.value(), id);
  return id;
}

int64_t Layouts::most_elements(LayoutId layout) const {
  return *std::max_element(elements_[layout].begin(), elements_[layout].end());
}

bool Layouts::contiguous_within(LayoutId inner, LayoutId outer, std::vector<int64_t> &offset) const {
  offset.assign(static_cast<size_t>(num_positions_), 0);
  for (size_t d = 0; d < offset.size(); ++d) {
    offset[d] = sharding::run_offset(boxes_[inner][d], boxes_[outer][d]);
    if (offset[d] < 0)
      return false;
  }
  if (std::all_of(offset.begin(), offset.end(), [](int64_t o) { return o == 0; }))
    offset.clear();
  return true;
}

} // namespace tw::runtime
