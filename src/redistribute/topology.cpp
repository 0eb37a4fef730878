// SPDX-License-Identifier: Apache-2.0
// Reads and checks the levels of a topology.
#include "redistribute/topology.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text_reader.hpp"

namespace tw::redistribute {

std::vector<int64_t> ids_of_devices(const sharding::Mesh &mesh) {
  std::vector<int64_t> ids(mesh.device_ids().begin(), mesh.device_ids().end());
  for (auto id = static_cast<int64_t>(ids.size()); id < mesh.num_devices(); ++id)
    ids.push_back(id);
  return ids;
}

uint32_t Topology::level_between(Device a, Device b) const {
  uint32_t level = 0;
  for (; level < groups.size(); ++level)
    if (groups[level][static_cast<size_t>(a)] != groups[level][static_cast<size_t>(b)])
      break;
  return level;
}

namespace {

// Groups of devices, in some order; those of one level hold every device once.
using Groups = std::vector<std::vector<Device>>;

class LevelReader : TextReader {
public:
  LevelReader(std::string_view text, std::span<const int64_t> ids)
      : TextReader("levels", "TW-522", text), ids_(ids) {}

  Result<Topology> read() {
    std::vector<std::vector<int32_t>> levels;
    std::vector<std::string> names;
    Groups outer(1);
    for (Device d = 0; static_cast<size_t>(d) < ids_.size(); ++d)
      outer[0].push_back(d);
    do {
      if (levels.size() == sharding::kMaxAxes)
        return error(fmt::format("no more than {} levels", sharding::kMaxAxes));
      TW_ASSIGN(const std::string_view level, name());
      names.emplace_back(level);
      TW_TRY(expect('='));
      TW_ASSIGN(outer, peek() == '[' ? listed() : cut(outer));
      auto &group = levels.emplace_back(ids_.size());
      for (size_t g = 0; g < outer.size(); ++g)
        for (const Device d : outer[g])
          group[static_cast<size_t>(d)] = static_cast<int32_t>(g);
    } while (accept(','));
    if (!at_end())
      return error("',' or the end");
    TW_ASSIGN(Topology topology, Topology::create(std::move(levels), ids_.size()));
    topology.names = std::move(names);
    return topology;
  }

private:
  // `2`: every group outside is cut into so many.
  Result<Groups> cut(const Groups &outer) {
    TW_ASSIGN(const int64_t parts, integer());
    Groups result;
    for (const auto &group : outer) {
      const auto size = static_cast<int64_t>(group.size());
      if (parts == 0 || size % parts != 0)
        return fail(Code::invalid_argument, "TW-522",
                    fmt::format("levels '{}': {} groups do not divide {} devices", text(), parts, size));
      for (int64_t i = 0; i < parts; ++i)
        result.emplace_back(group.begin() + i * size / parts, group.begin() + (i + 1) * size / parts);
    }
    return result;
  }

  // `[[0,1,4,5],[2,3,6,7]]`: device ids.
  Result<Groups> listed() {
    std::vector<bool> seen(ids_.size(), false);
    Groups result;
    TW_TRY(expect('['));
    do {
      TW_TRY(expect('['));
      auto &group = result.emplace_back();
      do {
        TW_ASSIGN(const int64_t id, integer());
        const auto at = std::ranges::lower_bound(ids_, id);
        const auto d = static_cast<size_t>(at - ids_.begin());
        const bool known = at != ids_.end() && *at == id;
        if (!known || seen[d])
          return fail(Code::invalid_argument, "TW-522",
                      fmt::format("levels '{}': device {} is {}", text(), id,
                                  known ? "in two groups of one level" : "in no mesh"));
        seen[d] = true;
        group.push_back(static_cast<Device>(d));
      } while (accept(','));
      TW_TRY(expect(']'));
    } while (accept(','));
    TW_TRY(expect(']'));
    if (const auto missing = std::ranges::find(seen, false); missing != seen.end())
      return fail(Code::invalid_argument, "TW-522",
                  fmt::format("levels '{}': device {} is in no group", text(),
                              ids_[static_cast<size_t>(missing - seen.begin())]));
    return result;
  }

  std::span<const int64_t> ids_;
};

} // namespace

Result<Topology> Topology::parse(std::string_view text, std::span<const int64_t> device_ids) {
  return LevelReader(text, device_ids).read();
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
