// SPDX-License-Identifier: Apache-2.0
// Shardings of values of a program as they are shown: what devices keep around their tiles is a halo.
#pragma once

#include <span>
#include <string>

#include "sharding/halo.hpp"
#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::sharding {

// Spans that are balanced or `ceil` tiles with as many elements around each, where the array has them, become
// these tiles and a halo; other spans stay as they are. Such a halo ends where the array does.
Distribution with_halos(Distribution s, std::span<const int64_t> shape, const Mesh &mesh);
// The other way: spans of tiles with so many elements around each, where the array has them.
SplitRule spans_around(const DimSharding &dim, const Halo &halo, int64_t n, const Mesh &mesh);

// As to_text of sharding.hpp, of what with_halos gives: `{x}:halo=[1,1]`.
std::string to_text(const Sharding &s, std::span<const int64_t> shape, const Mesh &mesh);

} // namespace tw::sharding
