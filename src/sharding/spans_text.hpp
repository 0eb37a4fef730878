// SPDX-License-Identifier: Apache-2.0
// Shardings of values of a program as text: what devices keep around their tiles reads as a halo.
#pragma once

#include <span>
#include <string>

#include "sharding/mesh.hpp"
#include "sharding/sharding.hpp"

namespace tw::sharding {

// As to_text of sharding.hpp. Spans that are balanced or `ceil` tiles with as many elements around each,
// where the array has them, are written `{x}:halo=[1,1]`; other spans as they are.
std::string to_text(const Sharding &s, std::span<const int64_t> shape, const Mesh &mesh);

} // namespace tw::sharding
