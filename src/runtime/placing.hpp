// SPDX-License-Identifier: Apache-2.0
// On which units of a kind the devices of a mesh are.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.hpp"
#include "comm/comm.hpp"
#include "device/kind.hpp"

namespace tw::runtime {

// By device; of the host none. Where there are several processes all call, and each has its devices on one
// unit, which stands for those of the others too.
Result<std::vector<int32_t>> place_on_units(const device::Kind &kind, comm::Communicator &communicator,
                                            int64_t devices, device::Wish wish);

} // namespace tw::runtime
