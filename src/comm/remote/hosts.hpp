// SPDX-License-Identifier: Apache-2.0
// Which processes are on one host, and what that makes of the devices of a mesh: levels of its topology.
#pragma once

#include <memory>
#include <string>

#include "comm/remote/processes.hpp"
#include "sharding/mesh.hpp"

namespace tw::comm {

// The groups of device ids of each host, then of each process, as redistribute::Topology reads them. A level
// that is one group, or whose groups are single devices, or those of the level before, is left out. Empty
// where all is one host: there processes exchange no byte twice without levels. All processes call.
Result<std::string> levels_of(const sharding::Mesh &mesh, const std::shared_ptr<Processes> &processes);

// How many processes of a smaller rank are on the host of this one. All processes call.
Result<int64_t> turn_on_host(Processes &processes);

} // namespace tw::comm
