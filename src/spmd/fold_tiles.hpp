// SPDX-License-Identifier: Apache-2.0
// What the parts of fold_tiles share: an array of which a dimension of n elements lies in T tiles, as a
// dimension of T tiles and one of w elements; and the layouts on the way there.
#pragma once

#include <algorithm>
#include <vector>

#include "spmd/lowering.hpp"

namespace tw::spmd {

struct TiledArray {
  graph::TensorType array;
  sharding::Sharding from; // as it lies
  size_t dim = 0;
  int64_t num_tiles = 1, width = 1;

  // Tiles of `width` elements, the last ones shorter, as the filled array is cut.
  sharding::Sharding even() const {
    std::vector<sharding::Interval> spans;
    const int64_t n = array.dims[dim];
    for (int64_t t = 0; t < num_tiles; ++t)
      spans.push_back({std::min(t * width, n), std::min((t + 1) * width, n)});
    sharding::Sharding s = from;
    s.dims[dim].rule = sharding::make_spans(spans, n);
    return s;
  }
  sharding::Sharding balanced() const {
    sharding::Sharding s = from;
    s.dims[dim].rule = {};
    return s;
  }
  sharding::Sharding whole() const {
    sharding::Sharding s = from;
    s.dims[dim] = {};
    return s;
  }
  // With a dimension of the elements of a tile behind that of the tiles.
  sharding::Sharding apart() const {
    sharding::Sharding s = balanced();
    s.dims.insert(s.dims.begin() + static_cast<ptrdiff_t>(dim) + 1, sharding::DimSharding());
    return s;
  }
  graph::Shape shape(int64_t n) const {
    graph::Shape dims = array.dims;
    dims[dim] = n;
    return dims;
  }
  graph::Shape shape_apart(int64_t w) const {
    graph::Shape dims = shape(num_tiles);
    dims.insert(dims.begin() + static_cast<ptrdiff_t>(dim) + 1, w);
    return dims;
  }
  // Whether it may be taken apart: the dimension lies in tiles, nothing is partial, and no dimension of one
  // element, over which a reshape has no loop, is tiled.
  bool may_come_apart() const {
    bool may = array.elements() != 0 && from.partial.empty() && !from.dims[dim].axes.empty() &&
               from.dims[dim].rule.kind != sharding::SplitRule::Kind::spans;
    for (size_t d = 0; d < from.dims.size(); ++d)
      may &= d == dim || array.dims[d] > 1 || from.dims[d].axes.empty();
    return may;
  }
};

// Sorts of which only the first or the last elements are read.
Status fold_sorts(Lowering &lowering);

} // namespace tw::spmd
