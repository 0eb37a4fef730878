// SPDX-License-Identifier: Apache-2.0
// What axes are called in reports and texts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sharding/mesh.hpp"

namespace tw::sharding {

// A run of adjacent parts of one axis: `size` places behind `pre`. All of the axis where size is
// whole_size().
struct AxisRun {
  const std::string *parent; // as the mesh spells it
  int64_t pre, size;
};
std::vector<AxisRun> axis_runs(std::span<const AxisId> axes, const Mesh &mesh);

// Major to minor; adjacent parts of one axis are one name: all of c is `c`, some of it `c:(pre)size`.
std::vector<std::string> axis_names(std::span<const AxisId> axes, const Mesh &mesh);

} // namespace tw::sharding
