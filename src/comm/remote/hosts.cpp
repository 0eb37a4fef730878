// SPDX-License-Identifier: Apache-2.0
// Processes tell each other the names of their hosts.
#include "comm/remote/hosts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "base/hash.hpp"
#include "comm/remote/remote.hpp"
#include "redistribute/topology.hpp"

namespace tw::comm {
namespace {

using IdGroups = std::vector<std::vector<int64_t>>; // of device ids, by their smallest

// A number that names this host, and that a double holds.
int64_t host_number() {
  std::array<char, 256> name{};
  static_cast<void>(gethostname(name.data(), name.size() - 1)); // all without a name are one host
  return static_cast<int64_t>(Hasher().add(std::string_view(name.data())).value() >> 12);
}

IdGroups groups_by(const std::vector<int64_t> &ids, const std::vector<int64_t> &number) {
  std::map<int64_t, std::vector<int64_t>> found;
  for (size_t i = 0; i < ids.size(); ++i)
    found[number[i]].push_back(ids[i]);
  IdGroups groups;
  for (auto &[unused, members] : found) {
    std::ranges::sort(members);
    groups.push_back(std::move(members));
  }
  std::ranges::sort(groups);
  return groups;
}

// By process.
Result<std::vector<double>> all_hosts(Processes &processes) {
  std::vector<double> hosts(static_cast<size_t>(processes.size()), 0);
  hosts[static_cast<size_t>(processes.rank())] = static_cast<double>(host_number());
  TW_TRY(processes.agree_on_largest(hosts));
  return hosts;
}

} // namespace

Result<int64_t> turn_on_host(Processes &processes) {
  TW_ASSIGN(const std::vector<double> hosts, all_hosts(processes));
  const auto own = hosts.begin() + static_cast<std::ptrdiff_t>(processes.rank());
  return std::count(hosts.begin(), own, *own);
}

Result<std::string> levels_of(const sharding::Mesh &mesh, const std::shared_ptr<Processes> &processes) {
  TW_ASSIGN(const std::vector<double> hosts, all_hosts(*processes));
  const auto remote = make_remote(processes);
  const std::vector<int64_t> ids = redistribute::ids_of_devices(mesh);
  std::vector<int64_t> process, host;
  for (int64_t d = 0; d < mesh.num_devices(); ++d) {
    process.push_back(remote->process_of(sharding::DeviceIndex(d), mesh.num_devices()));
    host.push_back(static_cast<int64_t>(hosts[static_cast<size_t>(process.back())]));
  }
  const IdGroups on_hosts = groups_by(ids, host), in_processes = groups_by(ids, process);
  if (on_hosts.size() <= 1)
    return std::string();
  std::string levels = fmt::format("host={}", on_hosts);
  if (in_processes.size() < ids.size() && in_processes != on_hosts)
    levels += fmt::format(",process={}", in_processes);
  std::erase(levels, ' ');
  return levels;
}

} // namespace tw::comm
