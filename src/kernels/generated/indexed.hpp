// SPDX-License-Identifier: Apache-2.0
// Source of gathers and scatters of any form, of the parts of arrays that a device holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "kernels/generated/region_fold.hpp"
#include "kernels/generated/source.hpp"
#include "ops/indexing.hpp"

namespace tw::kernels::generated {

// An array, index vectors and slices, as ops/indexing.hpp pictures them.
struct IndexedSlices {
  struct Part {
    std::vector<int64_t> global, offset, extent; // one a dimension
  };
  graph::DType dtype, index;
  ops::Indexing picture;
  Part array, slices;
  std::vector<int64_t> indices; // extents of this device's; batch dimensions are those of the slices
};

// Operands: array, indices; the result is the slices, whose sizes are `sizes`, one a dimension of the array.
// Starts are moved so that slices fit; what another device holds is zeros.
Source gather_slices_source(const IndexedSlices &request, std::span<const int64_t> sizes,
                            const std::string &entry);

// Operands: arrays, indices, updates of each array; results: the arrays, which may lie over those. Each
// element looks at all updates in their order, as the reference does. `identity`: the arrays begin with that
// of this reduction, not with the operands. An error: updates do not begin with their batch dimensions.
Result<Source> scatter_slices_source(const IndexedSlices &request, const ScalarRegion &region,
                                     const std::vector<graph::DType> &dtypes,
                                     std::optional<sharding::Reduction> identity, const std::string &entry);

// Whether two slices have no element in common where they do not begin at the same place.
bool slices_lie_apart(const IndexedSlices &request);
// The same scatter of one array for such slices, whose work is that of the updates: they are put in the order
// of where they land, and each element that is hit folds its own, in their order. Without `identity` the
// result already has the elements of operand 0. Quadratic in the number of slices, with a small factor.
Result<Source> scatter_apart_source(const IndexedSlices &request, const ScalarRegion &region,
                                    graph::DType dtype, std::optional<sharding::Reduction> identity,
                                    const std::string &entry);

} // namespace tw::kernels::generated
