// SPDX-License-Identifier: Apache-2.0
// Processes that talk through files in a folder that all of them see: for what they tell each other where
// there is no MPI, as facts, NCCL's unique id, meetings and failures. Slow for data.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/status.hpp"
#include "comm/remote/transport.hpp"

namespace tw::test {

// All `size` processes call, each with a rank of its own, and with a folder that no job has used before. It
// is made where it is missing. Who comes waits for the others, as long as `deadline`.
Result<std::unique_ptr<comm::Transport>> open_folder(const std::string &folder, int64_t rank, int64_t size,
                                                     std::chrono::nanoseconds deadline);

} // namespace tw::test
