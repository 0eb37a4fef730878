// SPDX-License-Identifier: Apache-2.0
// Parts of axes as texts name them, `c:(2)4`: of 8 = 2 x 4 places the inner 4. Whoever reads a text that
// names some cuts the axes of its mesh first.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sharding/mesh.hpp"

namespace tw::sharding {

struct Part {
  std::string_view axis;
  int64_t pre, size;
};

// All that a text names, sizes in range; of what looks like a part and is none, finding the axis says what is
// wrong.
std::vector<Part> parts_in(std::string_view text);

// The axes that are a part together, major to minor; none where there is no such part. All of an axis is the
// part behind 1 place.
std::vector<AxisId> axes_of(const Part &part, const Mesh &mesh);
int64_t whole_size(std::string_view axis, const Mesh &mesh); // 1 where there is none

// The axis of a mesh that must be cut so that a part of `name` may begin behind `pre` places, and how many
// places its major part takes; none where one begins there already, and where there is no such place.
struct CutOfAxis {
  AxisId axis;
  int64_t major;
};
Result<std::optional<CutOfAxis>> cut_for_part(const Mesh &mesh, std::string_view name, int64_t pre);

// The same devices, with these parts as axes or runs of axes; or all that a text names.
Result<Mesh> with_parts(Mesh mesh, std::span<const Part> parts);
Result<Mesh> with_parts(Mesh mesh, std::string_view text);

// The devices of a mesh alone, on axes that are whole: texts name parts of these.
Mesh whole_device_axes(const Mesh &mesh);

} // namespace tw::sharding
