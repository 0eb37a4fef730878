// SPDX-License-Identifier: Apache-2.0
// Processes of a host take its units in turn.
#include "runtime/placing.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tw::runtime {

Result<std::vector<int32_t>> place_on_units(const device::Kind &kind, comm::Communicator &communicator,
                                            int64_t devices, device::Wish wish) {
  const device::QueueKind *const queues = kind.as_queues();
  if (queues == nullptr && wish.units.empty())
    return std::vector<int32_t>();
  if (queues == nullptr)
    return fail(Code::invalid_argument, "TW-684",
                fmt::format("{} devices are not on GPUs, and a list of GPUs is given", kind.name()));
  if (communicator.is_shared()) {
    TW_ASSIGN(wish.turn, communicator.turn_on_host());
  }
  const comm::DeviceRange own = communicator.devices(devices);
  TW_ASSIGN(auto units, queues->place(std::max<int64_t>(own.last - own.first, 1), wish));
  if (communicator.is_shared())
    units.assign(static_cast<size_t>(devices), units[0]);
  return units;
}

} // namespace tw::runtime
