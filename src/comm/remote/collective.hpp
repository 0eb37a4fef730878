// SPDX-License-Identifier: Apache-2.0
// A collective some of whose devices are in other processes, in rounds: boxes are packed and sent, and when those of others have come, the
// same work runs as in one process.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "comm/comm.hpp"
#include "comm/moves.hpp"
#include "comm/remote/processes.hpp"

namespace tw::comm {

// `process` by position of the transfer's mesh.
Result<std::unique_ptr<Collective>> make_collective(std::span<const Move> moves, Processes &processes,
                                                    std::span<const int64_t> process);
Result<std::unique_ptr<Collective>> make_collective(const Fold &fold, Processes &processes,
                                                    std::span<const int64_t> process);

} // namespace tw::comm
