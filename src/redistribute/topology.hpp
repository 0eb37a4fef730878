// SPDX-License-Identifier: Apache-2.0
// Which devices are near each other: levels of groups, from the outermost (nodes) to the innermost. Inside
// the groups of the last level all devices are equally near; without levels all are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "redistribute/problem.hpp" // Device

namespace tw::redistribute {

struct Topology {
  // Per level and device: its group. A group of one level lies in one group of every level outside it.
  std::vector<std::vector<int32_t>> groups;
  std::vector<std::string> names = {}; // of the levels; none where groups are given by device

  size_t num_levels() const { return groups.size() + 1; } // with the one inside the innermost groups
  // The outermost level whose groups hold the two apart; groups.size() where none does.
  uint32_t level_between(Device a, Device b) const;

  // "node=2" or "node=2,socket=2": device ids in order, cut into 2 nodes, each node into 2 sockets. Or the
  // groups themselves: "node=[[0,1,4,5],[2,3,6,7]],socket=2". Groups go by the order of the ids, which
  // ascend.
  static Result<Topology> parse(std::string_view text, std::span<const int64_t> device_ids);
  // The groups given by device, outermost level first; checked to nest.
  static Result<Topology> create(std::vector<std::vector<int32_t>> groups, size_t num_devices);
};

// In which levels are stated: the ids of the devices of a mesh, by device. Steps and threads have none.
std::vector<int64_t> ids_of_devices(const sharding::Mesh &mesh);

} // namespace tw::redistribute
