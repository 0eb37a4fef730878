// SPDX-License-Identifier: Apache-2.0
// The communicator of devices in several processes. What stays in a process is copied straight; what does not
// is packed, sent in one message from process to process, and worked on where it has come: partial values
// combine in the same order as in one process, so the bits are the same however devices are dealt out.
#pragma once

#include <memory>
#include <optional>

#include "comm/comm.hpp"
#include "comm/remote/collective.hpp"
#include "comm/remote/processes.hpp"

namespace tw::comm {

// Of one executable. Devices are dealt out in blocks, as even as can be. `form`: of all collectives that
// carry transfers; without, of each the one that is faster.
std::shared_ptr<Communicator> make_remote(std::shared_ptr<Processes> processes,
                                          std::optional<Form> form = std::nullopt);

} // namespace tw::comm
