// SPDX-License-Identifier: Apache-2.0
// Reads and checks the levels of a topology.
#include "redistribute/topology.hpp"

#include <map>

#include <fmt/format.h>

#include "sharding/mesh.hpp"

namespace tw::redistribute {

uint32_t Topology::level_between(Device a, Device b) const {
  uint32_t level = 0;
  for (; level < groups.size(); ++level)
    if (groups[level][static_cast<size_t>(a)] != groups[level][static_cast<size_t>(b)])
      break;
  return level;
}

Result<Topology> Topology::parse(std::string_view text, const Problem &problem) {
  TW_ASSIGN(const sharding::Mesh levels, sharding::Mesh::parse(text)); // the same grammar
  const auto devices = static_cast<int64_t>(problem.num_devices());
  if (devices % levels.num_devices() != 0)
    return fail(Code::invalid_argument, "TW-522",
                fmt::format("levels '{}' make {} groups, which do not divide {} devices", text,
                            levels.num_devices(), devices));
  Topology result;
  int64_t count = 1; // groups of a level
  for (const sharding::Axis &axis : levels.axes()) {
    count *= axis.size;
    auto &group = result.groups.emplace_back();
    for (int64_t d = 0; d < devices; ++d)
      group.push_back(static_cast<int32_t>(d / (devices / count)));
  }
  return result;
}

Result<Topology> Topology::create(std::vector<std::vector<int32_t>> groups, size_t num_devices) {
  for (size_t level = 0; level < groups.size(); ++level) {
    if (groups[level].size() != num_devices)
      return fail(Code::invalid_argument, "TW-522",
                  fmt::format("level {} groups {} devices, and there are {}", level, groups[level].size(),
                              num_devices));
    std::map<int32_t, int32_t> outer; // of each group
    for (size_t d = 0; level > 0 && d < num_devices; ++d) {
      const auto [at, fresh] = outer.try_emplace(groups[level][d], groups[level - 1][d]);
      if (at->second != groups[level - 1][d])
        return fail(Code::invalid_argument, "TW-522",
                    fmt::format("group {} of level {} spans two groups of the level outside it",
                                groups[level][d], level));
    }
  }
  return Topology{std::move(groups)};
}

} // namespace tw::redistribute
