// SPDX-License-Identifier: Apache-2.0
// Split rules between a dimension and the factors that make it up: a reshape keeps whole blocks of the more
// minor factors together, so the cuts of a factor, counted in its own elements, become cuts of the dimension
// in blocks, and back where the cuts fall on blocks.
#pragma once

#include <cstdint>
#include <optional>

#include "sharding/sharding.hpp"

namespace tw::partition {

// Where a factor of `size` elements lies in its dimension: `major` tiles of one element each before it (the
// product of the more major factors, all covered), `minor` elements in each of its blocks.
struct FactorPlace {
  int64_t major = 1;
  int64_t size = 1;
  int64_t minor = 1;
  int64_t elements() const { return major * size * minor; }
};

// The rule of the dimension over major * tiles tiles, from the factor's over `tiles`.
sharding::SplitRule to_dimension(const sharding::SplitRule &factor, const FactorPlace &place, int64_t tiles);

// The rule of the factor over `tiles` that gives these cuts of the dimension over major * tiles; none where a
// cut is inside a block.
std::optional<sharding::SplitRule> to_factor(const sharding::SplitRule &dimension, const FactorPlace &place,
                                             int64_t tiles);

// Of a rule over F tiles of n elements, every `inner` of which are one: back from what sharding::refine makes
// of it.
sharding::SplitRule coarsen(const sharding::SplitRule &rule, int64_t n, int64_t F, int64_t inner);

// The same cuts of a dimension of another size: an array and what a window makes of it are tiled alike.
sharding::SplitRule rescaled(const sharding::SplitRule &rule, int64_t from, int64_t to, int64_t tiles);

} // namespace tw::partition
