// SPDX-License-Identifier: Apache-2.0
// The shortest code of one device: an op of its argument.
#pragma once

#include <string>
#include <string_view>

#include "grid_devices.hpp"

namespace tw::test {

inline std::string shape_text(const Ints &sizes) { return fmt::format("{}", fmt::join(sizes, "x")); }

inline std::string one_op(const Ints &grid, std::string_view op, std::string_view in, std::string_view out) {
  return fmt::format("shard.grid @grid0(shape = {})\n"
                     "func.func @main(%0: {}) -> {} {{\n  %1 = {}\n  return %1 : {}\n}}\n",
                     shape_text(grid), in, out, op, out);
}

} // namespace tw::test
