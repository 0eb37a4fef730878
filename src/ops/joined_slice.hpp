// SPDX-License-Identifier: Apache-2.0
// Slices that a concatenation joins along the dimension which they cut, or that are padded there: together
// they move tiles about, as a roll, a shift or a permutation of blocks does, and its gradient. Such a slice
// may be tiled even where it takes one place, and is made in the tiles that its reader needs
// (spmd/join_slices).
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/graph.hpp"
#include "ops/op_def.hpp"

namespace tw::ops {

// A slice cuts one dimension, without strides, and nobody reads it but one concatenation along this
// dimension, or one pad, whose result is no shorter than the array that is sliced. The graph is finished.
bool is_joined_slice(const graph::Graph &graph, graph::OpId id);

// The one dimension that a joined slice cuts, and where it begins there.
struct JoinedSlice {
  size_t dim;
  int64_t begin;
};
JoinedSlice joined_slice(const graph::Graph &graph, graph::OpId id);

// Its rule: as that of any slice, and one place is the part of a window too, not picked from all.
Rule joined_slice_rule(const OpView &op);

} // namespace tw::ops
