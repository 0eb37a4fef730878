// SPDX-License-Identifier: Apache-2.0
// Communicators of the library over connections.
#pragma once

#include <memory>
#include <vector>

#include "pjrt/handles.hpp"
#include "pjrt/links.hpp"

namespace tw::pjrt {

using CommHandle = std::unique_ptr<tw_comm_t, Releaser<tw_comm_release>>;

// That of the communicator of these processes, in this order.
Channel channel_of(const std::vector<size_t> &processes);

// Of these processes, in this order; `self` is one of them. A process waits for another for `deadline`
// seconds.
CommHandle make_comm(std::shared_ptr<Links> links, std::vector<size_t> processes, size_t self,
                     double deadline);

} // namespace tw::pjrt
