// SPDX-License-Identifier: Apache-2.0
// What axes are called in reports and texts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sharding/mesh.hpp"

namespace tw::sharding {

// Major to minor; adjacent parts of one axis are one name: all of c is `c`, some of it `c:(pre)size`.
std::vector<std::string> axis_names(std::span<const AxisId> axes, const Mesh &mesh);

} // namespace tw::sharding
