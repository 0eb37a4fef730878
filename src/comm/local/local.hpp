// SPDX-License-Identifier: Apache-2.0
// The in-process communicator: all devices share one address space, so data moves straight from the holder's
// buffer to the taker's, and each partial value is read once.
#pragma once

#include <memory>

#include "comm/comm.hpp"

namespace tw::comm {

std::unique_ptr<Communicator> make_local();

} // namespace tw::comm
