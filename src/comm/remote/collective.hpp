// SPDX-License-Identifier: Apache-2.0
// A collective some of whose devices are in other processes, in rounds: boxes are sent, and when those of
// others have come, the same work runs as in one process. A round has one of two forms, on all processes the
// same: boxes are packed into one message from process to process, or each is a message that is read from its
// tile, and written into one where nothing else is to be done with it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "comm/array_steps.hpp"
#include "comm/comm.hpp"
#include "comm/remote/processes.hpp"

namespace tw::comm {

enum class Form : uint8_t { packed, direct };

// `process` by device.
Result<std::unique_ptr<Collective>> make_collective(const Rounds &rounds, Groups groups, Processes &processes,
                                                    std::span<const int64_t> process,
                                                    Form form = Form::packed);
Result<std::unique_ptr<Collective>> make_collective(const RegionReduce &reduce, Processes &processes,
                                                    std::span<const int64_t> process);

} // namespace tw::comm
