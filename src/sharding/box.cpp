// SPDX-License-Identifier: Apache-2.0
// Boxes: which part of an array a mesh position holds.
#include "sharding/sharding.hpp"

#include <algorithm>

namespace tw::sharding {

Box Box::whole(std::span<const int64_t> shape) {
  return {std::vector<int64_t>(shape.size(), 0), std::vector<int64_t>(shape.begin(), shape.end())};
}

int64_t Box::elements() const {
  int64_t product = 1;
  for (const int64_t size : extent)
    product *= size;
  return product;
}

bool Box::contains(const Box &inner) const {
  if (inner.empty())
    return true;
  for (size_t d = 0; d < rank(); ++d)
    if (inner.offset[d] < offset[d] || inner.offset[d] + inner.extent[d] > offset[d] + extent[d])
      return false;
  return true;
}

Box intersect(const Box &a, const Box &b) {
  TW_ASSERT(a.rank() == b.rank());
  Box result = a;
  for (size_t d = 0; d < a.rank(); ++d) {
    result.offset[d] = std::max(a.offset[d], b.offset[d]);
    const int64_t end = std::min(a.offset[d] + a.extent[d], b.offset[d] + b.extent[d]);
    result.extent[d] = std::max<int64_t>(0, end - result.offset[d]);
  }
  return result;
}

int64_t num_tiles(const DimSharding &dim, const Mesh &mesh) {
  int64_t product = 1;
  for (const AxisId a : dim.axes)
    product *= mesh.size(a);
  return product;
}

int64_t tile_index(const DimSharding &dim, const Mesh &mesh, Position position) {
  int64_t index = 0;
  for (const AxisId a : dim.axes)
    index = index * mesh.size(a) + mesh.coordinate(position, a);
  return index;
}

Box box_of(const Sharding &s, std::span<const int64_t> shape, const Mesh &mesh, Position position) {
  TW_ASSERT(s.dims.size() == shape.size());
  Box box = Box::whole(shape);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (s.dims[d].axes.empty())
      continue;
    const Interval part =
        tile(s.dims[d].rule, shape[d], num_tiles(s.dims[d], mesh), tile_index(s.dims[d], mesh, position));
    box.offset[d] = part.begin;
    box.extent[d] = part.size();
  }
  return box;
}

std::vector<int64_t> largest_tile(const Sharding &s, std::span<const int64_t> shape, const Mesh &mesh) {
  std::vector<int64_t> result(shape.begin(), shape.end());
  for (size_t d = 0; d < shape.size(); ++d) {
    const SplitRule &rule = s.dims[d].rule;
    const int64_t tiles = num_tiles(s.dims[d], mesh);
    if (tiles == 1)
      continue;
    if (rule.kind == SplitRule::Kind::cuts) {
      int64_t largest = 0;
      for (size_t t = 0; t + 1 < rule.cuts->size(); ++t)
        largest = std::max(largest, (*rule.cuts)[t + 1] - (*rule.cuts)[t]);
      result[d] = largest * rule.unit;
    } else if (rule.kind == SplitRule::Kind::spans) {
      result[d] = 0;
      for (int64_t t = 0; t < tiles; ++t)
        result[d] = std::max(result[d], tile(rule, shape[d], tiles, t).size());
    } else { // balanced and ceil: both have a tile of ceil(blocks / tiles) blocks
      const int64_t blocks = shape[d] / rule.unit;
      result[d] = (blocks / tiles + (blocks % tiles != 0 ? 1 : 0)) * rule.unit;
    }
  }
  return result;
}

int64_t largest_tile_elements(const Sharding &s, std::span<const int64_t> shape, const Mesh &mesh) {
  int64_t elements = 1;
  for (const int64_t n : largest_tile(s, shape, mesh))
    elements *= n;
  return elements;
}

} // namespace tw::sharding
