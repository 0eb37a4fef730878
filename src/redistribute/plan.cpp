// SPDX-License-Identifier: Apache-2.0
// Names of methods; tiles of buffers.
#include "redistribute/plan.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

namespace tw::redistribute {

using sharding::Box;

int64_t Placement::elements(Device d) const {
  const auto e = extent(d);
  return std::accumulate(e.begin(), e.end(), int64_t{1}, std::multiplies<>());
}

Box Placement::box(Device d) const {
  const auto o = offset(d), e = extent(d);
  return {{o.begin(), o.end()}, {e.begin(), e.end()}};
}

void Placement::set(Device d, const Box &box) {
  std::ranges::copy(box.offset, offset(d).begin());
  std::ranges::copy(box.extent, extent(d).begin());
}

namespace {
constexpr std::array<std::string_view, 6> kMethods = {"auto", "direct", "level", "relay", "scalar", "vector"};
}

std::string_view name(Method m) { return kMethods[static_cast<size_t>(m)]; }

Result<Method> parse_method(std::string_view text) {
  const auto at = std::ranges::find(kMethods, text);
  if (at == kMethods.end())
    return fail(Code::invalid_argument, "TW-521",
                fmt::format("'{}' is no method: auto, direct, level, relay, scalar or vector", text));
  return static_cast<Method>(at - kMethods.begin());
}

} // namespace tw::redistribute
